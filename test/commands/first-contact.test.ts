/** What a person meets first at a terminal: one sentence where nobody is logged in, a login, its status, and the checks of iiot doctor. */
import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/command/command.ts';
import { groups } from '../../src/commands/index.ts';
import { startServer } from '../../src/sandbox/server.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import { answering } from '../support/administrator.ts';
import { madeForAll, personForEach } from '../support/fixtures.ts';
import { nothing } from '../support/here.ts';
import { machineOf } from '../support/home.ts';

const server = madeForAll(() => startServer());
const someone = personForEach({ fetch: 'network', env: nothing, now: Date.now });
type Env = Readonly<Record<string, string>>;

/** What a command shows at a terminal, where each question gets the next answer, or Ctrl-C; what differs from run to run is named. */
async function screenOf(line: string, env: Env = {}, ...answers: readonly (string | undefined)[]) {
  const interrupt = new AbortController();
  const { streams, text } = answering(...answers.map((each) => each ?? (() => interrupt.abort())));
  const given = { ...streams, stdout: streams.stderr, interrupt: interrupt.signal, env: { TERM: 'dumb', ...env } };
  const { exit } = await someone.iiot(line.split(' '), given);
  const shown = text().replaceAll(new URL(server.url).host, 'HOST').replaceAll(someone.folder, 'FOLDER');
  return { exit, lines: shown.trimEnd().split('\n') };
}

/** Its words, with something for each argument that it cannot do without. */
function lineOf({ name, arguments: all }: Command): string {
  const known: Env = { orgId: ids.root };
  const required = Object.entries(all).filter(([, argument]) => !argument.optional);
  return [name, ...required.map(([argument]) => known[argument] ?? 'x')].join(' ');
}

const commands = (await Promise.all(groups.map(({ load }) => load()))).flat();
const ofPlatform = commands.filter(({ operation }) => operation !== undefined).map(lineOf);

describe('somebody who is not logged in', () => {
  const nowhere = { IIOT_BASE_URL: 'http://127.0.0.1:9' };

  it.each([...ofPlatform, 'api /api/v1/orgs/{orgId}/users', 'api DELETE /api/v1/orgs/x --confirm-profile default'])(
    'gets an error before any question of iiot %s',
    async (line) => {
      expect(await screenOf(line, nowhere)).toEqual({
        exit: 3,
        lines: [expect.stringMatching(/not logged in\.$/), expect.stringMatching(/Run: iiot login$/)],
      });
    },
  );

  it('is told the variables of a CI job, and the command that logs in to the profile', async () => {
    await screenOf('profiles set plant baseUrl=http://127.0.0.1:9');
    const { lines } = await screenOf('orgs users list --profile plant', { CI: 'true' });
    expect(lines[1]).toMatch(/IIOT_BASE_URL.* run: iiot login --profile plant$/);
  });

  it('can make a dry run', async () => {
    expect(await screenOf(`orgs delete ${ids.root} --org-name Line --dry-run`, nowhere)).toMatchObject({ exit: 0 });
  });
});

describe('a login at a terminal', () => {
  const place = () => ({ IIOT_BASE_URL: server.url, IIOT_TENANT: ids.tenantPath, IIOT_APP: ids.appPath });
  const account = `--account ${ids.admin}`;
  const password = `${ids.adminPassword}\n`;
  const organization = 'Organization ID (UUID; press Enter to skip): ';

  it('asks for everything that is missing, again after a wrong answer, and shows no password', async () => {
    const answers = [`${server.url}\n`, `${ids.admin}\n`, 'mistyped\n', password, 'Line 3\n', `${ids.root}\n`];
    const env = { ...place(), IIOT_BASE_URL: '' };
    const { exit, lines } = await screenOf('login', env, ...answers);
    const secret = `Password for ${ids.admin} at HOST: (hidden) `;
    // Plain lines say how far a login is where it takes longer than a second.
    expect([exit, lines.filter((each) => !each.startsWith('Logging in: '))]).toEqual([
      0,
      [
        `Base URL of the platform (for example https://platform.example): Account (email): ${secret}`,
        expect.stringContaining('(401)'),
        secret,
        `Logged in to http://HOST as ${ids.admin} (profile default)`,
        `${organization}Enter a UUID such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301`,
        `${organization}Set org of profile default`,
        expect.stringMatching(/^Next: /),
      ],
    ]);
    expect(await screenOf('orgs users list --limit 1 -o id')).toMatchObject({ lines: ['ada', '1 of 2,000 users'] });
  });

  it('says how to set the organization when that is skipped', async () => {
    const { lines } = await screenOf(`login ${account} --profile ci`, place(), password, '\n');
    const hint = 'Set your organization with: iiot profiles set ci org=ID';
    expect(lines.at(-1)).toBe(`${organization}${hint}`);
    const status = await screenOf('login status --check --profile ci');
    expect([status.exit, status.lines]).toEqual([
      0,
      [
        expect.stringMatching(
          /^Logged in to HOST as ada@factory\.example \(profile ci\)\. The token expires in (2 h|1 h 59 min) and is renewed automatically\. The platform accepts the login\.$/,
        ),
      ],
    ]);
  });

  it('is kept when the question for the organization is cancelled', async () => {
    const { exit, lines } = await screenOf(`login ${account}`, place(), password, undefined);
    expect([exit, lines.at(-2)]).toEqual([130, 'Cancelled. You are logged in.']);
    expect(await screenOf('login status')).toMatchObject({ exit: 0 });
  });

  it.each([
    ['the password is in a variable', '', { IIOT_PASSWORD: ids.adminPassword }],
    ['the output is JSON', ' -o json', {}],
    ['--quiet is given', ' --quiet', {}],
    ['--org is given', ` --org ${ids.root}`, {}],
  ])('asks for no organization when %s', async (_, options, env) => {
    const { exit, lines } = await screenOf(`login ${account}${options}`, { ...place(), ...env }, password);
    expect([exit, lines.join()]).toEqual([0, expect.not.stringContaining('Organization ID')]);
  });
});

describe('iiot doctor at a terminal', () => {
  it('prints a checklist', async () => {
    const { exit, lines } = await screenOf('doctor', machineOf(server));
    expect([exit, lines.map((line) => line.replace(/(?<=Node |port )\S+/, 'N'))]).toEqual([
      0,
      [
        '✓ Node N',
        '✓ Files: FOLDER (mode 0700)',
        '✓ Settings: http://HOST (IIOT_BASE_URL)',
        '✓ No name to resolve: 127.0.0.1 is an IP address',
        '✓ Connected to 127.0.0.1 port N',
        '✓ Platform: it answers with the page "Sandbox" (200 at http://HOST/)',
        "✓ This machine's clock agrees with the platform's",
        '✓ Login: sandbox-machine (IIOT_CLIENT_ID)',
        '✓ Test call (list users) works',
      ],
    ]);
  });

  it('prints a hint below a failed check', async () => {
    const env = { IIOT_BASE_URL: 'https://nowhere.invalid', FORCE_COLOR: '1' };
    const { exit, lines } = await screenOf('doctor', env);
    // A machine without a name server is told to try again.
    expect([exit, ...lines.slice(3).map((line) => line.replace('EAI_AGAIN', 'ENOTFOUND'))]).toEqual([
      8,
      '\u001b[31m✗\u001b[39m The name nowhere.invalid does not resolve (ENOTFOUND).',
      expect.stringMatching(/Check the base URL/),
      expect.stringContaining('1 check failed: name.'),
    ]);
  });
});
