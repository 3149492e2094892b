/**
 * A lock between processes that ends with its holder and is never taken from a running one. It is a folder with one file named after its
 * owner. To take it, a folder with such a file is renamed onto it, which the system allows only if the target is missing or empty. To clear
 * a dead owner, exactly that owner's file is removed, so that no later claim can be removed by mistake.
 */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../failure.ts';
import { removeFolderCommand, showProcessHint } from '../text/shell-lines.ts';
import { codeOf, fileFailure, reporting } from './file-failure.ts';
import { isDead, isOnThisMachine, ownerOf, ownersName } from './owner.ts';

export type LockWait = {
  /** How long to wait for a running holder, in milliseconds. */
  readonly wait: number;
  /** Called once, after a second, with the holder's process id. */
  readonly onWait?: ((pid: number) => void) | undefined;
  /** Stops waiting; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
};

type Claim = { readonly name: string; readonly folder: string; readonly madeAt: number; readonly startedAt: number };

const claimPrefix = '.claim-';

/**
 * Takes the lock `key` (a file name) in the existing folder `locks`, and returns its release. Fails as `unavailable` if a running process
 * holds it for longer than `wait`, and as `io` if the folder cannot be used. `what` names the lock in the message.
 */
export async function takeLock(locks: string, key: string, what: string, waiting: LockWait): Promise<() => void> {
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
  return () => removeOwner(lock, claim.name);
}

async function untilTaken(claim: Claim, lock: string, what: string, { wait, onWait, signal }: LockWait): Promise<void> {
  let announced = false;
  while (!reporting('lock', lock, () => take(claim, lock))) {
    const waited = performance.now() - claim.startedAt;
    const holder = holdersIn(lock)[0] ?? '';
    if (!announced && waited >= 1000) {
      announced = true;
      onWait?.(ownerOf(holder)?.pid ?? 0);
    }
    if (waited >= wait) throw heldTooLong(lock, what, holder, wait);
    await sleep(20 + Math.random() * 80, undefined, { signal });
  }
}

function take(claim: Claim, lock: string): boolean {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (moved(claim, lock)) return isOurs(lock, claim.name);
    if (!cleared(lock, claim)) return false;
  }
  return false;
}

function moved(claim: Claim, lock: string): boolean {
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

// Writing also sets the file's time to now, by which another machine judges the lock's age.
function isOurs(lock: string, name: string): boolean {
  try {
    writeFileSync(join(lock, name), 'held', { flag: 'r+' });
    return true;
  } catch (error) {
    return codeOf(error) !== 'ENOENT'; // on a full disk the file stays empty, but the lock is still ours
  }
}

// Whether to try again at once, because no running process owns the lock.
function cleared(lock: string, claim: Claim): boolean {
  // Anything else with this name is not a lock, and a link would lead to the files of another folder.
  if (lstatSync(lock, { throwIfNoEntry: false })?.isDirectory() === false) return false;
  const now = claim.madeAt + (performance.now() - claim.startedAt);
  for (const name of holdersIn(lock)) {
    if (!ownerOf(name)) return false;
    const found = statSync(join(lock, name), { throwIfNoEntry: false });
    if (found && !isDead(name, found.mtimeMs, now)) return false;
    tryTo(unlinkSync, join(lock, name));
  }
  tryTo(rmdirSync, lock); // removes only an empty folder: not every system can rename onto one
  return true;
}

function makeClaim(locks: string, name: string): Claim {
  const folder = join(locks, claimPrefix + name);
  mkdirSync(folder, 0o700);
  chmodSync(folder, 0o700); // whatever the umask took away
  const file = join(folder, name);
  writeFileSync(file, '', { mode: 0o600 });
  chmodSync(file, 0o600);
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

function heldTooLong(lock: string, what: string, holder: string, wait: number): Failure {
  const owner = ownerOf(holder);
  const seconds = `${wait / 1000} s`;
  if (owner && isOnThisMachine(owner)) {
    return new Failure('unavailable', `Process ${owner.pid} still holds ${what} after ${seconds} of waiting.`, {
      hint: `Look at it ${showProcessHint(owner.pid)}: wait for it, continue it if it is stopped, or end it.`,
    });
  }
  if (holder === '') {
    return new Failure('unavailable', `Other commands kept ${what} busy for ${seconds}.`, {
      hint: 'Run the command again.',
    });
  }
  return new Failure('unavailable', `A command on another machine still holds ${what} after ${seconds} of waiting.`, {
    hint: `If none is running there any more: ${removeFolderCommand(lock)}`,
  });
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
