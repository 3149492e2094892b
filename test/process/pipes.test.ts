/** Named pipes nobody writes to, where files are expected: opened in the ordinary way, they would keep a command for ever, deaf to signals. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { beforeEach, expect, it } from 'vitest';
import { madeForEach } from '../support/fixtures.ts';
import { org, users } from '../support/guarded.ts';
import { homeForEach } from '../support/home.ts';
import { always, rawServer } from '../support/raw-server.ts';

const server = madeForEach(() => rawServer(always(200, users)));
const home = homeForEach(() => ({ IIOT_BASE_URL: server.origin, IIOT_ORG: org, IIOT_TOKEN: 'token-1' }));
beforeEach(() => mkdirSync(home.settings, { mode: 0o700 }));

function pipe(name: string): string {
  const path = home.at(name);
  spawnSync('mkfifo', ['-m', '600', path]);
  return path;
}

/** One that is kept cannot be asked to end, so it is killed. */
const run = (words: readonly string[]) => home.iiot(words, { killSignal: 'SIGKILL' });

it('a named pipe as --ca-file is a usage error', async () => {
  const { exit, stderr } = await run(['orgs', 'users', 'list', '--ca-file', pipe('pipe')]);
  expect([exit, stderr]).toEqual([2, expect.stringContaining(home.at('pipe'))]);
  expect(server.connections()).toBe(0);
});

it('a named pipe as --body-file is waited for until Ctrl-C', async () => {
  const path = pipe('pipe');
  const { child, ended } = home.begin(['batches', 'create', '--body-file', path]);
  const writer = spawn('sh', ['-c', 'exec 3> "$0"; echo open; exec cat', path]);
  await once(writer.stdout, 'data');
  child.kill('SIGINT');
  expect((await ended).exit).toBe(130);
  expect(server.connections()).toBe(0);
  writer.kill();
});

const change = ['devices', 'custom-info', 'set', 'press-1', 'line=3'];
it.each([[['orgs', 'users', 'list']], [change], [['__complete', 'channels']], [['logout']]])(
  'named pipes in place of the kept files do not stop iiot %j',
  async (words) => {
    for (const name of ['seen.json', 'history.ndjson', 'tokens.json', 'recovery-0123abcd.json']) pipe(`iiot/${name}`);
    expect((await run(words)).exit).toBe(0);
  },
);
