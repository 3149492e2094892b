/** What `iiot version -o json` says of the program that was built, and how a place tells how it was installed. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findInstallMethod } from '../../src/commands/installed.ts';
import { homeForEach } from '../support/home.ts';
import { executable } from '../support/program.ts';

const project = 'packaging/project.json';
const home = homeForEach();

describe('iiot version -o json', () => {
  it('shows the version, the commit, Node, the installation and every bundled package', async () => {
    const { exit, stdout, stderr } = await home.iiot(['version', '-o', 'json']);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    const { repository } = JSON.parse(existsSync(project) ? readFileSync(project, 'utf8') : '{"repository":""}');
    const { version, commit, node, installMethod, bundled, ...rest } = JSON.parse(stdout);
    expect({ version, node, installMethod, rest }).toEqual({
      version: JSON.parse(readFileSync('package.json', 'utf8')).version,
      node: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      installMethod: executable === undefined ? 'source' : 'file',
      // Without an address there is nothing to link to.
      rest: { verify: repository === '' ? null : `${repository}/blob/v${version}/SECURITY.md#verify-a-release` },
    });
    // Built without git, or from a copy of the files alone, it knows of no commit.
    const known =
      commit &&
      execFileSync('git', ['rev-parse', '--verify', commit.replace('-dirty', '^{commit}')], {
        encoding: 'utf8',
      }).trim();
    expect(known && `${known}${commit.endsWith('-dirty') ? '-dirty' : ''}`).toBe(commit);
    const notices = readFileSync('THIRD-PARTY-NOTICES', 'utf8')
      .split(`\n${'-'.repeat(80)}\n\n`)
      .slice(1);
    expect(bundled.length).toBeGreaterThan(50);
    expect(bundled.map((each: { name: string; version: string }) => `${each.name} ${each.version}`)).toEqual(
      notices.map((notice) => notice.split('\n')[0]),
    );
  });
});

describe('the way of installation', () => {
  const node = '/usr/bin/node';
  it.each([
    ['npm_global', [node, '/usr/lib/node_modules/iiot-cli/bin/iiot.js']],
    ['npm_global', [node, '/home/ada/.nvm/versions/node/v22.1.0/lib/node_modules/iiot-cli/bin/iiot.js']],
    ['npm_global', ['node.exe', 'C:\\Users\\ada\\AppData\\Roaming\\npm\\node_modules\\iiot-cli\\bin\\iiot.js']],
    ['npm_global', [node, '/home/ada/.local/share/pnpm/global/5/node_modules/iiot-cli/bin/iiot.js']],
    ['npm_local', [node, '/home/ada/plant/node_modules/iiot-cli/bin/iiot.js']],
    ['npx', [node, '/home/ada/.npm/_npx/0a1b2c/node_modules/iiot-cli/bin/iiot.js']],
    ['homebrew', ['/opt/homebrew/Cellar/iiot/1.0.0/bin/iiot']],
    ['scoop', ['C:\\Users\\ada\\scoop\\apps\\iiot\\current\\iiot.exe']],
    ['winget', ['C:\\Users\\ada\\AppData\\Local\\Microsoft\\WinGet\\Packages\\iiot_x\\iiot.exe']],
    ['package', ['/usr/bin/iiot']],
    ['package', [node, '/usr/lib/iiot/bin/iiot.js']],
    ['file', ['/home/ada/bin/iiot']],
    ['file', ['/usr/local/bin/iiot']],
    ['source', [node, '/home/ada/iiot/bin/iiot.js']],
  ])('is %s for %j', (way, self) => {
    expect(findInstallMethod(self)).toBe(way);
  });

  it.each([
    ['deb', 'bin/iiot', 'deb'],
    ['rpm', 'lib/iiot/iiot', 'rpm'],
    ['image', 'bin/iiot', 'image'],
    ['package', 'bin/iiot', 'snap'],
  ])('is %s by the file lib/iiot/installed-as', (way, program, word) => {
    home.file('usr/lib/iiot/installed-as', `${word}\n`);
    expect(findInstallMethod([home.file(`usr/${program}`, '')], home.at('usr'))).toBe(way);
  });
});
