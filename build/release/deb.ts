/** A package for Debian and Ubuntu. It has no scripts. */
import { createHash } from 'node:crypto';
import { installedFiles } from './archive.ts';
import { type LinuxSystem, systems } from './artefacts.ts';
import { type Facts, maintainer, packageVersion, summary } from './facts.ts';
import { ar, type Entry, gzip, tar } from './files.ts';
import { needsOf } from './needs.ts';

export async function makeDeb(facts: Facts, system: LinuxSystem, folder: string): Promise<Buffer> {
  const files = await installedFiles(folder, {
    way: 'deb',
    zsh: 'usr/share/zsh/vendor-completions',
    licences: 'usr/share/doc/iiot',
  });
  const entries = [...files, { path: 'usr/share/doc/iiot/copyright', contents: copyright }];
  const control = [
    { path: 'control', contents: controlOf(facts, system, entries) },
    { path: 'md5sums', contents: md5sums(entries) },
  ];
  const { epoch } = facts;
  const parts = [
    ['debian-binary', Buffer.from('2.0\n')],
    ['control.tar.gz', await gzip(tar(control, epoch, './'))],
    ['data.tar.gz', await gzip(tar(entries, epoch, './'))],
  ] as const;
  return ar(parts, epoch);
}

const copyright = `iiot is under the MIT licence: see LICENSE in this folder.
The licences of what is inside are in THIRD-PARTY-NOTICES and LICENSE-node.
`;

export function controlOf(facts: Facts, system: LinuxSystem, entries: readonly Entry[]): string {
  const { homepage } = facts.project;
  const bytes = entries.reduce((total, each) => total + ('contents' in each ? each.contents.length : 0), 0);
  const fields = {
    Package: 'iiot',
    Version: packageVersion(facts),
    Architecture: systems[system].deb,
    Maintainer: maintainer,
    'Installed-Size': Math.ceil(bytes / 1024),
    Depends: needsOf(system).debian.join(', '),
    Section: 'admin',
    Priority: 'optional',
    ...(homepage && { Homepage: homepage }),
    Description: summary,
  };
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}

function md5sums(entries: readonly Entry[]): string {
  return entries
    .map((each) =>
      'contents' in each ? `${createHash('md5').update(each.contents).digest('hex')}  ${each.path}\n` : '',
    )
    .join('');
}
