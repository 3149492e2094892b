/** The time that a response may take, as far as this process was running. */

/** A timer of a loaded machine is not as late; one of a process that was stopped is. */
const late = 100;

/** What has arrived while the process was stopped can be read in this time, in milliseconds. */
const enoughToRead = 2000;

/**
 * Calls `end` after that many milliseconds; returns a function that cancels it. If the process was stopped meanwhile (Ctrl-Z, a machine that sleeps), its timers
 * fire before what has arrived is read: then it waits for as long as it came too late, at most the same time again.
 */
export function openDeadline(milliseconds: number, end: () => void): () => void {
  let due = performance.now() + milliseconds;
  const check = () => {
    const gap = performance.now() - due;
    if (gap < late) return end();
    const more = Math.min(Math.max(gap, enoughToRead), Math.max(milliseconds, enoughToRead));
    due = performance.now() + more;
    timer = setTimeout(check, more);
  };
  let timer = setTimeout(check, milliseconds);
  return () => clearTimeout(timer);
}
