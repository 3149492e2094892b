/** What Node itself can write down of a process: a secret that was read from a file is in none of it. */
import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { filesIn, leaks } from '../support/canary.ts';
import { madeForEach } from '../support/fixtures.ts';
import { secrets } from '../support/guarded.ts';
import { homeForEach } from '../support/home.ts';
import { executable, programFile, programWords } from '../support/program.ts';
import { rawServer } from '../support/raw-server.ts';
import { until } from '../support/waiting.ts';
import { put } from './crowd.ts';

const server = madeForEach(() => rawServer());
const home = homeForEach(() => ({ NODE_OPTIONS: `--report-directory=${home.folder}` }));
const reports = () => filesIn(home.folder).filter(({ place }) => place.startsWith('report.'));

it.skipIf(executable !== undefined).each([
  ['at a signal', '--report-on-signal', ''],
  ['at a crash', '--report-uncaught-exception', "process.on('SIGUSR2', () => { throw new Error('crashed'); });"],
])('a report of Node that is written %s holds no secret', async (_, option, hook) => {
  const { origin } = server;
  const { token: accessToken, clientSecret } = secrets;
  const robot = { flow: 'm2m', origin, base: origin, clientId: 'robot', clientSecret, accessToken };
  put(home.settings, 'config.json', { version: 1, profiles: { robot: { baseUrl: origin } } });
  put(home.settings, 'credentials.json', { version: 1, logins: { robot } });
  const line = 'api GET /slow --profile robot --debug';
  const words = ['--require', home.file('crash.cjs', hook), option, ...programWords, ...line.split(' ')];
  const child = spawn(programFile, words, { env: home.env, cwd: home.folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said += bytes));
  const closed = new Promise((resolve) => child.on('close', resolve));
  await until('the request is sent', () => server.requests.length > 0);
  child.kill('SIGUSR2');
  await until('there is a report', () => reports().length > 0);
  child.kill('SIGKILL');
  await closed;
  expect(reports().length).toBe(1);
  expect(leaks(secrets, [{ place: 'output', text: said }, ...filesIn(home.folder)])).toEqual([]);
});
