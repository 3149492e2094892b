import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { Failure } from '../../src/failure.ts';
import { newOwnerName } from '../../src/files/owner.ts';
import { createPrivate, openPrivately, writePrivately } from '../../src/files/private-file.ts';
import { freshFolder, tidy } from '../store/processes.ts';

afterEach(tidy);

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const failing = (message: string, kind = 'io') => expect.objectContaining({ kind, message });

describe('writing a private file', () => {
  it('gives it mode 0600 under any umask, and leaves no other file', () => {
    const folder = freshFolder();
    for (const umask of [0o000, 0o022, 0o277]) {
      const before = process.umask(umask);
      writePrivately(join(folder, 'secret'), `under ${umask}`);
      process.umask(before);
      expect([modeOf(join(folder, 'secret')), readFileSync(join(folder, 'secret'), 'utf8')]).toEqual([
        '600',
        `under ${umask}`,
      ]);
    }
    expect(readdirSync(folder)).toEqual(['secret']);
  });

  it('works in a folder that others can write to', () => {
    const folder = freshFolder();
    chmodSync(folder, 0o1777);
    writePrivately(join(folder, 'secret'), 'CANARY');
    expect([readFileSync(join(folder, 'secret'), 'utf8'), modeOf(join(folder, 'secret'))]).toEqual(['CANARY', '600']);
  });

  it('narrows the mode of an existing file', () => {
    const path = join(freshFolder(), 'secret');
    writeFileSync(path, 'old');
    chmodSync(path, 0o666);
    writePrivately(path, 'new');
    expect([modeOf(path), readFileSync(path, 'utf8')]).toEqual(['600', 'new']);
  });

  it('follows links of links, and keeps them', () => {
    const folder = freshFolder();
    mkdirSync(join(folder, 'far', 'off'), { recursive: true });
    writeFileSync(join(folder, 'far', 'target'), 'old');
    symlinkSync('../target', join(folder, 'far', 'off', 'second'));
    symlinkSync('far/off', join(folder, 'through'));
    symlinkSync('through/second', join(folder, 'first'));
    writePrivately(join(folder, 'first'), 'new');
    expect(readlinkSync(join(folder, 'first'))).toBe('through/second');
    expect(lstatSync(join(folder, 'far', 'off', 'second')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, 'far', 'target'), 'utf8')).toBe('new');
    expect(readdirSync(join(folder, 'far'))).toEqual(['off', 'target']);
  });

  it('creates the target of a dangling link', () => {
    const folder = freshFolder();
    symlinkSync('target', join(folder, 'link'));
    writePrivately(join(folder, 'link'), 'new');
    expect([readlinkSync(join(folder, 'link')), readFileSync(join(folder, 'target'), 'utf8')]).toEqual([
      'target',
      'new',
    ]);
  });

  it.each([0o1777, 0o775])('fails at a link in a folder of mode %o', (mode) => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'target'), 'kept');
    symlinkSync('target', join(folder, 'link'));
    chmodSync(folder, mode);
    const shown = `0${(mode & 0o777).toString(8)}`;
    const message = `${join(folder, 'link')} is a link in a folder that others can write to (mode ${shown}), so it is not followed.`;
    expect(() => writePrivately(join(folder, 'link'), 'new')).toThrow(failing(message));
    expect([readFileSync(join(folder, 'target'), 'utf8'), readlinkSync(join(folder, 'link'))]).toEqual([
      'kept',
      'target',
    ]);
  });

  it('never follows a link that others put in its place', async () => {
    const folder = freshFolder();
    const [path, victim] = [join(folder, 'journal'), join(freshFolder(), 'authorized_keys')];
    writeFileSync(victim, 'kept');
    chmodSync(folder, 0o1777);
    const swap = `const { symlinkSync, unlinkSync } = require('node:fs');
      const { workerData: [path, victim] } = require('node:worker_threads');
      const tryTo = (step) => { try { step(); } catch {} };
      for (;;) { tryTo(() => unlinkSync(path)); tryTo(() => symlinkSync(victim, path)); }`;
    const swapper = new Worker(swap, { eval: true, workerData: [path, victim] });
    await once(swapper, 'online');
    const outcomes = Array.from({ length: 200 }, () => {
      try {
        closeSync(openPrivately(path, 'the head of a journal\n'));
        return 'written';
      } catch (error) {
        return error instanceof Failure ? 'refused' : error;
      }
    });
    await swapper.terminate();
    expect(outcomes.filter((outcome) => outcome !== 'written' && outcome !== 'refused')).toEqual([]);
    expect([readFileSync(victim, 'utf8'), statSync(victim).size]).toEqual(['kept', 4]);
  });

  it('fails at a loop of links', () => {
    const folder = freshFolder();
    symlinkSync('b', join(folder, 'a'));
    symlinkSync('a', join(folder, 'b'));
    expect(() => writePrivately(join(folder, 'a'), 'new')).toThrow(
      failing(`Could not reach ${join(folder, 'a')}: it is a link, or its links form a loop.`),
    );
  });

  it('fails at a pipe, a device and a folder', () => {
    const folder = freshFolder();
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    mkdirSync(join(folder, 'folder'));
    symlinkSync('/dev/null', join(folder, 'device'));
    const noFile = 'it is a device or a pipe, not a file.';
    const refusals = ['pipe', 'device', 'folder'].map((name) => {
      try {
        return writePrivately(join(folder, name), 'new');
      } catch (error) {
        return error instanceof Error ? error.message : error;
      }
    });
    expect(refusals).toEqual([
      `Could not write ${join(folder, 'pipe')}: ${noFile}`,
      `Could not write /dev/null: ${noFile}`,
      `Could not write ${join(folder, 'folder')}: it is a folder, not a file.`,
    ]);
    expect(readdirSync(folder).sort()).toEqual(['device', 'folder', 'pipe']);
  });

  it('removes only the temporary files of killed writers', () => {
    const folder = freshFolder();
    const dead = newOwnerName().replace(/^\d+/, '4194399');
    const alive = `.iiot-${newOwnerName()}`;
    for (const name of [`.iiot-${dead}`, alive, '.iiot-notes', dead]) writeFileSync(join(folder, name), 'left');
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), 1, 1);
    writePrivately(join(folder, 'secret'), 'new');
    expect(readdirSync(folder).sort()).toEqual(['.iiot-notes', alive, dead, 'secret'].sort());
  });

  it.each([
    ['a name of 300 letters', 'x'.repeat(300), 'reach', 'its path is too long'],
    ['a missing folder', 'missing/secret', 'write', 'its folder does not exist'],
  ])('fails because of %s', (_case, name, wanted, why) => {
    const path = join(freshFolder(), name);
    expect(() => writePrivately(path, 'new')).toThrow(failing(`Could not ${wanted} ${path}: ${why}.`));
  });
});

describe('creating a private file', () => {
  it('gives it mode 0600 under any umask', () => {
    const folder = freshFolder();
    const before = process.umask(0);
    createPrivate(join(folder, 'journal'));
    createPrivate(join(folder, 'recovery'), 'secret');
    process.umask(before);
    expect(
      ['journal', 'recovery'].map((name) => [modeOf(join(folder, name)), readFileSync(join(folder, name), 'utf8')]),
    ).toEqual([
      ['600', ''],
      ['600', 'secret'],
    ]);
  });

  it('fails at an existing file and at a planted link', () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'there'), 'old');
    symlinkSync('elsewhere', join(folder, 'planted'));
    for (const name of ['there', 'planted']) {
      expect(() => createPrivate(join(folder, name), 'new')).toThrow(
        failing(expect.stringContaining(`${join(folder, name)} already exists`), 'usage'),
      );
    }
    expect([readFileSync(join(folder, 'there'), 'utf8'), readdirSync(folder)]).toEqual(['old', ['planted', 'there']]);
  });
});
