/** Rows whose responses are faults, late or lost, by the program's own network: how often each is sent, and what is said of it. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closedAfterEach, personsForEach } from '../support/fixtures.ts';
import { folderForEach } from '../support/folder.ts';
import { answerText, type Behaviour, rawServer } from '../support/raw-server.ts';
import { tokenOnly } from './device-requests.ts';

const { at, write } = folderForEach();
const keep = closedAfterEach();
const newPerson = personsForEach();
const policy = (last: number) => `aaaaaaaa-0000-4000-8000-00000000000${last}`;

/** The second of three rows has the number 2 in what is sent. */
const kinds = {
  PATCH: {
    words: ['policies', 'update'],
    text: `alertPolicyId,delay\n${[1, 2, 3].map((row) => `${policy(row)},${row}\n`).join('')}`,
    second: '"delay":2',
  },
  POST: {
    words: ['batches', 'create'],
    text: `Name,cron,enabled,run-on-startup\n${[1, 2, 3].map((row) => `n${row},0 0 2 * * ?,yes,no\n`).join('')}`,
    second: '"n2"',
  },
} as const;

const journal = () => readFileSync(at('a.csv.iiot-journal'), 'utf8').split('\n').slice(1, -1);

/** A run of rows against a server of the test, and the same again: what is sent of the second row, and the end. */
async function open(method: keyof typeof kinds, behaviour: Behaviour) {
  const { words, text, second } = kinds[method];
  let tries = 0;
  const server = await keep(
    rawServer((socket, request, count) =>
      request.includes(second) ? behaviour(socket, request, ++tries) : socket.write(answerText(200, '{}')) && count,
    ),
  );
  const someone = newPerson({ fetch: 'network', env: { ...tokenOnly.env, IIOT_BASE_URL: server.origin } });
  const file = write('a.csv', text);
  return async (...more: readonly string[]) => {
    const { exit, stdout, stderr } = await someone.iiot([
      ...words,
      '--rows',
      file,
      '--yes',
      '-o',
      'ndjson',
      '--concurrency',
      '1',
      '--timeout',
      '1500ms',
      ...more,
    ]);
    const rows = stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    const hint = exit === 0 ? undefined : JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error.hint;
    return {
      exit,
      statuses: rows.map(({ status }) => status),
      error: rows.find(({ line }) => line === 3)?.error,
      hint,
      tries,
      requests: server.requests.length,
    };
  };
}

describe.each(['PATCH', 'POST'] as const)('a %s', (method) => {
  it.each<[string, Behaviour, RegExp]>([
    [
      '500',
      (socket) => socket.write(answerText(500, '{"error":{"message":"An internal error occurred"}}')),
      /^An internal error occurred.* The change may have been applied\.$/,
    ],
    [
      '502 from a gateway',
      (socket) => socket.write(answerText(502, '<title>Bad Gateway</title>', ['content-type: text/html'])),
      /^A web page came .* The change may have been applied\.$/,
    ],
    ['503', (socket) => socket.write(answerText(503)), /\(503\) The change may have been applied\.$/],
    ['504', (socket) => socket.write(answerText(504)), /\(504\) The change may have been applied\.$/],
    ['a connection that is cut', (socket) => socket.resetAndDestroy(), / The change may have been applied\.$/],
    [
      'an answer that is cut short',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n{"na'),
      / The change may have been applied\.$/,
    ],
    ['no answer in time', () => undefined, / The change may have been applied\.$/],
    [
      'a success that is no JSON',
      (socket) => socket.write(answerText(200, '{"a": yes}')),
      / cannot be read as JSON\. The change may have been applied\.$/,
    ],
  ])('with %s is unknown, sent once, and again only where that is said', async (_, behaviour, error) => {
    const run = await open(method, (socket, request, count) =>
      count === 1 ? behaviour(socket, request, count) : socket.write(answerText(200, '{}')),
    );
    const file = at('a.csv');
    const look = `Look up on the platform what became of the rows of unknown outcome; add --repeat-unknown to send them again. Continue with what is left: iiot ${kinds[method].words.join(' ')} --rows ${file} --resume`;
    expect(await run()).toEqual({
      exit: 9,
      statuses: expect.arrayContaining(['done', 'unknown', 'done']),
      error: expect.stringMatching(error),
      hint: look,
      tries: 1,
      requests: 3,
    });
    expect(journal().filter((line) => line.endsWith('2'))).toEqual(['sent 2']);
    const sentBefore = 'sent by an earlier run, which ended before the response came';
    for (const _again of [1, 2])
      expect(await run('--resume')).toEqual({
        exit: 9,
        statuses: ['skipped', 'unknown', 'skipped'],
        error: sentBefore,
        hint: look,
        tries: 1,
        requests: 3,
      });
    expect(await run()).toMatchObject({ exit: 2, tries: 1, requests: 3 });
    expect(await run('--resume', '--repeat-unknown')).toMatchObject({ exit: 0, tries: 2, requests: 4 });
    expect(await run('--resume')).toMatchObject({ exit: 0, statuses: ['skipped', 'skipped', 'skipped'], tries: 2 });
  });

  it('that is asked to wait is sent again', async () => {
    const run = await open(method, (socket, _, count) =>
      socket.write(count < 3 ? answerText(429, '', ['retry-after: 0']) : answerText(200, '{}')),
    );
    expect(await run()).toMatchObject({ exit: 0, tries: 3, requests: 5 });
  });

  it('that is refused has failed, and is sent again by the next run', async () => {
    const run = await open(method, (socket, _, count) => socket.write(answerText(count === 1 ? 409 : 200, '{}')));
    expect(await run()).toMatchObject({ exit: 9, error: expect.stringContaining('409'), tries: 1 });
    expect(journal().filter((line) => line.endsWith('2'))).toEqual(['sent 2', 'open 2']);
    expect(await run('--resume')).toMatchObject({ exit: 0, tries: 2 });
  });

  it('that is asked to wait when it is sent again stays unknown if that goes on for too long', async () => {
    const run = await open(method, (socket, _, count) =>
      socket.write(count === 1 ? answerText(500) : answerText(429, '', ['retry-after: 100'])),
    );
    expect(await run()).toMatchObject({ exit: 9, tries: 1 });
    expect(await run('--resume', '--repeat-unknown')).toMatchObject({
      exit: 8,
      statuses: expect.arrayContaining(['unknown']),
    });
    expect(await run('--resume')).toMatchObject({ exit: 9, tries: 2 });
  });

  it('to where nobody listens for a while is sent once somebody does', async () => {
    const got: string[] = [];
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const bytes of request) body += bytes;
      got.push(body);
      response.setHeader('connection', 'close').end('{}');
      if (got.length > 1) return;
      const { port } = server.address() as AddressInfo; // it listens
      server.close(() => setTimeout(() => server.listen(port, '127.0.0.1'), 10));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // it listens
    const someone = newPerson({
      fetch: 'network',
      env: { ...tokenOnly.env, IIOT_BASE_URL: `http://127.0.0.1:${port}` },
    });
    const { words, text } = kinds[method];
    const { exit, stderr } = await someone.iiot([
      ...words,
      '--rows',
      write('a.csv', text),
      '--yes',
      '--concurrency',
      '1',
      '--retries',
      '100',
    ]);
    server.close();
    expect({ exit, stderr, sent: got.length, different: new Set(got).size }).toEqual({
      exit: 0,
      stderr: '',
      sent: 3,
      different: 3,
    });
  });
});

it('a DELETE whose response is lost is done where its repeat finds nothing', async () => {
  const tries = new Map<string, number>();
  const server = await keep(
    rawServer((socket, request) => {
      const id = /credential_\d/.exec(request)?.[0] ?? '';
      tries.set(id, (tries.get(id) ?? 0) + 1);
      if (id === 'credential_1') return socket.write(answerText(404));
      if (tries.get(id) === 1) return socket.resetAndDestroy();
      return socket.write(answerText(404));
    }),
  );
  const someone = newPerson({ fetch: 'network', env: { ...tokenOnly.env, IIOT_BASE_URL: server.origin } });
  const file = write('a.csv', 'clientCredentialId\ncredential_1\ncredential_2\ncredential_3\n');
  const { exit, stdout } = await someone.iiot([
    'credentials',
    'delete',
    '--rows',
    file,
    '--yes',
    '-o',
    'json',
    '--concurrency',
    '1',
  ]);
  const { done, failures } = JSON.parse(stdout);
  expect([exit, done, failures.length, failures[0].clientCredentialId]).toEqual([9, 2, 1, 'credential_1']);
  expect([...tries.values()]).toEqual([1, 2, 2]);
});

/** A random row of a command, as the options that a person would type; all are valid. */
const word = fc.stringMatching(/^[A-Za-z0-9](?:[\w ,;"'äß€<>=.-]{0,10}[A-Za-z0-9])?$/);
const some = (arbitrary: fc.Arbitrary<string>) => fc.option(arbitrary, { nil: undefined });
const lines = {
  'policies update': fc.record({
    alertPolicyId: fc.uuid(),
    name: word,
    description: some(word),
    'alert-level': some(fc.nat(99).map((level) => `>${level}`)),
    delay: some(fc.constantFrom('0', '5m', '90', '2h')),
    'channel-id': fc.uniqueArray(fc.stringMatching(/^ch_\w{1,5}$/), { maxLength: 3 }),
  }),
  'channels update': fc.record({
    channelId: fc.stringMatching(/^\w[\w/ -]{0,10}\w$/),
    name: word,
    enable: some(fc.constantFrom('true', 'false')),
    'settings-timeout': some(fc.nat(60).map(String)),
    recipient: fc.array(fc.emailAddress(), { maxLength: 2 }),
  }),
  'templates update': fc.record({
    templateId: fc.stringMatching(/^t_\w{1,8}$/),
    subject: some(word),
    content: word,
    'channel-type': fc.uniqueArray(fc.constantFrom('email', 'teams', 'webhook'), { maxLength: 3 }),
    tag: fc.array(
      fc.stringMatching(/^[\w ]{1,6}$/).filter((tag) => tag.trim() === tag),
      { maxLength: 3 },
    ),
  }),
  'batches create': fc.record({
    name: word,
    cron: fc.constantFrom('0 0 2 * * ?', '0 0/5 * ? * MON-FRI'),
    enabled: fc.constantFrom('true', 'false'),
    'run-on-startup': fc.constantFrom('true', 'false'),
  }),
} as const;
const no = { enable: 'disable', enabled: 'disabled', 'run-on-startup': 'no-run-on-startup' } as const;
type Line = Readonly<Record<string, string | readonly string[] | undefined>>;

function typed(line: Line, argument: string): string[] {
  const options = Object.entries(line).filter(([name, value]) => name !== argument && value !== undefined);
  return [
    ...(line[argument] === undefined ? [] : [String(line[argument])]),
    ...options.flatMap(([name, value]) => {
      if (Array.isArray(value)) return value.map((each) => `--${name}=${each}`);
      if (name in no) return [`--${value === 'true' ? name : no[name as keyof typeof no]}`];
      return [`--${name}=${value}`];
    }),
  ];
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

function csvOf(all: readonly Line[]): string {
  const [first = {}] = all;
  const widths = Object.keys(first).map((name) => [name, Array.isArray(first[name]) ? 3 : 1] as const);
  const header = widths.flatMap(([name, width]) => Array.from({ length: width }, () => name));
  const rows = all.map((line) =>
    widths.flatMap(([name, width]) => Array.from({ length: width }, (_, at) => [line[name] ?? ''].flat()[at] ?? '')),
  );
  return [header, ...rows].map((cells) => cells.map(quoted).join(',')).join('\n');
}

const jsonOf = (all: readonly Line[]) =>
  all
    .map((line) =>
      JSON.stringify(
        Object.fromEntries(
          Object.entries(line).filter(
            ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
          ),
        ),
      ),
    )
    .join('\n');

it.each(Object.entries(lines))('%s sends the same by rows of any kind as by single commands', async (command, line) => {
  const argument = command.startsWith('batches')
    ? ''
    : ({ policies: 'alertPolicyId', channels: 'channelId', templates: 'templateId' }[command.split(' ')[0] ?? ''] ??
      '');
  const someone = newPerson({ ...tokenOnly, fetch: async () => Response.json({}) });
  const sentBy = async (run: () => Promise<unknown>) => {
    const before = someone.sent.length;
    await run();
    // At a pipe, a single command may look first at what it replaces.
    const changes = someone.sent.slice(before).filter(({ request }) => !request.startsWith('GET '));
    return changes.map(({ request, body }) => `${request} ${body}`);
  };
  const rows = fc.array(line as fc.Arbitrary<Line>, { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(rows, async (all) => {
      const single = await sentBy(async () => {
        for (const each of all)
          expect(await someone.iiot([...command.split(' '), ...typed(each, argument), '--yes'])).toMatchObject({
            exit: 0,
          });
      });
      for (const [name, text] of [
        ['a.csv', csvOf(all)],
        ['a.ndjson', jsonOf(all)],
      ] as const) {
        const file = someone.file(name, text);
        const words = [
          ...command.split(' '),
          '--rows',
          '-',
          '--format',
          name.slice(2),
          '--yes',
          '--concurrency',
          '1',
          '-q',
        ];
        const own = await sentBy(async () =>
          expect(await someone.iiot(words, { stdin: readFileSync(file) })).toMatchObject({ exit: 0, stderr: '' }),
        );
        expect(own).toEqual(single);
      }
    }),
    { numRuns: process.env.IIOT_TEST_LONG === '1' ? 200 : 12 },
  );
});
