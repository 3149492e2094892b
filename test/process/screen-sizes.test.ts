/** Terminals of any size: a command writes its whole table, and ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cleanEnvironment, programFile, programWords } from '../support/program.ts';
import { answerText, type RawServer, rawServer } from '../support/raw-server.ts';
import { org } from './guarded.ts';

let home: string;
let server: RawServer;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'iiot-screens-'));
  server = await rawServer((socket, request) => {
    const skip = Number(/skipCount=(\d+)/.exec(request)?.[1] ?? 0);
    const items = Array.from({ length: 20 }, (_, at) => ({
      userId: `user-${skip + at}`,
      name: 'Ada \u{1f469}\u200d\u{1f527} '.repeat(9),
      orgRole: 'admin',
    }));
    socket.write(answerText(200, JSON.stringify({ items, totalCount: 60 })));
  });
});
afterEach(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

/** Runs a list of 60 users in a terminal; `seen` hears of all that is written. */
async function listed(
  env: object,
  columns: number,
  seen: (written: string, resize: (columns: number) => void) => void = () => {},
) {
  const base = { ...cleanEnvironment(home), IIOT_BASE_URL: server.origin, IIOT_ORG: org, IIOT_TOKEN: 'token-1' };
  const words = [...programWords, 'orgs', 'users', 'list', '--all', '--page-size', '20'];
  // The shell keeps the terminal until all of it has been read: what is on its way when a terminal ends is lost.
  const shell = ['-c', '"$@"; echo "ended with $?"; read -r line', 'sh', programFile, ...words];
  const child = spawn('/bin/sh', shell, { cols: columns, rows: 24, env: { ...base, TERM: 'xterm-256color', ...env } });
  let written = '';
  child.onData((text) => {
    written += text;
    seen(written, (wanted) => child.resize(wanted, 24));
  });
  const ended = new Promise((resolve) => child.onExit(resolve));
  const exit = () => /ended with (\d+)/.exec(written)?.[1];
  for (let tries = 0; exit() === undefined && tries < 500; tries += 1)
    await new Promise((done) => setTimeout(done, 20));
  child.write('\r');
  await ended;
  return { exit: exit(), users: new Set(written.match(/user-\d+/g)).size };
}

it.each(['0', '-1', '1', '1e9', '4294967296', 'many', '80.5'])(
  'COLUMNS=%s throws nothing and loops nowhere',
  async (COLUMNS) => {
    expect(await listed({ COLUMNS }, 80)).toEqual({ exit: '0', users: 60 });
  },
);

it.each([1, 7, 500])('nor does a window of %i columns', async (columns) => {
  expect(await listed({}, columns)).toEqual({ exit: '0', users: 60 });
});

it.each(['dumb', ''])('nor does TERM=%s', async (TERM) => {
  expect(await listed({ TERM }, 80)).toEqual({ exit: '0', users: 60 });
});

it('nor does a window that changes while the table is written', async () => {
  let changes = 0;
  const resizing = (_: string, resize: (columns: number) => void) => {
    changes += 1;
    resize([20, 300, 1][changes % 3] ?? 80);
  };
  expect(await listed({}, 80, resizing)).toEqual({ exit: '0', users: 60 });
  expect(changes).toBeGreaterThan(0);
});
