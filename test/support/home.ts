/** A folder in which the program runs as in somebody's home: with its own settings and temporary files, so that anything left behind is visible. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { ids } from '../../src/sandbox/world/ids.ts';
import { madeForAll, madeForEach } from './fixtures.ts';
import {
  cleanEnvironment,
  type ProgramOptions,
  type ProgramRun,
  programFile,
  programWords,
  runProgram,
} from './program.ts';
import { openTerminal, type TerminalOptions, type TerminalSession } from './pseudo-terminal.ts';

export type Home = {
  readonly folder: string;
  /** The settings and logins of the program, which are not there yet. */
  readonly settings: string;
  /** The variables that the program gets. */
  readonly env: Readonly<Record<string, string>>;
  /** The names in the folder of temporary files. */
  left(): readonly string[];
  /** The path of a name. */
  at(...names: readonly string[]): string;
  /** Writes a file of its owner alone, in a folder that is made if necessary, and gives its path. */
  file(name: string, content: string | Uint8Array): string;
  read(name: string): string;
  /** Runs `iiot` with words to its end; by default in the folder. */
  iiot(words: readonly string[], options?: ProgramOptions): Promise<ProgramRun>;
  /** Runs it in a terminal. */
  terminal(words: readonly string[], options?: TerminalOptions): TerminalSession;
  /** Runs another program to its end, in the folder and with the same variables; it finds `iiot` in PATH. */
  run(command: readonly string[], options?: Pick<ProgramOptions, 'env' | 'input' | 'cwd'>): Promise<ProgramRun>;
  /** Starts `iiot`, by default directly, and returns while it is running. */
  begin(words: readonly string[], by?: readonly string[]): Begun;
  /** Ends everything that is still running, and removes the folder. */
  leave(): Promise<void>;
};

export type Begun = {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<{ readonly exit: number | null; readonly signal: NodeJS.Signals | null }>;
};

/** What a shell finds as `iiot`. */
const script = `#!/bin/sh\nexec ${[programFile, ...programWords].map((word) => `'${word}'`).join(' ')} "$@"\n`;

export function openHome(given: () => Readonly<Record<string, string>> = () => ({})): Home {
  const folder = mkdtempSync(join(tmpdir(), 'iiot-test-'));
  const at: Home['at'] = (...names) => join(folder, ...names);
  for (const name of ['tmp', 'bin']) mkdirSync(at(name), { mode: 0o700 });
  writeFileSync(at('bin/iiot'), script, { mode: 0o755 });
  const begun: Begun[] = [];
  const PATH = [at('bin'), process.env.PATH].join(delimiter);
  const env = () => ({ ...cleanEnvironment(folder), PATH, TMPDIR: at('tmp'), ...given() });
  return {
    folder,
    settings: at('iiot'),
    get env() {
      return env();
    },
    left: () => readdirSync(at('tmp')),
    at,
    file(name, content) {
      mkdirSync(dirname(at(name)), { recursive: true, mode: 0o700 });
      writeFileSync(at(name), content, { mode: 0o600 });
      return at(name);
    },
    read: (name) => readFileSync(at(name), 'utf8'),
    iiot: (words, options = {}) => runProgram(words, { cwd: folder, ...options, env: { ...env(), ...options.env } }),
    terminal: (words, options = {}) =>
      openTerminal(programFile, [...programWords, ...words], {
        cwd: folder,
        ...options,
        env: { ...env(), ...options.env },
      }),
    async run([file = '', ...words], options = {}) {
      const { exitCode, stdout, stderr } = await execa(file, words, {
        cwd: options.cwd ?? folder,
        env: { ...env(), ...options.env },
        extendEnv: false,
        input: options.input ?? '',
        reject: false,
        stripFinalNewline: false,
        timeout: 250_000,
      });
      return { exit: exitCode, stdout, stderr };
    },
    begin(words, by = []) {
      const one = begin([...by, programFile, ...programWords, ...words], folder, env());
      begun.push(one);
      return one;
    },
    async leave() {
      for (const { child, ended } of begun) {
        child.kill('SIGKILL');
        await ended;
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function begin([file = '', ...words]: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Begun {
  const child = spawn(file, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
    let text = '';
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    return () => text;
  }) as [() => string, () => string];
  const ended = once(child, 'close').then(([exit, signal]) => ({ exit, signal }));
  return { child, stdout, stderr, ended };
}

/** An empty home for each test. The program is run there with the variables that `env` gives at that moment. */
export function homeForEach(env?: () => Readonly<Record<string, string>>): Home {
  return madeForEach(() => openHome(env));
}

/** A home for all tests. */
export function homeForAll(env?: () => Readonly<Record<string, string>>): Home {
  return madeForAll(() => openHome(env));
}

/** The variables of a machine that works with an embedded platform. */
export function machineOf({ url }: { readonly url: string }) {
  return {
    IIOT_BASE_URL: url,
    IIOT_ORG: ids.root,
    IIOT_CLIENT_ID: ids.clientId,
    IIOT_CLIENT_SECRET: ids.clientSecret,
  } as const;
}
