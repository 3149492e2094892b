/** iiot each over ten profiles of which two fail, and under Ctrl-C, as processes. */
import { beforeEach, expect, it } from 'vitest';
import { type FaultRule, readFault } from '../../src/sandbox/faults.ts';
import { type RunningServer, startServer } from '../../src/sandbox/server.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import { closedAfterEach, madeForEach } from '../support/fixtures.ts';
import { homeForEach } from '../support/home.ts';
import { answerText, rawServer } from '../support/raw-server.ts';
import { until } from '../support/waiting.ts';

const hall = '22222222-2222-4222-8222-222222222222';
const home = homeForEach();
const sandbox: RunningServer = madeForEach(
  () => startServer({ faults: [readFault(`GET /api/v1/orgs/${hall}/users=hang`) as FaultRule] }), // it is well written
);
const plants = [...Array(10).keys()].map((at) => `plant-${at}`);
const list = ['--', 'orgs', 'users', 'list', '--role', 'admin', '--limit', '1', '-q'];
const each = (...words: readonly string[]) => ['each', '--profiles', 'plant-*', ...words];

beforeEach(() => {
  const login = {
    flow: 'm2m',
    origin: sandbox.url,
    base: sandbox.url,
    clientId: ids.clientId,
    clientSecret: ids.clientSecret,
  };
  const profiles = plants.map((name, at) => {
    const org = at === 3 ? '99999999-9999-4999-8999-999999999999' : ids.root;
    return [name, { baseUrl: sandbox.url, org }] as const;
  });
  const logins = plants.filter((_, at) => at !== 7).map((name) => [name, login] as const);
  home.file(
    'iiot/config.json',
    JSON.stringify({ version: 1, current: 'plant-0', profiles: Object.fromEntries(profiles) }),
  );
  home.file('iiot/credentials.json', JSON.stringify({ version: 1, logins: Object.fromEntries(logins) }));
});

it('iiot each prints the rows of eight profiles and the errors of two', async () => {
  const { exit, stdout, stderr } = await home.iiot(each(...list));
  const good = plants.filter((_, at) => at !== 3 && at !== 7);
  expect(stdout).toBe(good.map((name) => `${name}\tada\tAda Okonkwo\tadmin\n`).join(''));
  expect(stderr.split('\n')).toEqual([
    'plant-3: There is no organization 99999999-9999-4999-8999-999999999999. (404)',
    expect.stringMatching(/^plant-7: .*not logged in/),
    'error: 2 of 10 profiles failed.',
    'hint: For these alone: iiot each --profiles plant-3,plant-7 -- orgs users list --role admin --limit 1',
    '',
  ]);
  expect(exit).toBe(9);
});

it('iiot each changes nothing when one profile has no login', async () => {
  const set = ['--', 'devices', 'custom-info', 'set', 'press-0001', 'line=3', '-q', '-o', 'id'];
  const refused = await home.iiot(each('--yes', ...set));
  expect([refused.exit, refused.stdout]).toEqual([3, '']);
  expect(refused.stderr).toContain('plant-7');
  expect((await home.iiot(['history', '-o', 'json', '--jq', 'length'])).stdout).toBe('0\n');
  const done = await home.iiot(['each', '--profiles', 'plant-0,plant-1,plant-2', '--yes', ...set]);
  expect(done).toEqual({
    exit: 0,
    stdout: 'plant-0\tpress-0001\nplant-1\tpress-0001\nplant-2\tpress-0001\n',
    stderr: '',
  });
  expect((await home.iiot(['history', '-o', 'json', '--jq', 'map(.profile) | sort | join(" ")'])).stdout).toBe(
    'plant-0 plant-1 plant-2\n',
  );
});

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
  const words = ['each', '--profile', 'plant-0', '--orgs', `${ids.root},${hall}`, '--concurrency', '1', ...list, '-v'];
  const { child, stdout, stderr, ended } = home.begin(words.filter((word) => word !== '-q'));
  await until('it reads the second', () => stderr().includes(`/orgs/${hall}/users`));
  child.kill('SIGINT');
  expect((await ended).exit).toBe(130);
  expect(stdout()).toBe(`${ids.root}\tada\tAda Okonkwo\tadmin\n`);
  expect(stderr()).toContain('1 of 2 organizations were done');
});
