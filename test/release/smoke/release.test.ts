/** What `npm run release` has made: the sums, the programs inside, and the same again. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { artefactsOf, linuxSystems, partsName } from '../../../build/release/artefacts.ts';
import { makeDeb } from '../../../build/release/deb.ts';
import { readProject } from '../../../build/release/facts.ts';
import { pinnedNode, readNeeded, readPinned, sha256 } from '../../../build/release/node.ts';
import { release, version } from './release.ts';

type Parts = { readonly metadata: { readonly timestamp: string } };

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'iiot-release-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('SHA256SUMS has each file once, and each file that people install has a list of its parts', async () => {
  await execa('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: release });
  const listed = readFileSync(join(release, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
  const names = listed.map((line) => line.slice(66));
  const expected = artefactsOf(version).flatMap(({ name }) => [name, partsName(name)]);
  expect(names.filter((name) => !name.includes('/'))).toEqual([...expected, 'install.sh'].sort());
  const others = readdirSync(release).filter((name) => !names.includes(name) && !/^(homebrew|scoop)$/.test(name));
  // packaging/sign.sh adds the signature.
  const notSigned = others.filter((name) => name !== 'SHA256SUMS.minisig');
  expect(notSigned.sort()).toEqual(['SHA256SUMS', 'release-notes.md']);
});

it.each(linuxSystems)('The archive and the packages for %s have the same program', async (system) => {
  const own = artefactsOf(version).filter((each) => 'system' in each && each.system === system);
  const sums = new Set<string>();
  for (const { kind, name } of own) {
    const [file, place] = [join(release, name), mkdtempSync(join(folder, 'unpacked-'))];
    if (kind === 'archive') await execa('tar', ['xzf', file, '--strip-components=1'], { cwd: place });
    else if (kind === 'deb') await execa('dpkg-deb', ['--extract', file, place]);
    else await execa('rpm', ['--root', place, '--install', '--nodeps', '--ignorearch', '--noscripts', file]);
    sums.add(sha256(readFileSync(join(place, kind === 'archive' ? 'iiot' : 'usr/bin/iiot'))));
    rmSync(place, { recursive: true });
  }
  expect([own.length, sums.size]).toEqual([3, 1]);
});

it.each(linuxSystems)('Node for %s requires the libraries that packaging/node.json names', async (system) => {
  expect(await readNeeded((await pinnedNode(system)).binary)).toEqual(readPinned().needs[system]);
});

it('Another checkout makes the same npm package, byte for byte, and a package for Debian with the same content', async () => {
  const copy = join(folder, 'another checkout');
  mkdirSync(copy);
  const { stdout: files } = await execa('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z']);
  await execa('tar', ['cf', join(folder, 'tree.tar'), '--null', '--files-from=-'], { input: files });
  await execa('tar', ['xf', join(folder, 'tree.tar')], { cwd: copy });
  await execa('cp', ['--archive', resolve('.git'), resolve('node_modules'), copy]);
  const node = (await pinnedNode('linux-x64')).binary;
  // npm would leave compiled code in the folder for temporary files.
  const env = { NODE_DISABLE_COMPILE_CACHE: '1', TZ: 'Asia/Tokyo', PATH: `${dirname(node)}:${process.env.PATH}` };
  await execa('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: copy, env });
  await execa('npm', ['run', 'build:executable'], { cwd: copy, env });
  const sumOf = (...path: readonly string[]) => sha256(readFileSync(join(...path)));
  expect(sumOf(folder, `iiot-cli-${version}.tgz`)).toBe(sumOf(release, `iiot-${version}.tgz`));
  const parts = JSON.parse(readFileSync(join(release, partsName(`iiot-${version}.tgz`)), 'utf8')) as Parts;
  const epoch = Date.parse(parts.metadata.timestamp) / 1000;
  const facts = { version, epoch, commit: '', project: readProject() };
  const again = join(folder, 'again.deb');
  writeFileSync(again, await makeDeb(facts, 'linux-x64', join(copy, 'executable/linux-x64')));
  // Each zlib compresses in its own way, and this may be another Node's: what is inside is compared.
  const inside = async (file: string) => {
    const { stdout } = await execa('dpkg-deb', ['--fsys-tarfile', file], { encoding: 'buffer', maxBuffer: 1e9 });
    return sha256(stdout);
  };
  expect(await inside(again)).toBe(await inside(join(release, `iiot_${version}_amd64.deb`)));
});
