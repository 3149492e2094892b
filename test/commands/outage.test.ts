/** Runs of rows while the platform fails or is away. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Front, openFront } from '../support/front.ts';
import { type Person, person } from '../support/world.ts';

let front: Front;
let home: Person;

beforeEach(async () => {
  front = await openFront();
  home = person({ fetch: 'network', now: Date.now, env: { IIOT_BASE_URL: front.url } });
});
afterEach(async () => {
  await front.close();
  home.leave();
});

const rows = (count: number) => Array.from({ length: count }, (_, at) => `press-000${at + 1},${at}\n`).join('');

/** The platform gives these statuses first. */
function failsWith(...statuses: readonly number[]): void {
  const left = [...statuses];
  front.before = ({ path }) => {
    const status = path.endsWith('custom-info') ? left.shift() : undefined;
    return status === undefined ? undefined : new Response('', { status });
  };
}

function send(count: number, ...words: readonly string[]) {
  const file = home.file('fleet.csv', `deviceId,line\n${rows(count)}`);
  return home.iiot(['devices', 'custom-info', 'import', file, '--yes', '-o', 'json', ...words]);
}

describe('an outage during a run of rows', () => {
  it('is waited out, and uses up no retries', async () => {
    failsWith(...Array(8).fill(502));
    const { exit, stdout, stderr } = await send(5, '--concurrency', '2', '--retries', '5');
    expect([exit, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ done: 5, failed: 0 })]);
    expect(stderr).toBe('');
  });

  it('ends the run with 8 after the time of --patience', async () => {
    failsWith(...Array(500).fill(502));
    const { exit, stderr } = await send(5, '--concurrency', '2', '--patience', '0s');
    expect([exit, JSON.parse(stderr).error.message]).toEqual([
      8,
      `${front.url} has been failing for less than a second, longer than --patience allows. 5 rows: 2 of unknown outcome, 3 not sent.`,
    ]);
  });

  it.each(['10', '-1m', 'long'])('is not waited out with a wrong --patience %s', async (word) => {
    expect(await send(1, `--patience=${word}`)).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--patience takes a duration such as 30s, 10m or 2h; 0s gives up at once.'),
    });
  });
});

describe('an unreachable platform', () => {
  it.each([1, 5])('ends a run of %d rows with 8, and no row counts as failed', async (count) => {
    await home.iiot(['login', 'token']); // is kept
    await front.close();
    const { exit, stdout } = await send(count, '--retries', '0', '--patience', '0s');
    expect([exit, JSON.parse(stdout)]).toEqual([8, expect.objectContaining({ failed: 0, notSent: count })]);
  });
});
