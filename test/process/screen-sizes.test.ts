/** Windows of any size: a command writes its whole table, and ends. */
import { spawn } from '@lydell/node-pty';
import { expect, it } from 'vitest';
import { madeForEach } from '../support/fixtures.ts';
import { org } from '../support/guarded.ts';
import { homeForEach } from '../support/home.ts';
import { programFile, programWords } from '../support/program.ts';
import { answerText, rawServer } from '../support/raw-server.ts';
import { until } from '../support/waiting.ts';

const server = madeForEach(() =>
  rawServer((socket, request) => {
    const skip = Number(/skipCount=(\d+)/.exec(request)?.[1] ?? 0);
    const items = Array.from({ length: 20 }, (_, at) => ({
      userId: `user-${skip + at}`,
      name: 'Ada \u{1f469}\u200d\u{1f527} '.repeat(9),
      orgRole: 'admin',
    }));
    socket.write(answerText(200, JSON.stringify({ items, totalCount: 60 })));
  }),
);
const home = homeForEach(() => ({ IIOT_BASE_URL: server.origin, IIOT_ORG: org, IIOT_TOKEN: 'token-1' }));

it.each([
  ['changes its size', 80, [20, 300, 1]],
  ['has one column', 1, []],
])('a table is written whole to a window that %s', async (_, cols, sizes) => {
  const words = [...programWords, 'orgs', 'users', 'list', '--all', '--page-size', '20'];
  // The shell keeps the terminal until all of it has been read: what is on its way when a terminal ends is lost.
  const shell = ['-c', '"$@"; echo "ended with $?"; read -r line', 'sh', programFile, ...words];
  const child = spawn('/bin/sh', shell, { cols, rows: 24, env: { ...home.env, TERM: 'xterm-256color' } });
  let [written, changes] = ['', 0];
  child.onData((text) => {
    written += text;
    const size = sizes[changes % sizes.length];
    if (size !== undefined) child.resize(size, 24);
    changes += 1;
  });
  const ended = new Promise((resolve) => child.onExit(resolve));
  await until('it has ended', () => /ended with \d+/.test(written));
  child.write('\r');
  await ended;
  expect(written).toContain('ended with 0');
  expect(new Set(written.match(/user-\d+/g)).size).toBe(60);
});
