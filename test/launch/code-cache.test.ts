import { describe, expect, it } from 'vitest';
import { cacheFolder } from '../../src/launch/code-cache.ts';

describe('the folder for what Node has compiled', () => {
  it.each([
    ['linux', { HOME: '/home/ada' }, '/home/ada/.cache/iiot'],
    ['linux', { HOME: '/home/ada', XDG_CACHE_HOME: '/var/ada' }, '/var/ada/iiot'],
    ['linux', { HOME: '/home/ada', XDG_CACHE_HOME: 'relative' }, '/home/ada/.cache/iiot'],
    ['darwin', { HOME: '/Users/ada', XDG_CACHE_HOME: '/var/ada' }, '/Users/ada/Library/Caches/iiot'],
    ['win32', { LOCALAPPDATA: 'C:\\Users\\ada\\AppData\\Local' }, 'C:\\Users\\ada\\AppData\\Local\\iiot\\Cache'],
  ] as const)('on %s with %j is %s', (platform, env, folder) => {
    expect(cacheFolder(env, platform)).toBe(folder);
  });

  it.each([
    ['linux', { HOME: '' }],
    ['linux', {}],
    ['win32', { HOME: '/home/ada' }],
  ] as const)('is nowhere on %s with %j', (platform, env) => {
    expect(cacheFolder(env, platform)).toBeUndefined();
  });
});
