/** What a person types to put something right, for the shell of this system: on Windows words that cmd.exe and PowerShell both take. */
import { sep } from 'node:path';

/** By what is loaded in any case: node:os is not, and takes its time. */
const here: NodeJS.Platform = sep === '\\' ? 'win32' : 'linux';

/** A word of a command line, a path for instance. */
export function quoted(word: string, system = here): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (system !== 'win32') return `'${word.replaceAll("'", "'\\''")}'`;
  return /^[\w@+=:.\\/-]+$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`;
}

/** "rm 'a b'" */
export function removing(file: string, system = here): string {
  return `${system === 'win32' ? 'del' : 'rm'} ${quoted(file, system)}`;
}

/** "rm -r 'a b'"; for Windows in words, because its two shells have no line in common for it. */
export function removingFolder(folder: string, system = here): string {
  return system === 'win32' ? `remove the folder ${quoted(folder, system)}` : `rm -r ${quoted(folder, system)}`;
}

/** "mv a a.aside" */
export function movingAside(file: string, system = here): string {
  const words = [file, `${file}.aside`].map((word) => quoted(word, system));
  return `${system === 'win32' ? 'move' : 'mv'} ${words.join(' ')}`;
}

/** 'with "ps -p 7"' */
export function lookingAtProcess(pid: number, system = here): string {
  return system === 'win32' ? `in the task manager (PID ${pid})` : `with "ps -p ${pid}"`;
}

/** "ls -ld a": who owns it, and who may do what with it. */
export function lookingAtRights(path: string, system = here): string {
  return `${system === 'win32' ? 'icacls' : 'ls -ld'} ${quoted(path, system)}`;
}
