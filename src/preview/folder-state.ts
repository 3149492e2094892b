import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileNames } from '../working-copy/folder.ts';

/** A text that changes when a file of the folder does. */
export function folderState(dir: string): string {
  const stamps = (fileNames(dir) ?? []).map((name) => {
    const found = statSync(join(dir, name), { throwIfNoEntry: false });
    return `${name} ${found && `${found.mtimeMs} ${found.size} ${found.ino}`}`;
  });
  return `"${createHash('sha256').update(stamps.join('\n')).digest('base64url')}"`;
}
