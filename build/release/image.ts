/** An image for containers, as an OCI layout in one file: the program, the libraries it needs, and no shell. */
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { installedFiles } from './archive.ts';
import { type LinuxSystem, linuxSystems, systems } from './artefacts.ts';
import { type Facts, summary } from './facts.ts';
import { type Entry, gzip, tar } from './files.ts';
import { readPinned, sha256 } from './node.ts';

type Cpu = 'amd64' | 'arm64';
type DebianPackage = { readonly version: string; readonly sha256: string };

type ImageFile = {
  readonly user: number;
  readonly entrypoint: string;
  readonly debian: { readonly suite: string; readonly mirror: string };
  readonly packages: Readonly<Record<Cpu, Readonly<Record<string, DebianPackage>>>>;
};

const work = '.cache/image';
const imageFile = 'packaging/image.json';

export function readImageFile(): ImageFile {
  return JSON.parse(readFileSync(imageFile, 'utf8')) as ImageFile;
}

/** @param places the folders of the one file, by system */
export async function makeImage(facts: Facts, places: ReadonlyMap<string, string>): Promise<Buffer> {
  const blobs = new Map<string, Buffer>();
  const keep = (contents: Buffer | object) => {
    const bytes = Buffer.isBuffer(contents) ? contents : Buffer.from(JSON.stringify(contents));
    const digest = sha256(bytes);
    blobs.set(digest, bytes);
    return { digest: `sha256:${digest}`, size: bytes.length };
  };
  const manifests = [];
  for (const system of linuxSystems) {
    const layer = tar(await readRoot(system, places.get(system) ?? ''), facts.epoch);
    const config = keep(configOf(facts, system, `sha256:${sha256(layer)}`));
    const manifest = keep({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: { mediaType: 'application/vnd.oci.image.config.v1+json', ...config },
      layers: [{ mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip', ...keep(await gzip(layer)) }],
    });
    const platform = { architecture: systems[system].oci, os: 'linux' };
    manifests.push({ mediaType: 'application/vnd.oci.image.manifest.v1+json', ...manifest, platform });
  }
  const index = { schemaVersion: 2, mediaType: 'application/vnd.oci.image.index.v1+json', manifests };
  // The outer index names the image. Tools that copy a layout take the inner one as a whole.
  const annotations = { 'org.opencontainers.image.ref.name': facts.version };
  const outer = { ...index, manifests: [{ mediaType: index.mediaType, ...keep(index), annotations }] };
  const entries: Entry[] = [
    { path: 'oci-layout', contents: JSON.stringify({ imageLayoutVersion: '1.0.0' }) },
    { path: 'index.json', contents: JSON.stringify(outer) },
    ...[...blobs].map(([digest, contents]) => ({ path: `blobs/sha256/${digest}`, contents })),
  ];
  return tar(entries, facts.epoch);
}

function configOf(facts: Facts, system: LinuxSystem, layer: string): object {
  const { user, entrypoint } = readImageFile();
  const created = new Date(facts.epoch * 1000).toISOString();
  const { repository } = facts.project;
  return {
    created,
    architecture: systems[system].oci,
    os: 'linux',
    config: {
      User: `${user}:${user}`,
      Env: ['PATH=/usr/bin', 'HOME=/home/iiot', 'LANG=C.UTF-8'],
      Entrypoint: [entrypoint],
      WorkingDir: '/work',
      Labels: {
        'org.opencontainers.image.title': 'iiot',
        'org.opencontainers.image.description': summary,
        'org.opencontainers.image.version': facts.version,
        'org.opencontainers.image.revision': facts.commit,
        'org.opencontainers.image.created': created,
        'org.opencontainers.image.licenses': 'MIT',
        ...(repository && { 'org.opencontainers.image.source': repository }),
      },
    },
    rootfs: { type: 'layers', diff_ids: [layer] },
    history: [{ created, created_by: 'npm run release' }],
  };
}

/** All files of the image. */
async function readRoot(system: LinuxSystem, folder: string): Promise<Entry[]> {
  const { user, entrypoint } = readImageFile();
  const files = await installedFiles(folder, {
    way: 'image',
    zsh: 'usr/share/zsh/site-functions',
    licences: 'usr/share/doc/iiot',
  });
  // The image has no manual and no completions, because it has no shell.
  const program = files.filter(
    ({ path }) => path === entrypoint.slice(1) || /^usr\/(lib\/iiot|share\/doc)\//.test(path),
  );
  return [
    ...program,
    ...(await readLibraries(system)),
    {
      path: 'etc/passwd',
      contents: `root:x:0:0:root:/root:/nologin\niiot:x:${user}:${user}:iiot:/home/iiot:/nologin\n`,
    },
    { path: 'etc/group', contents: `root:x:0:\niiot:x:${user}:\n` },
    { path: 'etc/nsswitch.conf', contents: 'hosts: files dns\n' },
    { path: 'home/iiot', folder: true, owner: user, mode: 0o700 },
    { path: 'work', folder: true, owner: user },
    { path: 'tmp', folder: true, mode: 0o1777 },
  ];
}

/** The libraries that the program needs, from Debian's packages, with the copyright of each package. */
async function readLibraries(system: LinuxSystem): Promise<Entry[]> {
  const needed = new Set(readPinned().needs[system].map((each) => each.replace(/\(.*/, '')));
  const folder = await unpackDebian(systems[system].oci);
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).map((each) => ({
    path: join(each.parentPath, each.name).slice(folder.length + 1),
    isLink: each.isSymbolicLink(),
    isFile: each.isFile(),
  }));
  const links = paths.filter(({ path, isLink }) => isLink && needed.has(path.replace(/.*\//, '')));
  const targets = new Set(links.map(({ path }) => readlinkSync(join(folder, path)).replace(/.*\//, '')));
  const entries = paths.flatMap(({ path, isLink, isFile }): Entry[] => {
    const name = path.replace(/.*\//, '');
    const isWanted = needed.has(name) || targets.has(name) || path.endsWith('/copyright');
    if (isLink) return isWanted ? [{ path, link: readlinkSync(join(folder, path)) }] : [];
    if (!isFile || !isWanted) return [];
    const mode = name.startsWith('ld-linux') ? 0o755 : 0o644;
    return [{ path, contents: readFileSync(join(folder, path)), mode }];
  });
  const missing = [...needed].filter((name) => !entries.some(({ path }) => path.endsWith(`/${name}`)));
  if (missing.length > 0) throw new Error(`The packages of ${imageFile} are without ${missing.join(', ')}`);
  return entries.sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** The pinned packages, fetched by apt and unpacked into one folder. */
async function unpackDebian(cpu: Cpu): Promise<string> {
  const { apt, folder } = await openApt(cpu);
  const root = join(folder, 'root');
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root);
  for (const [name, { version, sha256: expected }] of Object.entries(readImageFile().packages[cpu])) {
    const file = join(folder, `${name}_${version.replaceAll(':', '%3a')}_${cpu}.deb`);
    await apt('download', `${name}=${version}`).catch((cause: unknown) => {
      const hint = 'Debian keeps only the newest: npm run release -- --pin-image takes that';
      throw new Error(`${name} ${version} of ${imageFile} cannot be fetched. ${hint}`, { cause });
    });
    const found = sha256(readFileSync(file));
    if (found !== expected) throw new Error(`${file} has the SHA-256 ${found}, and ${imageFile} says ${expected}`);
    await execa('dpkg-deb', ['--extract', file, root]);
  }
  return resolve(root);
}

/** Writes packaging/image.json with Debian's newest versions of its packages. */
export async function pinImage(): Promise<void> {
  const facts = readImageFile();
  const pin = async (cpu: Cpu) => {
    const { apt, folder } = await openApt(cpu);
    rmSync(folder, { recursive: true });
    const fresh = await openApt(cpu);
    const names = Object.keys(facts.packages[cpu]);
    await apt('download', ...names);
    const files = readdirSync(fresh.folder).filter((name) => name.endsWith('.deb'));
    return Object.fromEntries(
      files.sort().map((file) => {
        const [name = '', version = ''] = file.split('_');
        return [name, { version: version.replace('%3a', ':'), sha256: sha256(readFileSync(join(folder, file))) }];
      }),
    );
  };
  const packages = { amd64: await pin('amd64'), arm64: await pin('arm64') };
  writeFileSync(imageFile, `${JSON.stringify({ ...facts, packages }, undefined, 2)}\n`);
}

/** Sets up an apt for the packages of a processor, apart from the system's own. The packages are checked by pinned sums. */
async function openApt(cpu: Cpu) {
  const { suite, mirror } = readImageFile().debian;
  const folder = resolve(work, cpu);
  mkdirSync(join(folder, 'lists', 'partial'), { recursive: true });
  mkdirSync(join(folder, 'cache', 'archives', 'partial'), { recursive: true });
  const sources = join(folder, 'sources.list');
  writeFileSync(
    sources,
    `deb [trusted=yes] ${mirror}/debian ${suite} main\ndeb [trusted=yes] ${mirror}/debian-security ${suite}-security main\n`,
  );
  const settings = {
    'APT::Architecture': cpu,
    'APT::Architectures': cpu,
    'APT::Sandbox::User': '',
    'Dir::State::lists': join(folder, 'lists'),
    'Dir::State::status': '/dev/null',
    'Dir::Cache': join(folder, 'cache'),
    'Dir::Etc::sourcelist': sources,
    'Dir::Etc::sourceparts': '/dev/null',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const apt = (...words: string[]) => execa('apt-get', [...options, '-qq', ...words], { cwd: folder });
  await apt('update');
  return { apt, folder };
}
