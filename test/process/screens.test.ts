/** What commands show at a real terminal, of the login and the connection that they have there. */
import { describe, expect, it } from 'vitest';
import { startServer } from '../../src/sandbox/server.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import { madeForAll } from '../support/fixtures.ts';
import { homeForEach, machineOf } from '../support/home.ts';

const server = madeForAll(() => startServer());
const home = homeForEach();

type Given = { readonly env?: Readonly<Record<string, string>>; readonly columns?: number };

/** The screen of a command, with what differs from run to run named. */
async function screenOf(words: readonly string[], { env, columns = 80 }: Given = {}) {
  const session = home.terminal(words, { columns, rows: 60, env: env ?? machineOf(server) });
  const { code } = await session.exit;
  const screen = (await session.screen())
    .replaceAll(new URL(server.url).host, 'HOST')
    .replaceAll(home.folder, 'HOME')
    // A long folder for temporary files leaves no room behind it.
    .replace(/(?<=HOME\/iiot)\s+does\s+not\s+exist\s+yet/, ' does not exist yet');
  return { exit: code, lines: screen.split('\n'), written: session.written() };
}

describe('login status', () => {
  it('says in sentences who is logged in, and how long', async () => {
    const { admin, adminPassword, tenantPath, appPath } = ids;
    const words = ['login', '--account', admin, '--tenant', tenantPath, '--app', appPath, '--profile', 'ci'];
    const env = { IIOT_BASE_URL: server.url, IIOT_PASSWORD: adminPassword };
    expect((await screenOf(words, { env })).lines).toEqual([
      '✓ Logged in to http://HOST as ada@factory.example (profile ci)',
      'Set your organization with: iiot profiles set ci org=ID',
    ]);
    const { lines, exit } = await screenOf(['login', 'status', '--check', '--profile', 'ci'], { env: {} });
    expect(lines.join(' ')).toMatch(
      /^Logged in to HOST as ada@factory\.example \(profile ci\)\. The token expires in (2 h|1 h 59 min) and is renewed automatically\. The platform accepts the login\.$/,
    );
    expect(exit).toBe(0);
  });

  it('leaves no one alone with the error', async () => {
    const { lines, exit } = await screenOf(['login', 'status'], { env: { IIOT_BASE_URL: server.url } });
    expect(lines).toEqual(['error: You are not logged in.', 'hint: Run: iiot login']);
    expect(exit).toBe(3);
  });
});

describe('doctor', () => {
  it('is a checklist', async () => {
    const { lines, exit } = await screenOf(['doctor']);
    expect(lines.map((line) => line.replace(/(?<=Node |port )\S+/, 'N'))).toEqual([
      '✓ Node N',
      '✓ Files: HOME/iiot does not exist yet',
      '✓ Settings: http://HOST (IIOT_BASE_URL)',
      '✓ No name to resolve: 127.0.0.1 is an IP address',
      '✓ Connected to 127.0.0.1 port N',
      '✓ Platform: it answers with the page "Sandbox" (200 at http://HOST/)',
      "✓ This machine's clock agrees with the platform's",
      '✓ Login: sandbox-machine (IIOT_CLIENT_ID)',
      '✓ Test call (list users) works',
    ]);
    expect(exit).toBe(0);
  });

  it('says what to do below what failed, in the width of the terminal, and nothing twice', async () => {
    const { lines, exit, written } = await screenOf(['doctor'], {
      columns: 140,
      env: { IIOT_BASE_URL: 'https://nowhere.invalid' },
    });
    // A machine without a name server is told to try again.
    expect(lines.slice(2).map((line) => line.replace('EAI_AGAIN', 'ENOTFOUND'))).toEqual([
      '✓ Settings: https://nowhere.invalid (IIOT_BASE_URL)',
      '✗ The name nowhere.invalid does not resolve (ENOTFOUND).',
      '  Check the base URL: iiot profiles show --origin',
      'error: 1 check failed: name.',
    ]);
    expect(written).toContain('\u001b[31m✗\u001b[39m');
    expect(exit).toBe(8);
  });

  it('says that nothing listens', async () => {
    const env = { IIOT_BASE_URL: 'http://127.0.0.1:1' };
    const { lines } = await screenOf(['doctor'], { env, columns: 140 });
    expect(lines.slice(-3)).toEqual([
      '✗ Connection: cannot reach http://127.0.0.1:1: nothing listens there.',
      '  Check the base URL: iiot profiles show --origin. If it was a sandbox, it has ended: iiot sandbox start',
      'error: 1 check failed: connection.',
    ]);
  });
});
