/** Terminals of any size: a command writes its whole table, and ends. */
import { spawn } from '@lydell/node-pty';
import { expect, it } from 'vitest';
import { madeForEach } from '../support/fixtures.ts';
import { homeForEach } from '../support/home.ts';
import { programFile, programWords } from '../support/program.ts';
import { answerText, rawServer } from '../support/raw-server.ts';
import { until } from '../support/waiting.ts';
import { org } from './guarded.ts';

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

/** Runs a list of 60 users in a terminal; `seen` hears of all that is written. */
async function listed(
  env: object,
  columns: number,
  seen: (written: string, resize: (columns: number) => void) => void = () => {},
) {
  const words = [...programWords, 'orgs', 'users', 'list', '--all', '--page-size', '20'];
  // The shell keeps the terminal until all of it has been read: what is on its way when a terminal ends is lost.
  const shell = ['-c', '"$@"; echo "ended with $?"; read -r line', 'sh', programFile, ...words];
  const child = spawn('/bin/sh', shell, {
    cols: columns,
    rows: 24,
    env: { ...home.env, TERM: 'xterm-256color', ...env },
  });
  let written = '';
  child.onData((text) => {
    written += text;
    seen(written, (wanted) => child.resize(wanted, 24));
  });
  const ended = new Promise((resolve) => child.onExit(resolve));
  const exit = () => /ended with (\d+)/.exec(written)?.[1];
  await until('it has ended', () => exit() !== undefined);
  child.write('\r');
  await ended;
  return { exit: exit(), users: new Set(written.match(/user-\d+/g)).size };
}

it.each<[string, Readonly<Record<string, string>>, number]>([
  ['COLUMNS=0', { COLUMNS: '0' }, 80],
  ['COLUMNS=1', { COLUMNS: '1' }, 80],
  ['COLUMNS=4294967296', { COLUMNS: '4294967296' }, 80],
  ['COLUMNS=many', { COLUMNS: 'many' }, 80],
  ['TERM=dumb', { TERM: 'dumb' }, 80],
  ['an empty TERM', { TERM: '' }, 80],
  ['a window of 1 column', {}, 1],
  ['a window of 500 columns', {}, 500],
])('a table is written whole with %s', async (_, env, columns) => {
  expect(await listed(env, columns)).toEqual({ exit: '0', users: 60 });
});

it('a table is written whole while the window changes its size', async () => {
  let changes = 0;
  const resizing = (_: string, resize: (columns: number) => void) => {
    changes += 1;
    resize([20, 300, 1][changes % 3] ?? 80);
  };
  expect(await listed({}, 80, resizing)).toEqual({ exit: '0', users: 60 });
  expect(changes).toBeGreaterThan(0);
});
