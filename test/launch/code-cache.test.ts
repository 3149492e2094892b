/** What is kept of the program between two runs, and where. */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cacheFolder, filesWithCodeCache } from '../../src/launch/code-cache.ts';
import { requireFrom } from '../../src/launch/program-files.ts';

let home: string;

beforeEach(async () => {
  home = await fs.mkdtemp(join(tmpdir(), 'iiot-home-'));
  await fs.writeFile(join(home, 'core-1a2b3c4d.cjs'), "exports.two = require('./orgs-1a2b3c4d.cjs').one + 1;");
  await fs.writeFile(join(home, 'orgs-1a2b3c4d.cjs'), 'exports.one = 1;');
});

afterEach(() => fs.rm(home, { recursive: true, force: true }));

/** Runs a program of two files to its end. Gives the files whose code an earlier run had compiled, as far as V8 takes it. */
function run(env: Readonly<Record<string, string>> = {}, words: readonly string[] = ['orgs']): string[] {
  const ends: (() => void)[] = [];
  const own = {
    argv: ['node', 'iiot', ...words],
    env: { HOME: home, ...env },
    once: (_: 'exit', end: () => void) => ends.push(end),
  };
  const inner = Object.create(process, Object.getOwnPropertyDescriptors(own)) as NodeJS.Process;
  const taken: string[] = [];
  const files = filesWithCodeCache(home, inner);
  const onScript: typeof files.onScript = (name, script) => {
    if (script.cachedDataRejected === false) taken.push(name.replace(/-.*/, ''));
    files.onScript?.(name, script);
  };
  expect(requireFrom({ ...files, onScript }, inner)('./core-1a2b3c4d.cjs')).toEqual({ two: 2 });
  for (const end of ends) end();
  return taken.sort();
}

async function keptFile(): Promise<string> {
  const cache = join(home, '.cache', 'iiot');
  const [version = ''] = await fs.readdir(cache);
  const [file = ''] = await fs.readdir(join(cache, version));
  return join(cache, version, file);
}

describe('the code cache', () => {
  it('is kept in the cache folder of the user, with mode 0600', async () => {
    expect(run()).toEqual([]);
    expect((await fs.readdir(home)).filter((name) => !name.endsWith('.cjs'))).toEqual(['.cache']);
    const file = await keptFile();
    expect([(await fs.stat(dirname(file))).mode & 0o777, (await fs.stat(file)).mode & 0o777]).toEqual([0o700, 0o600]);
  });

  it('is used by the next run of the same command', async () => {
    run();
    expect(run()).toEqual(['core', 'orgs']);
  });

  it.each([
    ['empty', () => ''],
    ['no code', () => 'no code'],
    ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['cut shorter', (bytes: Buffer) => bytes.subarray(0, 20)],
    ['behind nonsense', (bytes: Buffer) => Buffer.concat([Buffer.from('{"core": 7}\n'), bytes])],
    ['wrong in one bit', (bytes: Buffer) => bytes.fill((bytes.at(-3) ?? 0) ^ 1, bytes.length - 3, bytes.length - 2)],
    ['zero for a part of it', (bytes: Buffer) => bytes.fill(0, 256, 512)],
  ] as const)('is made again if its file is %s', async (_, damaged) => {
    run();
    const file = await keptFile();
    await fs.writeFile(file, damaged(await fs.readFile(file)));
    expect(run()).toEqual([]);
    expect(run()).toEqual(['core', 'orgs']);
  });

  it('is not used in a folder that others may write to', async () => {
    run();
    const file = await keptFile();
    await fs.chmod(dirname(file), 0o777);
    await fs.rm(file);
    expect(run()).toEqual([]);
    expect(await fs.readdir(dirname(file))).toEqual([]);
  });

  it.skipIf(process.getuid?.() !== 0).each([
    ["somebody else's", (file: string) => fs.chown(file, 65_534, 65_534)],
    ['open to others', (file: string) => fs.chmod(file, 0o666)],
    ['a link', (file: string) => fs.rename(file, `${file}.x`).then(() => fs.symlink(`${file}.x`, file))],
    ['a pipe', (file: string) => fs.rm(file).then(() => execFileSync('mkfifo', [file]))],
  ] as const)('replaces a file that is %s', async (_, change) => {
    run();
    const file = await keptFile();
    await change(file);
    expect(run()).toEqual([]);
    const { uid, mode } = await fs.stat(file);
    expect({ uid, mode: mode & 0o777 }).toEqual({ uid: 0, mode: 0o600 });
    expect(run()).toEqual(['core', 'orgs']);
  });

  it.skipIf(process.getuid?.() !== 0)("is not kept by root in a person's home", async () => {
    await fs.chown(home, 65_534, 65_534);
    run();
    expect(await fs.readdir(home)).not.toContain('.cache');
  });

  it('loses other versions after a month and leftovers of killed runs after a day', async () => {
    run();
    const file = await keptFile();
    const cache = dirname(dirname(file));
    const days = (age: number) => new Date(Date.now() - age * 86_400_000);
    const old = ['0.0.8-v20.18.1-x64', '0.0.9-v22.1.0-arm64', 'mine'];
    for (const name of old) {
      await fs.mkdir(join(cache, name));
      await fs.writeFile(join(cache, name, 'iiot.orgs'), '');
    }
    await fs.utimes(join(cache, '0.0.8-v20.18.1-x64'), days(31), days(31));
    await fs.utimes(join(cache, 'mine'), days(31), days(31));
    await fs.writeFile(`${file}.4711`, '');
    await fs.writeFile(`${file}.4712`, '');
    await fs.utimes(`${file}.4711`, days(2), days(2));
    await fs.writeFile(file, '');
    run();
    expect((await fs.readdir(cache)).sort()).toEqual([
      '0.0.9-v22.1.0-arm64',
      dirname(file).slice(cache.length + 1),
      'mine',
    ]);
    expect((await fs.readdir(dirname(file))).sort()).toEqual([file, `${file}.4712`].map((path) => basename(path)));
  });

  it('has the name of a command, and no other word that was typed', async () => {
    await fs.mkdir(join(home, 'help'));
    for (const name of ['login', 'orgs', 'orgs.users']) await fs.writeFile(join(home, 'help', `${name}.txt`), '');
    const lines = ['orgs users list', 'orgs', 'login correcthorse', 'correcthorse', 'orgs/../x', ''];
    for (const line of lines) run({}, line.split(' '));
    const files = await fs.readdir(dirname(await keptFile()));
    expect(files.sort()).toEqual(['iiot', 'iiot.login', 'iiot.orgs', 'iiot.orgs.users']);
  });

  it('loses commands that were not called for a month', async () => {
    run();
    const file = await keptFile();
    const monthAgo = new Date(Date.now() - 31 * 86_400_000);
    await fs.writeFile(join(dirname(file), 'iiot.login.correcthorse'), '');
    await fs.utimes(join(dirname(file), 'iiot.login.correcthorse'), monthAgo, monthAgo);
    await fs.rm(file);
    run();
    expect(await fs.readdir(dirname(file))).toEqual([basename(file)]);
  });

  it('is not kept with NODE_DISABLE_COMPILE_CACHE', async () => {
    run({ NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(await fs.readdir(home)).not.toContain('.cache');
  });

  it('is left out if its folder cannot be created', async () => {
    await fs.writeFile(join(home, '.cache'), 'a file in its place');
    expect([run(), run(), run({ HOME: '' })]).toEqual([[], [], []]);
  });
});

describe('the folder of the code cache', () => {
  it.each([
    ['linux', { HOME: '/home/ada' }, '/home/ada/.cache/iiot'],
    ['linux', { HOME: '/home/ada', XDG_CACHE_HOME: '/var/ada' }, '/var/ada/iiot'],
    ['linux', { HOME: '/home/ada', XDG_CACHE_HOME: 'relative' }, '/home/ada/.cache/iiot'],
    ['darwin', { HOME: '/Users/ada', XDG_CACHE_HOME: '/var/ada' }, '/Users/ada/Library/Caches/iiot'],
    ['win32', { LOCALAPPDATA: 'C:\\Users\\ada\\AppData\\Local' }, 'C:\\Users\\ada\\AppData\\Local\\iiot\\Cache'],
    ['linux', { HOME: '' }, 'unknown'],
    ['linux', {}, 'unknown'],
    ['win32', { HOME: '/home/ada' }, 'unknown'],
  ] as const)('on %s with %j is %s', (platform, env, folder) => {
    expect(cacheFolder(env, platform) ?? 'unknown').toBe(folder);
  });
});
