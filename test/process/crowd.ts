/** Many processes of the built program at one store, released together. */
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Begun, openHome } from '../support/home.ts';
import { until } from '../support/waiting.ts';

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
  /** IIOT_CONFIG_DIR, which is not there yet. */
  readonly folder: string;
  /** Puts profiles and logins at a platform into the store. */
  keep(base: string, profiles: object, logins: Readonly<Record<string, object>>): void;
  /** Starts the program once. */
  start(args: readonly string[], own?: Own): Member;
  /** Starts it so many times; gives them when all of them stand before the first opening of `file`, and what lets them go on. */
  gather(count: number, args: (index: number) => readonly string[], file: string, own?: Own): Promise<Crowd>;
  /** Ends what still runs, and removes the home. */
  leave(): Promise<void>;
};

export type Own = { readonly env?: Readonly<Record<string, string>>; readonly input?: string };
type Crowd = { readonly members: readonly Member[]; readonly release: () => void };

// In quotation marks: Node splits its options at blanks.
const gatePreload = `--require ${JSON.stringify(resolve('test/process/gate.cjs'))}`;

export function crowdHome(): CrowdHome {
  const home = openHome();
  const start: CrowdHome['start'] = (args, { env, ...own } = {}) =>
    // The one-file program gets words for Node by this variable alone.
    memberOf(home.begin(args, { ...own, env: { NODE_OPTIONS: gatePreload, ...env } }));
  return {
    folder: home.settings,
    start,
    keep(base, profiles, logins) {
      const whole = Object.entries(logins).map(([name, login]) => [name, { origin: base, base, ...login }]);
      put(home.settings, 'config.json', { version: 1, current: 'default', profiles });
      put(home.settings, 'credentials.json', { version: 1, logins: Object.fromEntries(whole) });
    },
    async gather(count, args, file, own = {}) {
      const gate = mkdtempSync(home.at('gate-'));
      const env = { ...own.env, TEST_GATE: gate, TEST_GATE_FILE: file };
      const members = Array.from({ length: count }, (_, index) => start(args(index), { ...own, env }));
      const ended = Promise.race(members.map((member) => member.ended)).then(({ exit, stderr }) => {
        throw new Error(`It ended with ${exit} before it opened ${file}: ${stderr}`);
      });
      const standing = until('all stand at the gate', () => readdirSync(gate).length >= count, 250_000);
      await Promise.race([standing, ended]);
      return { members, release: () => writeFileSync(join(gate, 'open'), '') };
    },
    leave: home.leave,
  };
}

function memberOf({ child, stdout, stderr, ended }: Begun): Member {
  return {
    pid: child.pid ?? 0,
    kill: () => void child.kill('SIGKILL'),
    async said(pattern) {
      await until(`it says ${pattern}`, () => pattern.test(stderr()) || child.exitCode !== null);
      if (!pattern.test(stderr())) throw new Error(`It never said ${pattern}: ${stderr()}`);
      return stderr();
    },
    ended: ended.then(({ exit, signal }) => ({
      stdout: stdout(),
      stderr: stderr(),
      exit: exit ?? signal ?? 'unknown',
    })),
  };
}

/** Puts a file into the store as a person would: private, its folder too. */
export function put(folder: string, name: string, content: unknown): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, name), `${JSON.stringify(content)}\n`, { mode: 0o600 });
}
