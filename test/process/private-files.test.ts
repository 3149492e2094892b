/** Every file that a life at the command line leaves is its owner's alone, whatever the umask. */
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { beforeEach, expect, it } from 'vitest';
import { ids } from '../../src/sandbox/world/ids.ts';
import { madeForEach } from '../support/fixtures.ts';
import { openFront } from '../support/front.ts';
import { homeForEach } from '../support/home.ts';
import { programFile, programWords } from '../support/program.ts';

const front = madeForEach(() => openFront());
const home = homeForEach(() => ({ XDG_CACHE_HOME: '', IIOT_BASE_URL: front.url, IIOT_ORG: ids.root }));
beforeEach(() => mkdirSync(home.at('work'), { mode: 0o700 }));

/** Runs it in the folder `work` of a home, with a umask that takes nothing away. */
function iiot(words: readonly string[], input = '') {
  const command = ['/bin/sh', '-c', 'umask 000; exec "$@"', 'sh', programFile, ...programWords, ...words];
  return home.run(command, { cwd: home.at('work'), input });
}

const logIn = () => iiot(['login', 'm2m', '--client-id', ids.clientId, '--client-secret-stdin'], ids.clientSecret);

/** Modes of all that is below the home. */
function modes(): Readonly<Record<string, string>> {
  const paths = readdirSync(home.folder, { recursive: true, encoding: 'utf8' }).filter((path) => path !== 'bin/iiot');
  return Object.fromEntries(paths.map((path) => [path, (statSync(home.at(path)).mode & 0o777).toString(8)]));
}

it('every file that a command leaves is private under a umask of 0', async () => {
  home.file('work/rows.csv', 'deviceId,line\npress-0001,3\nno-such-device,3\n');
  const ran = [
    await logIn(),
    await iiot(['credentials', 'create', '--name', 'a', '--secret-file', 'secret.txt']),
    await iiot(['credentials', 'create', '--name', 'b', '--save-profile', 'robot']),
    await iiot(
      'devices custom-info import rows.csv --yes --journal journal.ndjson --failed-file failed.csv'.split(' '),
    ),
    await iiot(['sandbox', 'exec', '--state', 'world.json', '--', 'iiot', 'orgs', 'users', 'list', '-q']),
  ];
  expect(ran.map(({ exit, stderr }) => (exit === 0 || exit === 9 ? exit : stderr))).toEqual([0, 0, 0, 9, 0]);
  const found = modes();
  expect(Object.keys(found)).toEqual(
    expect.arrayContaining([
      'iiot/config.json',
      'iiot/credentials.json',
      'iiot/history.ndjson',
      'work/secret.txt',
      'work/journal.ndjson',
      'work/failed.csv',
      'work/world.json',
    ]),
  );
  const open = Object.entries(found).filter(([, mode]) => mode !== '600' && mode !== '700');
  expect(open).toEqual([]);
});
