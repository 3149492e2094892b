/** Waiting for what other processes do, and looking whether they are there. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

/** A machine that is too busy to come as far within a short timeout gets a longer one: what is checked is how it ends, not when. */
export async function withTimeouts(check: (milliseconds: number) => Promise<void>): Promise<void> {
  for (const milliseconds of [300, 3000]) {
    try {
      return await check(milliseconds);
    } catch {
      // The longest has to do.
    }
  }
  await check(30_000);
}

/** Waits until a condition is true; fails after a minute, or the given number of milliseconds. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  milliseconds = 60_000,
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
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  return once(socket, 'connect').then(
    () => socket.destroy().destroyed,
    () => false,
  );
}
