import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';

/**
 * Finds a command like cmd.exe: in the current folder, then in those of PATH, by its full name or with one of the extensions in PATHEXT.
 * @param env its names may be in any case
 * @returns the path, or 'missing'
 */
export function findOnWindows(
  name: string,
  env: Readonly<Record<string, string>>,
): { readonly file: string } | 'missing' {
  const endings = variable(env, 'PATHEXT') || '.COM;.EXE;.BAT;.CMD';
  const names = [...(basename(name).includes('.') ? [name] : []), ...endings.split(';').map((ending) => name + ending)];
  const folders = /[\\/:]/.test(name) ? ['.'] : ['.', ...variable(env, 'PATH').split(';')];
  for (const folder of folders) {
    const file = names.map((each) => resolve(folder, each)).find(isFile);
    if (file !== undefined) return { file };
  }
  return 'missing';
}

function variable(env: Readonly<Record<string, string>>, name: string): string {
  return Object.entries(env).find(([each]) => each.toUpperCase() === name)?.[1] ?? '';
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false; // a folder of PATH that this user cannot read, for example
  }
}
