/** What a platform refuses, over all commands that ask it: the kind, its own words, something to do next, and no more requests than are safe. */
import { describe, expect, it } from 'vitest';
import { personsForEach } from '../support/fixtures.ts';
import { respondingWith } from '../support/responses.ts';
import { wordsOf } from '../support/words.ts';
import type { Person } from '../support/world.ts';

const org = '/api/v1/orgs/11111111-1111-4111-8111-111111111111';
const policy = 'aaaaaaaa-0000-4000-8000-000000000001';

const asked: readonly (readonly [string, string, string])[] = [
  ['orgs users list --name secret', 'GET', `${org}/users`],
  ['templates list --tag secret', 'GET', `${org}/notifications/templates`],
  ['devices custom-info set "a b" k=v', 'PUT', '/platform/solutions/api/v1/devices/a%20b/custom-info'],
  [`policies update ${policy} --delay 1`, 'PATCH', `${org}/alert-policies/${policy}`],
  ['templates update template_001 --name n', 'PATCH', `${org}/notifications/templates/template_001`],
  ['channels update channel_email --disabled', 'PATCH', `${org}/notifications/channels/channel_email`],
  [`batches create --name n --cron '0 0 2 * * ?' --enabled --run-on-startup`, 'POST', `${org}/batches`],
  ['credentials list', 'GET', '/api/v1/oauth2/client-credentials'],
  ['credentials delete credential_009 --yes', 'DELETE', '/api/v1/oauth2/client-credentials/credential_009'],
  ['api POST /x?y=secret', 'POST', '/x'],
];

/** Status, exit code, error.code: docs/contract.md, "Exit codes and errors". */
const ends: readonly (readonly [number, number, string])[] = [
  [400, 7, 'rejected'],
  [401, 3, 'unauthenticated'],
  [403, 4, 'forbidden'],
  [404, 5, 'not_found'],
  [409, 6, 'conflict'],
  [422, 7, 'rejected'],
  [429, 8, 'unavailable'],
  [500, 8, 'unavailable'],
  [501, 8, 'unavailable'],
  [503, 8, 'unavailable'],
];

const newPerson = personsForEach();
let someone: Person;

const abp = {
  error: {
    code: 'X:1',
    message: 'Die Linie läuft gerade.',
    details: null,
    validationErrors: [{ message: 'Zu lang.', members: ['name'] }],
  },
};

describe.each(asked)('iiot %s', (line, method, path) => {
  const words = wordsOf(line);
  it.each(ends)(
    'ends after HTTP %i with %i (%s), in the words of the platform and with a hint',
    async (status, exit, code) => {
      someone = newPerson({
        fetch: respondingWith(status, abp, { 'x-request-id': 'r-1' }),
        env: { IIOT_TOKEN: 'a-token' },
      });
      const ended = await someone.iiot([...words, '-o', 'json', '--retries', '1']);
      const { error } = JSON.parse(ended.stderr.trim().split('\n').at(-1) ?? '');
      const kind = status === 503 && words[0] === 'channels' ? 'channel_validation_failed' : code;
      expect({ exit: ended.exit, stdout: ended.stdout, code: error.code, status: error.status }).toEqual({
        exit,
        stdout: '',
        code: kind,
        status,
      });
      expect(error.message).toContain('Die Linie läuft gerade.');
      expect(error.details[0]).toMatchObject({ field: 'name', message: 'Zu lang.' });
      expect(error.request).toEqual({ method, path });
      const orgId = /^(devices|credentials)/.test(line) ? null : org.split('/').at(-1);
      expect(error).toMatchObject({ baseUrl: 'http://127.0.0.1:1', profile: 'default', orgId, requestId: 'r-1' });
      expect(error.hint).toMatch(/^\S.{10,}/);
      expect(ended.stderr).not.toContain('secret');
    },
  );

  it('repeats a request only where that is safe', async () => {
    const counts: Record<number, number> = {};
    for (const status of [400, 403, 409, 429, 500, 501, 503]) {
      someone = newPerson({ fetch: respondingWith(status), env: { IIOT_TOKEN: 'a-token' } });
      await someone.iiot([...words, '--retries', '1', '-q']);
      counts[status] = someone.sent.filter(({ request }) => request.startsWith(`${method} ${path}`)).length;
    }
    // "GET, PUT and DELETE … after 408, 429, 500, 502, 503 and 504; PATCH and every other POST only … on 429, or on a 503 without a body. …
    // Not so: a channel's 503 without Retry-After is the platform's verdict, body or not; … `batches create` may be repeated"
    const again = ['GET', 'PUT', 'DELETE'].includes(method) || words[0] === 'batches' ? 2 : 1;
    const bare = words[0] === 'channels' ? 1 : 2;
    expect(counts).toEqual({ 400: 1, 403: 1, 409: 1, 429: 2, 500: again, 501: 1, 503: bare });
  });

  it('says a sentence of its own and a hint if the platform says nothing', async () => {
    someone = newPerson({ fetch: respondingWith(404), env: { IIOT_TOKEN: 'a-token' } });
    const { exit, stderr } = await someone.iiot(words);
    expect(exit).toBe(5);
    expect(stderr).toMatch(/^error: [A-Z][^\n]+\nhint: [^\n]+\nHTTP 404\n$/);
  });
});

// The token is asked for elsewhere: that address being wrong says nothing about what the command is about.
it.each([
  'orgs users list',
  'orgs delete 22222222-2222-4222-8222-222222222222 --org-name "Press shop"',
  'devices custom-info set a/b k=v',
  'templates update template_001 --name n',
  `batches create --name n --cron '0 0 2 * * ?' --enabled --run-on-startup`,
])('iiot %s says where to look if the address of tokens is wrong', async (line) => {
  someone = newPerson({ fetch: async () => Response.json({ message: 'no route' }, { status: 404 }) });
  const { exit, stderr } = await someone.iiot(wordsOf(line));
  expect([exit, stderr]).toEqual([5, expect.stringContaining(', and says: no route.')]);
  expect(stderr).toContain('hint: Check the base URL, the tenant and the application: iiot profiles show --origin\n');
});

it.each([406, 410, 412, 415, 418, 423, 451, 499])(
  'HTTP %i without a message is reported as a rejected request',
  async (status) => {
    someone = newPerson({ fetch: respondingWith(status) });
    const { exit, stderr } = await someone.iiot(['templates', 'update', 'template_001', '--name', 'n']);
    const hint = 'hint: See iiot templates update --help';
    expect({ exit, stderr }).toEqual({
      exit: 7,
      stderr: `error: The platform rejects the request.\n${hint}\nHTTP ${status}\n`,
    });
  },
);

it('a rejected field of --body-file is reported by its name, without an option', async () => {
  const errors = { '$.delay': ['The JSON value could not be converted to System.Int32. Path: $.delay'] };
  someone = newPerson({
    fetch: respondingWith(400, { title: 'Bad Request', status: 400, errors }),
    env: { IIOT_TOKEN: 'a-token' },
  });
  const body = someone.file('body.json', '{"delay":5}');
  const { stderr } = await someone.iiot(['policies', 'update', policy, '--body-file', body, '-o', 'json', '--yes']);
  const details = [{ field: 'delay', message: 'is not a number that the platform takes' }];
  expect(JSON.parse(stderr).error.details).toEqual(details);
});

it.each([402, 410, 423])('iiot orgs delete does not blame the name for HTTP %i', async (status) => {
  someone = newPerson({ fetch: respondingWith(status), env: { IIOT_TOKEN: 'a-token' } });
  const { stderr } = await someone.iiot(['orgs', 'delete', org.slice(-36), '--org-name', 'Factory']);
  expect(stderr).not.toContain('compared exactly');
});
