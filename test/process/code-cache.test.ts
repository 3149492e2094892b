/** What is kept of the program between two runs, and where. */
import { execFileSync } from 'node:child_process';
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { executable, nodeBinary, runProgram } from '../support/program.ts';

const refused = {
  stdout: '',
  stderr: 'error: Unknown command "iiot orgs users lits".\nhint: Did you mean: iiot orgs users list\n',
  exit: 2,
};

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'iiot-home-'));
});

afterEach(() => rm(home, { recursive: true, force: true }));

/** The files whose code an earlier run had compiled. */
async function run(node: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const told = join(home, 'loaded.json');
  const options = {
    node: [...node, '--require', resolve('test/support/loaded.cjs')],
    env: { HOME: home, XDG_CACHE_HOME: '', LOADED_TO: told, ...env },
  };
  expect(await runProgram(['orgs', 'users', 'lits'], options)).toEqual(refused);
  const { kept } = JSON.parse(await readFile(told, 'utf8')) as { kept: string[] };
  await rm(told);
  return kept.map((name) => name.replace(/-.*/, ''));
}

async function keptFile(): Promise<string> {
  const cache = join(home, '.cache', 'iiot');
  const [version = ''] = await readdir(cache);
  const [file = ''] = await readdir(join(cache, version));
  return join(cache, version, file);
}

// The one-file program brings it along.
describe.skipIf(executable !== undefined)('what V8 has compiled', () => {
  it("is kept in the person's own folder for caches, nowhere else, and for nobody else", async () => {
    expect(await run()).toEqual([]);
    expect(await readdir(home)).toEqual(['.cache']);
    const file = await keptFile();
    expect([(await stat(dirname(file))).mode & 0o777, (await stat(file)).mode & 0o777]).toEqual([0o700, 0o600]);
  });

  it('is taken by the next run of the same command', async () => {
    await run();
    expect(await run()).toEqual(expect.arrayContaining(['core', 'orgs']));
  });

  it('is not taken with other options of V8, and then made anew', async () => {
    await run();
    expect(await run(['--no-opt'])).toEqual([]);
    expect(await run(['--no-opt'])).toContain('core');
  });

  it.each([
    ['empty', () => ''],
    ['no code', () => 'no code'],
    ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['cut shorter', (bytes: Buffer) => bytes.subarray(0, 20)],
    ['behind nonsense', (bytes: Buffer) => Buffer.concat([Buffer.from('{"core": 7}\n'), bytes])],
    ['wrong in one bit', (bytes: Buffer) => bytes.fill((bytes.at(-3) ?? 0) ^ 1, bytes.length - 3, bytes.length - 2)],
    ['without one of its pages', (bytes: Buffer) => bytes.fill(0, 8192, 12_288)],
  ] as const)('that is %s is made anew', async (_, damaged) => {
    await run();
    const file = await keptFile();
    await writeFile(file, damaged(await readFile(file)));
    expect(await run()).not.toContain('orgs');
    expect(await run()).toEqual(expect.arrayContaining(['core', 'orgs']));
  });

  it('is neither taken from nor put into a folder that others may write to', async () => {
    await run();
    const file = await keptFile();
    await chmod(dirname(file), 0o777);
    await rm(file);
    expect(await run()).toEqual([]);
    expect(await readdir(dirname(file))).toEqual([]);
  });

  it.skipIf(process.getuid?.() !== 0).each([
    ["somebody else's", (file: string) => chown(file, 65_534, 65_534)],
    ['open to others', (file: string) => chmod(file, 0o666)],
    [
      'a link',
      async (file: string) => {
        await cp(file, join(home, 'elsewhere'));
        await rm(file);
        await symlink(join(home, 'elsewhere'), file);
      },
    ],
    [
      'a pipe',
      async (file: string) => {
        await rm(file);
        execFileSync('mkfifo', [file]);
      },
    ],
  ] as const)('is not taken from a file that is %s, which is replaced', async (_, change) => {
    await run();
    const file = await keptFile();
    await change(file);
    expect(await run()).toEqual([]);
    const { uid, mode } = await stat(file);
    expect({ uid, mode: mode & 0o777 }).toEqual({ uid: 0, mode: 0o600 });
    expect(await run()).toContain('orgs');
  });

  it.skipIf(process.getuid?.() !== 0)("is not kept by root in a person's home", async () => {
    await chown(home, 65_534, 65_534);
    await run();
    expect(await readdir(home)).toEqual([]);
  });

  it('of other versions goes after a month, and what a killed run has left after a day', async () => {
    await run();
    const file = await keptFile();
    const cache = dirname(dirname(file));
    const days = (age: number) => new Date(Date.now() - age * 86_400_000);
    const old = ['0.0.8-v20.18.1-x64', '0.0.9-v22.1.0-arm64', 'mine'];
    for (const name of old) {
      await mkdir(join(cache, name));
      await writeFile(join(cache, name, 'iiot.orgs'), '');
    }
    await utimes(join(cache, '0.0.8-v20.18.1-x64'), days(31), days(31));
    await utimes(join(cache, 'mine'), days(31), days(31));
    await writeFile(`${file}.4711`, '');
    await writeFile(`${file}.4712`, '');
    await utimes(`${file}.4711`, days(2), days(2));
    await writeFile(file, '');
    await run();
    expect((await readdir(cache)).sort()).toEqual([
      '0.0.9-v22.1.0-arm64',
      dirname(file).slice(cache.length + 1),
      'mine',
    ]);
    expect((await readdir(dirname(file))).sort()).toEqual([file, `${file}.4712`].map((path) => basename(path)));
  });

  it('is nothing with NODE_DISABLE_COMPILE_CACHE', async () => {
    await run([], { NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(await readdir(home)).toEqual([]);
  });

  it('is nothing for a version or a help text', async () => {
    await runProgram(['--version'], { env: { HOME: home, XDG_CACHE_HOME: '' } });
    await runProgram(['orgs', '--help'], { env: { HOME: home, XDG_CACHE_HOME: '' } });
    expect(await readdir(home)).toEqual([]);
  });

  it('is done without where that folder cannot be made', async () => {
    await writeFile(join(home, '.cache'), 'a file in its place');
    expect(await runProgram(['orgs', 'users', 'lits'], { env: { HOME: home, XDG_CACHE_HOME: '' } })).toEqual(refused);
    expect(await runProgram(['orgs', 'users', 'lits'], { env: { HOME: '', XDG_CACHE_HOME: '' } })).toEqual(refused);
  });

  // It answers "no such file" where a folder is to be made in one that exists.
  it.skipIf(process.platform !== 'linux')('is done without in /proc', async () => {
    const options = { env: { HOME: '/proc', XDG_CACHE_HOME: '' }, killSignal: 'SIGKILL' } as const;
    expect(await runProgram(['orgs', 'users', 'lits'], options)).toEqual(refused);
  });
});

describe('a text', () => {
  it.skipIf(process.platform !== 'linux')('that cannot be written ends with 1 and says so', async () => {
    const program = executable === undefined ? `'${nodeBinary}' bin/iiot.js` : `'${executable}'`;
    const { exitCode, stderr } = await execa(`${program} --version > /dev/full`, { shell: '/bin/sh', reject: false });
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: 'error: The text could not be written (ENOSPC).' });
  });

  it('whose reader has gone away ends quietly', async () => {
    const program = executable === undefined ? `'${nodeBinary}' bin/iiot.js` : `'${executable}'`;
    const script = `{ sleep 0.3; ${program} --help; echo "ended with $?" >&2; } | true`;
    const { stderr } = await execa(script, { shell: '/bin/sh' });
    expect(stderr).toBe('ended with 0');
  });
});
