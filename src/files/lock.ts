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
import { attemptTo, codeOf, fileFailure } from './file-failure.ts';
import { ifSupported, setMode } from './file-system.ts';
import { fileNamesIn, openNew, openToChange, statusAt } from './open-regular.ts';
import { isAbandoned, newOwnerName, ownerOf, stateOfOwner } from './owner.ts';

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

/** The holder of a lock: a process of this machine, or one elsewhere, which touched its file `quietFor` milliseconds ago. */
type Holder = { readonly pid: number } | { readonly quietFor: number };

export type Lock = {
  readonly release: () => void;
  /** False once another process has taken it over, because this one was stopped for a long time. */
  readonly isHeld: () => boolean;
};

/** `madeAt` and `startedAt` are one moment, in milliseconds: of the file system's clock since the epoch, and of performance.now(). */
type Claim = { readonly name: string; readonly folder: string; readonly madeAt: number; readonly startedAt: number };

const claimPrefix = '.claim-';

/** How often a holder touches its file, in milliseconds. */
const touchEvery = 15_000;

/** After how long without a touch a holder counts as dead, in milliseconds. */
const longestQuiet = 90_000;

/** Takes the lock `key` in the folder `locks`. Messages call it `resource`. @throws Failure 'unavailable' after `wait`, 'io' if the lock cannot be written */
export async function takeLock(locks: string, key: string, resource: string, waiting: LockWait): Promise<Lock> {
  const lock = join(locks, key);
  const claim = attemptTo('lock', locks, () => makeClaim(locks, newOwnerName()));
  try {
    removeDeadClaims(locks, claim);
    await waitUntilTaken(claim, lock, resource, waiting);
  } catch (error) {
    removeOwner(claim.folder, claim.name);
    removeOwner(lock, claim.name);
    throw waiting.signal?.aborted ? waiting.signal.reason : error;
  }
  const heartbeat = setInterval(() => touchOwnFile(lock, claim), touchEvery).unref();
  return {
    release() {
      clearInterval(heartbeat);
      removeOwner(lock, claim.name);
    },
    isHeld: () => existsSync(join(lock, claim.name)),
  };
}

async function waitUntilTaken(claim: Claim, lock: string, resource: string, waiting: LockWait): Promise<void> {
  const { wait, onWait, signal, sparesStopped } = waiting;
  let announced = false;
  const watch = openWatch(sparesStopped);
  while (!attemptTo('lock', lock, () => tryToTake(claim, lock, watch))) {
    const waited = performance.now() - claim.startedAt;
    const { holder, isDoubtful } = watch;
    if (!announced && waited >= 1000) {
      announced = true;
      onWait?.(holderWords(holder));
    }
    if (waited >= wait && !isDoubtful) throw stillHeldFailure(lock, resource, holder, wait);
    await sleep(20 + Math.random() * 80, undefined, { signal });
  }
}

function tryToTake(claim: Claim, lock: string, watch: Watch): boolean {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (moveClaim(claim, lock)) return touchOwnFile(lock, claim);
    if (!clearDead(lock, claim, watch)) return false;
  }
  return false;
}

/** A waiter's watch on the holder of a lock. */
type Watch = {
  holder: Holder | undefined;
  /** Whether the waiter has yet to find out if the holder runs. */
  isDoubtful: boolean;
  /** Goes by touches: no lock gets older because the machine slept or its clock was set. `changedAt` and `now` are times of the file system's clock. */
  observe(name: string, changedAt: number, now: number, monotonic: number): 'alive' | 'dead';
};

/** Makes the watch of one waiter. @param sparesStopped see LockWait */
export function openWatch(sparesStopped = false): Watch {
  const observed = { name: '', changedAt: Number.NaN, since: 0, isActive: false, lookedAt: 0 };
  return {
    holder: undefined,
    isDoubtful: false,
    observe(name, changedAt, now, monotonic) {
      const state = stateOfOwner(name, changedAt, now);
      const isOther = observed.name !== name;
      if (isOther || observed.changedAt !== changedAt)
        Object.assign(observed, { name, changedAt, since: monotonic, isActive: !isOther });
      // A waiter that was stopped together with the holder may be continued first, and gives the holder time to touch its file.
      if (monotonic - observed.lookedAt > grace) observed.since = monotonic;
      observed.lookedAt = monotonic;
      const quietFor = now - changedAt;
      if (state === 'running' && sparesStopped) observed.since = monotonic;
      const isOld = quietFor > longestQuiet && (state === 'unknown' || !sparesStopped);
      const watched = monotonic - observed.since;
      this.isDoubtful = !observed.isActive && (state === 'unknown' || isOld);
      this.holder = state === 'unknown' ? { quietFor } : ownerOf(name);
      if (state === 'gone' || watched > longestQuiet) return 'dead';
      return state === 'unknown' && isOld && watched > touchEvery + grace ? 'dead' : 'alive';
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
      makeClaim(join(lock, '..'), claim.name); // another process took our claim for a dead one, and removed it
    else if (!occupiedCodes.has(code)) throw error;
    return false;
  }
}

// The codes for a lock that is held. Windows has others for a folder that exists.
const occupiedCodes = new Set(['ENOTEMPTY', 'EEXIST', ...(platform() === 'win32' ? ['EPERM', 'EACCES', 'EBUSY'] : [])]);

/** Touches the owner's file by writing to it, so that its time is that of the file system's clock. Returns whether the lock is ours. */
function touchOwnFile(lock: string, claim: Claim): boolean {
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
    const now = fileSystemNow(claim) / 1000;
    tryTo((path) => utimesSync(path, now, now), file);
    return codeOf(error) !== 'ENOENT';
  }
}

function fileSystemNow({ madeAt, startedAt }: Claim): number {
  return madeAt + (performance.now() - startedAt);
}

/** Removes dead owners of a lock. Returns whether no owner is left, so that the lock can be taken at once. */
function clearDead(lock: string, claim: Claim, watch: Watch): boolean {
  // A lock is always a folder. A link could lead to files of another folder.
  if (lstatSync(lock, { throwIfNoEntry: false })?.isDirectory() === false) return false;
  for (const name of listNames(lock)) {
    if (!ownerOf(name)) return false;
    const found = statSync(join(lock, name), { throwIfNoEntry: false });
    const state = found && watch.observe(name, found.mtimeMs, fileSystemNow(claim), performance.now());
    if (state === 'alive') return false;
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

/** Removes the claims of processes that died while they waited. */
function removeDeadClaims(locks: string, claim: Claim): void {
  for (const entry of listNames(locks)) {
    const name = entry.startsWith(claimPrefix) ? entry.slice(claimPrefix.length) : '';
    const found = ownerOf(name) && statSync(join(locks, entry), { throwIfNoEntry: false });
    if (found && isAbandoned(name, found.mtimeMs, claim.madeAt)) removeOwner(join(locks, entry), name);
  }
}

function removeOwner(folder: string, name: string): void {
  tryTo(unlinkSync, join(folder, name));
  tryTo(rmdirSync, folder);
}

function stillHeldFailure(lock: string, resource: string, holder: Holder | undefined, wait: number): Failure {
  const seconds = `${wait / 1000} s`;
  if (holder && 'pid' in holder) {
    const sentence = `Process ${holder.pid} still holds ${resource} after ${seconds} of waiting.`;
    const hint = `Look at it ${showProcessHint(holder.pid)}: wait for it, continue it if it is stopped, or end it.`;
    return new Failure('unavailable', sentence, { hint });
  }
  if (!holder) {
    const hint = 'Run the command again.';
    return new Failure('unavailable', `Other commands kept ${resource} busy for ${seconds}.`, { hint });
  }
  const sentence = `${capitalized(holderWords(holder))} still holds ${resource} after ${seconds} of waiting.`;
  const hint = `If none is running there any more: ${removeFolderCommand(lock)}`;
  return new Failure('unavailable', sentence, { hint });
}

function holderWords(holder: Holder | undefined): string {
  if (!holder) return 'another process';
  if ('pid' in holder) return `process ${holder.pid}`;
  const seconds = Math.round(holder.quietFor / 1000);
  const active =
    seconds < 0 ? '' : ` (active ${seconds < 300 ? `${seconds} s` : `${Math.round(seconds / 60)} min`} ago)`;
  return `a process in another container or on another machine${active}`;
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw fileFailure('read', folder, error);
  }
}

/** Runs a step and ignores an error of the file system: another process may have been faster, and the next one removes what is left. */
function tryTo(step: (path: string) => void, path: string): void {
  try {
    step(path);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
  }
}

type HeldLock = Readonly<{ path: string; pid: number | undefined; since: number; touched: number; isLeft: boolean }>;

/** Lists locks that are held or were left behind, without `pid` if the holder is on another machine. Times are epoch milliseconds by the file system's clock. */
export function listHeldLocks(locks: string, now: number): readonly HeldLock[] {
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
