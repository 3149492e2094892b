import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { codeOf } from './file-failure.ts';

/** Whether a path, with all of its links followed, is a folder or something in it. What does not exist counts by the last folder that does. */
export function isBelow(folder: string, path: string): boolean {
  // The system takes "link/.." for the parent of what the link leads to, and Node's functions for paths take it for nothing.
  return [path, resolve(path)].every((each) => {
    const way = relative(realpathSync.native(folder), existingPart(each));
    return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  });
}

function existingPart(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '');
    // Whatever else hides a path, it is not known to be below.
    return isMissing && dirname(path) !== path ? existingPart(dirname(path)) : sep;
  }
}
