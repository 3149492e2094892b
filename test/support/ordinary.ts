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
export type Account = ReturnType<typeof freshAccount>;

const homes: string[] = [];
const made: { reachable?: string; cache?: string } = {};

function newFolder(mode = 0o700): string {
  const folder = mkdtempSync(join(tmpdir(), 'iiot-faults-'));
  chmodSync(folder, mode);
  homes.push(folder);
  return folder;
}

/** The program where everybody can reach it: other versions of Node are kept in a home, and so root's are closed to others. */
function reachableProgram(): string {
  const isOpen = (path: string): boolean =>
    (statSync(path).mode & 0o001) !== 0 && (path === dirname(path) || isOpen(dirname(path)));
  if (process.getuid?.() !== 0 || isOpen(programFile)) return programFile;
  if (made.reachable !== undefined) return made.reachable;
  made.reachable = join(newFolder(0o755), 'node');
  try {
    linkSync(programFile, made.reachable);
  } catch {
    copyFileSync(programFile, made.reachable);
  }
  return made.reachable;
}

/** Where the ordinary user's compiled code is kept, for all homes: compiling it anew in each took most of the time. */
function ordinaryCache(): string {
  if (made.cache === undefined) {
    made.cache = newFolder();
    chownSync(made.cache, ordinary, ordinary);
  }
  return made.cache;
}

/** Removes the homes. */
export function tidyHomes(): void {
  for (const folder of homes.splice(0)) removeAll(folder);
  Object.assign(made, { reachable: undefined, cache: undefined });
}

/** An account with an empty home. */
export function freshAccount({ base }: RotatingPlatform) {
  const home = newFolder();
  /** A file in the folder of the store, which is not there yet. */
  const path = (name = '') => join(home, '.config', 'iiot', name);
  const own = (each: string) => chownSync(each, ordinary, ordinary);
  own(home);
  const plain = (text: string) =>
    text
      .replaceAll(home, '~')
      .replaceAll(base, '<base>')
      .replaceAll(/broken-\d+/g, 'broken-<ms>');
  /** Runs the program; in its output the home is `~`, the platform is `<base>`, and times in names are `<ms>`. */
  async function run(args: readonly string[], { env = {}, around = 'exec "$@"', uid = ordinary }: Around = {}) {
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
  }
  return {
    home,
    path,
    own,
    run,
    /** Puts a file of the account into the store, and makes that where it is missing. */
    put(name: string, content: string) {
      mkdirSync(path(), { recursive: true, mode: 0o700 });
      writeFileSync(path(name), content, { mode: 0o600 });
      for (const each of [join(home, '.config'), path(), path(name)]) own(each);
    },
    /** Its profiles or logins. */
    readJson: (name: string): { readonly logins?: Logins } => JSON.parse(readFileSync(path(name), 'utf8')),
    /** Logs in as the machine that the platform knows. */
    login: (around?: Around) =>
      run(['login', 'm2m', '--base-url', base, '--client-id', 'robot', '--client-secret-stdin'], around),
    /** The same credential in variables. */
    robot: { IIOT_BASE_URL: base, IIOT_CLIENT_ID: 'robot', IIOT_CLIENT_SECRET: 'robot-secret' },
  };
}
