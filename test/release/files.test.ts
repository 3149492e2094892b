/** Archives as the programs of others read them, and the same bytes each time. */
import { execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { fromBuffer, type Options, type Entry as ZipEntry, type ZipFile } from 'yauzl';
import { type Entry, executableMode, tar, zip } from '../../build/release/files.ts';
import { folderForEach } from '../support/folder.ts';

const folder = folderForEach();
const noon = Date.UTC(2026, 5, 1, 12) / 1000;
const entries: readonly Entry[] = [
  { path: 'usr/bin/iiot', contents: 'program', mode: executableMode },
  { path: 'usr/lib/current', link: '../bin/iiot' },
  { path: 'tmp', folder: true, mode: 0o1777 },
  { path: 'home/iiot/notes', contents: 'über', owner: 65532 },
];

describe('a tar archive', () => {
  it('has the folders above each file, owners, modes, links, and one time for all', () => {
    const file = folder.write('a.tar', tar(entries, noon, './'));
    const env = { ...process.env, TZ: 'UTC' };
    const lines = execFileSync('tar', ['--list', '--verbose', '--numeric-owner', '--file', file], { env }).toString();
    const rows = lines.replace(/ +/g, ' ').trimEnd().split('\n');
    expect(rows).toEqual([
      'drwxr-xr-x 0/0 0 2026-06-01 12:00 ./usr/',
      'drwxr-xr-x 0/0 0 2026-06-01 12:00 ./usr/bin/',
      '-rwxr-xr-x 0/0 7 2026-06-01 12:00 ./usr/bin/iiot',
      'drwxr-xr-x 0/0 0 2026-06-01 12:00 ./usr/lib/',
      'lrw-r--r-- 0/0 0 2026-06-01 12:00 ./usr/lib/current -> ../bin/iiot',
      'drwxrwxrwt 0/0 0 2026-06-01 12:00 ./tmp/',
      'drwxr-xr-x 0/0 0 2026-06-01 12:00 ./home/',
      'drwxr-xr-x 0/0 0 2026-06-01 12:00 ./home/iiot/',
      '-rw-r--r-- 65532/65532 5 2026-06-01 12:00 ./home/iiot/notes',
    ]);
    expect(execFileSync('tar', ['xOf', file, './home/iiot/notes']).toString()).toBe('über');
  });

  it('is not made of a path that is longer than its format allows', () => {
    const path = 'a'.repeat(101);
    expect(() => tar([{ path, contents: '' }], noon)).toThrow(
      `${path} is too long for a tar archive in the form ustar`,
    );
  });
});

describe('a zip archive', () => {
  const zone = process.env.TZ;
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it('has the files with their modes and times', async () => {
    process.env.TZ = 'UTC';
    const read = promisify<Buffer, Options, ZipFile>(fromBuffer);
    const archive = await read(await zip(entries, noon), { lazyEntries: false, autoClose: false });
    const found: unknown[] = [];
    archive.on('entry', (each: ZipEntry) =>
      found.push([
        each.fileName,
        (each.externalFileAttributes >>> 16).toString(8),
        each.getLastModDate().toISOString(),
      ]),
    );
    await new Promise((resolve) => archive.once('end', resolve));
    expect(found).toEqual([
      ['usr/bin/iiot', '100755', '2026-06-01T12:00:00.000Z'],
      ['home/iiot/notes', '100644', '2026-06-01T12:00:00.000Z'],
    ]);
  });
});
