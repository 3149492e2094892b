/** Changes whose answer is lost, late or a fault: how often they are sent, and what the person is told, by the built program. */
import { describe, expect, it } from 'vitest';
import { leaks } from '../support/canary.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { runHere } from '../support/here.ts';
import { runProgram } from '../support/program.ts';
import { answerText, type Behaviour, rawServer } from '../support/raw-server.ts';

const org = '0b0f2a1c-1111-4222-8333-444455556666';
const token = 'c4nary-t0ken."a1\\b2"/c3';
const keep = closedAfterEach();
const serve = (behaviour: Behaviour) => keep(rawServer(behaviour));

/** One run against a platform of its own, whose requests are its changes alone; nothing that it writes holds the token. */
async function told(words: readonly string[], behaviour: Behaviour, run = runHere) {
  let changes = 0;
  const server = await serve((socket, request) => {
    // The organization is gone, as is what is not listed.
    if (request.startsWith('GET ')) socket.write(request.includes('/users') ? answerText(404) : answerText(200, '[]'));
    else behaviour(socket, request, ++changes);
  });
  const { exit, stdout, stderr } = await run([...words, '-o', 'json'], {
    env: { IIOT_BASE_URL: server.origin, IIOT_ORG: org, IIOT_TOKEN: token },
  });
  expect(
    leaks({ token }, [
      { place: 'stdout', text: stdout },
      { place: 'stderr', text: stderr },
    ]),
  ).toEqual([]);
  const last = stderr.trimEnd().split('\n').at(-1) ?? '';
  return { exit, stdout, changes, stderr, error: exit === 0 ? undefined : JSON.parse(last).error };
}

const once = {
  policy: ['policies', 'update', 'aaaaaaaa-0000-4000-8000-000000000001', '--delay', '5'],
  channel: ['channels', 'update', 'channel_7', '--disabled'],
} as const;
/** What is looked up in a list, or found by its name. */
const others = {
  template: ['templates', 'update', 'template_42', '--name', 'Hot'],
  batch: ['batches', 'create', '--name', 'Nightly', '--cron', '0 0 2 * * ?', '--enabled', '--no-run-on-startup'],
} as const;
const removals = {
  organization: ['orgs', 'delete', org, '--org-name', 'Line 7'],
  credential: ['credentials', 'delete', 'credential_9', '--yes'],
} as const;

const lookAgain = 'Check whether it was applied before you try again; to find the cause, run: iiot doctor';

const doubtful: readonly (readonly [string, Behaviour])[] = [
  ['a connection that is lost', (socket) => socket.resetAndDestroy()],
  ['an answer that is cut short', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n{"na')],
  ['no answer in time', () => undefined],
  ['500', (socket) => socket.write(answerText(500, '{"error":{"message":"An internal error occurred"}}'))],
  ['502', (socket) => socket.write(answerText(502, '<title>Bad Gateway</title>', ['content-type: text/html']))],
  ['504', (socket) => socket.write(answerText(504))],
  ['408', (socket) => socket.write(answerText(408))],
];

describe('what must not be made twice', () => {
  it.each(doubtful)('is sent once, and said to be in doubt: %s', async (what, behaviour) => {
    // The program itself where its own timer ends it.
    const start = what === 'no answer in time' ? runProgram : runHere;
    await Promise.all(
      Object.entries(once).map(async ([subject, words]) => {
        const timeout = start === runProgram ? '3s' : '10m';
        const run = await told([...words, '--request-timeout', timeout], behaviour, start);
        const { exit, stdout, changes, error } = run;
        expect([subject, exit, stdout, changes, error.code]).toEqual([subject, 8, '', 1, 'unavailable']);
        expect(run.error.message).toMatch(/ The change may have been applied\.$/);
        expect(run.error.hint).toEqual(lookAgain);
      }),
    );
  });

  it('is sent again on 429, which says that nothing was done', async () => {
    const begin: Behaviour = (socket, _, count) => socket.write(count === 1 ? answerText(429) : answerText(200, '{}'));
    const runs = await Promise.all(Object.values({ ...once, ...others }).map((words) => told(words, begin)));
    expect(runs.map(({ exit, changes }) => [exit, changes])).toEqual(runs.map(() => [0, 2]));
  });

  it('is not in doubt where a channel could not be validated: that is the answer', async () => {
    const { error, changes } = await told(once.channel, (socket) => socket.write(answerText(503, '{"error":{}}')));
    expect({ changes, error }).toMatchObject({
      changes: 1,
      error: { code: 'channel_validation_failed', message: 'The channel could not be validated.' },
    });
  });

  it('may already exist when it is created again, and that is said', async () => {
    const { exit, error } = await told(others.batch, (socket) => socket.write(answerText(409)));
    expect([exit, error.message, error.hint]).toEqual([
      6,
      'A batch with this name already exists.',
      'It may be from an earlier run of this command',
    ]);
  });

  it('is in doubt on 202, and both a person and a program are told that it may be carried out later', async () => {
    const server = await serve((socket) => socket.write(answerText(202)));
    const env = { IIOT_BASE_URL: server.origin, IIOT_ORG: org, IIOT_TOKEN: token };
    const { exit, stdout, stderr } = await runHere(once.policy, { env });
    const accepted = 'The platform accepted the request, and may carry it out later. The change may have been applied.';
    expect([exit, stdout, stderr.split('\n')[0]]).toEqual([8, '', `error: ${accepted}`]);
    const { error } = await told(once.policy, (socket) => socket.write(answerText(202)));
    expect([error.code, error.message, error.status]).toEqual(['unavailable', accepted, 202]);
  });
});

describe.each(Object.entries(removals))('the deletion of a %s', (_, words) => {
  it('has succeeded where its repeat finds nothing', async () => {
    const run = await told(words, (socket, _request, count) =>
      count === 1 ? socket.resetAndDestroy() : socket.write(answerText(404)),
    );
    expect([run.exit, run.changes, JSON.parse(run.stdout)]).toEqual([0, 2, expect.objectContaining({ deleted: true })]);
    expect(run.stderr).toMatch(/^It was already gone when the request was repeated \(.+\)\.\n$/);
  });

  it.each([
    ['at the first try', (socket) => socket.write(answerText(404))],
    ['after a 429', (socket, _request, count) => socket.write(answerText(count === 1 ? 429 : 404))],
    ['after a 503 without a body', (socket, _request, count) => socket.write(answerText(count === 1 ? 503 : 404))],
  ] as readonly (readonly [string, Behaviour])[])('has failed where nothing is found %s', async (_how, behaviour) => {
    const { exit, stdout, error } = await told(words, behaviour);
    expect([exit, stdout, error.code]).toEqual([5, '', 'not_found']);
  });
});

describe('a wait that the platform asks for', () => {
  const asks = (header: string): Behaviour => {
    return (socket, _, count) => socket.write(count === 1 ? answerText(429, '', [header]) : answerText(204));
  };

  it('is kept', async () => {
    const began = performance.now();
    const { exit, changes } = await told(once.channel, asks('Retry-After: 2'), runProgram);
    expect([exit, changes, performance.now() - began > 2000]).toEqual([0, 2, true]);
  });

  it.each([
    ['Retry-After: 1000000000', '277778 h'],
    ['Retry-After: Fri, 02 Jan 2026 12:00:00 GMT', '24 h'],
  ])('of more than a minute ends the command at once: %s', async (header, words) => {
    const { exit, changes, error } = await told(once.channel, asks(header));
    expect([exit, changes, error.message]).toEqual([8, 1, `The platform asks to wait ${words}.`]);
  });
});

it('an id with a slash that is not found may be out of reach, which is said', async () => {
  const slashed = [
    ['devices', 'custom-info', 'set', 'Hall 3/Press 7', 'a=b'],
    ['templates', 'update', 'a/b', '--name', 'Hot'],
    ['channels', 'update', 'a/b', '--disabled'],
    ['credentials', 'delete', 'a/b', '--yes'],
  ];
  const runs = await Promise.all(slashed.map((words) => told(words, (socket) => socket.write(answerText(404)))));
  for (const { exit, error } of runs) {
    expect(exit).toBe(5);
    expect(error.request.path).toMatch(/%2F/);
    expect(error.hint).toMatch(/\. Some platforms cannot find an ID with a slash, even when it is percent-encoded$/);
  }
});
