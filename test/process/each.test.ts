/** iiot each as a process: over many organizations, into a reader that goes away, and under Ctrl-C. */
import { expect, it } from 'vitest';
import { type FaultRule, readFault } from '../../src/sandbox/faults.ts';
import { startServer } from '../../src/sandbox/server.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import { closedAfterEach, madeForEach } from '../support/fixtures.ts';
import { homeForEach, machineOf } from '../support/home.ts';
import { answerText, rawServer } from '../support/raw-server.ts';
import { until } from '../support/waiting.ts';

const hall = '22222222-2222-4222-8222-222222222222';
const sandbox = madeForEach(
  () => startServer({ faults: [readFault(`GET /api/v1/orgs/${hall}/users=hang`) as FaultRule] }), // it is well written
);
const home = homeForEach(() => machineOf(sandbox));

/** A platform on which every organization has so many users, and the line that lists them all. */
async function manyOrganizations(organizations: number, users: number) {
  const platform = await rawServer((socket, request) => {
    const query = new URLSearchParams(request.split(' ')[1]?.split('?')[1]);
    const skip = Number(query.get('skipCount') ?? 0);
    const count = Math.min(Number(query.get('maxResultCount')), users - skip);
    const items = Array.from({ length: count }, (_, at) => ({ userId: `user-${skip + at}`, name: 'x'.repeat(80) }));
    socket.write(answerText(200, JSON.stringify({ items, totalCount: users })));
  });
  const number = (at: number) => String(at).padStart(12, '0');
  const ids = Array.from({ length: organizations }, (_, at) => `00000000-0000-4000-8000-${number(at)}\n`);
  const words = ['each', '--orgs-file', home.file('orgs.txt', ids.join('')), '-o', 'ndjson', '-q'];
  return {
    ...platform,
    words: [...words, '--', 'orgs', 'users', 'list'],
    env: { IIOT_BASE_URL: platform.origin, IIOT_TOKEN: 'x' },
  };
}
const keep = closedAfterEach();

it('iiot each reads many organizations over at most eight connections, in little memory', async () => {
  const [organizations, users] = process.env.IIOT_TEST_LONG === '1' ? [400, 1000] : [40, 100];
  const { words, env, connections } = await keep(manyOrganizations(organizations, users));
  const node = ['--max-old-space-size=32', '--max-semi-space-size=1'];
  const run = await home.iiot(words, { env, node });
  expect([run.exit, run.stderr, run.stdout.split('\n').length - 1]).toEqual([0, '', organizations * users]);
  expect(connections()).toBeLessThanOrEqual(8);
});

it('iiot each asks for no further organization when its reader has gone', async () => {
  const { words, env, requests } = await keep(manyOrganizations(200, 1000));
  const line = ['/bin/bash', '-c', '"$@" | head -n 1', 'bash', 'iiot', ...words];
  const { stdout, stderr } = await home.run(line, { env });
  expect([stdout.length > 80, stderr]).toEqual([true, '']);
  expect(requests.length).toBeLessThan(50);
});

it('iiot each prints what it has on Ctrl-C, and how much that is', async () => {
  const list = ['orgs', 'users', 'list', '--role', 'admin', '--limit', '1', '-v'];
  const words = ['each', '--orgs', `${ids.root},${hall}`, '--concurrency', '1', '--', ...list];
  const { child, stdout, stderr, ended } = home.begin(words);
  await until('it reads the second', () => stderr().includes(`/orgs/${hall}/users`));
  child.kill('SIGINT');
  expect((await ended).exit).toBe(130);
  expect(stdout()).toBe(`${ids.root}\tada\tAda Okonkwo\tadmin\n`);
  expect(stderr()).toContain('1 of 2 organizations were done');
});
