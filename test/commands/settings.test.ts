/** Where a command talks to, and as whom: options, variables, the profile. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { personForEach } from '../support/fixtures.ts';

const root = '11111111-1111-4111-8111-111111111111';
const empty = '22222222-2222-4222-8222-222222222222';
const someone = personForEach();

const users = (...words: string[]) => ['orgs', 'users', 'list', '--limit', '1', '-q', ...words];
const asked = () => someone.sent.map(({ request }) => request.replace(/^GET \/api\/v1\/orgs\/|\/users.*$/g, ''));

/** A machine on which nothing has been set up. */
const nothing = { IIOT_BASE_URL: undefined, IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined };

describe('settings', () => {
  it('an option overrides a variable, and a variable overrides the profile', async () => {
    await someone.iiot(['profiles', 'set', 'default', `org=${empty}`]);
    await someone.iiot(users());
    await someone.iiot(users(), { env: { IIOT_ORG: undefined } });
    await someone.iiot(users('--org', root), { env: { IIOT_ORG: undefined } });
    expect(asked()).toEqual([root, empty, root]);
  });

  it('an empty variable counts as unset', async () => {
    await someone.iiot(['profiles', 'set', 'default', `org=${empty}`]);
    await someone.iiot(users(), { env: { IIOT_ORG: '' } });
    expect(asked()).toEqual([empty]);
  });

  it('blanks and line ends around IIOT_ORG are ignored', async () => {
    await someone.iiot(users(), { env: { IIOT_ORG: ` ${empty}\r\n` } });
    expect(asked()).toEqual([empty]);
  });

  it.each([
    [users('--org', 'x'), {}, '--org'],
    [users(), { IIOT_ORG: 'x' }, 'IIOT_ORG'],
    [users(), { IIOT_ORG: undefined }, 'The organization of profile default'],
  ])('an invalid organization is refused with the name of its source: %j %j', async (words, env, name) => {
    await someone.iiot(['profiles', 'set', 'default', 'org=x']);
    const { exit, stderr } = await someone.iiot(words, { env });
    expect([exit, stderr]).toEqual([2, expect.stringContaining(`error: ${name} takes a UUID such as `)]);
    expect(someone.requests).toEqual([]);
  });

  it('the profile comes from --profile, IIOT_PROFILE or profiles use, else it is default', async () => {
    const ids = [root, empty, '33333333-3333-4333-8333-333333333333', '44444444-4444-4444-8444-444444444444'];
    for (const [index, name] of ['default', 'used', 'variable', 'typed'].entries())
      await someone.iiot(['profiles', 'set', name, `org=${ids[index]}`]);
    const env = { IIOT_ORG: undefined };
    await someone.iiot(users(), { env });
    await someone.iiot(['profiles', 'use', 'used']);
    await someone.iiot(users(), { env });
    await someone.iiot(users(), { env: { ...env, IIOT_PROFILE: 'variable' } });
    await someone.iiot(users('--profile', 'typed'), { env: { ...env, IIOT_PROFILE: 'variable' } });
    expect(asked()).toEqual(ids);
  });

  it('the format comes from -o, --json, IIOT_OUTPUT or the profile, else it is table', async () => {
    const plain = ['batches', 'cron', '0 0 2 1 1 ? 2099'];
    await someone.iiot(['profiles', 'set', 'default', 'output=ndjson']);
    const begins = async (more: readonly string[], env = {}) =>
      (await someone.iiot([...plain, ...more], { env })).stdout.slice(0, 3);
    expect(await begins([])).toBe('{"e');
    expect(await begins([], { IIOT_OUTPUT: 'csv' })).toBe('wor');
    expect(await begins(['--json'], { IIOT_OUTPUT: 'csv' })).toBe('{\n ');
    expect(await begins(['-o', 'yaml'], { IIOT_OUTPUT: 'csv' })).toBe('exp');
    expect(await begins(['-oid'])).toBe('0 0');
    expect(await begins(['--output=table'])).toBe('wor');
    const { exit, stderr } = await someone.iiot([...plain, '--json', '-o', 'csv']);
    expect([exit, JSON.parse(stderr).error.message]).toEqual([2, '--json and --output cannot be combined.']);
  });

  type Wrong = [readonly string[], Readonly<Record<string, string | undefined>>, string];
  const wrongTime = (name: string) => `error: ${name} takes a duration such as 500ms, 30s or 2m.`;
  it.each<Wrong>([
    [users('--profile', '../x'), {}, expect.stringMatching(/^error: "\.\.\/x" cannot be/)],
    [users(), { IIOT_ORG: undefined }, expect.stringMatching(/^error: Which organization\?/)],
    [users(), { IIOT_BASE_URL: undefined }, expect.stringMatching(/^error: Which platform\?/)],
    [users('--base-url', 'platform.example'), {}, expect.stringMatching(/^error: --base-url must start/)],
    [users(), { IIOT_BASE_URL: 'gopher://x' }, expect.stringMatching(/^error: IIOT_BASE_URL must start/)],
    [
      users('--base-url', 'http://platform.example'),
      {},
      'error: http://platform.example is plain http, which exposes passwords and tokens to everyone on the network.',
    ],
    ...['5', '0s', '30d'].map((time): Wrong => [users('--request-timeout', time), {}, wrongTime('--request-timeout')]),
    [users(), { IIOT_REQUEST_TIMEOUT: 'soon' }, wrongTime('IIOT_REQUEST_TIMEOUT')],
    [users(), { IIOT_OUTPUT: 'xml' }, 'error: IIOT_OUTPUT takes one of table, json, ndjson, yaml, csv, id.'],
    [users('--retries', '101'), {}, 'error: --retries takes a whole number from 0 to 100.'],
  ])('a mistake in %j or %j ends with 2 and one sentence', async (words, env, sentence) => {
    const { exit, stdout, stderr } = await someone.iiot(words, { env });
    expect({ exit, stdout, first: stderr.split('\n')[0] }).toEqual({ exit: 2, stdout: '', first: sentence });
    expect(stderr).toMatch(/^[^\n]+\n[^\n]+\n$/);
    expect(someone.requests).toEqual([]);
  });

  it.each([users(), ['credentials', 'list'], ['policies', 'update', 'x', '--name', 'y'], ['api', '/x']])(
    'a command without a login ends with 3 and says how to log in: %j',
    async (...words) => {
      const env = { ...nothing, IIOT_ORG: undefined };
      const { exit, stdout, stderr } = await someone.iiot(words.flat(), { env });
      const hint = 'hint: Set IIOT_BASE_URL, IIOT_CLIENT_ID and IIOT_CLIENT_SECRET, or run: iiot login';
      expect([exit, stdout, ...stderr.split('\n').slice(1)]).toEqual([3, '', hint, '']);
      expect(someone.requests).toEqual([]);
    },
  );

  it('plain http to another machine needs a profile that allows it', async () => {
    await someone.iiot(['profiles', 'set', 'default', 'allowHttp=true']);
    await someone.iiot(users('--base-url', 'http://platform.example'));
    expect(someone.requests).toHaveLength(2);
  });

  it('plain http to loopback is accepted', async () => {
    for (const base of ['http://localhost:1', 'http://[::1]:1', 'http://127.8.9.1:1']) {
      expect([base, (await someone.iiot(users('--base-url', base))).exit]).toEqual([base, 0]);
    }
  });

  it('an unreadable config.json stops only commands that need it', async () => {
    writeFileSync(join(someone.folder, 'config.json'), '{ "profiles": ');
    expect((await someone.iiot(users())).exit).toBe(0);
    const { exit, stderr } = await someone.iiot(users(), { env: { IIOT_ORG: undefined } });
    expect([exit, stderr.includes('config.json')]).toEqual([1, true]);
  });
});
