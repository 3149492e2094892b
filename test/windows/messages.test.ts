/** What is said on Windows means something there. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { startServer } from '../../src/sandbox/server.ts';
import { madeForEach } from '../support/fixtures.ts';
import { machineOf } from '../support/home.ts';
import { cleanEnvironment } from '../support/program.ts';
import { openComputer, windowsNode } from '../support/windows.ts';

const here = madeForEach(openComputer);

const org = '11111111-1111-4111-8111-111111111111';
const platform = { IIOT_BASE_URL: 'https://plant.example', IIOT_ORG: org };

it('on Windows a dry run prints a curl line for cmd.exe that sends the same request', async () => {
  const words = ['devices', 'custom-info', 'set', 'Hall 3/Press & 7', 'a=>80 "x" | 5%', 'b=ü\\'];
  const { exit, stdout } = await here.iiot([...words, '--dry-run', '--jq', '.curl'], platform);
  expect({ exit, start: stdout.slice(0, 9) }).toEqual({ exit: 0, start: 'curl.exe ' });
  // In the place of curl stands a program that writes down how it was called.
  here.file('show.cjs', 'console.log(JSON.stringify(process.argv.slice(2)));');
  const line = stdout.trim().replace('curl.exe', `${windowsNode} ${here.path('show.cjs')}`);
  here.file(
    'type.cjs',
    `require('node:child_process').spawnSync('cmd.exe', ['/d', '/s', '/c', ${JSON.stringify(`"${line}"`)}], { stdio: 'inherit', windowsVerbatimArguments: true });`,
  );
  const typed = spawnSync(process.env.IIOT_TEST_NODE ?? '', [here.path('type.cjs')], {
    env: { ...cleanEnvironment(here.folder), IIOT_TOKEN: 'token-1' },
    encoding: 'utf8',
  });
  const called: string[] = JSON.parse(typed.stdout);
  const body = called[called.indexOf('--data-raw') + 1] ?? '';
  expect(called.map((word) => (word === body ? 'BODY' : word))).toEqual([
    ...['--fail-with-body', '-X', 'PUT', '-H', 'Authorization: Bearer token-1', '-H', 'Accept: application/json'],
    ...['-H', 'Content-Type: application/json', '--data-raw', 'BODY', '--globoff', '--path-as-is'],
    'https://plant.example/platform/solutions/api/v1/devices/Hall%203%2FPress%20%26%207/custom-info',
  ]);
  expect(JSON.parse(body)).toEqual({ a: '>80 "x" | 5%', b: 'ü\\' });
});

it('on Windows iiot doctor reports no file modes', async () => {
  expect((await here.iiot(['profiles', 'set', 'default', 'baseUrl=https://plant.example', '-q'])).exit).toBe(0);
  const { stdout } = await here.iiot(['doctor', '-o', 'json', '--request-timeout', '1ms']);
  const files = JSON.parse(stdout).find(({ check }: { check: string }) => check === 'files');
  expect(files).toMatchObject({ message: `${here.path('iiot')} (protected by the folder's access rights)` });
});

it('on Windows the hints of an import are lines for cmd.exe', async () => {
  const sandbox = await startServer({ users: 5, devices: 3 });
  const env = machineOf(sandbox);
  const fleet = here.file('my fleet.csv', 'deviceId,a\r\npress-0001,1\r\nnosuch,1\r\n');
  const words = ['devices', 'custom-info', 'import', '--yes', fleet];
  const first = await here.iiot(words, env);
  here.file('my fleet.csv', 'deviceId,a\r\npress-0002,1\r\n');
  const again = await here.iiot([...words, '--resume'], env);
  await sandbox.close();
  expect([first.exit, first.stderr]).toEqual([
    9,
    expect.stringContaining(`iiot devices custom-info import "${fleet}" --resume --base-url ${sandbox.url}\n`),
  ]);
  expect([again.exit, again.stderr]).toEqual([
    2,
    expect.stringContaining(`remove it first: del "${fleet}.iiot-journal"\n`),
  ]);
});
