/** Commands on Windows, where npm is a batch file, which only cmd.exe can start, not Node. execa knows how to quote for it. */
type WindowsCommand = {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Its standard input; by default that of this process. */
  readonly input?: string;
};

/** The exit code on Windows of a program that was ended by Ctrl-C. */
const endedByControlC = 0xc000013a;

/** Runs a command to its end, at the terminal of this process. Returns its exit code; rejects if it cannot be started. */
export async function runOnWindows({ file, args, env, cwd, input }: WindowsCommand): Promise<number> {
  const { execa } = await import('execa');
  const { exitCode, cause } = await execa(file, args, {
    env,
    extendEnv: false,
    ...(input === undefined ? { stdin: 'inherit' } : { input }),
    stdout: 'inherit',
    stderr: 'inherit',
    ...(cwd !== undefined && { cwd }),
    reject: false,
    windowsHide: false,
  });
  if (exitCode === undefined) throw cause;
  return exitCode === endedByControlC ? 130 : exitCode;
}
