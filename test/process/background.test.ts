/** What runs for months: in the background, stopped and continued, and beside others in containers. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, unlinkSync, utimesSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { ids } from '../../src/sandbox/world/ids.ts';
import { type Begun, homeForEach } from '../support/home.ts';
import { programFile, programWords } from '../support/program.ts';
import { until } from '../support/waiting.ts';

/** IIOT_TEST_LONG=1 also waits for what takes minutes. */
const long = process.env.IIOT_TEST_LONG === '1';

const home = homeForEach(() => ({ IIOT_TOKEN: 'token-0123456789', IIOT_ORG: ids.root, IIOT_BASE_URL: url }));
let url = '';
let close = () => {};
afterEach(() => close());

type Seen = { readonly path: string; readonly body: string };

/** A platform on loopback, and all that it was asked. */
async function platform(answer: (response: ServerResponse, request: Seen) => void): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const one = { path: request.url ?? '', body };
    seen.push(one);
    answer(response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return seen;
}

const created = (response: ServerResponse, { body }: Seen) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ ...JSON.parse(body || '{}'), id: 'batch-1' }));
};

function batches(count: number): void {
  const rows = Array.from({ length: count }, (_, at) => `batch-${at},0 0 3 * * ?,true,false`);
  home.file('batches.csv', `name,cron,enabled,runOnStartup\n${rows.join('\n')}\n`);
  home.file('actions.json', '[{"type":"x"}]');
}

const sendBatches = ['batches', 'create', '--rows', 'batches.csv', '--actions-file', 'actions.json', '--yes'];
const bodiesOf = (seen: readonly Seen[]) => seen.map(({ body }) => body);

describe('without a terminal', () => {
  it('a SIGHUP, as nohup would ignore it, ends nothing', async () => {
    home.file('fleet.csv', 'deviceId,line\npress-1,2\npress-2,3\n');
    const held: ServerResponse[] = [];
    const seen = await platform((response) => held.push(response));
    const running = home.begin(['devices', 'custom-info', 'import', 'fleet.csv', '--yes']);
    await until('both rows are sent', () => seen.length === 2);
    running.child.kill('SIGHUP');
    await sleep(300);
    for (const response of held) response.writeHead(204).end();
    expect(await running.ended).toEqual({ exit: 0, signal: null });
  });
});

describe('a process that was stopped for longer than its timeout', () => {
  it('reads the secret of a credential that arrived meanwhile', async () => {
    const secret = 'secret-that-is-shown-once';
    const seen = await platform((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      setTimeout(
        () => response.end(JSON.stringify({ clientCredentialId: 'c1', name: 'one', clientSecret: secret })),
        500,
      );
    });
    const running = home.begin([
      ...['credentials', 'create', '--name', 'one', '--request-timeout', '2s', '--retries', '0'],
      ...['--secret-file', 'one.secret'],
    ]);
    await until('it is asked for', () => seen.length === 1);
    running.child.kill('SIGSTOP');
    await sleep(5000);
    running.child.kill('SIGCONT');
    expect([(await running.ended).exit, seen.length]).toEqual([0, 1]);
    expect(home.read('one.secret').trim()).toBe(secret);
  });

  it('counts rows as done whose responses arrived meanwhile', async () => {
    batches(8);
    const seen = await platform((response, request) => setTimeout(created, 500, response, request));
    const running = home.begin([...sendBatches, '--request-timeout', '2s', '-o', 'json']);
    await until('more than one is on its way', () => seen.length > 1);
    running.child.kill('SIGSTOP');
    await sleep(5000);
    running.child.kill('SIGCONT');
    expect([(await running.ended).exit, running.stderr()]).toEqual([0, expect.any(String)]);
    expect(JSON.parse(running.stdout())).toMatchObject({ total: 8, done: 8, unknown: 0 });
    expect(bodiesOf(seen).toSorted()).toEqual([...new Set(bodiesOf(seen))].toSorted());
  });
});

const inContainer = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--mount-proc'];
const canContain = spawnSync('unshare', [...inContainer.slice(1), 'true']).status === 0;

describe.skipIf(!canContain)('two containers with one folder', () => {
  const inOne = (words: readonly string[]) =>
    home.run([...inContainer, programFile, ...programWords, ...sendBatches, ...words]);
  const lock = () => home.at('batches.csv.iiot-journal.lock');
  const owner = () => `${lock()}/${readdirSync(lock())[0]}`;

  it('one waits, and is refused once the other shows that it is running, though its lock looks old', async () => {
    batches(60);
    const seen = await platform(created);
    const first = inOne(['--rate', '3/s', '--concurrency', '1', '-o', 'json']);
    await until('the first runs', () => seen.length > 0);
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
    expect(bodiesOf(seen).length).toBe(60);
  });

  it('a run stops with 9 before its next row once another one has taken over its journal', async () => {
    batches(60);
    const seen = await platform(created);
    const first = inOne(['--rate', '3/s', '--concurrency', '1', '-o', 'json']);
    await until('the first runs', () => seen.length > 0);
    unlinkSync(owner());
    const { exit, stdout, stderr } = await first;
    const { done, unknown, notSent } = JSON.parse(stdout);
    expect([exit, done + unknown, done + unknown + notSent]).toEqual([9, seen.length, 60]);
    expect(stderr).toContain('another run has taken it over');
    expect(existsSync(home.at('batches.csv.iiot-journal'))).toBe(true);
  });

  it.skipIf(!long)('one continues what another one began that was killed, once its lock is dead', async () => {
    batches(60);
    const seen = await platform(created);
    const words = [...sendBatches, '--rate', '5/s', '--concurrency', '1'];
    const killed: Begun = home.begin(words, inContainer);
    await until('some are sent', () => seen.length > 3);
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(await inOne(['--resume', '--repeat-unknown'])).toMatchObject({ exit: 0 });
    expect(new Set(bodiesOf(seen)).size).toBe(60);
    expect(seen.length).toBeLessThanOrEqual(61);
  });
});
