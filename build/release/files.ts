/** The entries of packages, and archives made of them, which have the same bytes for the same contents on every machine. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { gzip as gzipWithCallback } from 'node:zlib';
import { ZipFile } from 'yazl';

/** A file, a link, or a folder. Everything belongs to root unless `owner` is given. */
export type Entry = {
  readonly path: string;
  readonly mode?: number;
  readonly owner?: number;
} & ({ readonly contents: Uint8Array | string } | { readonly link: string } | { readonly folder: true });

export const executableMode = 0o755;

/** The files of a folder, by the names that they get. */
export function filesOf(folder: string, rename: (name: string) => string): Entry[] {
  const names = readdirSync(folder).sort();
  return names.map((name) => ({ path: rename(name), contents: readFileSync(join(folder, name)) }));
}

/** The entries, each after the folders above it that are missing. */
function withFolders(entries: readonly Entry[]): Entry[] {
  const there = new Set(entries.flatMap((each) => ('folder' in each ? [each.path] : [])));
  const missing = (path: string): Entry[] => {
    const folder = posix.dirname(path);
    if (folder === '.' || there.has(folder)) return [];
    there.add(folder);
    return [...missing(folder), { path: folder, folder: true }];
  };
  return entries.flatMap((each) => [...missing(each.path), each]);
}

/**
 * A tar archive in the form ustar, with the folders that its files need.
 * @param epoch seconds: when everything in it was changed last
 * @param prefix before each path, such as `./` in packages of Debian
 */
export function tar(entries: readonly Entry[], epoch: number, prefix = ''): Buffer {
  const blocks = withFolders(entries).flatMap((each) => {
    const contents = Buffer.from('contents' in each ? each.contents : '');
    return [header(each, contents.length, epoch, prefix), contents, Buffer.alloc(-contents.length & 511)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

function header(entry: Entry, size: number, epoch: number, prefix: string): Buffer {
  const isFolder = 'folder' in entry;
  const path = `${prefix}${entry.path}${isFolder ? '/' : ''}`;
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long for a tar archive in the form ustar`);
  const block = Buffer.alloc(512);
  const octal = (value: number, at: number, length: number) =>
    block.write(value.toString(8).padStart(length - 1, '0'), at);
  block.write(path, 0);
  octal(entry.mode ?? (isFolder ? 0o755 : 0o644), 100, 8);
  octal(entry.owner ?? 0, 108, 8);
  octal(entry.owner ?? 0, 116, 8);
  octal(size, 124, 12);
  octal(epoch, 136, 12);
  block.write('link' in entry ? '2' : isFolder ? '5' : '0', 156);
  if ('link' in entry) block.write(entry.link, 157);
  block.write('ustar\x0000', 257);
  // The sum counts its own field as blanks.
  const sum = block.reduce((total, byte) => total + byte, 8 * 32);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** Compresses without a name and a time. */
export const gzip: (contents: Uint8Array | string) => Promise<Buffer> = promisify(gzipWithCallback);

/** A zip archive. The build runs in UTC, because a zip has times without a zone. */
export async function zip(entries: readonly Entry[], epoch: number): Promise<Buffer> {
  const file = new ZipFile();
  for (const each of entries) {
    if (!('contents' in each)) continue;
    const mode = 0o100000 | (each.mode ?? 0o644);
    file.addBuffer(Buffer.from(each.contents), each.path, { mtime: new Date(epoch * 1000), mode });
  }
  file.end();
  const pieces: Uint8Array[] = [];
  for await (const piece of file.outputStream) pieces.push(piece as Buffer); // without an encoding, it gives bytes
  return Buffer.concat(pieces);
}

/** An archive in the form of `ar`, as Debian's packages are. */
export function ar(files: readonly (readonly [name: string, contents: Uint8Array])[], epoch: number): Buffer {
  const parts = files.flatMap(([name, contents]) => {
    const fields = [name.padEnd(16), `${epoch}`.padEnd(12), '0     0     100644  ', `${contents.length}`.padEnd(10)];
    return [Buffer.from(`${fields.join('')}\`\n`), contents, Buffer.from(contents.length % 2 === 1 ? '\n' : '')];
  });
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}
