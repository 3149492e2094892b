/** Servers that break HTTP, or are none: the built program says what it met, in time and in little memory. */
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { leaks } from '../support/canary.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { homeForEach } from '../support/home.ts';
import { withPeak } from '../support/peak.ts';
import { runProgram } from '../support/program.ts';
import { rawServer } from '../support/raw-server.ts';
import { org, users } from './guarded.ts';

const token = 'c4nary-t0ken."a1\\b2"/c3';
const list = ['orgs', 'users', 'list'];
const keep = closedAfterEach();
const home = homeForEach();

const once = ['-o', 'json', '--retries', '0', '--request-timeout', '10m'];
const platformAt = (origin: string) => ({ IIOT_BASE_URL: origin, IIOT_ORG: org, IIOT_TOKEN: token });

/** Ends long before the timeout of a request. */
async function asked(words: readonly string[], origin: string) {
  const run = await runProgram([...words, ...once], { env: platformAt(origin) });
  expect(leaks({ token }, [{ place: 'output', text: run.stdout + run.stderr }])).toEqual([]);
  return run;
}

const statuses: readonly (readonly [string, string, number])[] = [
  ['299 Strange', users, 0],
  ['200', users, 0],
  ['200 O\u001b[31mK\u00ff', users, 0],
  ["418 I'm a \u001b]0;teapot\u0007", '', 7],
  ['404 \u001b[2Jgone', '', 5],
  ['599 \u009b31mX', '', 8],
];

it.each(statuses)(
  'the status line %j sets the exit code by its number, and its words are not shown',
  async (line, body, exit) => {
    const head = `HTTP/1.1 ${line}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
    const { origin } = await keep(rawServer((socket) => socket.write(Buffer.from(head + body, 'latin1'))));
    const run = await asked(list, origin);
    expect([run.exit, run.stderr === '']).toEqual([exit, exit === 0]);
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
    'without an end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n');
      pour(socket, bigChunk);
    },
  ],
  [
    'that is a gzip bomb',
    (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    },
  ],
])('a response %s is cut off at 32 MiB, in little memory', async (_, behaviour) => {
  const server = await keep(rawServer(behaviour));
  const env = platformAt(server.origin);
  const { exit, stdout, stderr, mebibytes } = await withPeak(home, [...list, ...once], { env });
  expect([exit, stdout, JSON.parse(stderr).error.message]).toEqual([8, '', expect.stringContaining('32768 KiB')]);
  expect(mebibytes).toBeLessThan(110);
});
