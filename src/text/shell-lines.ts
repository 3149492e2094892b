/** Commands to fix a problem, for the shell of this system: on Windows in a form that both cmd.exe and PowerShell accept. */
import { sep } from 'node:path';

/** Detected with a module that is loaded anyway; node:os is not, and takes time to load. */
const here: NodeJS.Platform = sep === '\\' ? 'win32' : 'linux';

/** A word of a command line, such as a path or an ID of the platform: no shell takes any of it for a command. */
export function quoteForShell(word: string, system = here): string {
  return system === 'win32' ? quoteOnWindows(word) : quoteForPosix(word);
}

/** A backslash stands outside of the quotes, because fish, unlike sh, gives it a meaning inside. */
function quoteForPosix(word: string): string {
  return /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word) ? word : `'${word.replace(/['\\]/g, "'\\$&'")}'`;
}

/**
 * cmd.exe ends a word at a comma or an equals sign. In double quotes only PowerShell gives a meaning to variables, backticks and typographic quotes;
 * cmd.exe, which does not know the backtick, then finds no such file.
 */
function quoteOnWindows(word: string): string {
  if (/^[\w:.\\/-]+$/.test(word)) return word;
  return `"${word.replaceAll('"', '""').replace(/[`\u201c-\u201e]|\$(?=[\w({:?^$])/g, '`$&')}"`;
}

/** "rm 'a b'" */
export function removeCommand(file: string, system = here): string {
  return `${system === 'win32' ? 'del' : 'rm'} ${quoteForShell(file, system)}`;
}

/** "rm -r 'a b'"; in words on Windows, because its two shells have no command for it in common. */
export function removeFolderCommand(folder: string, system = here): string {
  return system === 'win32'
    ? `remove the folder ${quoteForShell(folder, system)}`
    : `rm -r ${quoteForShell(folder, system)}`;
}

/** "chmod 600 a": undoes what a file or folder allows to others. */
export function changeModeCommand(mode: string, path: string): string {
  return `chmod ${mode} ${quoteForShell(path)}`;
}

/** "mv a a.aside" */
export function moveAsideCommand(file: string, system = here): string {
  const words = [file, `${file}.aside`].map((word) => quoteForShell(word, system));
  return `${system === 'win32' ? 'move' : 'mv'} ${words.join(' ')}`;
}

/** 'with "ps -p 7"' */
export function showProcessHint(pid: number, system = here): string {
  return system === 'win32' ? `in the task manager (PID ${pid})` : `with "ps -p ${pid}"`;
}

/** "ls -ld a": shows the owner and the permissions. */
export function showRightsCommand(path: string, system = here): string {
  return `${system === 'win32' ? 'icacls' : 'ls -ld'} ${quoteForShell(path, system)}`;
}
