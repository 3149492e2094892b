import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { personsForEach } from '../support/fixtures.ts';
import { respondingWith } from '../support/responses.ts';
import { errorOf, failed, inBrief, worked } from '../support/seen.ts';
import type { Person } from '../support/world.ts';

const path = '/api/v1/oauth2/client-credentials';
const noMachine = { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined };
const newPerson = personsForEach();
let someone: Person;

beforeEach(() => {
  someone = newPerson();
});

const at = (name: string) => join(someone.folder, name);
const files = () => readdirSync(someone.folder).sort();
const modeOf = (name: string) => (statSync(at(name)).mode & 0o777).toString(8);
const logins = () => JSON.parse(readFileSync(at('credentials.json'), 'utf8')).logins;
const credentials = () => [...someone.platform.world.credentials.values()];

async function json(words: readonly string[], env = {}) {
  const { exit, stdout, stderr } = await someone.iiot([...words, '-o', 'json'], { env });
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  return JSON.parse(stdout);
}

const answering = (...response: Parameters<typeof respondingWith>) => newPerson({ fetch: respondingWith(...response) });
async function refused(words: readonly string[], env = {}) {
  const { stdout, ...error } = await errorOf(someone.iiot([...words, '-o', 'json'], { env }));
  expect(stdout).toBe('');
  return error;
}
const create = ['credentials', 'create', '--name', 'a'];
/** The exit code and the error of a credential "a" that is not created. */
const refusedTo = (...words: readonly string[]) => refused([...create, ...words]);
const secretForm = /^[\w-]{43}\n$/;
const created = {
  clientCredentialId: expect.stringMatching(/^credential_/),
  clientId: expect.stringMatching(/^client-/),
  name: 'a',
  createdAt: '2026-01-01T12:00:00.000Z',
  expiredAt: null,
};

describe('iiot credentials create', () => {
  it('prints the secret, and stores it nowhere', async () => {
    const made = await json(create);
    const none = { secretFile: null, profile: null, previousClientCredentialId: null };
    expect(made).toEqual({ ...created, ...none, clientSecret: expect.stringMatching(/^[\w-]{43}$/) });
    expect(files()).toEqual(['history.ndjson', 'locks', 'tokens.json']);
    expect(readFileSync(at('history.ndjson'), 'utf8')).not.toContain(made.clientSecret);
    expect(someone.sent).toEqual([{ request: `POST ${path}`, body: '{"name":"a"}' }]);
  });

  it.each([
    ['90d', '2026-04-01T12:00:00Z'],
    ['2027-01-31T00:00:00Z', '2027-01-31T00:00:00Z'],
    ['2027-01-31T00:00:00.250+09:00', '2027-01-30T15:00:00.250Z'],
    ['2027-01-31t23:59:59-03:30', '2027-02-01T03:29:59Z'],
  ])('sends --expires %s as %s', async (word, sent) => {
    await json([...create, '--expires', word]);
    expect(JSON.parse(someone.sent.at(-1)?.body ?? '')).toEqual({ name: 'a', expiredAt: sent });
  });

  it('takes a date as its start in UTC, with a note', async () => {
    const seen = await someone.iiot([...create, '--expires', '2027-01-31', '-o', 'json']);
    expect([seen.exit, seen.stderr]).toEqual([0, '--expires 2027-01-31 is 2027-01-31T00:00:00Z.\n']);
    expect(JSON.parse(someone.sent.at(-1)?.body ?? '')).toEqual({ name: 'a', expiredAt: '2027-01-31T00:00:00Z' });
  });

  const buddhist = ': 2569 looks like the Buddhist year of 2026';
  it.each([
    ['2569-11-28T00:00:00+07:00', 543, buddhist],
    ['9999-12-31T23:59:59Z', '7,973', ''],
    ['18263d', 50, ''],
  ])('needs --yes for --expires %s', async (word, years, perhaps) => {
    const doubt = `It expires in ${years} years${perhaps}.`;
    const words = [...create, '--expires', word];
    expect(await refused(words)).toMatchObject({ exit: 2, hint: `${doubt} Confirm with --yes` });
    expect(someone.requests).toEqual([]);
    for (const agreed of ['--dry-run', '--yes']) {
      const { exit, stderr } = await someone.iiot([...words, agreed, '-o', 'json']);
      expect([exit, stderr.split('\n').at(-2)]).toEqual([0, `Note: ${doubt}`]);
    }
    expect(someone.sent.filter(({ body }) => body !== undefined)).toHaveLength(1);
  });

  it('doubts an expiry in 543 years in a body, in a rotation and in rows', async () => {
    const doubt = `It expires in 543 years${buddhist}.`;
    const at = '2569-11-28T00:00:00Z';
    const body = someone.file('body.json', JSON.stringify({ name: 'a', expiredAt: at }));
    for (const words of [
      ['create', '--body-file', body],
      ['rotate', 'credential_001', '--expires', at],
    ])
      expect(await refused(['credentials', ...words])).toMatchObject({ hint: `${doubt} Confirm with --yes` });
    const rows = someone.file('rows.csv', `name,expires\nb,${at}\n`);
    const words = ['credentials', 'create', '--rows', rows, '--secret-dir', join(someone.folder, 'secrets')];
    const { stderr } = await someone.iiot([...words, '--yes']);
    expect(stderr.split('\n')[0]).toBe(`Note: Line 2: ${doubt}`);
  });

  it('sends --expires never as null, and lists in the order in which they are typed', async () => {
    const lists = ['--scope', 'write', '--scope', 'read', '--device-id', 'press 1', '--device-id', 'press/2'];
    await json([...create, '--expires', 'never', ...lists]);
    const body = { name: 'a', scopes: ['write', 'read'], deviceIds: ['press 1', 'press/2'], expiredAt: null };
    expect(JSON.parse(someone.sent[0]?.body ?? '')).toEqual(body);
  });

  const noZone =
    'has no time zone in 2027-01-31T00:00:00: write 2027-01-31T00:00:00Z for UTC, in a spreadsheet as text';
  const noTime =
    'takes a duration such as 90d, a date such as 2027-01-31, or a time with its zone such as 2027-01-31T00:00:00Z';
  it.each([
    ['2026-02-30', noTime],
    ['2026-01-01', 'is in the past: 2026-01-01T00:00:00Z'],
    ['2027-01-31T00:00:00', noZone],
    ['tomorrow', noTime],
    ['2027-01-31T00:00:60Z', noTime],
    ['0s', 'is in the past: 2026-01-01T12:00:00Z'],
    ['2026-01-01T20:59:59+09:00', 'is in the past: 2026-01-01T11:59:59Z'],
  ])('refuses --expires=%s before anything is sent', async (word, why) => {
    expect(await refusedTo(`--expires=${word}`)).toMatchObject({ exit: 2, message: `--expires ${why}.` });
    expect(someone.requests).toEqual([]);
  });

  it.each([
    [[], 'a table in a pipe is not a safe place for it'],
    [['-o', 'id'], '-o id prints only the ID'],
    [['-o', 'csv', '--columns', 'name,clientId'], '--columns leaves it out'],
    [['--jq', '.clientSecret'], '--jq may leave it out'],
  ])('sends nothing if the secret has no place with %j', async (words, reason) => {
    const sentence = `error: The secret is shown only once, and ${reason}, so nothing was created.`;
    const hint = 'hint: Use --secret-file FILE or --save-profile NAME, or -o json without --jq to get it in the result';
    expect(await someone.iiot([...create, ...words])).toEqual(failed(2, sentence, hint));
    expect(someone.requests).toEqual([]);
  });

  it.each([[['-o', 'yaml']], [['-o', 'ndjson']], [['-o', 'csv']], [['-o', 'csv', '--columns', 'clientSecret']]])(
    'prints the secret with %j',
    async (words) => {
      const { exit, stdout } = await someone.iiot([...create, ...words]);
      expect(exit).toBe(0);
      expect(stdout.length).toBeGreaterThan(43);
      expect(credentials()).toHaveLength(2);
    },
  );
});

describe('iiot credentials create --secret-file', () => {
  it('writes the secret into a private file, and does not print it', async () => {
    const made = await json([...create, '--secret-file', at('secret')]);
    expect(made).toEqual({ ...created, secretFile: at('secret'), profile: null, previousClientCredentialId: null });
    expect(readFileSync(at('secret'), 'utf8')).toMatch(secretForm);
    expect([modeOf('secret'), files()]).toEqual(['600', ['history.ndjson', 'locks', 'secret', 'tokens.json']]);
    const env = { ...noMachine, IIOT_CLIENT_ID: made.clientId, IIOT_CLIENT_SECRET_FILE: at('secret') };
    expect((await someone.iiot(['credentials', 'list', '-o', 'id'], { env })).exit).toBe(0);
  });

  it('works together with --body-file and --save-profile', async () => {
    const body = '{"name":"a","expiredAt":null,"deviceIds":["press-0001"]}';
    const words = ['credentials', 'create', '--body-file', '-', '--secret-file', at('secret'), '--save-profile', 'ci'];
    const { exit, stdout } = await someone.iiot([...words, '--force', '-o', 'id'], { stdin: body });
    expect([exit, someone.sent[0]?.body, stdout]).toEqual([0, body, expect.stringMatching(/^credential_\w+\n$/)]);
    expect(readFileSync(at('secret'), 'utf8')).toBe(`${logins().ci.clientSecret}\n`);
  });

  it.each(['', '\n', 'precious'])('does not overwrite a file that contains %j', async (content) => {
    writeFileSync(at('secret'), content);
    expect(await refusedTo('--secret-file', at('secret'))).toMatchObject({
      exit: 2,
      message: expect.stringContaining(`--secret-file ${at('secret')} already exists`),
      hint: 'Choose another name, or --force',
    });
    expect([readFileSync(at('secret'), 'utf8'), someone.requests]).toEqual([content, []]);
  });

  it('replaces a file with --force, and makes it private', async () => {
    writeFileSync(at('secret'), 'old', { mode: 0o644 });
    await json([...create, '--secret-file', at('secret'), '--force']);
    expect(readFileSync(at('secret'), 'utf8')).toMatch(secretForm);
    expect(modeOf('secret')).toBe('600');
  });

  it.each([
    ['in a missing folder', '/nowhere/at/all/secret', 1],
    ['in a folder of the system', '/proc/secret', 1],
    ['at a device', '/dev/null', 2],
    ['at a planted link', 'planted', 2],
    ['at standard output', '-', 2],
    ['after a missing folder and ..', 'nowhere/../secret', 1],
    ['after a link and ..', 'link/../secret', 1],
  ])('sends nothing if the file cannot be written %s', async (_, file, exit) => {
    symlinkSync(at('elsewhere'), at('planted'));
    symlinkSync('/proc/self', at('link'));
    const path = /^\w/.test(file) ? `${at('.')}/${file}` : file;
    expect(await refusedTo(`--secret-file=${path}`)).toMatchObject({ exit, message: expect.stringContaining(file) });
    expect(someone.requests).toEqual([]);
  });

  it.each([
    ['to a new file', [], 'real/secret'],
    ['to a link', ['--force'], 'kept'],
  ])('takes .. after a link as the parent of its target, %s', async (_, more, written) => {
    mkdirSync(at('real/deep'), { recursive: true });
    symlinkSync('real/deep', at('link'));
    if (more.length > 0) {
      writeFileSync(at('kept'), 'old');
      symlinkSync('../kept', at('real/secret'));
    }
    const path = `${at('.')}/link/../secret`;
    await json([...create, '--secret-file', path, ...more]);
    expect(readFileSync(at(written), 'utf8')).toMatch(secretForm);
    expect([readdirSync(at('real')), existsSync(at('secret'))]).toEqual([['deep', 'secret'], false]);
  });

  it('needs no settings folder', async () => {
    const words = [...create, '--secret-file', at('secret')];
    const { exit } = await someone.iiot(words, { env: { IIOT_CONFIG_DIR: '/dev/null/iiot' } });
    expect([exit, files()]).toEqual([0, ['secret']]);
  });
});

describe('iiot credentials create --save-profile', () => {
  it('logs the profile in with the new credential', async () => {
    const made = await json([...create, '--save-profile', 'robot']);
    expect(made).toMatchObject({ name: 'a', profile: 'robot' });
    expect(made).not.toHaveProperty('clientSecret');
    expect(logins()).toEqual({
      robot: {
        flow: 'm2m',
        origin: 'http://127.0.0.1:1',
        base: 'http://127.0.0.1:1',
        clientId: made.clientId,
        clientSecret: expect.stringMatching(/^[\w-]{43}$/),
        clientCredentialId: made.clientCredentialId,
        tenantId: '7e7a7e7a-0000-4000-8000-000000000001',
        firstClientId: 'sandbox-machine',
      },
    });
    const env = { ...noMachine, IIOT_BASE_URL: undefined, IIOT_ORG: undefined };
    const seen = await someone.iiot(['--profile', 'robot', 'orgs', 'users', 'list', '--limit', '1'], { env });
    expect(seen).toMatchObject({ exit: 0, stdout: 'ada\tAda Okonkwo\tadmin\n' });
  });

  it('does not replace a login without --force', async () => {
    await json([...create, '--save-profile', 'robot']);
    const before = logins();
    const message = 'Profile robot already has a login.';
    expect(await refusedTo('--save-profile', 'robot')).toMatchObject({ exit: 2, message });
    expect([logins(), credentials().length]).toEqual([before, 2]);
    await json(['credentials', 'create', '--name', 'b', '--save-profile', 'robot', '--force']);
    expect(logins()).not.toEqual(before);
  });

  it.each([
    ['credentials.json', '{"logins": [}'],
    ['credentials.json', '{"version": 2}'],
    ['config.json', '{'],
  ])('sends nothing if %s contains %j', async (name, content) => {
    writeFileSync(at(name), content, { mode: 0o600 });
    expect(await refusedTo('--save-profile', 'robot')).toMatchObject({ exit: 1 });
    expect([someone.requests, readFileSync(at(name), 'utf8')]).toEqual([[], content]);
  });

  it('sends nothing if the settings folder cannot be created', async () => {
    const env = { IIOT_CONFIG_DIR: '/dev/null/iiot' };
    const words = [...create, '--save-profile', 'robot'];
    expect(await refused(words, env)).toMatchObject({ exit: 1 });
    expect(someone.requests).toEqual([]);
  });
});

describe('the response to iiot credentials create', () => {
  const whole = { clientCredentialId: 'cc_1', clientId: 'c', name: 'a' };
  it.each([
    ['missing', whole],
    ['empty', { ...whole, clientSecret: '' }],
    ['null', { ...whole, clientSecret: null }],
    ['a list', { ...whole, clientSecret: ['CANARY'] }],
    ['of a megabyte', { ...whole, clientSecret: 'x'.repeat(1024 * 1024) }],
  ])('leads to an error that names the credential if the secret is %s', async (_, body) => {
    someone = answering(201, body);
    expect(await refused(create)).toEqual({
      ...{ exit: 8, code: 'unavailable', status: 201, details: [] },
      message: 'Client credential cc_1 was created, but the platform did not return a usable secret.',
      hint: 'Its secret is lost; delete it: iiot credentials delete cc_1 --base-url http://127.0.0.1:1',
    });
    expect(files().filter((name) => name.startsWith('recovery'))).toEqual([]);
  });

  it('leaves open whether a credential was created if it is a list', async () => {
    someone = answering(201, []);
    expect(await refused(create)).toMatchObject({
      exit: 8,
      message: expect.stringMatching(/: it was not applied by then, and may still be\.$/),
    });
  });

  it.each([
    ['wrapped', { data: { ...whole, clientSecret: 'one two' } }],
    ['in snake case', { client_credential_id: 'cc_1', client_id: 'c', client_secret: 'one two', name: 'a' }],
    ['with names of C#', { ClientCredentialId: 'cc_1', ClientId: 'c', ClientSecret: 'one two', Name: 'a' }],
  ])('is read if it is %s', async (_, body) => {
    someone = answering(200, body);
    expect(await json(create)).toMatchObject({ clientSecret: 'one two' });
    await json([...create, '--secret-file', at('secret')]);
    expect(readFileSync(at('secret'), 'utf8')).toBe('one two\n');
  });

  it('is printed without the secret if a file gets it', async () => {
    const echo = { ...whole, clientSecret: 'CANARY-1', again: { client_secret: 'CANARY-1', hint: 'use CANARY-1' } };
    someone = answering(201, echo);
    const { stdout } = await someone.iiot([...create, '-o', 'json', '--secret-file', at('secret')]);
    const none = { profile: null, previousClientCredentialId: null };
    expect(JSON.parse(stdout)).toEqual({ ...whole, again: { hint: '***' }, secretFile: at('secret'), ...none });
  });

  it.each([
    ['empty', 201, undefined],
    ['an empty object', 201, {}],
    ['broken JSON', 201, '{"clientSecret":"CANARY'],
    ['a failure', 500, { error: { message: 'Oops' } }],
    ['a web page', 200, '<html><title>Hello</title>'],
  ])('leads to a hint how to find the credential, and no second request, if it is %s', async (_, status, body) => {
    someone = answering(status, body);
    const may = 'A credential "a" may exist, created at about 2026-01-01T12:00:00.000Z, and its secret is lost.';
    const there = '--base-url http://127.0.0.1:1';
    const hint = `${may} Find it: iiot credentials list ${there}; then delete it: iiot credentials delete ID ${there}`;
    expect(await refused(create)).toMatchObject({ exit: 8, hint });
    expect(someone.requests.filter((each) => each === `POST ${path}`)).toHaveLength(1);
    expect(files().filter((name) => name.startsWith('recovery'))).toEqual([]);
  });
});

describe('iiot credentials list', () => {
  const list = (...words: string[]) => someone.iiot(['credentials', 'list', '-o', 'id', ...words]);

  it('lists the credentials with a request without page parameters', async () => {
    expect(await someone.iiot(['credentials', 'list'])).toEqual(
      worked('credential_001\tSandbox machine\tsandbox-machine\t2026-01-01T00:00:00.000Z\t\t\t\n'),
    );
    expect(someone.requests).toEqual(['POST /identity/connect/token', `GET ${path}`]);
  });

  const expiring = [
    { clientCredentialId: 'past', expiredAt: '2025-12-31T00:00:00Z' },
    { clientCredentialId: 'soon', expiredAt: '2026-01-15T00:00:00' },
    { clientCredentialId: 'on the day', expiredAt: '2026-01-31T12:00:00+00:00' },
    { clientCredentialId: 'later', expiredAt: '2026-01-31T12:00:01Z' },
    { clientCredentialId: 'never', expiredAt: null },
    { clientCredentialId: 'also never' },
  ];
  it('lists those that expire soon or have expired with --expiring-within', async () => {
    someone = answering(200, { items: expiring, totalCount: 6 });
    expect(await list('--expiring-within', '30d')).toEqual(worked('past\nsoon\non the day\n'));
    expect((await list('--expiring-within', '2027-01-01T00:00:00Z')).exit).toBe(2);
  });

  it('prints all, or the first with --limit', async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ clientCredentialId: `cc_${index}` }));
    someone = answering(200, many);
    const ids = many.map(({ clientCredentialId }) => `${clientCredentialId}\n`);
    expect(await list('--limit', '2')).toEqual(worked('cc_0\ncc_1\n', '2 of 60 client credentials'));
    expect(await list()).toEqual(worked(ids.join('')));
    expect(someone.requests.filter((request) => request !== `GET ${path}`)).toEqual(['POST /identity/connect/token']);
  });

  it('requests a second page if the platform counts more', async () => {
    someone = newPerson({
      fetch: async (url, init) => {
        if (url.endsWith('/token')) return respondingWith(200)(url, init);
        const skip = Number(new URL(url).searchParams.get('skipCount') ?? 0);
        const items = ['a', 'b', 'c'].slice(skip, skip + 2).map((clientCredentialId) => ({ clientCredentialId }));
        return Response.json({ items, totalCount: 3 });
      },
    });
    expect(await list()).toEqual(worked('a\nb\nc\n'));
    expect(someone.requests.slice(1)).toEqual([`GET ${path}`, `GET ${path}?skipCount=2&maxResultCount=100`]);
  });

  it.each([[[]], [['--all']]])('fails if the platform repeats the first page: %j', async (words) => {
    someone = answering(200, { items: [{ clientCredentialId: 'a' }], totalCount: 3 });
    expect(await list(...words)).toEqual({
      ...{ exit: 8, stdout: 'a\n' },
      stderr: expect.stringMatching(
        /skipCount=1: received 1 of 3 rows\.\nhint: This is not the whole list; see the requests with --verbose\n$/,
      ),
    });
  });
});

describe('iiot credentials delete', () => {
  const remove = (id = '') => someone.iiot(['credentials', 'delete', id, '--yes']);

  it('deletes a credential, and notes that the login in use is made with it', async () => {
    const use = 'The login in use, from IIOT_CLIENT_ID, is client credential credential_001 ("Sandbox machine").';
    expect(await remove('credential_001')).toEqual(worked('', use, 'Deleted client credential credential_001'));
    expect(credentials()).toEqual([]);
  });

  it('notes which profile uses the credential', async () => {
    await json([...create, '--save-profile', 'robot']);
    await json(['credentials', 'create', '--name', 'b']);
    const [, ofRobot, ofNobody] = credentials().map(({ clientCredentialId }) => clientCredentialId);
    expect(await inBrief(remove(ofRobot))).toEqual(
      worked('', `Profile robot is logged in with client credential ${ofRobot} ("a").`),
    );
    expect(await inBrief(remove(ofNobody))).toEqual(
      worked('', `No profile for http://127.0.0.1:1 uses client credential ${ofNobody} ("b"); other machines may.`),
    );
  });

  it('notes a login that was made with its client ID', async () => {
    const words = ['login', 'm2m', '--profile', 'robot', '--client-id', 'sandbox-machine', '--client-secret-stdin'];
    expect((await someone.iiot(words, { stdin: 'sandbox-secret', env: noMachine })).exit).toBe(0);
    const line = ['--profile', 'robot', 'credentials', 'delete', 'credential_001', '-y'];
    const { exit, stderr } = await someone.iiot(line, { env: noMachine });
    expect([exit, stderr]).toEqual([
      0,
      expect.stringContaining('of profile robot, is client credential credential_001'),
    ]);
  });

  it('deletes a credential even if the list cannot be read', async () => {
    someone = newPerson({
      fetch: async (url, init) => (init.method === 'GET' ? respondingWith(403) : respondingWith(204))(url, init),
    });
    expect(await remove('cc/1 ü')).toEqual(worked('', 'Deleted client credential cc/1 ü'));
    expect(someone.requests.at(-1)).toBe(`DELETE ${path}/cc%2F1%20%C3%BC`);
  });

  it('refuses a clientId, and names the ID to delete', async () => {
    expect(await refused(['credentials', 'delete', 'sandbox-machine', '--yes'])).toMatchObject({
      exit: 5,
      message: 'sandbox-machine is the clientId of client credential credential_001. Nothing was deleted.',
      hint: expect.stringContaining(' credentials delete credential_001'),
    });
  });
});
