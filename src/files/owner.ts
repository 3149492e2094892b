/** The owner of a lock or temporary file, encoded in its name, and whether that process is still running. */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { kill, pid } from 'node:process';
import { ignoreError } from '../text/ignore-error.ts';
import { once } from '../text/once.ts';
import { codeOf } from './file-failure.ts';

type Owner = {
  readonly pid: number;
  /** When the process started, to detect a reused pid: ticks since the boot, or epoch milliseconds on systems other than Linux. */
  readonly start: string;
  /** The boot of the machine; `0` if unknown. */
  readonly boot: string;
  /** Machine, host name and process namespace: a pid is only valid within all three. */
  readonly host: string;
};

/** After how long without a change a file of another machine counts as abandoned, in milliseconds. */
const abandonedAfter = 10 * 60_000;

/** A new name that identifies its owner: pid, start, boot, host and 128 random bits, in characters that any file system accepts. */
export function newOwnerName(): string {
  const { start, boot, host } = thisProcess();
  return [pid, start, boot, host, randomBytes(16).toString('hex')].join('.');
}

/** The owner encoded in a name, or undefined for a name that is not ours. */
export function ownerOf(name: string): Owner | undefined {
  const found = /^([1-9]\d{0,9})\.(\d+)\.([0-9a-f]+)\.([0-9a-f]+)\.[0-9a-f]{32}$/.exec(name);
  const [, number, start, boot, host] = found ?? [];
  if (!number || !start || !boot || !host) return undefined;
  return { pid: Number(number), start, boot, host };
}

/** Whether an owner runs (or is stopped) or is gone; `unknown` on another machine or in another container. `changedAt` and `now` are by the same clock. */
export function stateOfOwner(name: string, changedAt: number, now: number): 'running' | 'gone' | 'unknown' {
  const owner = ownerOf(name);
  if (owner?.host !== thisProcess().host) return 'unknown';
  // Check the time too: two clones of a machine may share a folder, so a different boot alone proves nothing.
  if (owner.boot !== thisProcess().boot) return changedAt < now - uptime() * 1000 ? 'gone' : 'unknown';
  return isRunning(owner) ? 'running' : 'gone';
}

/** Whether a file with this name was left behind: its owner is gone, or it is unknown and the file has not changed for ten minutes. */
export function isAbandoned(name: string, changedAt: number, now: number): boolean {
  const state = stateOfOwner(name, changedAt, now);
  return state === 'gone' || (state === 'unknown' && now - changedAt > abandonedAfter);
}

function isRunning(owner: Owner): boolean {
  // Outside Linux only our own start is known, and pids are soon reused, even for this process.
  if (owner.pid === pid) return owner.start === thisProcess().start;
  try {
    kill(owner.pid, 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false; // EPERM: it is running as another user
  }
  const found = readProcess(owner.pid);
  // A killed process that its parent has not reaped is a zombie: signals reach it, but it does nothing.
  return !found || (found.start === owner.start && found.state !== 'Z' && found.state !== 'X');
}

const thisProcess = once(
  (): Omit<Owner, 'pid'> => ({
    start: readProcess(pid)?.start ?? String(Math.round(performance.timeOrigin)),
    boot: shortHash(readProcFile('/proc/sys/kernel/random/boot_id')),
    host: shortHash(
      `${readProcFile('/etc/machine-id')}\n${hostname()}\n${ignoreError(() => readlinkSync('/proc/self/ns/pid')) ?? ''}`,
    ),
  }),
);

/** Reads fields 3 and 22 of /proc/PID/stat. The second field, the program's name, may contain spaces and parentheses. */
function readProcess(number: number): { readonly state: string; readonly start: string } | undefined {
  const stat = readProcFile(`/proc/${number}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [fields[0], fields[19]];
  return state && start ? { state, start } : undefined;
}

/** The text of a file in /proc; empty on other systems than Linux, and if the file is hidden from this user. */
function readProcFile(path: string): string {
  return ignoreError(() => readFileSync(path, 'utf8').trim()) ?? '';
}

function shortHash(text: string): string {
  return text ? createHash('sha256').update(text).digest('hex').slice(0, 12) : '0';
}
