import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Fetch } from '../../src/network/fetch.ts';
import { hashOf } from '../../src/sandbox/identity/secrets.ts';
import { personsForEach } from '../support/fixtures.ts';
import { platformFetch } from '../support/platform-fetch.ts';
import { printedLine } from '../support/printed.ts';
import { errorOf, failed, inBrief } from '../support/seen.ts';
import type { Person } from '../support/world.ts';

const path = '/api/v1/oauth2/client-credentials';
const token = 'POST /identity/connect/token';
const noMachine = { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined };
const newPerson = personsForEach();
let someone: Person;

const at = (name: string) => join(someone.folder, name);
const login = (name: string) => JSON.parse(readFileSync(at('credentials.json'), 'utf8')).logins[name];
const recoveries = () => readdirSync(someone.folder).filter((name) => name.startsWith('recovery-'));
const list = () => [...someone.platform.world.credentials.values()];

/** A profile "robot" that is logged in with a credential of its own; commands run as it. Gives the id of that credential. */
async function robot(fetch?: (next: Fetch) => Fetch, more: readonly string[] = []): Promise<string> {
  let wrapped: Fetch | undefined;
  someone = newPerson({ fetch: (url, init) => (wrapped ?? direct)(url, init) });
  const { platform } = someone;
  const direct: Fetch = (url, { method, headers, body = null, signal }) =>
    platformFetch(platform, new Request(url, { method, headers, body, signal, redirect: 'manual' }));
  const words = ['credentials', 'create', '--name', 'Robot 7', '--scope', 'read', '--device-id', 'press-0001', ...more];
  const made = await someone.iiot([...words, '--save-profile', 'robot', '-o', 'json']);
  expect(made.exit).toBe(0);
  wrapped = fetch?.(direct);
  return JSON.parse(made.stdout).clientCredentialId;
}

const rotated = () => JSON.parse(someone.sent.at(-2)?.body ?? '');
const rotate = (id: string, ...words: string[]) =>
  someone.iiot(['--profile', 'robot', 'credentials', 'rotate', id, ...words], { env: noMachine });

/** Answers some requests otherwise than the platform. */
const except =
  (answer: (method: string, url: string) => Response | undefined) =>
  (next: Fetch): Fetch =>
  async (url, init) =>
    answer(init.method, url) ?? next(url, init);
const isCreation = (method: string, url: string) => method === 'POST' && url.endsWith(path);
const notToday = () => Response.json({ error: { message: 'Not today.' } }, { status: 403 });

/** A platform that lists one credential so, and no other. */
function listing(told: object): void {
  let count = 0;
  someone = newPerson({
    fetch: async (url, { method }) => {
      if (url.endsWith('/token')) return Response.json({ access_token: `token-${++count}` });
      if (method === 'GET') return Response.json([{ clientCredentialId: 'cc_1', name: 'a', ...told }]);
      if (method === 'DELETE') return new Response(null, { status: 204 });
      return Response.json({ clientCredentialId: 'cc_2', clientId: 'c', clientSecret: 'a new secret' });
    },
  });
}

const rotateListed = (...words: readonly string[]) =>
  someone.iiot(['credentials', 'rotate', 'cc_1', '-y', '--secret-file', at('secret'), ...words]);

describe('iiot credentials rotate', () => {
  it('creates, tests and saves a successor, and then deletes the old credential', async () => {
    const old = await robot(undefined, ['--expires', '30d']);
    const before = login('robot');
    const sentBefore = someone.requests.length;
    const seen = await rotate(old, '--yes', '-o', 'json');
    expect([seen.exit, seen.stderr]).toEqual([0, '']);
    const made = JSON.parse(seen.stdout);
    expect(made).toEqual({
      clientCredentialId: expect.stringMatching(/^credential_/),
      clientId: expect.stringMatching(/^client-/),
      name: 'Robot 7',
      createdAt: '2026-01-01T12:00:00.000Z',
      expiredAt: '2026-01-31T12:00:00.000Z',
      secretFile: null,
      profile: 'robot',
      previousClientCredentialId: old,
    });
    const expected = [token, `GET ${path}`, `POST ${path}`, token, `DELETE ${path}/${old}`];
    expect(someone.requests.slice(sentBefore)).toEqual(expected);
    expect(someone.sent.at(-2)?.body).toBe(
      '{"name":"Robot 7","scopes":["read"],"deviceIds":["press-0001"],"expiredAt":"2026-01-31T12:00:00Z"}',
    );
    expect(login('robot')).toEqual({
      ...before,
      clientId: made.clientId,
      clientSecret: expect.not.stringMatching(before.clientSecret),
      clientCredentialId: made.clientCredentialId,
      tenantId: '7e7a7e7a-0000-4000-8000-000000000001',
      accessToken: expect.any(String),
      issuedAt: expect.any(Number),
      expiresAt: expect.any(Number),
    });
    expect(recoveries()).toEqual([]);
    expect(list().map((each) => each.clientCredentialId)).toEqual(['credential_001', made.clientCredentialId]);
    expect((await someone.iiot(['--profile', 'robot', 'orgs', 'users', 'list'], { env: noMachine })).exit).toBe(0);
  });

  it('keeps the old credential with --keep-old, and shows how to delete it', async () => {
    const old = await robot();
    const dry = await rotate(old, '--keep-old', '--dry-run', '-o', 'json');
    expect(JSON.parse(dry.stdout).request.method).toBe('POST');
    const seen = await rotate(old, '--keep-old', '--yes', '--secret-file', at('secret'));
    expect([seen.exit, seen.stderr.split('\n')]).toEqual([
      0,
      expect.arrayContaining([
        `The old credential still works. Once nobody uses it, delete it: iiot credentials delete ${old} --profile robot`,
      ]),
    ]);
    expect(list().map((each) => each.clientCredentialId)).toContain(old);
    expect((await someone.iiot([...printedLine(seen.stderr), '--yes'], { env: noMachine })).exit).toBe(0);
    expect(list().map((each) => each.clientCredentialId)).not.toContain(old);
  });

  it('gives the successor the values of the options', async () => {
    const old = await robot();
    await rotate(old, '-y', '--name', 'Robot 8', '--expires', '1d', '--scope', 'write', '--scope', 'read');
    expect(rotated()).toEqual({
      name: 'Robot 8',
      scopes: ['write', 'read'],
      deviceIds: ['press-0001'],
      expiredAt: '2026-01-02T12:00:00Z',
    });
  });

  it('notes once how a date is read', async () => {
    const { stderr } = await rotate(await robot(), '-y', '--expires', '2027-01-31');
    expect(stderr.split('--expires 2027-01-31 is 2027-01-31T00:00:00Z.')).toHaveLength(2);
  });

  it('sends the body of --body-file, and saves the secret', async () => {
    const old = await robot();
    const body = '{"name":"Robot 9","scopes":[]}';
    const words = ['--body-file', someone.file('body.json', body), '--secret-file', at('secret')];
    expect([(await rotate(old, '-y', ...words)).exit, someone.sent.at(-2)?.body]).toEqual([0, body]);
    expect(readFileSync(at('secret'), 'utf8')).toMatch(/^[\w-]{43}\n$/);
  });

  it('tells which login uses the old credential', async () => {
    const old = await robot();
    const { stderr } = await rotate(old, '--yes');
    expect(stderr).toBe(`The login in use, of profile robot, is client credential ${old} ("Robot 7").\n`);
  });

  it('prints the new secret if no profile uses the old credential', async () => {
    someone = newPerson();
    const seen = await someone.iiot(['credentials', 'rotate', 'credential_001', '--yes', '-o', 'json']);
    expect(seen.exit).toBe(0);
    expect(JSON.parse(seen.stdout)).toMatchObject({
      clientSecret: expect.stringMatching(/^[\w-]{43}$/),
      previousClientCredentialId: 'credential_001',
    });
    expect([list().length, recoveries()]).toEqual([1, []]);
  });

  it('sends nothing if the secret would go into a piped table', async () => {
    someone = newPerson();
    const { exit } = await someone.iiot(['credentials', 'rotate', 'credential_001', '--yes']);
    expect([exit, someone.requests]).toEqual([2, []]);
  });

  it('names the profile that keeps the old credential with --secret-file', async () => {
    const old = await robot();
    const { exit, stderr } = await rotate(old, '--yes', '--secret-file', at('secret'));
    expect(exit).toBe(0);
    expect(stderr).toContain('Profile robot keeps the old one, and cannot log in afterwards.\n');
  });

  describe('without --expires', () => {
    /** Rotates a credential that a platform lists like this, without a login; gives what was sent for the successor. */
    async function successorOf(listed: object, ...words: readonly string[]) {
      listing({ scopes: [], deviceIds: [], ...listed });
      const { exit, stderr } = await rotateListed(...words);
      const body = someone.sent.find(({ request }) => request === `POST ${path}`)?.body;
      return { exit, sent: body && JSON.parse(body).expiredAt, stderr: stderr.split('\n')[0] };
    }

    it.each([
      ['expires soon', '2025-10-08T12:00:00Z', '2026-01-06T12:00:00Z', '2026-04-01T12:00:00Z', '90 d'],
      ['has expired', '2025-10-01T00:00:00Z', '2025-12-30T00:00:00Z', '2026-04-01T12:00:00Z', '90 d'],
      ['has times of two clocks', '2025-12-01T12:02:11.5Z', '2025-12-31T12:00:00Z', '2026-01-31T11:57:49Z', '30 d'],
      ['has times without a zone', '2025-12-31T12:00:00', '2026-01-01T13:30:00', '2026-01-02T13:30:00Z', '1 d'],
      ['lives for minutes', '2026-01-01T11:59:00Z', '2026-01-01T12:09:00Z', '2026-01-01T12:10:00Z', '10 min'],
      ['expires in 9999', '2025-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z', '2912808 d'],
    ])(
      'gives the successor the same lifetime if the old credential %s',
      async (_, createdAt, expiredAt, sent, span) => {
        expect(await successorOf({ createdAt, expiredAt })).toEqual({
          ...{ exit: 0, sent },
          stderr: `The successor has the old one's lifetime of ${span} and expires ${sent}; use --expires to change that.`,
        });
        const { stderr } = await successorOf({ createdAt, expiredAt }, '--expires', '1d');
        expect(stderr).not.toContain('lifetime');
      },
    );

    it('gives the successor no expiry if the old credential has none', async () => {
      const listed = { createdAt: '2025-12-01T12:00:00Z', expiredAt: null };
      expect(await successorOf(listed)).toMatchObject({ exit: 0, sent: undefined });
    });

    const asOld = (span: string, time: string) => `The successor expires as the old one does, in ${span} (${time}).`;
    it('gives the successor the same expiry if the lifetime is unknown', async () => {
      const expiredAt = '2026-02-07T00:00:01Z';
      const stderr = `${asOld('36 d', expiredAt)} Use --expires to change that.`;
      expect(await successorOf({ expiredAt })).toEqual({ exit: 0, sent: expiredAt, stderr });
    });

    it.each([
      ['expires soon', undefined, '2026-02-06T23:59:59Z', '36 d'],
      ['has an unreadable creation time', 'last year', '2026-01-01T13:30:00Z', '1 h 30 min'],
      ['expires before its creation', '2026-02-01T00:00:00Z', '2026-01-02T12:00:00Z', '1 d'],
      ['has expired', undefined, '2025-12-31T00:00:00Z', undefined],
    ])('is refused if the lifetime is unknown and the old credential %s', async (_, createdAt, expiredAt, span) => {
      const listed = { expiredAt, ...(createdAt !== undefined && { createdAt }) };
      const tooLate = `The old one has expired (${expiredAt}), and so would its successor.`;
      const sentence = span === undefined ? tooLate : asOld(span, expiredAt);
      expect(await successorOf(listed)).toEqual({ exit: 2, sent: undefined, stderr: `error: ${sentence}` });
      expect(await errorOf(rotateListed('-o', 'json'))).toMatchObject({
        ...{ exit: 2, code: 'usage', hint: 'Give --expires DURATION, or --expires never' },
        details: [{ option: '--expires', message: 'is required' }],
      });
      expect(await successorOf(listed, '--expires', 'never')).toMatchObject({ exit: 0, sent: null });
      const inNinetyDays = { exit: 0, sent: '2026-04-01T12:00:00Z' };
      expect(await successorOf(listed, '--expires', '90d')).toMatchObject(inNinetyDays);
    });
  });

  it('reports a credential that does not exist', async () => {
    await robot();
    const sentence = 'error: There is no client credential credential_x on http://127.0.0.1:1.';
    expect(await rotate('credential_x', '--yes')).toEqual(
      failed(5, sentence, 'hint: See iiot credentials list --profile robot'),
    );
  });

  it('shows both requests with --dry-run, and sends none', async () => {
    someone = newPerson();
    const line = 'credentials rotate credential_001 --expires 90d --dry-run -o json';
    const { stdout, stderr } = await someone.iiot(line.split(' '));
    const url = `http://127.0.0.1:1${path}`;
    const body = { name: '(the name of credential_001)', expiredAt: '2026-04-01T12:00:00Z' };
    expect([stderr, ...JSON.parse(stdout)]).toMatchObject([
      '',
      { request: { method: 'POST', url, body } },
      { request: { method: 'DELETE', url: `${url}/credential_001` } },
    ]);
    expect(someone.requests).toEqual([]);
  });

  it('names what the platform does not return of the old one', async () => {
    listing({});
    const lacks = (what: string, option: string) =>
      `The platform does not return the ${what} of the old one: the successor has what ${option} gives.\n`;
    expect(await inBrief(rotateListed(), 3)).toMatchObject({
      exit: 0,
      stderr:
        lacks('scopes', '--scope') +
        lacks('deviceIds', '--device-id') +
        'The platform does not return when the old one expires: the successor never expires unless you give --expires.\n',
    });
  });
});

describe('a failed rotation', () => {
  /** The profile can log in with that credential. */
  async function works(id: string): Promise<void> {
    expect(login('robot').clientCredentialId).toBe(id);
    const { exit } = await someone.iiot(['--profile', 'robot', 'login', 'refresh'], { env: noMachine });
    expect(exit).toBe(0);
  }

  it('changes nothing if the successor cannot be created', async () => {
    const old = await robot(except((...request) => (isCreation(...request) ? notToday() : undefined)));
    const { exit } = await rotate(old, '--yes');
    expect([exit, list().length, recoveries()]).toEqual([4, 2, []]);
    await works(old);
  });

  it('keeps the secret in a recovery file if it cannot be saved', async () => {
    const old = await robot(
      except((...request) => {
        // Somebody makes the file in this very moment.
        if (isCreation(...request)) writeFileSync(at('secret'), 'of somebody else');
        return undefined;
      }),
    );
    const error = await errorOf(rotate(old, '--yes', '--secret-file', at('secret'), '-o', 'json'));
    const successor = list().at(-1);
    const [recovery = ''] = recoveries();
    expect(error).toMatchObject({
      exit: 1,
      message: expect.stringMatching(
        `^Client credential ${successor?.clientCredentialId} was created, but its secret was not saved\\. ` +
          `${at('secret')} already exists.* The old credential, ${old}, is unchanged\\.$`,
      ),
      hint: `The secret is in ${at(recovery)}, readable only by you. Move it to a safe place, then remove the file`,
    });
    const kept = JSON.parse(readFileSync(at(recovery), 'utf8'));
    expect(kept).toMatchObject({ id: successor?.clientCredentialId, clientId: successor?.clientId, name: 'Robot 7' });
    expect(hashOf(kept.clientSecret)).toBe(successor?.secretHash);
    expect(statSync(at(recovery)).mode & 0o777).toBe(0o600);
    expect(readFileSync(at('secret'), 'utf8')).toBe('of somebody else');
    await works(old);
  });

  let isNew = false;
  /** Gives the successor no token, and may not delete it. */
  const unproven = (deletes: boolean) =>
    except((method, url) => {
      if (isCreation(method, url)) isNew = true;
      if (isNew && url.endsWith('/token')) return Response.json({ error: 'invalid_client' }, { status: 401 });
      return method === 'DELETE' && !deletes ? notToday() : undefined;
    });
  afterEach(() => {
    isNew = false;
  });

  it('deletes the successor if it gets no access token', async () => {
    const old = await robot(unproven(true));
    const { exit, message } = await errorOf(rotate(old, '--yes', '-o', 'json'));
    const sentence = `^The successor of client credential ${old} got no access token: .* So it was deleted. The old one is unchanged.$`;
    expect([exit, message]).toEqual([3, expect.stringMatching(new RegExp(sentence))]);
    expect([list().length, recoveries()]).toEqual([2, []]);
    isNew = false;
    await works(old);
  });

  it('names the successor and its secret if it cannot be deleted', async () => {
    const old = await robot(unproven(false));
    const { exit, message, hint } = await errorOf(rotate(old, '--yes', '-o', 'json'));
    const successor = list().at(-1)?.clientCredentialId;
    expect([exit, hint]).toEqual([3, expect.stringContaining(` credentials delete ${successor} --profile robot`)]);
    expect(message).toContain(`It exists as ${successor}, because deleting it failed as well: Not today. (403)`);
    expect(message).toContain(`Its secret is in ${at(recoveries()[0] ?? 'no file')}.`);
    isNew = false;
    await works(old);
  });

  it('names the old credential if it cannot be deleted', async () => {
    let isRefused = true;
    const old = await robot(except((method) => (method === 'DELETE' && isRefused ? notToday() : undefined)));
    const error = await errorOf(rotate(old, '--yes', '-o', 'json'));
    const successor = list().at(-1)?.clientCredentialId ?? '';
    expect(error).toMatchObject({
      ...{ exit: 4, stdout: '', code: 'forbidden' },
      message:
        `The successor ${successor} works and is saved (profile robot), ` +
        `but the old client credential ${old} could not be deleted: Not today.`,
      hint: `Delete it: iiot credentials delete ${old} --profile robot`,
    });
    expect([list().length, recoveries()]).toEqual([3, []]);
    await works(successor);
    isRefused = false;
    expect((await someone.iiot([...printedLine(error.hint), '--yes'], { env: noMachine })).exit).toBe(0);
    expect(list().map((each) => each.clientCredentialId)).not.toContain(old);
  });
});
