/** Runs the built program as a process: its output, and how it ends. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { mustBeListed } from './listed.ts';

/** The Node that runs the built program: IIOT_TEST_NODE, by default the one that runs the tests. */
export const nodeBinary = process.env.IIOT_TEST_NODE ?? process.execPath;

/** The single-file executable to test instead of the built program: IIOT_TEST_EXECUTABLE. */
export const executable = process.env.IIOT_TEST_EXECUTABLE;

/** The target of a link named `iiot`, for a shell that finds the program in PATH. */
export const linkedFile = resolve(executable ?? 'bin/iiot.js');

/** The words that start the program, before its own; for a pseudo-terminal or a child process of a test. */
export const [programFile, ...programWords]: readonly [string, ...string[]] =
  executable === undefined ? [nodeBinary, resolve('bin/iiot.js')] : [resolve(executable)];

export type ProgramOptions = {
  /** In addition to PATH, and a separate HOME and IIOT_CONFIG_DIR; no other variable of this process is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** Its standard input; empty by default. */
  readonly input?: string | Uint8Array;
  readonly cwd?: string;
  /** Milliseconds until it is killed; 100 s by default: only what hangs takes as long. */
  readonly timeout?: number;
  /** The signal that kills it; SIGTERM by default. */
  readonly killSignal?: NodeJS.Signals;
  /** Options for Node itself, before the script; the single-file executable gets them through NODE_OPTIONS. */
  readonly node?: readonly string[];
};

export type ProgramRun = {
  readonly stdout: string;
  readonly stderr: string;
  /** Undefined if it was ended by a signal. */
  readonly exit: number | undefined;
};

/** Runs the program to its end, with its own home and settings. Throws if it does not end in time. */
export async function runProgram(args: readonly string[], options: ProgramOptions = {}): Promise<ProgramRun> {
  const { env = {}, input = '', cwd, timeout = 250_000, killSignal = 'SIGTERM', node = [] } = options;
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
    mustBeListed(args, run.exitCode);
    return { stdout: run.stdout, stderr: run.stderr, exit: run.exitCode };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Shared by all tests except those of the code cache, because most of the time of a short run would be spent compiling. */
export const sharedCache = resolve('node_modules/.cache/iiot-tests');

/** The environment of a machine without settings for the program; `home` is an empty folder. */
export function cleanEnvironment(home: string): Readonly<Record<string, string>> {
  return { PATH: process.env.PATH ?? '', HOME: home, XDG_CACHE_HOME: sharedCache, IIOT_CONFIG_DIR: join(home, 'iiot') };
}
