/**
 * A lock between processes that ends with its holder. The lock is a folder with one file, named after its owner, who touches it every 15 s. To take the
 * lock, a process makes a claim, a folder with its own file, and renames it to the lock: the system allows that only if the lock is missing or empty.
 * To remove a dead owner, exactly that owner's file is removed, so that nobody removes a later lock by mistake.
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../failure.ts';
import { capitalized } from '../text/capitalized.ts';
import { removeFolderCommand, showProcessHint } from '../text/shell-lines.ts';
import { codeOf, fileFailure, reporting } from './file-failure.ts';
import { ifSupported, setMode } from './file-system.ts';
import { fileNamesIn, openNew, openToChange, statusAt } from './open-regular.ts';
import { isDead, ownerOf, ownersName, stateOfOwner } from './owner.ts';

export type LockWait = {
  /** How long to wait for a running holder, in milliseconds. Where it is not known whether the holder runs, finding out takes up to 100 s. */
  readonly wait: number;
  /** Waits for a stopped process of this machine without end: it may hold a response that nobody can get again. */
  readonly sparesStopped?: boolean;
  /** Called once, after a second, with the holder: "process 12", or "a process in another container or on another machine (active 20 s ago)". */
  readonly onWait?: ((holder: string) => void) | undefined;
  /** Stops the wait, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
};

/** Who holds a lock: a process of this machine, or one elsewhere that was last seen active `quietFor` milliseconds ago. */
type Holder = { readonly pid?: number | undefined; readonly quietFor?: number | undefined };

export type Lock = {
  readonly release: () => void;
  /** False once another process has taken it over, because this one was stopped for a long time. */
  readonly isHeld: () => boolean;
};

type Claim = { readonly name: string; readonly folder: string; readonly madeAt: number; readonly startedAt: number };

const claimPrefix = '.claim-';

/** How often a holder touches its file, and how long one without a touch is believed to run, in milliseconds. */
const beat = 15_000;
const longestQuiet = 90_000;

/** Takes the lock `key` in the folder `locks`; `what` names it. Fails as `unavailable` if a running process keeps it beyond `wait`, else as `io`. */
export async function takeLock(locks: string, key: string, what: string, waiting: LockWait): Promise<Lock> {
  const lock = join(locks, key);
  const claim = reporting('lock', locks, () => makeClaim(locks, ownersName()));
  try {
    sweep(locks, claim);
    await untilTaken(claim, lock, what, waiting);
  } catch (error) {
    removeOwner(claim.folder, claim.name);
    removeOwner(lock, claim.name);
    throw waiting.signal?.aborted ? waiting.signal.reason : error;
  }
  const heart = setInterval(() => touchClaim(lock, claim), beat).unref();
  return {
    release() {
      clearInterval(heart);
      removeOwner(lock, claim.name);
    },
    isHeld: () => existsSync(join(lock, claim.name)),
  };
}

async function untilTaken(claim: Claim, lock: string, what: string, waiting: LockWait): Promise<void> {
  const { wait, onWait, signal, sparesStopped } = waiting;
  let announced = false;
  const watch = openWatch(sparesStopped);
  while (!reporting('lock', lock, () => take(claim, lock, watch))) {
    const waited = performance.now() - claim.startedAt;
    const { holder, isDoubtful } = watch;
    if (!announced && waited >= 1000) {
      announced = true;
      onWait?.(holderWords(holder));
    }
    if (waited >= wait && !isDoubtful) throw heldTooLong(lock, what, holder, wait);
    await sleep(20 + Math.random() * 80, undefined, { signal });
  }
}

function take(claim: Claim, lock: string, watch: Watch): boolean {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (moveClaim(claim, lock)) return touchClaim(lock, claim);
    if (!clearDead(lock, claim, watch)) return false;
  }
  return false;
}

type Watch = ReturnType<typeof openWatch>;

/**
 * Decides by what a waiter sees of a holder whether it is dead. Its file's time is compared with that of the file system, and only while the waiter runs:
 * a machine that slept, or a clock that was set, makes no lock older.
 */
export function openWatch(sparesStopped = false) {
  const seen = { name: '', changedAt: Number.NaN, since: 0, isActive: false, lookedAt: 0 };
  return {
    holder: {} as Holder,
    /** Whether it is still to be found out if the holder runs. */
    isDoubtful: false,
    /** @param changedAt @param now the holder's time and the present, in epoch milliseconds of the file system's clock @param monotonic milliseconds */
    isDead(name: string, changedAt: number, now: number, monotonic: number): boolean {
      const state = stateOfOwner(name, changedAt, now);
      const isOther = seen.name !== name;
      if (isOther || seen.changedAt !== changedAt)
        Object.assign(seen, { name, changedAt, since: monotonic, isActive: !isOther });
      // A waiter that was stopped may be the first to go on.
      if (monotonic - seen.lookedAt > grace) seen.since = monotonic;
      seen.lookedAt = monotonic;
      const quietFor = now - changedAt;
      if (state === 'running' && sparesStopped) seen.since = monotonic;
      const isOld = quietFor > longestQuiet && (state === 'unknown' || !sparesStopped);
      const watched = monotonic - seen.since;
      this.isDoubtful = !seen.isActive && (state === 'unknown' || isOld);
      this.holder = state === 'unknown' ? { quietFor } : { pid: ownerOf(name)?.pid };
      return state === 'gone' || watched > longestQuiet || (state === 'unknown' && isOld && watched > beat + grace);
    },
  };
}

/** How much later than planned a holder may touch its file, in milliseconds. */
const grace = 5000;

function moveClaim(claim: Claim, lock: string): boolean {
  try {
    renameSync(claim.folder, lock);
    return true;
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (code === 'ENOENT')
      makeClaim(join(lock, '..'), claim.name); // another process has removed our claim
    else if (!taken.has(code)) throw error;
    return false;
  }
}

// Windows has other codes for an existing folder.
const taken = new Set(['ENOTEMPTY', 'EEXIST', ...(platform() === 'win32' ? ['EPERM', 'EACCES', 'EBUSY'] : [])]);

/** Touches the owner's file by writing to it, so that its time is that of the file system's clock. Returns whether the lock is ours. */
function touchClaim(lock: string, claim: Claim): boolean {
  const file = join(lock, claim.name);
  try {
    const opened = openToChange(file);
    try {
      writeFileSync(opened, 'held');
    } finally {
      closeSync(opened);
    }
    return true;
  } catch (error) {
    // On a full disk, the file stays empty, and its time is set by our own watch.
    const now = (claim.madeAt + performance.now() - claim.startedAt) / 1000;
    tryTo((path) => utimesSync(path, now, now), file);
    return codeOf(error) !== 'ENOENT';
  }
}

/** Removes dead owners of a lock. Returns whether no owner is left, so that the lock can be taken at once. */
function clearDead(lock: string, claim: Claim, watch: Watch): boolean {
  // Anything but a folder is no lock, and a link could lead to files of another folder.
  if (lstatSync(lock, { throwIfNoEntry: false })?.isDirectory() === false) return false;
  const monotonic = performance.now();
  for (const name of holdersIn(lock)) {
    if (!ownerOf(name)) return false;
    const found = statSync(join(lock, name), { throwIfNoEntry: false });
    if (found && !watch.isDead(name, found.mtimeMs, claim.madeAt + (monotonic - claim.startedAt), monotonic))
      return false;
    tryTo(unlinkSync, join(lock, name));
  }
  tryTo(rmdirSync, lock); // removes only an empty folder: not every system can rename onto one
  return true;
}

function makeClaim(locks: string, name: string): Claim {
  const folder = join(locks, claimPrefix + name);
  mkdirSync(folder, 0o700);
  ifSupported(() => chmodSync(folder, 0o700)); // whatever the umask took away
  const file = join(folder, name);
  const made = openNew(file);
  setMode(made, 0o600);
  closeSync(made);
  return { name, folder, madeAt: statSync(file).mtimeMs, startedAt: performance.now() };
}

// Removes the claims of processes that died while they waited.
function sweep(locks: string, claim: Claim): void {
  for (const entry of holdersIn(locks)) {
    const name = entry.startsWith(claimPrefix) ? entry.slice(claimPrefix.length) : '';
    const found = ownerOf(name) && statSync(join(locks, entry), { throwIfNoEntry: false });
    if (found && isDead(name, found.mtimeMs, claim.madeAt)) removeOwner(join(locks, entry), name);
  }
}

function removeOwner(folder: string, name: string): void {
  tryTo(unlinkSync, join(folder, name));
  tryTo(rmdirSync, folder);
}

function heldTooLong(lock: string, what: string, holder: Holder, wait: number): Failure {
  const seconds = `${wait / 1000} s`;
  if (holder.pid !== undefined) {
    return new Failure('unavailable', `Process ${holder.pid} still holds ${what} after ${seconds} of waiting.`, {
      hint: `Look at it ${showProcessHint(holder.pid)}: wait for it, continue it if it is stopped, or end it.`,
    });
  }
  if (holder.quietFor === undefined) {
    const hint = 'Run the command again.';
    return new Failure('unavailable', `Other commands kept ${what} busy for ${seconds}.`, { hint });
  }
  const sentence = `${capitalized(holderWords(holder))} still holds ${what} after ${seconds} of waiting.`;
  const hint = `If none is running there any more: ${removeFolderCommand(lock)}`;
  return new Failure('unavailable', sentence, { hint });
}

function holderWords({ pid, quietFor }: Holder): string {
  if (pid !== undefined) return `process ${pid}`;
  if (quietFor === undefined) return 'another process';
  const seconds = Math.round(quietFor / 1000);
  const active =
    seconds < 0 ? '' : ` (active ${seconds < 300 ? `${seconds} s` : `${Math.round(seconds / 60)} min`} ago)`;
  return `a process in another container or on another machine${active}`;
}

function holdersIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw fileFailure('read', folder, error);
  }
}

// What cannot be removed is left to the next process, and another one may have been here: ENOENT or ENOTEMPTY.
function tryTo(remove: (path: string) => void, path: string): void {
  try {
    remove(path);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
  }
}

/** Locks that are held or were left, without a process ID for those of other machines and containers. Times are epoch milliseconds by the clock of the file system. */
export function heldLocks(locks: string, now: number) {
  return fileNamesIn(locks).flatMap((key) => {
    const path = join(locks, key);
    return (key.startsWith(claimPrefix) ? [] : fileNamesIn(path)).flatMap((name) => {
      const [owner, since, touched] = [ownerOf(name), statusAt(path)?.mtimeMs, statusAt(join(path, name))?.mtimeMs];
      if (!owner || since === undefined || touched === undefined) return [];
      const state = stateOfOwner(name, touched, now);
      const isLeft = state === 'gone' || (state === 'unknown' && now - touched > longestQuiet);
      return [{ path, pid: state === 'unknown' ? undefined : owner.pid, since, touched, isLeft }];
    });
  });
}
