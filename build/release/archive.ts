/** Makes archives of the one-file program with its texts, and lists the files for packages of a system. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InstallMethod } from '../../src/commands/installed.ts';
import { archiveName, isLinux, type LinuxSystem, type System } from './artefacts.ts';
import type { Facts } from './facts.ts';
import { type Entry, executableMode, filesOf, gzip, tar, zip } from './files.ts';
import { needsOf } from './needs.ts';
import { programName } from './one-file.ts';

const licences = ['LICENSE', 'LICENSE-node', 'THIRD-PARTY-NOTICES'] as const;

export async function makeArchive(facts: Facts, system: System, folder: string): Promise<Buffer> {
  const prefix = archiveName(facts.version, system).replace(/\.(tar\.gz|zip)$/, '');
  const program = programName(system);
  const entries: Entry[] = [
    { path: program, contents: readFileSync(join(folder, program)), mode: executableMode },
    ...licences.map((name) => ({ path: name, contents: readFileSync(join(folder, name)) })),
    { path: 'README.md', contents: readmeOf(facts, system) },
    ...filesOf('man', (name) => `man/${name}`),
    ...filesOf('completions', (name) => `completions/${name}`),
  ];
  const prefixed = entries.map((each) => ({ ...each, path: `${prefix}/${each.path}` }));
  return system === 'win-x64' ? zip(prefixed, facts.epoch) : gzip(tar(prefixed, facts.epoch));
}

/** The differences between packages of a system: the word by which the program knows its package, and paths of other files. */
type PackagePaths = { readonly way: InstallMethod; readonly zsh: string; readonly licences: string };

/** The files of a package by their paths in a system: the program, how it was installed, its manual, completions of three shells, and licences. */
export async function installedFiles(folder: string, paths: PackagePaths): Promise<Entry[]> {
  const manual = filesOf('man', (name) => `usr/share/man/man1/${name}.gz`);
  const completions = [
    ['iiot.bash', 'usr/share/bash-completion/completions/iiot'],
    ['_iiot', `${paths.zsh}/_iiot`],
    ['iiot.fish', 'usr/share/fish/vendor_completions.d/iiot.fish'],
  ] as const;
  return [
    { path: 'usr/bin/iiot', contents: readFileSync(join(folder, 'iiot')), mode: executableMode },
    { path: 'usr/lib/iiot/installed-as', contents: `${paths.way}\n` },
    ...completions.map(([name, path]) => ({ path, contents: readFileSync(join('completions', name)) })),
    ...licences.map((name) => ({ path: `${paths.licences}/${name}`, contents: readFileSync(join(folder, name)) })),
    ...(await Promise.all(
      manual.map(async (page) => ('contents' in page ? { ...page, contents: await gzip(page.contents) } : page)),
    )),
  ];
}

const otherNeeds = {
  'darwin-x64': 'It needs macOS 13.5 or newer.',
  'darwin-arm64': `It needs macOS 13.5 or newer, which starts signed programs only. Sign your copy once:

    codesign --force --sign - iiot`,
  'win-x64': 'It needs Windows 10 or Windows Server 2016, or newer.',
} as const;

function linuxNeeds(system: LinuxSystem): string {
  const { glibc, packages } = needsOf(system);
  const names = packages.map(({ debian }) => debian).filter((name) => name !== 'libc6');
  return `It needs glibc ${glibc} or newer, and the libraries that slim systems are without:

    Debian, Ubuntu:         apt-get install ${names.join(' ')}
    Fedora, RHEL, Amazon:   dnf install ${packages.flatMap(({ fedora }) => fedora ?? []).join(' ')}

It does not run on musl (Alpine): there, take the npm package with the system's own Node.`;
}

function readmeOf({ version }: Facts, system: System): string {
  const program = programName(system);
  return `# iiot ${version} for ${system}

\`${program}\` is the whole program; it needs no Node. Put it in a folder of your PATH.

${isLinux(system) ? linuxNeeds(system) : otherNeeds[system]}

Then try it, without a platform:

    iiot sandbox exec -- iiot orgs users list --limit 3

\`man/\` has the manual (copy it to a share/man/man1 of your MANPATH), and \`completions/\` what shells complete with:
\`iiot completion --help\` says where each goes.

The licence is in LICENSE; those of what is inside, in THIRD-PARTY-NOTICES and LICENSE-node.
`;
}
