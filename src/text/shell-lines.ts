/** Commands to fix a problem, for the shell of this system: on Windows in a form that both cmd.exe and PowerShell accept. */
import { sep } from 'node:path';

/** Detected with a module that is loaded anyway; node:os is not, and takes time to load. */
const here: NodeJS.Platform = sep === '\\' ? 'win32' : 'linux';

/** A word of a command line, such as a path. */
export function quoted(word: string, system = here): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (system !== 'win32') return `'${word.replaceAll("'", "'\\''")}'`;
  return /^[\w@+=:.\\/-]+$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`;
}

/** "rm 'a b'" */
export function removeCommand(file: string, system = here): string {
  return `${system === 'win32' ? 'del' : 'rm'} ${quoted(file, system)}`;
}

/** "rm -r 'a b'"; in words on Windows, because its two shells have no command for it in common. */
export function removeFolderCommand(folder: string, system = here): string {
  return system === 'win32' ? `remove the folder ${quoted(folder, system)}` : `rm -r ${quoted(folder, system)}`;
}

/** "mv a a.aside" */
export function moveAsideCommand(file: string, system = here): string {
  const words = [file, `${file}.aside`].map((word) => quoted(word, system));
  return `${system === 'win32' ? 'move' : 'mv'} ${words.join(' ')}`;
}

/** 'with "ps -p 7"' */
export function showProcessHint(pid: number, system = here): string {
  return system === 'win32' ? `in the task manager (PID ${pid})` : `with "ps -p ${pid}"`;
}

/** "ls -ld a": shows the owner and the permissions. */
export function showRightsCommand(path: string, system = here): string {
  return `${system === 'win32' ? 'icacls' : 'ls -ld'} ${quoted(path, system)}`;
}
