/** What people do with the program on Windows, as they do it elsewhere. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startServer } from '../../src/sandbox/server.ts';
import { closedAfterEach, madeForEach } from '../support/fixtures.ts';
import { machineOf } from '../support/home.ts';
import { presses } from '../support/importing.ts';
import { until } from '../support/waiting.ts';
import { openComputer } from '../support/windows.ts';

const here = madeForEach(openComputer);
const start = closedAfterEach();

it('on Windows the tour uses every group of commands', async () => {
  const { exit, stderr } = await here.iiot(['sandbox', 'tour']);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringMatching(/\nThat was the tour\./) });
  const groups = new Set([...stderr.matchAll(/^\$ iiot (\w+)/gm)].map(([, group]) => group));
  const some = ['orgs', 'devices', 'policies', 'templates', 'channels', 'batches', 'credentials', 'history', 'logout'];
  expect([...groups]).toEqual(expect.arrayContaining(some));
});

it('on Windows a killed import can be resumed', async () => {
  const devices = presses(1000);
  const sandbox = await start(startServer({ devices: devices.length, latency: 5 }));
  const rounds = () =>
    devices.filter((device) => sandbox.platform.world.devices.get(device)?.customInfo.get('round') === '1').length;
  const file = here.file('fleet.csv', `deviceId,round\r\n${devices.map((device) => `${device},1\r\n`).join('')}`);
  const words = ['devices', 'custom-info', 'import', '--yes', file, '-o', 'ndjson'];
  const killed = here.begin(words, { env: machineOf(sandbox) });
  await until('a hundred rows are done', () => killed.stdout().split('\n').length > 100);
  killed.child.kill('SIGKILL');
  await killed.ended;
  const linesOf = (text: string) =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const done = linesOf(killed.stdout());
  expect(existsSync(join(here.folder, 'fleet.csv.iiot-journal'))).toBe(true);
  const { exit, stdout } = await here.iiot([...words, '--resume'], machineOf(sandbox));
  const lines = linesOf(stdout);
  const again = new Set(lines.filter(({ status }) => status === 'done').map(({ line }) => line));
  expect({ exit, rows: lines.length, twice: done.filter(({ line }) => again.has(line)), changed: rounds() }).toEqual({
    exit: 0,
    rows: 1000,
    twice: [],
    changed: 1000,
  });
  expect(existsSync(join(here.folder, 'fleet.csv.iiot-journal'))).toBe(false);
});

it('on Windows a new client secret is written to a new file and not shown', async () => {
  const sandbox = await start(startServer({ users: 5, devices: 3 }));
  const place = here.path('secret.txt');
  const words = ['credentials', 'create', '--name', 'ci', '--expires', '90d', '--secret-file', place, '-o', 'json'];
  const { exit, stdout, stderr } = await here.iiot(words, machineOf(sandbox));
  const secret = here.read('secret.txt').trim();
  expect({ exit, secret, isShown: (stdout + stderr).includes(secret) }).toEqual({
    exit: 0,
    secret: expect.stringMatching(/^\S{20,}$/),
    isShown: false,
  });
  const { clientId: IIOT_CLIENT_ID } = JSON.parse(stdout);
  const env = { IIOT_BASE_URL: sandbox.url, IIOT_CLIENT_ID, IIOT_CLIENT_SECRET_FILE: place };
  expect((await here.iiot(['login', 'token', '-q'], env)).exit).toBe(0);
  const again = await here.iiot(words, machineOf(sandbox));
  expect([again.exit, here.read('secret.txt').trim()]).toEqual([2, secret]);
});
