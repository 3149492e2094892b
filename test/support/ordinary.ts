/** The program as somebody runs it whom modes stop. */
import {
  chmodSync,
  chownSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import type { RotatingPlatform } from '../process/rotating.ts';
import { type ProgramRun, programFile, programWords } from './program.ts';
import { removeAll } from './remove.ts';

/** The user id of somebody whom modes stop: our own, or `nobody` where we are root. */
export const ordinary = process.getuid?.() || 65534;

export const loggedIn: ProgramRun = { stdout: '', stderr: 'Logged in to <base> as robot (profile default)\n', exit: 0 };

/** An end with 1 that says these lines. */
export function failed(...lines: string[]): ProgramRun {
  return { stdout: '', stderr: lines.map((line) => `${line}\n`).join(''), exit: 1 };
}

export type Around = {
  readonly env?: Readonly<Record<string, string>>;
  /** A line of the shell that runs the program as "$@". */
  readonly around?: string;
  readonly uid?: number;
};

type Logins = { readonly default?: { readonly accessToken?: string } };

export type Account = {
  /** An empty home. */
  readonly home: string;
  /** A file in the folder of the store, which is not there yet. */
  readonly path: (name?: string) => string;
  /** Puts a file of the account into the store, and makes that where it is missing. */
  readonly put: (name: string, content: string) => void;
  readonly own: (path: string) => void;
  /** As `ls` has it: 600. */
  readonly modeOf: (name: string) => string;
  /** Its profiles or logins. */
  readonly readJson: (name: string) => { readonly profiles?: object; readonly logins?: Logins };
  /** Runs the program; in its output the home is `~`, the platform is `<base>`, and times in names are `<ms>`. */
  readonly run: (args: readonly string[], around?: Around) => Promise<ProgramRun>;
  /** Logs in as the machine that the platform knows. */
  readonly login: (around?: Around) => Promise<ProgramRun>;
  /** The same credential in variables. */
  readonly robot: Readonly<Record<string, string>>;
};

const homes: string[] = [];

/** The program where everybody can reach it: other versions of Node are kept in a home, and so root's are closed to others. */
let reachable: string | undefined;

function reachableProgram(): string {
  const isOpen = (path: string): boolean =>
    (statSync(path).mode & 0o001) !== 0 && (path === dirname(path) || isOpen(dirname(path)));
  if (process.getuid?.() !== 0 || isOpen(programFile)) return programFile;
  if (reachable !== undefined) return reachable;
  const folder = mkdtempSync(join(tmpdir(), 'iiot-reachable-'));
  homes.push(folder);
  chmodSync(folder, 0o755);
  reachable = join(folder, 'node');
  try {
    linkSync(programFile, reachable);
  } catch {
    copyFileSync(programFile, reachable);
  }
  return reachable;
}

/** Where the ordinary user's compiled code is kept, for all homes: compiling it anew in each took most of the time. */
let cache: string | undefined;

function ordinaryCache(): string {
  if (cache !== undefined) return cache;
  cache = mkdtempSync(join(tmpdir(), 'iiot-cache-'));
  chownSync(cache, ordinary, ordinary);
  homes.push(cache);
  return cache;
}

/** Removes the homes. */
export function tidyHomes(): void {
  for (const folder of homes.splice(0)) removeAll(folder);
  reachable = undefined;
  cache = undefined;
}

export function freshAccount({ base }: RotatingPlatform): Account {
  const home = mkdtempSync(join(tmpdir(), 'iiot-faults-'));
  homes.push(home);
  const path = (name = '') => join(home, '.config', 'iiot', name);
  const own = (each: string) => chownSync(each, ordinary, ordinary);
  own(home);
  const plain = (text: string) =>
    text
      .replaceAll(home, '~')
      .replaceAll(base, '<base>')
      .replaceAll(/broken-\d+/g, 'broken-<ms>');
  const run: Account['run'] = async (args, { env = {}, around = 'exec "$@"', uid = ordinary } = {}) => {
    const ran = await execa('/bin/sh', ['-c', around, 'sh', reachableProgram(), ...programWords, ...args], {
      env: { PATH: process.env.PATH ?? '', HOME: home, XDG_CACHE_HOME: ordinaryCache(), ...env },
      extendEnv: false,
      cwd: '/',
      uid,
      gid: uid,
      input: 'robot-secret',
      reject: false,
      stripFinalNewline: false,
      timeout: 250_000,
    });
    if (ran.exitCode === undefined) throw ran;
    return { stdout: plain(ran.stdout), stderr: plain(ran.stderr), exit: ran.exitCode };
  };
  return {
    home,
    path,
    own,
    run,
    put(name, content) {
      mkdirSync(path(), { recursive: true, mode: 0o700 });
      writeFileSync(path(name), content, { mode: 0o600 });
      for (const each of [join(home, '.config'), path(), path(name)]) own(each);
    },
    modeOf: (name) => (statSync(path(name)).mode & 0o777).toString(8),
    readJson: (name) => JSON.parse(readFileSync(path(name), 'utf8')),
    login: (around) =>
      run(['login', 'm2m', '--base-url', base, '--client-id', 'robot', '--client-secret-stdin'], around),
    robot: { IIOT_BASE_URL: base, IIOT_CLIENT_ID: 'robot', IIOT_CLIENT_SECRET: 'robot-secret' },
  };
}
