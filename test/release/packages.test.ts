/** Packages and lists of parts, with a program of a few bytes. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { expect, it } from 'vitest';
import { makeArchive } from '../../build/release/archive.ts';
import { artefactsOf } from '../../build/release/artefacts.ts';
import { makeDeb } from '../../build/release/deb.ts';
import { needsOf } from '../../build/release/needs.ts';
import { readPinned, sha256 } from '../../build/release/node.ts';
import { partsOf } from '../../build/release/parts.ts';
import { specOf } from '../../build/release/rpm.ts';
import { folderForEach } from '../support/folder.ts';
import { facts } from './facts.ts';

const folder = folderForEach();
const hasDpkg = spawnSync('dpkg-deb', ['--version']).status === 0;

/** What the one file is made of, as `executable/SYSTEM` has it. */
function place(): string {
  const path = folder.at('place');
  mkdirSync(path, { recursive: true });
  for (const name of ['iiot', 'LICENSE', 'LICENSE-node', 'THIRD-PARTY-NOTICES']) writeFileSync(join(path, name), name);
  return path;
}

it('The packages for Debian and rpm require the libraries that Node requires', () => {
  const { glibc, debian, rpm } = needsOf('linux-x64', [
    'ld-linux-x86-64.so.2(GLIBC_2.3)',
    'libatomic.so.1(LIBATOMIC_1.0)',
    'libc.so.6(GLIBC_2.28)',
    'libgcc_s.so.1(GCC_4.2.0)',
    'libm.so.6(GLIBC_2.27)',
    'libstdc++.so.6(CXXABI_1.3.11)',
    'libstdc++.so.6(GLIBCXX_3.4.21)',
  ]);
  expect(glibc).toBe('2.28');
  expect(debian).toEqual(['libatomic1 (>= 4.8)', 'libc6 (>= 2.28)', 'libgcc-s1 (>= 10)', 'libstdc++6 (>= 7)']);
  expect(rpm).toContain('libstdc++.so.6(GLIBCXX_3.4.21)(64bit)');
  for (const unknown of ['libfoo.so.1(FOO_1)', 'libstdc++.so.6(GLIBCXX_9.9)'])
    expect(() => needsOf('linux-x64', [unknown])).toThrow(`No package is known for ${unknown}`);
});

it.skipIf(!hasDpkg)(
  'The package for Debian is read by dpkg, has no scripts, and is the same each time it is made',
  async () => {
    const from = place();
    const made = await makeDeb(facts, 'linux-arm64', from);
    expect(sha256(await makeDeb(facts, 'linux-arm64', from))).toBe(sha256(made));
    const file = folder.write('iiot.deb', made);
    const control = execFileSync('dpkg-deb', ['--field', file]).toString();
    expect(control.replace(/Installed-Size: \d+\n/, '')).toBe(`Package: iiot
Version: 1.2.3
Architecture: arm64
Maintainer: the iiot-cli authors <packages@iiot-cli.invalid>
Depends: ${needsOf('linux-arm64').debian.join(', ')}
Section: admin
Priority: optional
Homepage: https://iiot.example
Description: Administer an industrial IoT platform from the command line
`);
    execFileSync('dpkg-deb', ['--control', file, folder.at('control')]);
    expect(execFileSync('ls', [folder.at('control')]).toString()).toBe('control\nmd5sums\n');
    execFileSync('dpkg-deb', ['--extract', file, folder.at('root')]);
    execFileSync('md5sum', ['--quiet', '--check', folder.at('control/md5sums')], { cwd: folder.at('root') });
    const shown = execFileSync('find', ['usr', '-type', 'f'], { cwd: folder.at('root') }).toString();
    const files = shown.trimEnd().split('\n').sort();
    expect(files.filter((path) => !path.startsWith('usr/share/man/man1/iiot'))).toEqual([
      'usr/bin/iiot',
      'usr/lib/iiot/installed-as',
      'usr/share/bash-completion/completions/iiot',
      'usr/share/doc/iiot/LICENSE',
      'usr/share/doc/iiot/LICENSE-node',
      'usr/share/doc/iiot/THIRD-PARTY-NOTICES',
      'usr/share/doc/iiot/copyright',
      'usr/share/fish/vendor_completions.d/iiot.fish',
      'usr/share/zsh/vendor-completions/_iiot',
    ]);
  },
);

it('A release candidate has a tilde in its version, which sorts it before its release', () => {
  const spec = specOf({ ...facts, version: '2.0.0-rc.1' }, 'linux-x64', []);
  expect(spec).toContain('\nVersion: 2.0.0~rc.1\n');
});

it('The spec of rpm says what is required and where each file goes', () => {
  expect(specOf(facts, 'linux-x64', ['usr/bin/iiot', 'usr/share/licenses/iiot/LICENSE'])).toBe(`Name: iiot
Version: 1.2.3
Release: 1
Summary: Administer an industrial IoT platform from the command line
License: MIT
URL: https://iiot.example
Packager: the iiot-cli authors <packages@iiot-cli.invalid>
AutoReqProv: no
${readPinned()
  .needs['linux-x64'].map((each) => `Requires: ${each}(64bit)\n`)
  .join('')}
%description
Administer an industrial IoT platform from the command line.

%install
mkdir -p "%{buildroot}"
cp -a "%{_topdir}/files/." "%{buildroot}/"

%files
%defattr(-, root, root)
%dir /usr/share/licenses
%dir /usr/share/licenses/iiot
/usr/bin/iiot
%license /usr/share/licenses/iiot/LICENSE
`);
});

it('The README of an archive says what a slim Linux has to install, and how to sign the program on macOS', async () => {
  const readme = async (system: 'linux-x64' | 'darwin-arm64') => {
    const file = folder.write('a.tar.gz', await makeArchive(facts, system, place()));
    return execFileSync('tar', ['xzOf', file, `iiot-1.2.3-${system}/README.md`]).toString();
  };
  expect(await readme('linux-x64')).toContain('It needs glibc 2.28 or newer');
  expect(await readme('linux-x64')).toContain('apt-get install libatomic1 libgcc-s1 libstdc++6\n');
  expect(await readme('darwin-arm64')).toContain('codesign --force --sign - iiot\n');
});

it('Each file of a release has a list of its parts, valid by the schema of CycloneDX', async () => {
  const inside = {
    packages: [
      { name: 'commander', version: '14.0.3', license: 'MIT' },
      { name: '@hono/node-server', version: '2.1.8', license: 'MIT' },
    ],
    node: { v8: '14.6', openssl: '3.5.4' },
  };
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  const refs: Record<string, readonly string[]> = {};
  for (const artefact of artefactsOf('1.2.3')) {
    const list = partsOf(facts, artefact, Buffer.from('contents'), inside);
    expect(await validator.validate(list), artefact.name).toBeNull();
    const { metadata, components } = JSON.parse(list) as {
      metadata: { timestamp: string; component: object };
      components: readonly { purl: string; components?: readonly { name: string }[] }[];
    };
    expect(metadata.timestamp).toBe('2026-06-01T12:00:00.000Z');
    expect(metadata.component).toMatchObject({ hashes: [{ alg: 'SHA-256', content: sha256('contents') }] });
    refs[artefact.kind] = components.flatMap(({ purl, components: within = [] }) => [
      purl.replace(/@\d+\.\d[^?]*/, ''),
      ...within.map(({ name }) => name),
    ]);
  }
  const bundled = ['pkg:npm/commander', 'pkg:npm/%40hono/node-server'];
  expect(refs.npm).toEqual(bundled);
  expect(refs.rpm).toEqual([...bundled, 'pkg:generic/node?os=linux&arch=arm64', 'v8', 'openssl']);
  expect(refs.image).toHaveLength(2 + 2 * 3 + 2 * 4);
});

it('packaging/image.json names four packages with their sums for each processor', () => {
  const { packages } = JSON.parse(readFileSync('packaging/image.json', 'utf8')) as { packages: Record<string, object> };
  const named = Object.entries(packages).map(([cpu, each]) => [cpu, Object.keys(each)]);
  const four = ['libatomic1', 'libc6', 'libgcc-s1', 'libstdc++6'];
  expect(Object.fromEntries(named)).toEqual({ amd64: four, arm64: four });
});
