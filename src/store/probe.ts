import { closeSync, fsyncSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileFailure } from './file-failure.ts';
import { ownersName } from './owner.ts';
import { followLinks } from './private-file.ts';

/**
 * Proves that a file can be written where a path leads, and leaves nothing behind.
 * @throws Failure 'internal'
 */
export function probeFile(path: string): void {
  const probe = join(dirname(followLinks(path)), `.iiot-${ownersName()}`);
  try {
    const file = openSync(probe, 'wx', 0o600);
    try {
      writeSync(file, Buffer.alloc(4096));
      fsyncSync(file);
    } finally {
      closeSync(file);
      unlinkSync(probe);
    }
  } catch (error) {
    throw fileFailure('write', path, error);
  }
}
