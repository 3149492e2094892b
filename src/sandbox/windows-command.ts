/** Commands on Windows: npm is a batch file there, which Node does not start and cmd.exe does. execa knows the quoting for it. */
type WindowsCommand = {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Its standard input; the one of this process unless given. */
  readonly input?: string;
};

/** How Windows tells that Ctrl-C has ended a program. */
const endedByControlC = 0xc000013a;

/** Runs a command to its end, at the terminal of this process. Gives its exit code; rejects where it cannot be started. */
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
