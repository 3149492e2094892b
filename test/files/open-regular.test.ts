import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasName, openNew, openRegular, openToChange, readRegular } from '../../src/files/open-regular.ts';
import { folderForEach } from '../support/folder.ts';

const folder = folderForEach();
const path = () => folder.at('file');

describe('a regular file', () => {
  it('is read whole after a look at its size', () => {
    writeFileSync(path(), 'content');
    const sizes: number[] = [];
    const read = readRegular(path(), { largest: 7, onOpen: ({ stats }) => sizes.push(stats.size) });
    expect([sizes, 'bytes' in read && read.bytes.toString()]).toEqual([[7], 'content']);
  });

  it('is not read if it is larger than the limit', () => {
    writeFileSync(path(), 'content');
    expect(readRegular(path(), { largest: 6 })).toEqual({ irregular: 'too large' });
  });
});

it('a new file is still written to after another file has taken its name', () => {
  const file = openNew(path());
  expect(hasName(file, path())).toBe(true);
  rmSync(path());
  writeFileSync(path(), 'of somebody else');
  writeSync(file, 'ours');
  expect([hasName(file, path()), readFileSync(path(), 'utf8')]).toEqual([false, 'of somebody else']);
  closeSync(file);
});

describe.skipIf(process.platform === 'win32')('a path', () => {
  it.each([
    ['a named pipe without a writer', () => void execFileSync('mkfifo', [path()]), 'device or a pipe'],
    ['a device without an end', () => symlinkSync('/dev/zero', path()), 'device or a pipe'],
    ['a folder', () => mkdirSync(path()), 'folder'],
  ])('is not opened or read if it is %s', (_, make, irregular) => {
    make();
    expect(openRegular(path())).toEqual({ irregular });
    expect(readRegular(path(), { largest: 10 })).toEqual({ irregular });
  });

  it.each([
    ['a link to a file', () => symlinkSync(folder.at('target'), path()), 'ELOOP'],
    ['a link that leads nowhere', () => symlinkSync(folder.at('nowhere'), path()), 'ELOOP'],
    ['a named pipe', () => void execFileSync('mkfifo', [path()]), 'device or a pipe'],
    ['a folder', () => mkdirSync(path()), 'EISDIR'],
  ])('is not changed or replaced if it is %s', (_, make, error) => {
    writeFileSync(folder.at('target'), 'kept');
    make();
    expect(() => openToChange(path())).toThrow(error);
    expect(() => openNew(path())).toThrow('EEXIST');
    expect([readFileSync(folder.at('target'), 'utf8'), folder.names()]).toEqual(['kept', ['file', 'target']]);
  });

  it('without a file gives the error of the system', () => {
    expect(() => readRegular(path(), { largest: 10 })).toThrow('ENOENT');
  });
});
