/** Servers that break HTTP, or are none: the built program says what it met, in time, and takes nothing of it for an answer. */
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { leaks } from '../support/canary.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { homeForEach } from '../support/home.ts';
import { withPeak } from '../support/peak.ts';
import { runProgram } from '../support/program.ts';
import { answerText, rawServer } from '../support/raw-server.ts';

const org = '0b0f2a1c-1111-4222-8333-444455556666';
const token = 'c4nary-t0ken."a1\\b2"/c3';
const list = ['orgs', 'users', 'list'];
const change = ['policies', 'update', 'aaaaaaaa-0000-4000-8000-000000000001', '--delay', '5'];
const users = '{"totalCount":1,"items":[{"userId":"u1","name":"Ada","orgRole":"admin"}]}';
const keep = closedAfterEach();
const home = homeForEach();

const once = ['-o', 'json', '--retries', '0', '--request-timeout', '10m'];
const platformAt = (origin: string) => ({ IIOT_BASE_URL: origin, IIOT_ORG: org, IIOT_TOKEN: token });

/** Ends long before the timeout of a request. */
async function asked(words: readonly string[], origin: string) {
  const run = await runProgram([...words, ...once], { env: platformAt(origin) });
  const places = [
    { place: 'stdout', text: run.stdout },
    { place: 'stderr', text: run.stderr },
  ];
  expect(leaks({ token }, places)).toEqual([]);
  return run;
}

const rules = 'its response is not valid HTTP (HPE)';
const tooManyHeaders = 'its response has more headers than can be read';
const head = (line: string) => `HTTP/1.1 200 OK\r\n${line}\r\ncontent-length: 2\r\n\r\n[]`;

// What is sent as an answer, with the connection left open, and what is said of it.
const answers: readonly (readonly [string, string, string])[] = [
  ['the status 1000', answerText(1000), rules],
  ['70,000 headers', head('x: y\r\n'.repeat(70_000).trimEnd()), tooManyHeaders],
];

it.each(answers)('a response with %s is refused, for a list and for a change', async (_, answer, reason) => {
  const server = await keep(rawServer((socket) => socket.end(answer)));
  const sentence = `The request to ${server.origin} failed: ${reason}.`;
  const endings = await Promise.all([list, change].map((words) => asked(words, server.origin)));
  // Versions of Node differ in what they take the fault for.
  const said = (stderr: string) => JSON.parse(stderr).error.message.replace(/\(HPE_\w+\)/, '(HPE)');
  expect(endings.map(({ exit, stdout, stderr }) => [exit, stdout, said(stderr)])).toEqual([
    [8, '', sentence],
    [8, '', `${sentence} The change may have been applied.`],
  ]);
  // Nothing of such a connection is used again: each command made its own, once.
  expect([server.connections(), server.requests.length]).toEqual([2, 2]);
});

const statuses: readonly (readonly [string, string, number, string | undefined])[] = [
  ['299 Strange', users, 0, undefined],
  ['200', users, 0, undefined],
  ['200 O\u001b[31mK\u00ff', users, 0, undefined],
  ["418 I'm a \u001b]0;teapot\u0007", '', 7, 'The platform rejects the request.'],
  [
    '404 \u001b[2Jgone',
    '',
    5,
    'The platform has nothing at this address: the base URL may be wrong, or: Organization not found.',
  ],
  ['599 \u009b31mX', '', 8, 'The platform failed.'],
];

it.each(statuses)(
  'the status line "%s" counts by its class, and its words are not repeated',
  async (line, body, exit, message) => {
    const head = `HTTP/1.1 ${line}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
    const { origin } = await keep(rawServer((socket) => socket.write(Buffer.from(head + body, 'latin1'))));
    const run = await asked(list, origin);
    expect([run.exit, run.stderr === '' ? undefined : JSON.parse(run.stderr).error.message]).toEqual([exit, message]);
    expect(run.stdout + run.stderr).not.toMatch(/[\u001b\u0007\u009b]|teapot|Strange/);
  },
);

/** Writes for as long as somebody reads. */
function pour(socket: Socket, piece: Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', more);
  more();
}

const kilobytes = Buffer.alloc(65_536, 'x');
const bigChunk = Buffer.concat([Buffer.from('10000\r\n'), kilobytes, Buffer.from('\r\n')]);
const bomb = gzipSync(Buffer.alloc(150_000_000));

it.each<[string, (socket: Socket) => void]>([
  [
    'that has no end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n');
      pour(socket, bigChunk);
    },
  ],
  [
    'that is a bomb',
    (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    },
  ],
])('an answer %s is left after 32 MiB, in little memory', async (_, behaviour) => {
  const server = await keep(rawServer(behaviour));
  const env = platformAt(server.origin);
  const { exit, stdout, stderr, mebibytes } = await withPeak(home, [...list, ...once], { env });
  expect([exit, stdout, JSON.parse(stderr).error.message]).toEqual([
    8,
    '',
    'The response is larger than 32768 KiB, and was not read to the end.',
  ]);
  expect(mebibytes).toBeLessThan(110);
});

it('the answer to somebody else on the same connection is said to be about another id', async () => {
  const other = '{"templateId":"template_9","name":"Hot"}';
  const { origin } = await keep(rawServer((socket) => socket.write(answerText(200, other))));
  const { exit, stdout, stderr } = await asked(['templates', 'update', 'template_42', '--name', 'Hot'], origin);
  expect([exit, JSON.parse(stdout)]).toEqual([0, JSON.parse(other)]);
  expect(stderr).toContain("The platform's response names templateId template_9, not template_42.");
});

it('a list goes on over a new connection where the server closes the old one between two pages', async () => {
  const page = (from: number) =>
    JSON.stringify({
      totalCount: 4,
      items: [from, from + 1].map((id) => ({ userId: `u${id}`, name: 'N', orgRole: 'viewer' })),
    });
  const server = await keep(
    rawServer((socket, request) => {
      const skip = Number(/skipCount=(\d+)/.exec(request)?.[1] ?? 0);
      socket.write(answerText(200, page(skip)));
      socket.destroySoon();
    }),
  );
  const { exit, stdout } = await asked([...list, '--all', '--page-size', '2'], server.origin);
  expect([exit, JSON.parse(stdout).map(({ userId }: { userId: string }) => userId)]).toEqual([
    0,
    ['u0', 'u1', 'u2', 'u3'],
  ]);
  expect([server.requests.length, server.connections()]).toEqual([2, 2]);
});
