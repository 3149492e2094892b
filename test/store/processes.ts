import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const made: string[] = [];
const running = new Set<ChildProcess>();

/** A fresh folder that nobody else can look into. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  made.push(folder);
  chmodSync(folder, 0o700);
  return folder;
}

/** Ends the children that still run, and removes the folders. */
export function tidy(): void {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Bundles child.ts and gives the path of the program. */
export async function buildChild(): Promise<string> {
  const folder = freshFolder();
  const file = join(folder, 'child.cjs');
  const bundle = await rolldown({ input: join(import.meta.dirname, 'child.ts'), platform: 'node', logLevel: 'silent' });
  await bundle.write({ file, format: 'cjs', codeSplitting: false });
  await bundle.close();
  return file;
}

export type Started = {
  readonly child: ChildProcess;
  /** The next line of stdout; fails at its end. */
  readonly line: () => Promise<string>;
  /** The last line, as JSON; fails with what stderr says where there is none. */
  readonly told: () => Promise<object>;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null; readonly stderr: string }>;
};

/** Starts a program with the store and a home in `folder`, and nothing else in its environment. */
export function start(command: readonly string[], folder: string): Started {
  const [program = '', ...words] = command;
  const child = spawn(program, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
    env: { PATH: process.env.PATH, HOME: folder, IIOT_CONFIG_DIR: folder },
  });
  running.add(child);
  child.on('close', () => running.delete(child));
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (bytes) => (stdout += bytes));
  child.stderr.on('data', (bytes) => (stderr += bytes));
  const ended: Started['ended'] = new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stderr }));
  });
  const line = async (): Promise<string> => {
    while (!stdout.includes('\n'))
      await Promise.race([once(child.stdout, 'data'), ended.then(() => Promise.reject(new Error(stderr)))]);
    const end = stdout.indexOf('\n');
    const first = stdout.slice(0, end);
    stdout = stdout.slice(end + 1);
    return first;
  };
  const told = async (): Promise<object> => {
    await ended;
    const last = stdout.trimEnd().split('\n').at(-1);
    if (!last) throw new Error(`The child told nothing. ${stderr}`);
    return JSON.parse(last);
  };
  return { child, line, told, ended };
}
