/** Writes commands that fix a problem, for the shell of this system: on Windows in a form that both cmd.exe and PowerShell accept. */
import { sep } from 'node:path';

/** Detected by a module that is loaded anyway. Loading node:os would take time. */
const here: NodeJS.Platform = sep === '\\' ? 'win32' : 'linux';

/** Quotes a word of a command line, such as a path or an ID of the platform, so that no shell takes a part of it for a command. */
export function quoteForShell(word: string, system = here): string {
  return system === 'win32' ? quoteOnWindows(word) : quoteForPosix(word);
}

/** Writes a backslash outside of quotes, because inside fish gives it a meaning, unlike sh. */
function quoteForPosix(word: string): string {
  return /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word) ? word : `'${word.replace(/['\\]/g, "'\\$&'")}'`;
}

/**
 * Quotes a word with a comma or an equals sign, too, where cmd.exe ends a word. In double quotes PowerShell gives a meaning to variables, backticks and
 * typographic quotes, so they get a backtick; cmd.exe does not know it, and finds no such file.
 */
function quoteOnWindows(word: string): string {
  if (/^[\w:.\\/-]+$/.test(word)) return word;
  return `"${word.replaceAll('"', '""').replace(/[`\u201c-\u201e]|\$(?=[\w({:?^$])/g, '`$&')}"`;
}

/** An argument after all options of a line to copy: "a", or "-- -a" for a word that would be taken for an option. */
export function argumentForShell(word: string): string {
  return `${isLikeOption(word) ? '-- ' : ''}${quoteForShell(word)}`;
}

/** "--org a", or "--org=-a" for a value that would be taken for another option. */
export function optionForShell(long: string, value: string): string {
  return isLikeOption(value) ? quoteForShell(`--${long}=${value}`) : `--${long} ${quoteForShell(value)}`;
}

/** Whether a word would be taken for an option, or refused as one. */
export const isLikeOption = (word: string) => /^-./s.test(word) || wrongStart.test(word);

/**
 * The beginning of a word that a word processor, a chat or an input method has changed: another dash than -, alone or after one, or a typographic quote.
 * U+30FC, which is part of words, counts as a dash only before a letter.
 */
export const wrongStart =
  /^-?(?:[\u2010-\u2015\u2043\u2212\u2500\ufe58\ufe63\uff0d]|[\u30fc\uff70]+(?=[A-Za-z\uff21-\uff3a\uff41-\uff5a])|[\u2018-\u201f\u2032\u2033\u275b-\u275e\u301d\u301e\u00ab\u00bb\u2039\u203a\uff02\uff07])/;

/** "rm 'a b'" */
export function removeCommand(file: string, system = here): string {
  return `${system === 'win32' ? 'del' : 'rm'} ${pathForShell(file, system)}`;
}

/** "rm -r 'a b'"; in words on Windows, because its two shells have no command for it in common. */
export function removeFolderCommand(folder: string, system = here): string {
  return system === 'win32'
    ? `remove the folder ${quoteForShell(folder, system)}`
    : `rm -r ${pathForShell(folder, system)}`;
}

/** "chmod 600 a": takes a file's or folder's permissions from others. */
export function changeModeCommand(mode: string, path: string): string {
  return `chmod ${mode} ${pathForShell(path)}`;
}

/** "mv a a.aside" */
export function moveAsideCommand(file: string, system = here): string {
  const words = [file, `${file}.aside`].map((word) => pathForShell(word, system));
  return `${system === 'win32' ? 'move' : 'mv'} ${words.join(' ')}`;
}

/** 'with "ps -p 7"' */
export function showProcessHint(pid: number, system = here): string {
  return system === 'win32' ? `in the task manager (PID ${pid})` : `with "ps -p ${pid}"`;
}

/** "ls -ld a": shows the owner and the permissions. */
export function showRightsCommand(path: string, system = here): string {
  return `${system === 'win32' ? 'icacls' : 'ls -ld'} ${pathForShell(path, system)}`;
}

/** A path as a word of a command, with "./" if it begins with a hyphen and would be taken for an option. */
function pathForShell(path: string, system = here): string {
  return quoteForShell(path.startsWith('-') ? `.${system === 'win32' ? '\\' : '/'}${path}` : path, system);
}
