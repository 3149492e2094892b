/**
 * The npm package as people get it, packed once from a copy of the sources; and the npm part of a release, against a registry on this
 * machine: `npm run rehearse:npm`.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { execa, type Options } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../build/release/node.ts';
import { madeForAll } from '../support/fixtures.ts';
import { lacks } from '../support/lacking.ts';
import { listening } from '../support/listening.ts';
import { cleanEnvironment, executable, nodeBinary } from '../support/program.ts';

type Published = {
  readonly name: string;
  readonly versions: object;
  readonly 'dist-tags': object;
  readonly _attachments: Readonly<Record<string, { readonly data: string }>>;
};

/** An npm registry on this machine: it takes what `npm publish` sends, and gives it to `npm install`. */
async function startRegistry() {
  const published: { token: string | undefined; document: Published }[] = [];
  const files = new Map<string, Buffer>();
  const { url, close } = await listening(async (request, response) => {
    const path = decodeURIComponent(request.url ?? '').replace(/\?.*/, '');
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.method === 'PUT') {
      const document = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Published;
      published.push({ token: request.headers.authorization, document });
      for (const [name, { data }] of Object.entries(document._attachments))
        files.set(`${path}/-/${name}`, Buffer.from(data, 'base64'));
      return send(201, { ok: true });
    }
    const file = files.get(path);
    if (file) return response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(file);
    const found = published.find(({ document }) => path === `/${document.name}`);
    return found ? send(200, { ...found.document, _attachments: undefined }) : send(404, { error: 'not found' });
  });
  return { address: url, published, close };
}

const registry = madeForAll(startRegistry);
const { version, man } = JSON.parse(await readFile('package.json', 'utf8')) as {
  readonly version: string;
  readonly man: readonly string[];
};
const name = `iiot-${version}.tgz`;
type Packed = { readonly size: number; readonly files: readonly { readonly path: string }[] };
let packed: Packed;
let folder = '';
let release = '';
const at = (name: string) => join(folder, name);

/** Nothing of the person who runs this: no settings, no login, no cache. */
const npm = (command: string, words: readonly string[], options: Options = {}) =>
  execa(command, words, {
    ...options,
    extendEnv: false,
    env: {
      ...cleanEnvironment(at('home')),
      PATH: `${at('prefix/bin')}:${dirname(nodeBinary)}:${process.env.PATH}`,
      npm_config_userconfig: at('npmrc'),
      npm_config_cache: at('cache'),
      npm_config_registry: registry.address,
      npm_config_update_notifier: 'false',
      ...options.env,
    },
  });

const publish = (...words: string[]) =>
  npm('sh', [resolve('packaging/publish-npm.sh'), release, ...words], { reject: false });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'iiot-npm-'));
  release = at('release');
  for (const name of ['release', 'home', 'sources']) await mkdir(at(name));
  const sources = ['bin', 'build', 'completions', 'src', 'LICENSE', 'package.json'];
  for (const name of sources) await cp(name, join(at('sources'), name), { recursive: true });
  await symlink(resolve('node_modules'), join(at('sources'), 'node_modules'));
  const { stdout } = await execa('npm', ['pack', '--json', '--pack-destination', release], { cwd: at('sources') });
  // What the build says on stdout comes first.
  [packed] = JSON.parse(stdout.slice(stdout.search(/^\[/m))) as [Packed];
  await rename(join(release, `iiot-cli-${version}.tgz`), join(release, name));
  const sum = sha256(await readFile(join(release, name)));
  await writeFile(join(release, 'SHA256SUMS'), `${sum}  ${name}\n`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.skipIf(executable !== undefined)('the npm package', () => {
  it('is smaller than 1.75 MB', async () => {
    const { size } = await stat(join(release, name));
    expect(size).toBe(packed.size);
    expect(size).toBeLessThan(1_750_000);
  });

  it('holds the program, its texts, completions, manual, licence and the notices of others, and nothing else', () => {
    const places = new Set(packed.files.map(({ path }) => path.replace(/\/.*$/, '')));
    expect([...places].sort().join(' ')).toBe('LICENSE THIRD-PARTY-NOTICES bin completions dist man package.json');
    expect(packed.files.filter(({ path }) => /\.(ts|map)$|write-/.test(path.replace(/\.d\.c?ts$/, '')))).toEqual([]);
  });

  it('depends on no other package, and runs no script when it is installed', async () => {
    const { stdout } = await execa('tar', ['xzOf', join(release, name), 'package/package.json']);
    const facts = JSON.parse(stdout) as Record<string, unknown>;
    const needs = ['dependencies', 'peerDependencies', 'optionalDependencies', 'bundleDependencies'];
    expect(needs.filter((name) => name in facts)).toEqual([]);
    const hooks = ['preinstall', 'install', 'postinstall', 'prepare'];
    expect(hooks.filter((name) => name in (facts.scripts as object))).toEqual([]);
  });

  it('installs into an empty prefix without a network, with its manual, and then lists users of the sandbox', async () => {
    const prefix = at('offline');
    const home = at('offline-home');
    const file = join(release, name);
    await execa('npm', ['install', '--global', '--offline', '--no-audit', '--no-fund', '--prefix', prefix, file], {
      env: { HOME: home, npm_config_cache: join(home, 'cache') },
    });
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

describe.skipIf(executable !== undefined || lacks('man'))('the npm package in a registry', () => {
  it('is published once, is never replaced, and installs by its name', async () => {
    // Not without a login.
    const unknown = await publish();
    expect(unknown.exitCode).toBe(1);
    expect(unknown.stderr).toContain('npm error code ENEEDAUTH');
    expect(registry.published).toEqual([]);

    // A try publishes nothing.
    await writeFile(at('npmrc'), `//${new URL(registry.address).host}/:_authToken=rehearsal\n`);
    const tried = await publish('--dry-run');
    expect([tried.stdout, tried.exitCode, registry.published]).toEqual([`+ iiot-cli@${version}`, 0, []]);

    // Its login publishes it for everybody, as the newest.
    const published = await publish();
    expect([published.stdout, published.exitCode]).toEqual([`+ iiot-cli@${version}`, 0]);
    const [only, ...others] = registry.published;
    expect(others).toEqual([]);
    expect(only).toMatchObject({
      token: 'Bearer rehearsal',
      document: { name: 'iiot-cli', access: 'public', 'dist-tags': { latest: version } },
    });

    // A second time leaves it as it is, and no other replaces it.
    const again = await publish();
    expect([again.stdout, again.exitCode]).toEqual([`iiot-cli ${version} is already published.`, 0]);
    const file = join(release, name);
    const [content, sums] = [await readFile(file), await readFile(join(release, 'SHA256SUMS'), 'utf8')];
    await writeFile(file, 'another');
    const changed = await publish();
    expect([changed.stderr, changed.exitCode]).toEqual([`error: ${name} is not the one of SHA256SUMS.`, 1]);
    await writeFile(join(release, 'SHA256SUMS'), sums.replace(/^\S+/, sha256('another')));
    const other = await publish();
    expect([other.stderr, other.exitCode]).toEqual([`error: Another iiot-cli ${version} is already published.`, 1]);
    await writeFile(file, content);
    await writeFile(join(release, 'SHA256SUMS'), sums);
    expect(registry.published).toHaveLength(1);

    // It is installed by its name, speaks to a platform, and has its manual.
    const installed = await npm('npm', ['install', '--global', '--prefix', at('prefix'), 'iiot-cli']);
    expect(installed.stdout).toContain('added 1 package');
    const words = ['sandbox', 'exec', '--', 'iiot', 'orgs', 'users', 'list', '--limit', '1', '-o', 'id'];
    expect((await npm('iiot', words)).stdout).toBe('ada');
    const page = await npm('man', ['iiot-orgs-users-list'], {
      env: { MANPATH: at('prefix/share/man'), MANPAGER: 'cat', MANWIDTH: '80' },
    });
    expect(page.stdout).toMatch(/^IIOT-ORGS-USERS-LIST\(1\)/m);

    // npx runs it without installing it.
    await mkdir(at('elsewhere'));
    const run = await npm('npx', ['--yes', 'iiot-cli', '--version'], { cwd: at('elsewhere') });
    expect(run.stdout).toBe(version);
    expect(await readdir(at('elsewhere'))).toEqual([]);
  });
});
