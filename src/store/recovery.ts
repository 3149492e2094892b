/** A private file for a secret that the platform shows only once. It is made before the request, and removed when the secret has reached its destination. */
import { randomBytes } from 'node:crypto';
import { closeSync, ftruncateSync, lstatSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { attemptTo, codeOf, fileFailure } from '../files/file-failure.ts';
import { setMode, syncFile } from '../files/file-system.ts';
import { fileNamesIn, openNew, readRegular } from '../files/open-regular.ts';
import { isAbandoned, newOwnerName } from '../files/owner.ts';
import { prepareFolder } from '../files/trust.ts';
import { ignoreError } from '../text/ignore-error.ts';
import { type JsonRecord, readRecord } from '../text/record.ts';
import type { StoreWorld } from './folder.ts';

export type Recovery = {
  readonly path: string;
  /** Writes the secret to the file; it is on disk when this returns. @throws Failure 'io' */
  fill(content: object): void;
  /** To be called when the secret has reached its destination, or will never come. @throws Failure 'io' if the file cannot be removed */
  remove(): void;
};

/** In bytes, allocated before the secret comes, in case the disk fills up meanwhile. */
const reservedBytes = 8192;

/** Far more than any recovery file contains, in bytes. */
const largest = 1024 * 1024;

/**
 * Makes a recovery file (mode 0600, on disk when this returns) in a folder, which is made private.
 * @param pending the facts that are known before the secret comes, to identify a killed run
 * @throws Failure 'io' if it cannot be made, or if others could read it
 */
export function openRecovery(folder: string, pending: object, world: StoreWorld): Recovery {
  prepareFolder(folder, true, world);
  const path = join(folder, `recovery-${randomBytes(4).toString('hex')}.json`);
  const owner = newOwnerName();
  const file = attemptTo('create', path, () => openNew(path));
  const write = (content: object, padding = '') =>
    attemptTo('write', path, () => {
      const bytes = Buffer.from(`${JSON.stringify({ version: 1, ...content, owner }, undefined, 2)}\n${padding}`);
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, at);
      ftruncateSync(file, bytes.length);
      syncFile(file);
    });
  const remove = () => {
    try {
      closeSync(file);
      unlinkSync(path);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EBADF') throw fileFailure('remove', path, error);
    }
  };
  try {
    setMode(file, 0o600); // regardless of the umask
    write(pending, ' '.repeat(reservedBytes));
  } catch (error) {
    remove();
    throw error;
  }
  return { path, fill: (content) => write(content), remove };
}

type LeftoverRecovery = { readonly path: string; readonly content: JsonRecord };

/** Reads the recovery files whose process has ended. @param now epoch milliseconds */
export function listLeftoverRecoveries(folder: string, now: number): readonly LeftoverRecovery[] {
  return fileNamesIn(folder)
    .filter((name) => /^recovery-[0-9a-f]{8}\.json$/.test(name))
    .flatMap((name) => readLeftover(join(folder, name), now));
}

function readLeftover(path: string, now: number): LeftoverRecovery[] {
  // Only regular files are ours, and another run may just have removed one.
  const read = ignoreError(() => (lstatSync(path).isFile() ? readRegular(path, { largest }) : undefined));
  if (!read || 'irregular' in read) return [];
  const content = readRecord(read.bytes.toString('utf8')) ?? {};
  const isLeft = isAbandoned(typeof content.owner === 'string' ? content.owner : '', read.stats.mtimeMs, now);
  return isLeft ? [{ path, content }] : [];
}
