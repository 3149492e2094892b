/** Many processes of the built program at one store, released together. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanEnvironment, programFile, programWords } from '../support/program.ts';

export type Ended = {
  readonly stdout: string;
  readonly stderr: string;
  /** The exit code, or the signal's name. */
  readonly exit: number | string;
};

export type Member = {
  readonly pid: number;
  readonly kill: () => void;
  /** Its stderr, as soon as that matches; fails where the process ends before. */
  readonly said: (pattern: RegExp) => Promise<string>;
  readonly ended: Promise<Ended>;
};

export type CrowdHome = {
  readonly home: string;
  /** IIOT_CONFIG_DIR, which is not there yet. */
  readonly folder: string;
  /** Puts profiles and logins at a platform into the store. */
  keep(base: string, profiles: object, logins: Readonly<Record<string, object>>): void;
  /** Starts the program once. */
  start(args: readonly string[], own?: Own): Member;
  /** Starts it so many times; gives them when all of them stand before the first opening of `file`, and what lets them go on. */
  gather(count: number, args: (index: number) => readonly string[], file: string, own?: Own): Promise<Crowd>;
  /** Ends what still runs, and removes the home. */
  leave(): void;
};

export type Own = { readonly env?: Readonly<Record<string, string>>; readonly input?: string };
type Crowd = { readonly members: readonly Member[]; readonly release: () => void };

// In quotation marks: Node splits its options at blanks.
const gatePreload = `--require ${JSON.stringify(resolve('test/process/gate.cjs'))}`;

export function crowdHome(): CrowdHome {
  const home = mkdtempSync(join(tmpdir(), 'iiot-many-'));
  const folder = join(home, 'iiot');
  const running = new Set<ChildProcess>();
  const start: CrowdHome['start'] = (args, own = {}) => startIn(home, running, args, own);
  return {
    home,
    folder,
    start,
    keep(base, profiles, logins) {
      const whole = Object.entries(logins).map(([name, login]) => [name, { origin: base, base, ...login }]);
      put(folder, 'config.json', { version: 1, current: 'default', profiles });
      put(folder, 'credentials.json', { version: 1, logins: Object.fromEntries(whole) });
    },
    async gather(count, args, file, own = {}) {
      const gate = mkdtempSync(join(home, 'gate-'));
      const env = { ...own.env, TEST_GATE: gate, TEST_GATE_FILE: file };
      const members = Array.from({ length: count }, (_, index) => start(args(index), { ...own, env }));
      const ended = Promise.race(members.map((member) => member.ended)).then(({ exit, stderr }) => {
        throw new Error(`It ended with ${exit} before it opened ${file}: ${stderr}`);
      });
      const standing = async () => {
        while (readdirSync(gate).length < count) await sleep(10);
      };
      await Promise.race([standing(), ended]);
      return { members, release: () => writeFileSync(join(gate, 'open'), '') };
    },
    leave() {
      for (const child of running) child.kill('SIGKILL');
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function startIn(
  home: string,
  running: Set<ChildProcess>,
  args: readonly string[],
  { env = {}, input = '' }: Own,
): Member {
  const child = spawn(programFile, [...programWords, ...args], {
    // The one-file program gets words for Node by this variable alone.
    env: { ...cleanEnvironment(home), NODE_OPTIONS: gatePreload, ...env },
    cwd: '/',
  });
  running.add(child);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (bytes) => (stdout += bytes));
  child.stderr.on('data', (bytes) => (stderr += bytes));
  child.stdin.on('error', () => undefined); // killed before it read
  child.stdin.end(input);
  const ended = new Promise<Ended>((done, fail) => {
    child.on('error', fail);
    child.on('close', (code, signal) => {
      running.delete(child);
      done({ stdout, stderr, exit: code ?? signal ?? 'unknown' });
    });
  });
  const said = async (pattern: RegExp) => {
    while (!pattern.test(stderr)) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`It never said ${pattern}: ${stderr}`);
      await sleep(10);
    }
    return stderr;
  };
  return { pid: child.pid ?? 0, kill: () => void child.kill('SIGKILL'), said, ended };
}

/** Puts a file into the store as a person would: private, its folder too. */
export function put(folder: string, name: string, content: unknown): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, name), `${JSON.stringify(content)}\n`, { mode: 0o600 });
}
