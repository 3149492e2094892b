/** Named pipes nobody writes to, where files are expected: opened in the ordinary way, they would keep a command for ever, deaf to signals. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runProgram } from '../support/program.ts';
import { always, type RawServer, rawServer } from '../support/raw-server.ts';
import { org, users } from './guarded.ts';

let server: RawServer;
let folder: string;
beforeEach(async () => {
  server = await rawServer(always(200, users));
  folder = mkdtempSync(join(tmpdir(), 'iiot-pipes-'));
  mkdirSync(join(folder, 'iiot'), { mode: 0o700 });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function pipe(name: string): string {
  const path = join(folder, name);
  spawnSync('mkfifo', ['-m', '600', path]);
  return path;
}

/** One that is kept cannot be asked to end, so it is killed. */
const run = (words: readonly string[]) => {
  const env = {
    IIOT_BASE_URL: server.origin,
    IIOT_ORG: org,
    IIOT_TOKEN: 'token-1',
    IIOT_CONFIG_DIR: join(folder, 'iiot'),
  };
  return runProgram(words, { env, timeout: 8000, killSignal: 'SIGKILL' });
};

it.each([
  ['--ca-file', ['orgs', 'users', 'list']],
  ['--body-file', ['batches', 'create']],
  ['--content-file', ['templates', 'update', 'template_1']],
  ['--notification-file', ['policies', 'update', 'aaaaaaaa-0000-4000-8000-000000000001']],
  ['--actions-file', ['batches', 'create', '--name', 'n', '--cron', '0 0 2 * * ?', '--enabled', '--no-run-on-startup']],
  ['--config-file', ['channels', 'update', 'channel_1']],
])('as the value of %s is a usage error', async (option, words) => {
  const { exit, stderr } = await run([...words, option, pipe('pipe')]);
  expect([exit, stderr]).toEqual([2, expect.stringContaining(join(folder, 'pipe'))]);
  expect(server.connections()).toBe(0);
});

it.each(['seen.json', 'history.ndjson', 'tokens.json', 'recovery-0123abcd.json'])(
  'in the place of %s stops nobody',
  async (name) => {
    pipe(join('iiot', name));
    const change = ['devices', 'custom-info', 'set', 'press-1', 'line=3'];
    for (const words of [['orgs', 'users', 'list'], change, ['__complete', 'channels'], ['logout']]) {
      expect([words, (await run(words)).exit]).toEqual([words, 0]);
    }
  },
);
