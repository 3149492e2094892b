/** What runs for months: in the background, stopped and continued, and beside others in containers. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, unlinkSync, utimesSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ids } from '../../src/sandbox/world/ids.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { type Begun, homeForEach } from '../support/home.ts';
import { programFile, programWords } from '../support/program.ts';
import { answerText, type Behaviour, type RawServer, rawServer } from '../support/raw-server.ts';
import { until } from '../support/waiting.ts';

const home = homeForEach(() => ({ IIOT_TOKEN: 'token-0123456789', IIOT_ORG: ids.root, IIOT_BASE_URL: server.origin }));
const keep = closedAfterEach();
let server: RawServer;

async function serve(behaviour: Behaviour): Promise<void> {
  server = await keep(rawServer(behaviour));
}

const bodyOf = (request: string) => request.slice(request.indexOf('\r\n\r\n') + 4);
const created: Behaviour = (socket, request) =>
  socket.write(answerText(200, JSON.stringify({ ...JSON.parse(bodyOf(request) || '{}'), id: 'batch-1' })));

function batches(count: number): void {
  const rows = Array.from({ length: count }, (_, at) => `batch-${at},0 0 3 * * ?,true,false`);
  home.file('batches.csv', `name,cron,enabled,runOnStartup\n${rows.join('\n')}\n`);
  home.file('actions.json', '[{"type":"x"}]');
}

const sendBatches = ['batches', 'create', '--rows', 'batches.csv', '--actions-file', 'actions.json', '--yes'];
const sent = () => server.requests.map(bodyOf);

async function sleepAndWake({ child }: Begun): Promise<void> {
  child.kill('SIGSTOP');
  await sleep(5000);
  child.kill('SIGCONT');
}

it('an import without a terminal continues after SIGHUP', async () => {
  home.file('fleet.csv', 'deviceId,line\npress-1,2\npress-2,3\n');
  const held: Socket[] = [];
  await serve((socket) => held.push(socket));
  const running = home.begin(['devices', 'custom-info', 'import', 'fleet.csv', '--yes']);
  await until('both rows are sent', () => held.length === 2);
  running.child.kill('SIGHUP');
  await sleep(300);
  for (const socket of held) socket.write(answerText(204));
  expect(await running.ended).toEqual({ exit: 0, signal: null });
});

describe('a process that was stopped for longer than its timeout', () => {
  it('saves the secret of a credential that arrived while it was stopped', async () => {
    const secret = 'secret-that-is-shown-once';
    const body = JSON.stringify({ clientCredentialId: 'c1', name: 'one', clientSecret: secret });
    await serve((socket) => setTimeout(() => socket.write(answerText(200, body)), 500));
    const running = home.begin([
      ...['credentials', 'create', '--name', 'one', '--request-timeout', '2s', '--retries', '0'],
      ...['--secret-file', 'one.secret'],
    ]);
    await until('it is asked for', () => server.requests.length === 1);
    await sleepAndWake(running);
    expect([(await running.ended).exit, server.requests.length]).toEqual([0, 1]);
    expect(home.read('one.secret').trim()).toBe(secret);
  });

  it('counts rows as done when their responses arrived while it was stopped', async () => {
    batches(8);
    await serve((...asked) => setTimeout(created, 500, ...asked));
    const running = home.begin([...sendBatches, '--request-timeout', '2s', '-o', 'json']);
    await until('more than one is on its way', () => server.requests.length > 1);
    await sleepAndWake(running);
    expect([(await running.ended).exit, running.stderr()]).toEqual([0, expect.any(String)]);
    expect(JSON.parse(running.stdout())).toMatchObject({ total: 8, done: 8, unknown: 0 });
    expect(sent().toSorted()).toEqual([...new Set(sent())].toSorted());
  });
});

const inContainer = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--mount-proc'];
const canContain = spawnSync('unshare', [...inContainer.slice(1), 'true']).status === 0;

describe.skipIf(!canContain)('in containers that share a folder,', () => {
  const inOne = (words: readonly string[]) =>
    home.run([...inContainer, programFile, ...programWords, ...sendBatches, ...words]);
  const lock = () => home.at('batches.csv.iiot-journal.lock');
  const owner = () => `${lock()}/${readdirSync(lock())[0]}`;

  it('a second run in another container waits, and is refused while the first is active', async () => {
    batches(60);
    await serve(created);
    const first = inOne(['--rate', '3/s', '--concurrency', '1', '-o', 'json']);
    await until('the first runs', () => server.requests.length > 0);
    const old = new Date(Date.now() - 660_000);
    utimesSync(owner(), old, old);
    expect(await inOne(['--resume'])).toEqual({
      exit: 2,
      stdout: '',
      stderr:
        `batches.csv.iiot-journal is locked by a process in another container or on another machine (active 11 min ago). Waiting up to 100 s to find out whether it still runs.\n` +
        `error: Another run is using batches.csv.iiot-journal: it was active meanwhile.\n` +
        'hint: Wait for it to end, then continue with --resume, or use another --journal FILE\n',
    });
    expect(JSON.parse((await first).stdout)).toMatchObject({ done: 60 });
    expect(server.requests.length).toBe(60);
  });

  it('a run ends with 9 before its next row after another run has taken over its journal', async () => {
    batches(60);
    await serve(created);
    const first = inOne(['--rate', '3/s', '--concurrency', '1', '-o', 'json']);
    await until('the first runs', () => server.requests.length > 0);
    unlinkSync(owner());
    const { exit, stdout, stderr } = await first;
    const { done, unknown, notSent } = JSON.parse(stdout);
    expect([exit, done + unknown, done + unknown + notSent]).toEqual([9, server.requests.length, 60]);
    expect(stderr).toContain('another run has taken it over');
    expect(existsSync(home.at('batches.csv.iiot-journal'))).toBe(true);
  });
});
