/** A package for Fedora and its relatives, made by rpmbuild. It has no scripts. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { execa } from 'execa';
import { installedFiles } from './archive.ts';
import { type LinuxSystem, systems } from './artefacts.ts';
import { type Facts, maintainer, packageVersion, summary } from './facts.ts';
import { needsOf } from './needs.ts';

const work = '.cache/rpm';

export async function makeRpm(facts: Facts, system: LinuxSystem, folder: string): Promise<Buffer> {
  const files = await installedFiles(folder, {
    way: 'rpm',
    zsh: 'usr/share/zsh/site-functions',
    licences: 'usr/share/licenses/iiot',
  });
  rmSync(work, { recursive: true, force: true });
  for (const each of files) {
    if (!('contents' in each)) continue;
    const path = join(work, 'files', each.path);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, each.contents, { mode: each.mode ?? 0o644 });
  }
  const paths = files.map(({ path }) => path);
  writeFileSync(join(work, 'iiot.spec'), specOf(facts, system, paths));
  const options = Object.entries(macros).flatMap(([name, value]) => ['--define', `${name} ${value}`]);
  await execa(
    'rpmbuild',
    ['-bb', '--quiet', '--target', `${systems[system].rpm}-linux`, ...options, join(work, 'iiot.spec')],
    { env: { SOURCE_DATE_EPOCH: `${facts.epoch}`, LC_ALL: 'C' } },
  );
  const { rpm } = systems[system];
  const made = readFileSync(join(work, 'RPMS', rpm, `iiot-${packageVersion(facts)}-1.${rpm}.rpm`));
  rmSync(work, { recursive: true });
  return made;
}

/** Macros that make the package the same on every machine, and leave the program unchanged. */
const macros = {
  _topdir: resolve(work),
  _buildhost: 'localhost',
  use_source_date_epoch_as_buildtime: 1,
  clamp_mtime_to_source_date_epoch: 1,
  _build_id_links: 'none',
  _binary_payload: 'w6.gzdio',
  __os_install_post: '%{nil}',
  debug_package: '%{nil}',
} as const;

export function specOf(facts: Facts, system: LinuxSystem, paths: readonly string[]): string {
  const { homepage } = facts.project;
  return `Name: iiot
Version: ${packageVersion(facts)}
Release: 1
Summary: ${summary}
License: MIT
${homepage && `URL: ${homepage}\n`}Packager: ${maintainer}
AutoReqProv: no
${needsOf(system)
  .rpm.map((each) => `Requires: ${each}\n`)
  .join('')}
%description
${summary}.

%install
mkdir -p "%{buildroot}"
cp -a "%{_topdir}/files/." "%{buildroot}/"

%files
%defattr(-, root, root)
${foldersOf(paths)
  .map((path) => `%dir /${path}\n`)
  .join('')}${paths.map((path) => `${path.startsWith('usr/share/licenses') ? '%license ' : ''}/${path}\n`).join('')}`;
}

/** The folders that not every system has. rpm removes only folders that a package owns, and several packages may own one. */
function foldersOf(paths: readonly string[]): string[] {
  const all = new Set<string>();
  for (const path of paths)
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder))
      if (!/^usr(\/bin|\/lib|\/share(\/man(\/man1)?)?)?$/.test(folder)) all.add(folder);
  return [...all].sort();
}
