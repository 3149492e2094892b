import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type FaultRule, readFault } from '../../src/sandbox/faults.ts';
import { type RunningServer, startServer } from '../../src/sandbox/server.ts';
import { closedAfterEach, madeForEach } from '../support/fixtures.ts';
import { answering, desk, presses } from '../support/importing.ts';

/** IIOT_TEST_LONG=1 is the full proof: a hundred imports are killed, and of more rows. */
const long = process.env.IIOT_TEST_LONG === '1';
const [kills, rows] = long ? [100, 2000] : [4, 200];

const keep = closedAfterEach();
const start = (...options: Parameters<typeof startServer>) => keep(startServer(...options));
const serve = (...options: Parameters<typeof answering>) => keep(answering(...options));
const at = madeForEach(desk);
let sandbox: RunningServer;

function faults(...rules: readonly string[]): FaultRule[] {
  return rules.map((text) => {
    const rule = readFault(text);
    if (typeof rule === 'string') throw new Error(rule);
    return rule;
  });
}

function roundOf(device: string): string | null | undefined {
  return sandbox.platform.world.devices.get(device)?.customInfo.get('round');
}

describe('an import', () => {
  it('can be resumed after a kill at any moment, and no row is reported done that is not', async () => {
    const devices = presses(rows);
    sandbox = await start({ devices: rows, latency: 10 });
    let inTheMiddle = 0;
    for (let round = 1; round <= kills; round += 1) {
      const file = at.fleet(devices, `round ${round}`);
      const killed = at.begin(sandbox.url, [file, '-o', 'ndjson', '--resume']);
      // Every other one is hit while it is at work, however long it takes to begin.
      const enough = (Math.random() * rows) / 2;
      if (round % 2 === 0) while (killed.lines().length <= enough && killed.child.exitCode === null) await sleep(1);
      else await sleep(Math.random() * rows * 1.6);
      killed.child.kill('SIGKILL');
      await killed.ended;
      const done = killed.lines().filter(({ status }) => status === 'done');
      expect(done.filter(({ deviceId }) => roundOf(deviceId) !== `round ${round}`)).toEqual([]);
      const resumed = at.begin(sandbox.url, [file, '-o', 'ndjson', '--resume']);
      expect({ ...(await resumed.ended), stderr: resumed.stderr() }).toMatchObject({ exit: 0, signal: null });
      const lines = resumed.lines();
      expect([lines.length, new Set(lines.map(({ line }) => line)).size]).toEqual([rows, rows]);
      // What was said to be done is not done again, but for a journal that was finished and removed just before the kill.
      const again = new Set(lines.filter(({ status }) => status === 'done').map(({ line }) => line));
      if (lines.some(({ status }) => status === 'skipped')) {
        inTheMiddle += 1;
        expect(done.filter(({ line }) => again.has(line))).toEqual([]);
      }
      const [last, before] = await at.history();
      expect(last?.rows?.done ?? 0).toBe(again.size);
      if (again.size < rows) {
        expect(before).toMatchObject({ fields: ['round'], rows: { done: rows - again.size, total: rows } });
        expect(again.size === 0 ? ['done', 'interrupted'] : ['interrupted']).toContain(before?.outcome);
      }
      expect(readdirSync(at.folder).filter((name) => name.startsWith('history.run.'))).toEqual([]);
      expect(devices.filter((device) => roundOf(device) !== `round ${round}`)).toEqual([]);
      expect(existsSync(`${file}.iiot-journal`)).toBe(false);
    }
    // Where none was hit while it was at work, nothing was proved.
    expect(inTheMiddle).toBeGreaterThan(0);
  });

  it('succeeds despite 503, 429 and lost connections, and keeps to each Retry-After', async () => {
    const devices = presses(rows);
    const came: { at: number; status: number }[] = [];
    sandbox = await start({
      devices: devices.length,
      seed: 7,
      faults: faults(
        'PUT /platform/**=503:5%',
        'PUT /platform/**=reset:1%',
        'PUT /platform/**=reset-after:1%',
        'PUT /platform/**=429,retry-after=1:1%',
      ),
      observe: ({ at: time, request, outcome }) => {
        if (request.method === 'PUT') came.push({ at: time, status: typeof outcome === 'string' ? 0 : outcome.status });
      },
    });
    const file = at.fleet(devices, 'faulty');
    const running = at.begin(sandbox.url, [file, '-o', 'json']);
    let stdout = '';
    running.child.stdout?.on('data', (bytes) => (stdout += bytes));
    expect({ ...(await running.ended), stderr: running.stderr() }).toEqual({ exit: 0, signal: null, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ total: rows, done: rows, failed: 0 });
    expect(devices.filter((device) => roundOf(device) !== 'faulty')).toEqual([]);
    const kinds = new Set(came.map(({ status }) => status));
    expect([kinds.has(503), kinds.has(0), kinds.has(429)]).toEqual([true, true, true]);
    // Of each refusal only what was on its way comes before its second is over: two for each of sixteen at a time, where all were held up.
    const early = came
      .filter(({ status }) => status === 429)
      .map((refused) => came.filter(({ at: time }) => time > refused.at && time < refused.at + 990).length);
    expect(early.filter((count) => count > 32)).toEqual([]);
  });

  it('repeats a row without a response, and ends when the platform stays silent', async () => {
    let silent = 40;
    const platform = await serve((_, response) => {
      silent -= 1;
      return silent === 19 || silent > 40 ? undefined : response.writeHead(204).end();
    });
    const file = at.fleet(presses(40), 'once');
    const words = [file, '-o', 'json', '--request-timeout', '2s'];
    const first = at.begin(platform.url, words);
    expect({ ...(await first.ended), stderr: first.stderr() }).toEqual({ exit: 0, signal: null, stderr: '' });
    silent = Number.POSITIVE_INFINITY;
    const second = at.begin(platform.url, words);
    expect((await second.ended).exit).toBe(8);
    expect(JSON.parse(second.stderr()).error.message).toMatch(/^No response from \S+ within 2 s: .* 40 rows: /);
  });

  it('repeats no row that is redirected, and ends when all rows are', async () => {
    let [rows, moved] = [0, 0];
    const platform = await serve((_, response) => {
      rows += 1;
      // One row in the middle, and after the hundredth all.
      if (rows !== 30 && rows <= 100) return response.writeHead(204).end();
      moved += 1;
      return response.writeHead(307, { location: '/moved' }).end();
    });
    const file = at.fleet(presses(500), 'moved');
    const running = at.begin(platform.url, [file, '-o', 'ndjson', '--concurrency', '4']);
    expect((await running.ended).exit).toBe(8);
    expect(['done', 'failed', 'not_sent'].map(running.count)).toEqual([99, moved, 401 - moved]);
    expect(moved).toBeLessThanOrEqual(14);
    const { message, hint } = JSON.parse(running.stderr()).error;
    expect(message).toMatch(/^\S+ redirects a change to \S+\/moved, .* 500 rows: /);
    expect(hint).toContain(`import ${file} --concurrency 4 --resume --base-url ${platform.url}`);
  });

  it('finishes its requests on SIGINT, and can be resumed', async () => {
    const devices = presses(500);
    sandbox = await start({ devices: devices.length, latency: 20 });
    const file = at.fleet(devices, 'stopped');
    const running = at.begin(sandbox.url, [file, '-o', 'ndjson']);
    while (running.lines().length < 50) await sleep(10);
    running.child.kill('SIGINT');
    expect(await running.ended).toEqual({ exit: 130, signal: null });
    const lines = running.lines();
    const [done, notSent] = ['done', 'not_sent'].map((wanted) => lines.filter(({ status }) => status === wanted));
    expect([lines.length, done?.length === 0, notSent?.length]).toEqual([500, false, 500 - (done?.length ?? 0)]);
    expect(notSent?.filter(({ deviceId }) => roundOf(deviceId) === 'stopped')).toEqual([]);
    expect(JSON.parse(running.stderr().trimEnd().split('\n').at(-1) ?? '').error).toMatchObject({
      code: 'interrupted',
      message: expect.stringMatching(
        new RegExp(
          `^Interrupted after (less than a second|\\d+ s): ${done?.length} of 500 rows done, at \\S+, profile default, \\S+\\.$`,
        ),
      ),
      hint: expect.stringContaining(`import ${file} --resume --base-url ${sandbox.url}`),
    });
    const resumed = at.begin(sandbox.url, [file, '-o', 'ndjson', '--resume']);
    expect((await resumed.ended).exit).toBe(0);
    expect(resumed.count('skipped')).toBe(done?.length);
    expect(devices.filter((device) => roundOf(device) !== 'stopped')).toEqual([]);
  });

  it('reports rows as unknown when it is stopped while the platform is silent', async () => {
    sandbox = await start({ devices: 200, faults: faults('PUT /platform/**=hang') });
    const file = at.fleet(presses(100), 'silent');
    const running = at.begin(sandbox.url, [file, '-o', 'ndjson', '--request-timeout', '10m']);
    while (sandbox.platform.log.count < 17) await sleep(10);
    running.child.kill('SIGTERM');
    expect(await running.ended).toEqual({ exit: 143, signal: null });
    expect([running.count('unknown'), running.lines().length]).toEqual([16, 100]);
    expect(existsSync(`${file}.iiot-journal`)).toBe(true);
  });

  it('ends at the second SIGINT with a correct journal', async () => {
    sandbox = await start({ devices: 200, faults: faults('PUT /platform/**=hang') });
    const file = at.fleet(presses(100), 'twice');
    const running = at.begin(sandbox.url, [file, '--request-timeout', '10m', '-o', 'table']);
    while (sandbox.platform.log.count < 2) await sleep(10);
    running.child.kill('SIGINT');
    while (!running.stderr().includes('Finishing requests in flight')) await sleep(10);
    running.child.kill('SIGINT');
    const { exit, signal } = await running.ended;
    expect([130, 'SIGINT']).toContain(signal ?? exit);
    const [, begun = '', ...rows] = readFileSync(`${file}.iiot-journal`, 'utf8').trimEnd().split('\n');
    expect([begun.slice(0, 4), rows]).toEqual(['run ', []]);
  });

  it('is refused while another import uses the same journal', async () => {
    sandbox = await start({ devices: 200, faults: faults('PUT /platform/**=hang') });
    const file = at.fleet(presses(200), 'first');
    const first = at.begin(sandbox.url, [file]);
    while (!existsSync(`${file}.iiot-journal`)) await sleep(10);
    const second = at.begin(sandbox.url, [file, '--resume']);
    expect((await second.ended).exit).toBe(2);
    expect(second.stderr()).toContain(`process ${first.child.pid}, is using ${file}.iiot-journal`);
    first.child.kill('SIGKILL');
    await first.ended;
  });

  it.each([1, 100])('renews a token once that is refused at row %i', async (row) => {
    let [tokens, rows] = [0, 0];
    const platform = await serve(
      ({ token }, response) => {
        rows += 1;
        const good = rows < row ? 'token-1' : 'token-2';
        response.writeHead(token === good ? 204 : 401).end();
      },
      (response) => {
        tokens += 1;
        response.end(`{"access_token":"token-${tokens}","expires_in":3600}`);
      },
    );
    const file = at.fleet(presses(100), 'renewed');
    const running = at.begin(platform.url, [file, '-o', 'ndjson']);
    expect((await running.ended).exit).toBe(0);
    expect([tokens, running.count('done')]).toEqual([2, 100]);
  });

  it('stops when the login is revoked, leaves the rest unsent, and can be resumed', async () => {
    let isRevoked = true;
    const sent = new Set<string>();
    const platform = await serve(({ path }, response) => {
      if (isRevoked && sent.size >= 37) return response.writeHead(401).end();
      sent.add(path);
      return response.writeHead(204).end();
    });
    const file = at.fleet(presses(500), 'revoked');
    const running = at.begin(platform.url, [file, '-o', 'ndjson']);
    expect((await running.ended).exit).toBe(3);
    expect([running.count('done'), running.lines().length, running.count('failed') <= 16]).toEqual([37, 500, true]);
    isRevoked = false;
    expect((await at.begin(platform.url, [file, '--resume']).ended).exit).toBe(0);
    expect(sent.size).toBe(500);
  });

  it('finishes when nobody reads its result', async () => {
    const devices = presses(500);
    sandbox = await start({ devices: devices.length });
    const file = at.fleet(devices, 'unread');
    const running = at.begin(sandbox.url, [file, '-o', 'ndjson']);
    running.child.stdout?.destroy();
    expect((await running.ended).exit).toBe(0);
    expect(devices.filter((device) => roundOf(device) !== 'unread')).toEqual([]);
  });

  it('asks at a terminal before it sends more rows of a changed file', async () => {
    sandbox = await start({ devices: 5 });
    const file = at.fleet(['press-0001', 'nobody'], 'first');
    expect((await at.begin(sandbox.url, [file]).ended).exit).toBe(9);
    at.fleet(['press-0001', 'press-0002'], 'first');
    const terminal = at.terminal(sandbox.url, [file, '--resume'], { columns: 200 });
    await terminal.waitFor(`? Set custom information of 1 device at ${new URL(sandbox.url).host}: round? (y/N)`);
    expect(await terminal.screen()).toContain('Done and unchanged: 1 row. To send: 1 row.');
    terminal.type('y\r');
    expect((await terminal.exit).code).toBe(0);
    expect(await terminal.screen()).toContain('✓ 2 rows: 1 done, 1 done before');
    expect([roundOf('press-0002'), existsSync(`${file}.iiot-journal`)]).toEqual(['first', false]);
  });

  it('shows its progress at a terminal, and the counts at the end', async () => {
    let [rows, go] = [0, () => {}];
    const seen = new Promise<void>((resolve) => (go = resolve));
    const platform = await serve(async (_, response) => {
      rows += 1;
      if (rows > 100) await seen;
      response.writeHead(204).end();
    });
    const file = at.fleet(presses(500), 'seen');
    const terminal = at.terminal(platform.url, [file, '--yes', '--request-timeout', '10m']);
    await terminal.waitFor(/\d+ of 500 done, [\d.]+ a second, .+ left/);
    go();
    expect((await terminal.exit).code).toBe(0);
    const screen = await terminal.screen();
    expect(screen).not.toContain(' left');
    expect(screen).toMatch(/^✓ 500 rows: 500 done \(.+\)$/);
  });
});
