import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

/**
 * Finds a command as a shell would.
 * @param path the value of PATH
 * @returns its path, or 'missing', or 'forbidden' if it is not executable
 */
export function findProgram(name: string, path: string): { readonly file: string } | 'missing' | 'forbidden' {
  const places = name.includes('/') ? [name] : path.split(delimiter).map((folder) => resolve(folder, name));
  let found: 'missing' | 'forbidden' = 'missing';
  for (const file of places) {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) continue;
    if (isExecutable(file)) return { file };
    found = 'forbidden';
  }
  return found;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // what was asked
  }
}
