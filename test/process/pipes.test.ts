/** Named pipes nobody writes to, where files are expected: opened in the ordinary way, they would keep a command for ever, deaf to signals. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { beforeEach, expect, it } from 'vitest';
import { madeForEach } from '../support/fixtures.ts';
import { homeForEach } from '../support/home.ts';
import { always, rawServer } from '../support/raw-server.ts';
import { org, users } from './guarded.ts';

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

it.each([
  ['--body-file', ['batches', 'create']],
  ['--content-file', ['templates', 'update', 'template_1']],
  ['--notification-file', ['policies', 'update', 'aaaaaaaa-0000-4000-8000-000000000001']],
  ['--actions-file', ['batches', 'create', '--name', 'n', '--cron', '0 0 2 * * ?', '--enabled', '--no-run-on-startup']],
  ['--config-file', ['channels', 'update', 'channel_1']],
])('a named pipe as %s is waited for until Ctrl-C', async (option, words) => {
  const path = pipe('pipe');
  const { child, ended } = home.begin([...words, option, path]);
  const writer = spawn('sh', ['-c', 'exec 3> "$0"; echo open; exec cat', path]);
  await once(writer.stdout, 'data');
  child.kill('SIGINT');
  expect((await ended).exit).toBe(130);
  expect(server.connections()).toBe(0);
  writer.kill();
});

it.each(['seen.json', 'history.ndjson', 'tokens.json', 'recovery-0123abcd.json'])(
  'a named pipe in place of %s stops no command',
  async (name) => {
    pipe(`iiot/${name}`);
    const change = ['devices', 'custom-info', 'set', 'press-1', 'line=3'];
    for (const words of [['orgs', 'users', 'list'], change, ['__complete', 'channels'], ['logout']]) {
      expect([words, (await run(words)).exit]).toEqual([words, 0]);
    }
  },
);
