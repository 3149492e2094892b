import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRegular, readRegular } from '../../src/files/open-regular.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'iiot-open-'));
  path = join(folder, 'file');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a regular file', () => {
  it('is read whole, and looked at before', () => {
    writeFileSync(path, 'content');
    const sizes: number[] = [];
    const read = readRegular(path, { largest: 7, onOpen: ({ stats }) => sizes.push(stats.size) });
    expect([sizes, 'bytes' in read && read.bytes.toString()]).toEqual([[7], 'content']);
  });

  it('is not read where it is larger than the bound', () => {
    writeFileSync(path, 'content');
    expect(readRegular(path, { largest: 6 })).toEqual({ irregular: 'too large' });
  });

  it('is made where the flags say so', () => {
    const opened = openRegular(path, constants.O_WRONLY | constants.O_CREAT, 0o640);
    expect('file' in opened && opened.stats.size).toBe(0);
    if ('file' in opened) closeSync(opened.file);
    expect(readFileSync(path, 'utf8')).toBe('');
  });
});

describe.skipIf(process.platform === 'win32')('what is not a regular file', () => {
  it.each([
    ['a named pipe without a writer', () => void execFileSync('mkfifo', [path]), 'device or a pipe'],
    ['a device without an end', () => symlinkSync('/dev/zero', path), 'device or a pipe'],
    ['a folder', () => mkdirSync(path), 'folder'],
  ])('is reported at once: %s', (_, make, irregular) => {
    make();
    expect(openRegular(path)).toEqual({ irregular });
    expect(readRegular(path, { largest: 10 })).toEqual({ irregular });
  });

  it('is the error of the system where there is nothing', () => {
    expect(() => readRegular(path, { largest: 10 })).toThrow('ENOENT');
  });
});
