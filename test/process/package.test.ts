/** The package as people get it: packed from a copy of the sources, and installed without a network. */
import { cp, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanEnvironment, executable, nodeBinary } from '../support/program.ts';

type Packed = {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
};

const sources = ['bin', 'build', 'completions', 'src', 'LICENSE', 'package.json'];

let folder: string;
let packed: Packed;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'iiot-package-'));
  const copy = join(folder, 'sources');
  for (const name of sources) await cp(name, join(copy, name), { recursive: true });
  await symlink(resolve('node_modules'), join(copy, 'node_modules'));
  const { stdout } = await execa('npm', ['pack', '--json', '--pack-destination', folder], { cwd: copy });
  // What the build says on stdout comes first.
  [packed] = JSON.parse(stdout.slice(stdout.search(/^\[/m))) as [Packed];
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe.skipIf(executable !== undefined)('the package', () => {
  it('is smaller than 1.75 MB, jq and undici being two thirds of it', async () => {
    const { size } = await stat(join(folder, packed.filename));
    expect(size).toBe(packed.size);
    expect(size).toBeLessThan(1_750_000);
  });

  it('holds the program, its texts, completions, manual, licence and the notices of others, and nothing else', () => {
    const places = new Set(packed.files.map(({ path }) => path.replace(/\/.*$/, '')));
    expect([...places].sort()).toEqual([
      'LICENSE',
      'THIRD-PARTY-NOTICES',
      'bin',
      'completions',
      'dist',
      'man',
      'package.json',
    ]);
    expect(packed.files.filter(({ path }) => /\.(ts|map)$|write-/.test(path.replace(/\.d\.c?ts$/, '')))).toEqual([]);
  });

  it('needs no other package, and runs nothing when it is installed', async () => {
    const { stdout } = await execa('tar', ['xzOf', join(folder, packed.filename), 'package/package.json']);
    const facts = JSON.parse(stdout) as Record<string, unknown>;
    const needs = ['dependencies', 'peerDependencies', 'optionalDependencies', 'bundleDependencies'];
    expect(needs.filter((name) => name in facts)).toEqual([]);
    const hooks = ['preinstall', 'install', 'postinstall', 'prepare'];
    expect(hooks.filter((name) => name in (facts.scripts as object))).toEqual([]);
  });

  it('is installed into an empty prefix without a network, with its manual, and speaks to a platform there', async () => {
    const prefix = join(folder, 'prefix');
    const home = join(folder, 'home');
    const file = join(folder, packed.filename);
    await execa('npm', ['install', '--global', '--offline', '--no-audit', '--no-fund', '--prefix', prefix, file], {
      env: { HOME: home, npm_config_cache: join(home, 'cache') },
    });
    const { man } = JSON.parse(await readFile('package.json', 'utf8')) as { man: readonly string[] };
    const pages = await readdir(join(prefix, 'share/man/man1'));
    expect(pages.sort()).toEqual(man.map((path) => basename(path)).sort());
    expect(await readFile(join(prefix, 'share/man/man1/iiot.1'), 'utf8')).toContain('.SH SYNOPSIS');
    // The Node under test is the one that `#!/usr/bin/env node` finds.
    const env = { ...cleanEnvironment(home), PATH: `${dirname(nodeBinary)}:/usr/bin:/bin` };
    const words = ['sandbox', 'exec', '--', 'iiot', 'orgs', 'users', 'list', '--limit', '1', '-o', 'id'];
    const { stdout } = await execa(join(prefix, 'bin', 'iiot'), words, { env, extendEnv: false });
    expect(stdout).toBe('ada');
  });
});
