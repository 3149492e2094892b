/** Each kind of package in a bare system: installed, used and removed again, in a root of its own by chroot, for which these tests are root. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LinuxSystem, systems } from '../../../build/release/artefacts.ts';
import type { InstallMethod } from '../../../src/commands/installed.ts';
import { xlsxParts, zipOf } from '../../rows/zip.ts';
import { release, version } from './release.ts';

const folder = mkdtempSync(join(tmpdir(), 'iiot-systems-'));
const bare = join(folder, 'bare');
const libraries = join(folder, 'libraries');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Debian with its essential packages alone, and the packages that it has to add. */
beforeAll(async () => {
  mkdirSync(libraries);
  // From the same place: the system that runs these tests may be another one.
  const fetch = `cd '${libraries}' && APT_CONFIG="$MMDEBSTRAP_APT_CONFIG" apt-get download -qq libatomic1 libstdc++6`;
  const options = ['--variant=essential', '--quiet', '--dpkgopt=force-unsafe-io', `--customize-hook=${fetch}`];
  await execa('mmdebstrap', [...options, 'bookworm', bare]);
  putWorkbook(bare);
});

/** A copy of the bare system, with files of the release in it. */
async function systemWith(...names: readonly string[]): Promise<Root> {
  const root = mkdtempSync(join(folder, 'root-'));
  await execa('cp', ['--archive', `${bare}/.`, root]);
  for (const name of names) cpSync(join(release, name), join(root, 'data', name));
  return { folder: root };
}

/** Installs what the bare system has not, as apt would. */
async function addLibraries({ folder: root }: Root): Promise<void> {
  cpSync(libraries, join(root, 'libraries'), { recursive: true });
  expect(await runIn({ folder: root }, ['sh', '-c', 'dpkg --install /libraries/*.deb'])).toMatchObject({ exit: 0 });
  rmSync(join(root, 'libraries'), { recursive: true });
}

describe('on Debian essential', () => {
  it('the archive names the libraries that are missing, and works with them', async () => {
    const name = `iiot-${version}-linux-x64`;
    const root = await systemWith(`${name}.tar.gz`);
    await execa('tar', ['xzf', `data/${name}.tar.gz`, '--directory', 'data'], { cwd: root.folder });
    const program = [`/data/${name}/iiot`];
    const { exit, stderr } = await runIn(root, [...program, '--version']);
    expect([exit, /lib(atomic|stdc\+\+)\.so/.test(stderr)]).toEqual([127, true]);
    const readme = readFileSync(join(root.folder, 'data', name, 'README.md'), 'utf8');
    expect(readme).toContain('apt-get install libatomic1 libgcc-s1 libstdc++6\n');
    await addLibraries(root);
    await execa('ln', ['-s', program[0] ?? '', join(root.folder, 'usr/bin/iiot')]);
    await expectToWork(root, version, 'file');
  });

  it('install.sh names the libraries that are missing, installs from the folder that it is in, and removes it again', async () => {
    const root = await systemWith(`iiot-${version}-linux-x64.tar.gz`, 'SHA256SUMS', 'install.sh');
    const typed = (line: string) => runIn(root, ['sh', '-c', `cd /data && ${line}`]);
    const install = 'sh install.sh --from . --prefix /usr/local';
    const before = await filesIn(root.folder);
    expect(await typed(install)).toMatchObject({
      exit: 1,
      stderr: `error: iiot ${version} needs libraries that this system does not have: libatomic.so.1 libstdc++.so.6.\nhint: Install them first: apt-get install libatomic1 libstdc++6`,
    });
    expect(added(before, await filesIn(root.folder))).toEqual([]);
    await addLibraries(root);
    const ready = await filesIn(root.folder);
    expect(await typed(install)).toMatchObject({ exit: 0, stderr: '' });
    await expectToWork({ ...root, program: ['/usr/local/bin/iiot'] }, version, 'file');
    expect(await typed('sh install.sh --uninstall --prefix /usr/local')).toMatchObject({ exit: 0, stderr: '' });
    expect(added(ready, await filesIn(root.folder))).toEqual([]);
  });

  it('dpkg refuses the package until its libraries are there, installs it, and removes it without leftovers', async () => {
    const name = `iiot_${version}_amd64.deb`;
    const root = await systemWith(name);
    const refused = await runIn(root, ['dpkg', '--install', `/data/${name}`]);
    expect([refused.exit, refused.stderr.match(/depends on (\S+)/g)]).toEqual([
      1,
      ['depends on libatomic1', 'depends on libstdc++6'],
    ]);
    await runIn(root, ['dpkg', '--purge', 'iiot']);
    await addLibraries(root);
    const before = await filesIn(root.folder);
    expect(await runIn(root, ['dpkg', '--install', `/data/${name}`])).toMatchObject({ exit: 0, stderr: '' });
    expect(await runIn(root, ['dpkg', '--verify', 'iiot'])).toMatchObject({ exit: 0, stdout: '' });
    await expectToWork(root, version, 'deb');
    expect(await runIn(root, ['dpkg', '--purge', 'iiot'])).toMatchObject({ exit: 0, stderr: '' });
    expect(added(before, await filesIn(root.folder))).toEqual([]);
  });

  it('rpm refuses the package until its libraries are there, installs it, and removes it without leftovers', async () => {
    const root = await systemWith(`iiot-${version}-1.x86_64.rpm`);
    await addLibraries(root);
    const before = await filesIn(root.folder);
    const rpm = (...words: readonly string[]) =>
      execa('rpm', ['--root', root.folder, ...words], { reject: false, env: { LC_ALL: 'C' } });
    const file = join(root.folder, 'data', `iiot-${version}-1.x86_64.rpm`);
    const refused = await rpm('--install', file);
    expect([refused.failed, refused.stderr.match(/\S+(?=\(LIBATOMIC)/)?.[0]]).toEqual([true, 'libatomic.so.1']);
    // A Debian has no packages for rpm: one that says which libraries there are, in rpm's own words.
    expect(await rpm('--install', await packageOfLibraries(root.folder))).toMatchObject({ exitCode: 0 });
    expect(await rpm('--install', file)).toMatchObject({ exitCode: 0 });
    expect(await rpm('--verify', 'iiot')).toMatchObject({ exitCode: 0, stdout: '' });
    await expectToWork(root, version, 'rpm');
    expect(await rpm('--erase', 'iiot')).toMatchObject({ exitCode: 0 });
    expect(added(before, await filesIn(root.folder))).toEqual([]);
  });
});

describe.each([
  ['linux-x64', []],
  ['linux-arm64', ['/usr/bin/qemu-aarch64-static']],
] as const)('the image for %s', (system, emulator) => {
  it('works without a shell, as an ordinary user, where only /tmp can be written', async () => {
    const root = await unpackImage(system);
    for (const path of emulator) cpSync(path, join(root, path));
    putWorkbook(root);
    expect(['bin/sh', 'usr/bin/sh', 'usr/bin/env'].filter((path) => existsSync(join(root, path)))).toEqual([]);
    await expectToWork({ folder: root, program: [...emulator, '/usr/bin/iiot'], isLocked: true }, version, 'image');
  });
});

function added(before: readonly string[], after: readonly string[]): string[] {
  const known = new Set(before);
  return after.filter((name) => !known.has(name));
}

async function packageOfLibraries(root: string): Promise<string> {
  const place = mkdtempSync(join(folder, 'rpm-'));
  const { stdout: libraries } = await execa('find', [root, '-name', '*.so.[0-9]*', '-type', 'f']);
  // It ends with 1 for a file of that name that is not a library.
  const options = { input: `${libraries}\n`, reject: false } as const;
  const { stdout } = await execa('/usr/lib/rpm/elfdeps', ['--provides'], options);
  const provides = stdout
    .split('\n')
    .map((each) => `Provides: ${each}\n`)
    .join('');
  const fields = 'Name: libraries\nVersion: 1\nRelease: 1\nSummary: Libraries\nLicense: MIT\nBuildArch: noarch\n';
  writeFileSync(join(place, 'a.spec'), `${fields}${provides}\n%description\nLibraries.\n\n%files\n`);
  await execa('rpmbuild', ['-bb', '--quiet', '--define', `_topdir ${place}`, join(place, 'a.spec')]);
  return join(place, 'RPMS', 'noarch', 'libraries-1-1.noarch.rpm');
}

/** The root of an image, by the digests of its layout. */
async function unpackImage(system: LinuxSystem): Promise<string> {
  type Described = { readonly digest: string; readonly platform?: { readonly architecture: string } };
  const layout = mkdtempSync(join(folder, 'layout-'));
  await execa('tar', ['xf', join(release, `iiot-${version}-image.oci.tar`)], { cwd: layout });
  const blob = ({ digest }: Described) => join(layout, 'blobs', digest.replace(':', '/'));
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Record<string, readonly Described[]>;
  const [index] = read(join(layout, 'index.json')).manifests ?? [];
  const manifests = index === undefined ? [] : (read(blob(index)).manifests ?? []);
  const manifest = manifests.find(({ platform }) => platform?.architecture === systems[system].oci);
  const [layer] = manifest === undefined ? [] : (read(blob(manifest)).layers ?? []);
  const root = join(folder, `image-${system}`);
  mkdirSync(root);
  if (layer !== undefined)
    await execa('tar', ['xzf', blob(layer), '--same-owner', '--preserve-permissions'], { cwd: root });
  return root;
}

type Root = {
  readonly folder: string;
  /** The words that start the program there; by default it is in PATH. */
  readonly program?: readonly string[];
  /** As containers run it: not as root, and nothing can be written but /tmp. */
  readonly isLocked?: boolean;
};

/** Mounts end with the namespace that they are made in. */
const enter = `
set -e
mount --bind "$ROOT" "$ROOT"
mkdir -p "$ROOT/proc" "$ROOT/dev"
mount -t proc proc "$ROOT/proc"
mount --rbind /dev "$ROOT/dev"
if [ "$LOCKED" ]; then
  mount -o remount,bind,ro "$ROOT"
  mount -t tmpfs -o mode=1777 tmpfs "$ROOT/tmp"
  exec chroot --userspec=65532:65532 "$ROOT" "$@"
fi
exec chroot "$ROOT" "$@"
`;

/** Runs a program in a root, without a variable of this process. */
async function runIn({ folder, isLocked = false }: Root, words: readonly string[]) {
  const env = {
    ROOT: folder,
    LOCKED: isLocked ? 'yes' : '',
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: isLocked ? '/home/iiot' : '/root',
    LC_ALL: 'C.UTF-8',
  };
  const all = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', enter, 'sh', ...words];
  const { stdout, stderr, exitCode } = await execa('unshare', all, { env, extendEnv: false, reject: false });
  return { stdout, stderr, exit: exitCode };
}

/** Every file and folder of a root, but what systems of packages write for themselves. */
async function filesIn(folder: string): Promise<string[]> {
  const own = /^(var\/(lib|cache|log)|usr\/lib\/sysimage|root\/\.rpmdb|etc\/ld\.so\.cache|proc|dev)(\/|$)/;
  const { stdout } = await execa('find', [folder, '-printf', '%P\\n']);
  const names = stdout.split('\n');
  return names.filter((name) => !own.test(name)).sort();
}

/** A workbook of two devices, which the sandbox has. */
function putWorkbook(folder: string): void {
  const row = (...cells: readonly string[]) =>
    `<row>${cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;
  const rows = [row('deviceId', 'line'), row('press-0001', '3'), row('press-0002', '4')];
  mkdirSync(join(folder, 'data'), { recursive: true });
  writeFileSync(join(folder, 'data', 'fleet.xlsx'), zipOf(xlsxParts(rows.join(''))));
}

/**
 * What everybody does first: the version, a list, and an import of a workbook, each against a sandbox.
 * @param way how it says that it was installed
 */
async function expectToWork(root: Root, version: string, way: InstallMethod): Promise<void> {
  const program = root.program ?? ['/usr/bin/iiot'];
  const inSandbox = (...words: readonly string[]) =>
    runIn(root, [...program, 'sandbox', 'exec', '--users', '5', '--', ...program, ...words]);
  expect(await runIn(root, [...program, '--version'])).toMatchObject({ stdout: version, exit: 0 });
  const installed = await runIn(root, [...program, 'version', '--jq', '.installed']);
  expect(installed, installed.stderr).toMatchObject({ stdout: way, exit: 0 });
  const list = await inSandbox('orgs', 'users', 'list', '--limit', '1', '-o', 'id');
  expect(list, list.stderr).toMatchObject({ stdout: 'ada', exit: 0 });
  const words = ['devices', 'custom-info', 'import', '/data/fleet.xlsx', '--yes', '-o', 'json', '--jq', '.done'];
  const imported = await inSandbox(...words);
  expect(imported, imported.stderr).toMatchObject({ stdout: '2', exit: 0 });
}
