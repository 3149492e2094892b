/** Every file that a life at the command line leaves is its owner's alone, whatever the umask; and no planted link leads a secret elsewhere. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ids } from '../../src/sandbox/world/ids.ts';
import { type Front, openFront } from '../support/front.ts';
import { cleanEnvironment, programFile, programWords } from '../support/program.ts';

let front: Front;
let home: string;
beforeEach(async () => {
  front = await openFront();
  home = mkdtempSync(join(tmpdir(), 'iiot-private-'));
  mkdirSync(join(home, 'work'), { mode: 0o700 });
});
afterEach(async () => {
  await front.close();
  rmSync(home, { recursive: true, force: true });
});

/** Runs it in the folder `work` of a home, with a umask that takes nothing away. */
async function iiot(words: readonly string[], input = '') {
  const { exitCode, stderr } = await execa(
    '/bin/sh',
    ['-c', 'umask 000; exec "$@"', 'sh', programFile, ...programWords, ...words],
    {
      env: { ...cleanEnvironment(home), XDG_CACHE_HOME: '', IIOT_BASE_URL: front.url, IIOT_ORG: ids.root },
      extendEnv: false,
      cwd: join(home, 'work'),
      input,
      reject: false,
      timeout: 20_000,
    },
  );
  return { exit: exitCode, stderr };
}

const logIn = () => iiot(['login', 'm2m', '--client-id', ids.clientId, '--client-secret-stdin'], ids.clientSecret);

/** Modes of all that is below the home. */
function modes(): Readonly<Record<string, string>> {
  const entries = readdirSync(home, { recursive: true, withFileTypes: true });
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(
    paths.map((path) => [path.slice(home.length + 1), (statSync(path).mode & 0o777).toString(8)]),
  );
}

it('under a umask of 0', async () => {
  const rows = join(home, 'work', 'rows.csv');
  writeFileSync(rows, 'deviceId,line\npress-0001,3\nno-such-device,3\n', { mode: 0o600 });
  const ran = [
    await logIn(),
    await iiot(['credentials', 'create', '--name', 'a', '--secret-file', 'secret.txt']),
    await iiot(['credentials', 'create', '--name', 'b', '--save-profile', 'robot']),
    await iiot([
      'devices',
      'custom-info',
      'import',
      rows,
      '--journal',
      'journal.ndjson',
      '--failed-to',
      'failed.csv',
      '--retries',
      '0',
    ]),
    await iiot(['sandbox', 'exec', '--data', 'world.json', '--', 'iiot', 'orgs', 'users', 'list', '-q']),
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

it('with links planted where files are to be', async () => {
  const elsewhere = join(home, 'elsewhere');
  writeFileSync(elsewhere, '');
  const names = [
    'credentials.json.tmp',
    'config.json.tmp',
    '.credentials.json.swp',
    'credentials.json~',
    'recovery.json',
  ];
  const guessed = [...names, ...Array.from({ length: 1000 }, (_, at) => `credentials.json.${at}`)];
  mkdirSync(join(home, 'iiot'), { mode: 0o700 });
  for (const name of guessed) symlinkSync(elsewhere, join(home, 'iiot', name));
  symlinkSync(elsewhere, join(home, 'work', 'secret.txt'));
  expect((await logIn()).exit).toBe(0);
  expect((await iiot(['credentials', 'create', '--name', 'b', '--save-profile', 'robot'])).exit).toBe(0);
  expect((await iiot(['credentials', 'create', '--name', 'a', '--secret-file', 'secret.txt'])).exit).toBe(2);
  expect(readFileSync(elsewhere, 'utf8')).toBe('');
  expect([...front.platform.world.credentials.values()].map(({ name }) => name)).not.toContain('a');
});
