/** The Node inside the one file: one version, and a sum for each system, in packaging/node.json. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { execa } from 'execa';
import { type NodeFiles, nodeOf } from '../nodes.ts';
import { type LinuxSystem, linuxSystems, type System, systemNames } from './artefacts.ts';

export type Pinned = {
  readonly version: string;
  /** SHA-256 of the program itself: `bin/node`, `node.exe`. */
  readonly files: Readonly<Record<System, string>>;
  /** The shared libraries that it needs, with the newest of their versions: `libc.so.6(GLIBC_2.28)`. */
  readonly needs: Readonly<Record<LinuxSystem, readonly string[]>>;
};

const pinFile = 'packaging/node.json';

export function readPinned(): Pinned {
  return JSON.parse(readFileSync(pinFile, 'utf8')) as Pinned;
}

/** Fetches the pinned Node of a system. @throws if the registry gave another one */
export async function pinnedNode(system: System): Promise<NodeFiles> {
  const { version, files } = readPinned();
  const node = await nodeOf(version, system);
  const found = sha256(readFileSync(node.binary));
  if (found === files[system]) return node;
  throw new Error(
    `Node ${version} for ${system} has the SHA-256 ${found}, and ${pinFile} says ${files[system]}: remove ${node.folder} and try again`,
  );
}

/** Pins another version: writes packaging/node.json. */
export async function pin(version: string): Promise<void> {
  const nodes = await Promise.all(systemNames.map(async (system) => [system, await nodeOf(version, system)] as const));
  const binaries = new Map(nodes.map(([system, { binary }]) => [system, binary]));
  const files = Object.fromEntries(nodes.map(([system, { binary }]) => [system, sha256(readFileSync(binary))]));
  const needs = await Promise.all(
    linuxSystems.map(async (system) => [system, await readNeeded(binaries.get(system) ?? '')] as const),
  );
  writeFileSync(pinFile, `${JSON.stringify({ version, files, needs: Object.fromEntries(needs) }, undefined, 2)}\n`);
}

/** Reads the shared libraries that a program needs from its own tables. */
export async function readNeeded(binary: string): Promise<string[]> {
  const { stdout } = await execa('readelf', ['--wide', '--version-info', binary]);
  const [, table = ''] = stdout.split('Version needs section');
  const newest = new Map<string, string>();
  let library = '';
  for (const [, file, name = ''] of table.matchAll(/File: (\S+)|Name: (\S+)/g)) {
    if (file !== undefined) library = file;
    // Every version of the C library has its private symbols.
    else if (!name.endsWith('PRIVATE')) {
      const key = `${library}(${name.replace(/_[\d.]+$/, '')}`;
      if (isNewer(name, newest.get(key) ?? '')) newest.set(key, name);
    }
  }
  return [...newest].map(([key, name]) => `${key.replace(/\(.*/, '')}(${name})`).sort();
}

function isNewer(one: string, other: string): boolean {
  return one.localeCompare(other, 'en', { numeric: true }) > 0;
}

/**
 * Compares the pinned sums with Node's own release: checks its archives by their published sums, and the programs inside by the pinned ones.
 * @param address of Node's releases
 * @returns a sentence for each system that differs
 */
export async function compareNode({ version, files }: Pinned, address = 'https://nodejs.org/dist'): Promise<string[]> {
  const release = `${address}/v${version}`;
  const sums = Buffer.from(await download(`${release}/SHASUMS256.txt`)).toString();
  const differences = await Promise.all(
    systemNames.map(async (system) => {
      // The program for Windows is published outside of an archive.
      const isWindows = system === 'win-x64';
      const name = isWindows ? 'win-x64/node.exe' : `node-v${version}-${system}.tar.gz`;
      const contents = await download(`${release}/${name}`);
      if (!sums.includes(`${sha256(contents)}  ${name}\n`)) return `${name} is not what SHASUMS256.txt of Node says.`;
      const program = isWindows ? contents : await unpackProgram(contents, `node-v${version}-${system}/bin/node`);
      return sha256(program) === files[system] ? [] : `Node for ${system} is not the one in ${name}.`;
    }),
  );
  return differences.flat();
}

async function unpackProgram(archive: Uint8Array, path: string): Promise<Uint8Array> {
  const options = { input: archive, encoding: 'buffer', maxBuffer: 1e9 } as const;
  return (await execa('tar', ['--extract', '--gzip', '--to-stdout', '--file', '-', path], options)).stdout;
}

async function download(url: string): Promise<Uint8Array> {
  const response = await fetch(url).catch((cause: unknown) => {
    throw new Error(`${url} cannot be reached`, { cause });
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

export function sha256(contents: Uint8Array | string): string {
  return createHash('sha256').update(contents).digest('hex');
}
