import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { openSource, type Source, spool } from '../../src/rows/source.ts';
import { failureOf } from '../support/failing.ts';
import { folderForEach } from '../support/folder.ts';

const folder = folderForEach();
let path: string;
beforeEach(() => {
  path = folder.at('fleet.csv');
});

async function textOf(source: Source): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source.bytes()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const never = new AbortController().signal;

describe('a source of rows', () => {
  it('can be read again, and has the checksum of its bytes', async () => {
    writeFileSync(path, 'abc');
    const source = openSource(path);
    expect([source.size, source.digest()]).toEqual([3, undefined]);
    expect([await textOf(source), await textOf(source)]).toEqual(['abc', 'abc']);
    expect(source.digest()).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    source.close();
    source.close();
  });

  it('can be a stream that is read again, and leaves no file behind', async () => {
    const files = () => readdirSync(tmpdir()).filter((name) => /^iiot-[0-9a-f]{32}$/.test(name));
    const before = files();
    const source = await spool(Readable.from([Buffer.from('ab'), Buffer.from('c')]), 'standard input', never);
    expect(source).toMatchObject({ name: 'standard input', size: 3 });
    expect([await textOf(source), await textOf(source)]).toEqual(['abc', 'abc']);
    expect(files()).toEqual(before);
    source.close();
  });

  it('stops waiting for a stream on Ctrl-C', async () => {
    const interrupt = new AbortController();
    const reason = new Error('enough');
    const silent = new Readable({ read() {} });
    const spooled = spool(silent, 'standard input', interrupt.signal);
    setTimeout(() => interrupt.abort(reason), 20);
    await expect(spooled).rejects.toBe(reason);
    expect(silent.destroyed).toBe(true);
  });

  it('fails if the file changes while it is read', async () => {
    writeFileSync(path, 'x'.repeat(100_000));
    const source = openSource(path);
    const reading = source.bytes()[Symbol.asyncIterator]();
    await reading.next();
    appendFileSync(path, 'y');
    expect((await failureOf(reading.next())).message).toBe(`${path} changed while it was being read.`);
    expect((await failureOf(textOf(source))).message).toContain('changed while');
    source.close();
  });

  it('fails if the file changes before it is read again, even with the same time and size', async () => {
    writeFileSync(path, 'aaaa');
    const then = new Date(1_700_000_000_000);
    utimesSync(path, then, then);
    const source = openSource(path);
    await textOf(source);
    writeFileSync(path, 'bbbb');
    utimesSync(path, then, then);
    expect((await failureOf(textOf(source))).message).toContain('changed while');
    source.close();
  });

  it('recognizes its own file through a link, but not another file', () => {
    writeFileSync(path, 'a');
    writeFileSync(folder.at('other'), 'a');
    symlinkSync(path, folder.at('link'));
    const source = openSource(path);
    const found = ['fleet.csv', 'link', 'other', 'missing'].filter((name) => source.isAt(folder.at(name)));
    expect(found).toEqual(['fleet.csv', 'link']);
    source.close();
  });

  it.each([
    ['is missing', () => undefined, 'does not exist.'],
    ['is a folder', (at: string) => mkdirSync(at), 'is not a regular file.'],
    ['is a named pipe', (at: string) => void spawnSync('mkfifo', [at]), 'is not a regular file.'],
    ['is a link to itself', (at: string) => symlinkSync(at, at), 'cannot be read: its links form a loop.'],
  ])('is refused if its path %s', async (_, make, sentence) => {
    make(path);
    const { kind, message } = await failureOf((async () => openSource(path))());
    expect([kind, message]).toEqual(['usage', `${path} ${sentence}`]);
  });
});
