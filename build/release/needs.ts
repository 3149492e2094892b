/** The libraries that the Node inside needs of a Linux system, in the words of its packages. */
import type { LinuxSystem } from './artefacts.ts';
import { readPinned } from './node.ts';

type Package = {
  readonly debian: string;
  readonly fedora?: string;
  /** The version of the package that first had a version of its library. */
  readonly since: (library: string) => string | undefined;
};

/** GCC's releases by the newest version in their libstdc++. */
const libstdc: Readonly<Record<string, string>> = {
  'CXXABI_1.3.9': '5',
  'CXXABI_1.3.11': '7',
  'CXXABI_1.3.13': '11',
  'CXXABI_1.3.15': '14',
  'GLIBCXX_3.4.21': '5',
  'GLIBCXX_3.4.22': '6',
  'GLIBCXX_3.4.25': '8',
  'GLIBCXX_3.4.29': '11',
  'GLIBCXX_3.4.30': '12',
  'GLIBCXX_3.4.32': '13',
};

const packages: readonly (Package & { readonly library: RegExp })[] = [
  {
    library: /^(ld-linux|libc\.|libdl\.|libm\.|libpthread\.)/,
    debian: 'libc6',
    since: (version) => version.replace('GLIBC_', ''),
  },
  { library: /^libstdc\+\+\./, debian: 'libstdc++6', fedora: 'libstdc++', since: (version) => libstdc[version] },
  // Its versions are those of GCC; the package got its name with GCC 10.
  { library: /^libgcc_s\./, debian: 'libgcc-s1', since: () => '10' },
  { library: /^libatomic\./, debian: 'libatomic1', fedora: 'libatomic', since: () => '4.8' },
];

export type Needs = {
  readonly glibc: string;
  readonly packages: readonly { readonly debian: string; readonly fedora?: string | undefined }[];
  /** For Debian's `Depends`: `libc6 (>= 2.28)`. */
  readonly debian: readonly string[];
  /** For rpm's `Requires`: `libc.so.6(GLIBC_2.28)(64bit)`. */
  readonly rpm: readonly string[];
};

/** @throws for a library, or a version of one, that is not in the tables above, as a newer Node may need */
export function needsOf(system: LinuxSystem, needed = readPinned().needs[system]): Needs {
  const found = new Map<string, { fedora: string | undefined; version: string }>();
  for (const [name, library = '', version = ''] of needed.map((each) => /^(.*)\((.*)\)$/.exec(each) ?? [each])) {
    const owner = packages.find((each) => each.library.test(library));
    const since = owner?.since(version);
    if (owner === undefined || since === undefined) throw new Error(`No package is known for ${name}`);
    const older = found.get(owner.debian)?.version ?? '0';
    const isNewer = since.localeCompare(older, 'en', { numeric: true }) > 0;
    found.set(owner.debian, { fedora: owner.fedora, version: isNewer ? since : older });
  }
  const all = [...found].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    glibc: found.get('libc6')?.version ?? '',
    packages: all.map(([debian, { fedora }]) => ({ debian, fedora })),
    debian: all.map(([debian, { version }]) => `${debian} (>= ${version})`),
    rpm: needed.map((each) => `${each}(64bit)`),
  };
}
