import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/failure.ts';
import { refuseForeign } from '../../src/files/trust.ts';

/** Of a file in the root folder, which is root's and nobody else's to write. */
function verdict(found: { uid: number; mode: number }, uid: number, env: Readonly<Record<string, string>> = {}) {
  try {
    refuseForeign('/config.json', { ...found, mode: found.mode | 0o100_000 }, { platform: 'linux', uid, env });
    return 'followed';
  } catch (error) {
    return error instanceof Failure ? [error.message, error.facts.hint] : error;
  }
}

describe.skipIf(process.platform === 'win32')('the file config.json', () => {
  it.each([
    ['our own', { uid: 1000, mode: 0o600 }, 1000],
    ["the system's", { uid: 0, mode: 0o644 }, 1000],
    ["root's own", { uid: 0, mode: 0o600 }, 0],
  ])('is followed if it is %s', (_, found, uid) => {
    expect(verdict(found, uid)).toBe('followed');
  });

  it('is ignored if it belongs to root and others can write to it', () => {
    expect(verdict({ uid: 0, mode: 0o664 }, 1000)).toEqual([
      'Others can write to /config.json (mode 0664), so it is ignored.',
      'If you trust it, run: sudo chmod go-w /config.json',
    ]);
  });

  it('is ignored if it belongs to another user who did not call sudo', () => {
    const foreign = [
      '/config.json belongs to another user (uid 1001, and you are 1000), so it is ignored.',
      'Set IIOT_CONFIG_DIR to a folder of your own',
    ];
    expect(verdict({ uid: 1001, mode: 0o600 }, 1000)).toEqual(foreign);
    expect(verdict({ uid: 1001, mode: 0o600 }, 1000, { SUDO_UID: '1001' })).toEqual(foreign);
    expect(verdict({ uid: 1001, mode: 0o600 }, 0, { SUDO_UID: '1001' })).toBe('followed');
  });
});
