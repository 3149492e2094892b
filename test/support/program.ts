/** The built program as a process: what it prints, and how it ends. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';

/** The Node that runs the built program: IIOT_TEST_NODE, else the one that runs the tests. */
export const nodeBinary = process.env.IIOT_TEST_NODE ?? process.execPath;

/** The one-file program that is tried in place of the built one, where there is one: IIOT_TEST_EXECUTABLE. */
export const executable = process.env.IIOT_TEST_EXECUTABLE;

/** What a link named `iiot` leads to, for a shell that finds the program by its PATH. */
export const linkedFile = resolve(executable ?? 'bin/iiot.js');

/** What starts the program, before its own words; for a pseudo-terminal or a child of a test's own. */
export const [programFile, ...programWords]: readonly [string, ...string[]] =
  executable === undefined ? [nodeBinary, resolve('bin/iiot.js')] : [resolve(executable)];

/**
 * For tests that press keys in a shell of others or kill a process at a moment of chance: a machine of CI is shared, and may be late with
 * either. They get a second and a third try there, and only there; all other tests get none.
 */
export const onBusyMachine = { retry: process.env.CI ? 2 : 0 } as const;

export type ProgramOptions = {
  /** Beside PATH, a HOME of its own and an IIOT_CONFIG_DIR of its own; nothing else of this process is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** Its standard input; empty unless told. */
  readonly input?: string | Uint8Array;
  readonly cwd?: string;
  /** Milliseconds until it is killed; 20 s unless told. */
  readonly timeout?: number;
  /** What ends it then: SIGTERM unless told. */
  readonly killSignal?: NodeJS.Signals;
  /** Words for Node itself, before the script; the one-file program gets them by NODE_OPTIONS. */
  readonly node?: readonly string[];
};

export type ProgramRun = {
  readonly stdout: string;
  readonly stderr: string;
  /** Undefined where a signal ended it. */
  readonly exit: number | undefined;
};

/** Runs the program to its end, in a home and with settings of its own. Throws where it does not end in time. */
export async function runProgram(args: readonly string[], options: ProgramOptions = {}): Promise<ProgramRun> {
  const { env = {}, input = '', cwd, timeout = 20_000, killSignal = 'SIGTERM', node = [] } = options;
  const home = await mkdtemp(join(tmpdir(), 'iiot-test-'));
  try {
    const isOneFile = executable !== undefined && node.length > 0;
    const run = await execa(programFile, [...(isOneFile ? [] : node), ...programWords, ...args], {
      env: { ...cleanEnvironment(home), ...env, ...(isOneFile && { NODE_OPTIONS: node.join(' ') }) },
      extendEnv: false,
      input,
      reject: false,
      stripFinalNewline: false,
      timeout,
      killSignal,
      ...(cwd !== undefined && { cwd }),
    });
    if (run.timedOut) throw new Error(`iiot ${args.join(' ')} did not end within ${timeout} ms.\n${run.stderr}`);
    if (run.exitCode === undefined && run.signal === undefined) throw run;
    return { stdout: run.stdout, stderr: run.stderr, exit: run.exitCode };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Compiled code is shared by all tests but those of the code cache: compiling it anew took most of the time of a short run. */
export const sharedCache = resolve('node_modules/.cache/iiot-tests');

/** The variables of a machine on which the program has no settings; `home` is an empty folder. */
export function cleanEnvironment(home: string): Readonly<Record<string, string>> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_CACHE_HOME: sharedCache,
    IIOT_CONFIG_DIR: join(home, 'iiot'),
  };
}
