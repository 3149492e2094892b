/** The built program on Windows, in a separate folder for each test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnvironment, type ProgramRun, programFile, programWords, runProgram } from './program.ts';
import { openTerminal, type TerminalSession } from './pseudo-terminal.ts';

type Variables = Readonly<Record<string, string>>;

export type Computer = {
  readonly folder: string;
  /** The Windows path of a name in the folder. */
  path(name: string): string;
  file(name: string, text: string): string;
  read(name: string): string;
  iiot(words: readonly string[], env?: Variables, input?: string): Promise<ProgramRun>;
  /** Starts it and returns while it is running. */
  begin(words: readonly string[], env?: Variables): Running;
  /** Starts it at a terminal. */
  sit(words: readonly string[], env?: Variables): TerminalSession;
  /** Ends everything that is still running, and removes the folder. */
  leave(): Promise<void>;
};

type Running = {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<ProgramRun>;
};

/** The Windows form of a path of the host system. */
export function windowsPath(path: string): string {
  return `Z:${path.replaceAll('/', '\\')}`;
}

/** Node for Windows, as a Windows path. */
export const windowsNode = windowsPath(process.env.IIOT_TEST_NODE_WINDOWS ?? '');

export function openComputer(): Computer {
  const folder = mkdtempSync(join(tmpdir(), 'iiot-test-'));
  mkdirSync(join(folder, 'tmp'));
  const path = (name: string) => windowsPath(join(folder, name));
  const own = { IIOT_CONFIG_DIR: path('iiot'), WINDOWS_TEMP: path('tmp'), WINDOWS_TMP: path('tmp') };
  const running: Running[] = [];
  return {
    folder,
    path,
    file(name, text) {
      writeFileSync(join(folder, name), text);
      return path(name);
    },
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    iiot: (words, env = {}, input = '') =>
      runProgram(words, { cwd: folder, env: { ...own, ...env }, input, timeout: 200_000 }),
    begin(words, env = {}) {
      const one = begin(words, folder, { ...cleanEnvironment(folder), ...own, ...env });
      running.push(one);
      return one;
    },
    sit(words, env = {}) {
      const terminal = process.env.IIOT_TEST_NODE_CONSOLE ?? programFile;
      return openTerminal(terminal, [...programWords, ...words], {
        cwd: folder,
        env: { ...cleanEnvironment(folder), ...own, ...env },
      });
    },
    async leave() {
      for (const { child, ended } of running) {
        child.kill('SIGKILL');
        await ended;
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function begin(words: readonly string[], cwd: string, env: Variables): Running {
  const child = spawn(programFile, [...programWords, ...words], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close').then(([exit]) => ({ stdout, stderr, exit: exit ?? undefined }));
  return { child, stdout: () => stdout, stderr: () => stderr, ended };
}
