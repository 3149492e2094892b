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

describe('iiot login status', () => {
  it('shows in sentences who is logged in, and for how long', async () => {
    const { admin, adminPassword, tenantPath, appPath } = ids;
    const words = ['login', '--account', admin, '--tenant', tenantPath, '--app', appPath, '--profile', 'ci'];
    const env = { IIOT_BASE_URL: server.url, IIOT_PASSWORD: adminPassword };
    expect((await screenOf(words, { env })).lines).toEqual([
      '✓ Logged in to http://HOST as ada@factory.example (profile ci)',
      expect.stringContaining('profiles set ci org=ID'),
    ]);
    const { lines, exit } = await screenOf(['login', 'status', '--check', '--profile', 'ci'], { env: {} });
    expect(lines.join(' ')).toMatch(
      /^Logged in to HOST as ada@factory\.example \(profile ci\)\. The token expires in (2 h|1 h 59 min) and is renewed automatically\. The platform accepts the login\.$/,
    );
    expect(exit).toBe(0);
  });
});

describe('iiot doctor', () => {
  it('prints a checklist', async () => {
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

  it('prints a hint below a failed check', async () => {
    const { lines, exit, written } = await screenOf(['doctor'], {
      columns: 140,
      env: { IIOT_BASE_URL: 'https://nowhere.invalid' },
    });
    // A machine without a name server is told to try again.
    expect(lines.slice(2).map((line) => line.replace('EAI_AGAIN', 'ENOTFOUND'))).toEqual([
      '✓ Settings: https://nowhere.invalid (IIOT_BASE_URL)',
      '✗ The name nowhere.invalid does not resolve (ENOTFOUND).',
      expect.stringMatching(/^ {2}Check the base URL/),
      'error: 1 check failed: name.',
    ]);
    expect(written).toContain('\u001b[31m✗\u001b[39m');
    expect(exit).toBe(8);
  });
});
