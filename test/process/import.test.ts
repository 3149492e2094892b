import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type FaultRule, readFault } from '../../src/sandbox/faults.ts';
import { type RunningServer, startServer } from '../../src/sandbox/server.ts';
import { closedAfterEach, madeForEach } from '../support/fixtures.ts';
import { desk, presses } from '../support/importing.ts';

/** IIOT_TEST_LONG=1 is the full proof: a hundred imports are killed, and of more rows. */
const long = process.env.IIOT_TEST_LONG === '1';
const [kills, rows] = long ? [100, 2000] : [4, 200];

const keep = closedAfterEach();
const start = (...options: Parameters<typeof startServer>) => keep(startServer(...options));
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

  it('finishes when nobody reads its result', async () => {
    const devices = presses(500);
    sandbox = await start({ devices: devices.length });
    const file = at.fleet(devices, 'unread');
    const running = at.begin(sandbox.url, [file, '-o', 'ndjson']);
    running.child.stdout?.destroy();
    expect((await running.ended).exit).toBe(0);
    expect(devices.filter((device) => roundOf(device) !== 'unread')).toEqual([]);
  });
});
