/** Runs commands on Windows. npm is a batch file there, which only cmd.exe can start; execa knows how to quote for it. */
import { basename, resolve } from 'node:path';
import { statusAt } from '../../files/open-regular.ts';

export type Job = {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The text of its standard input; by default, it has that of this process. */
  readonly input?: string;
};

/** Finds a command as cmd.exe does: in the current folder, then in PATH, with the extensions of PATHEXT. Names in `env` may be in any case. */
export function findOnWindows(
  name: string,
  env: Readonly<Record<string, string>>,
): { readonly file: string } | 'missing' {
  const endings = readVariable(env, 'PATHEXT') || '.COM;.EXE;.BAT;.CMD';
  const names = [...(basename(name).includes('.') ? [name] : []), ...endings.split(';').map((ending) => name + ending)];
  const folders = /[\\/:]/.test(name) ? ['.'] : ['.', ...readVariable(env, 'PATH').split(';')];
  for (const folder of folders) {
    const file = names.map((each) => resolve(folder, each)).find((path) => statusAt(path)?.isFile());
    if (file !== undefined) return { file };
  }
  return 'missing';
}

function readVariable(env: Readonly<Record<string, string>>, name: string): string {
  return Object.entries(env).find(([each]) => each.toUpperCase() === name)?.[1] ?? '';
}

/** The exit code on Windows of a program that was ended by Ctrl-C. */
const endedByControlC = 0xc000013a;

/** Runs a command to its end, at the terminal of this process. Returns its exit code; rejects if it cannot be started. */
export async function runOnWindows({ file, args, env, cwd, input }: Job): Promise<number> {
  const { execa } = await import('execa');
  const { exitCode, cause } = await execa(file, args, {
    env,
    extendEnv: false,
    ...(input === undefined ? { stdin: 'inherit' } : { input }),
    stdout: 'inherit',
    stderr: 'inherit',
    cwd,
    reject: false,
    windowsHide: false,
  });
  if (exitCode === undefined) throw cause;
  return exitCode === endedByControlC ? 130 : exitCode;
}
