/** A folder in which the program runs as in somebody's home: with its own settings and temporary files, so that anything left behind is visible. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
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
import { openTerminal, type TerminalOptions } from './pseudo-terminal.ts';

export type Home = ReturnType<typeof openHome>;
export type Begun = ReturnType<typeof begun>;
type Env = Readonly<Record<string, string>>;

/** What a shell finds as `iiot`. */
const script = `#!/bin/sh\nexec ${[programFile, ...programWords].map((word) => `'${word}'`).join(' ')} "$@"\n`;

export function openHome(given: () => Env = () => ({})) {
  const folder = mkdtempSync(join(tmpdir(), 'iiot-test-'));
  const at = (...names: readonly string[]) => join(folder, ...names);
  for (const name of ['tmp', 'bin']) mkdirSync(at(name), { mode: 0o700 });
  writeFileSync(at('bin/iiot'), script, { mode: 0o755 });
  const running: Begun[] = [];
  const PATH = [at('bin'), process.env.PATH].join(delimiter);
  const env = (own?: Env): Env => ({ ...cleanEnvironment(folder), PATH, TMPDIR: at('tmp'), ...given(), ...own });
  return {
    folder,
    /** The settings and logins of the program, which are not there yet. */
    settings: at('iiot'),
    /** The variables that the program gets. */
    get env() {
      return env();
    },
    /** The names in the folder of temporary files. */
    left: (): readonly string[] => readdirSync(at('tmp')),
    /** The path of a name. */
    at,
    /** Writes a file of its owner alone, in a folder that is made if necessary, and gives its path. */
    file(name: string, content: string | Uint8Array): string {
      mkdirSync(dirname(at(name)), { recursive: true, mode: 0o700 });
      writeFileSync(at(name), content, { mode: 0o600 });
      return at(name);
    },
    read: (name: string) => readFileSync(at(name), 'utf8'),
    /** Runs `iiot` with words to its end; by default in the folder. */
    iiot: (words: readonly string[], options: ProgramOptions = {}) =>
      runProgram(words, { cwd: folder, ...options, env: env(options.env) }),
    /** Runs it in a terminal. */
    terminal: (words: readonly string[], options: TerminalOptions = {}) =>
      openTerminal(programFile, [...programWords, ...words], { cwd: folder, ...options, env: env(options.env) }),
    /** Runs another program to its end, in the folder and with the same variables; it finds `iiot` in PATH. */
    async run(
      [file = '', ...words]: readonly string[],
      options: Pick<ProgramOptions, 'env' | 'input' | 'cwd'> = {},
    ): Promise<ProgramRun> {
      const { exitCode, stdout, stderr } = await execa(file, words, {
        cwd: options.cwd ?? folder,
        env: env(options.env),
        extendEnv: false,
        input: options.input ?? '',
        reject: false,
        stripFinalNewline: false,
        timeout: 250_000,
      });
      return { exit: exitCode, stdout, stderr };
    },
    /** Starts `iiot`, and returns while it is running. */
    begin(words: readonly string[], options: Pick<ProgramOptions, 'env' | 'input'> = {}): Begun {
      const child = spawn(programFile, [...programWords, ...words], { cwd: folder, env: { ...env(), ...options.env } });
      child.stdin.on('error', () => undefined).end(options.input ?? ''); // it may be killed before it reads
      const one = begun(child);
      running.push(one);
      return one;
    },
    /** Ends everything that is still running, and removes the folder. */
    async leave() {
      for (const { child, ended } of running) {
        child.kill('SIGKILL');
        await ended;
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function begun(child: ChildProcessWithoutNullStreams) {
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
    let text = '';
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    return () => text;
  }) as [() => string, () => string];
  const ended: Promise<{ exit: number | null; signal: NodeJS.Signals | null }> = once(child, 'close').then(
    ([exit, signal]) => ({ exit, signal }),
  );
  return { child, stdout, stderr, ended };
}

/** An empty home for each test. The program is run there with the variables that `env` gives at that moment. */
export function homeForEach(env?: () => Env): Home {
  return madeForEach(() => openHome(env));
}

/** A home for all tests. */
export function homeForAll(env?: () => Env): Home {
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
