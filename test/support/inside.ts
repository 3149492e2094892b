/** A folder to rehearse in, where the program runs with its own temporary files, so that anything left behind is visible. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnvironment, type ProgramRun, programFile, programWords, runProgram } from './program.ts';

export type Place = {
  readonly folder: string;
  /** The names in the folder of temporary files. */
  left(): readonly string[];
  file(name: string, text: string): string;
  read(name: string): string;
  /** Runs `iiot` with words to its end; by default in the folder. */
  iiot(words: readonly string[], env?: Readonly<Record<string, string>>, cwd?: string): Promise<ProgramRun>;
  /** Starts it and returns while it is running. */
  begin(words: readonly string[]): Begun;
  /** Ends everything that is still running, and removes the folder. */
  leave(): Promise<void>;
};

type Begun = {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly ended: Promise<{ readonly exit: number | null; readonly signal: NodeJS.Signals | null }>;
};

export function openPlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'iiot-test-'));
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  const begun: Begun[] = [];
  const own = { TMPDIR: temporary, HOME: folder };
  return {
    folder,
    left: () => readdirSync(temporary),
    file: (name, text) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    },
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    iiot: (words, env = {}, cwd = folder) => runProgram(words, { cwd, env: { ...own, ...env } }),
    begin: (words) => {
      const one = begin(words, folder, { ...cleanEnvironment(folder), ...own });
      begun.push(one);
      return one;
    },
    leave: async () => {
      for (const { child, ended } of begun) {
        child.kill('SIGKILL');
        await ended;
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function begin(words: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Begun {
  const child = spawn(programFile, [...programWords, ...words], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const ended = once(child, 'exit').then(([exit, signal]) => ({ exit, signal }));
  return { child, stdout: () => text, ended };
}

/** Waits until a condition is true; fails after ten seconds, or the given number of milliseconds. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  milliseconds = 10_000,
): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`It never came to be that ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false; // no such process
  }
  return !isZombie(pid);
}

/** Whether it has ended, but its parent has not collected its status. */
function isZombie(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false; // no /proc on this system
  }
}

/** Whether anything listens at an address. */
export function isListening(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
