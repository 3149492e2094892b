/** A timer that is so late shows that the process was stopped, in milliseconds. On a loaded machine timers are less late. */
const stoppedLateness = 100;

/** How long it takes to read the bytes that arrived while the process was stopped, in milliseconds. */
const enoughToRead = 2000;

/**
 * Calls `end` after some milliseconds; returns a function that cancels it. After the process was stopped (Ctrl-Z, a machine that sleeps), timers fire
 * before the bytes that arrived meanwhile are read. So a deadline that comes late waits again, for as long as it was late, but not longer than at first.
 */
export function openDeadline(milliseconds: number, end: () => void): () => void {
  let due = performance.now() + milliseconds;
  const check = () => {
    const lateness = performance.now() - due;
    if (lateness < stoppedLateness) return end();
    const extension = Math.min(Math.max(lateness, enoughToRead), Math.max(milliseconds, enoughToRead));
    due = performance.now() + extension;
    timer = setTimeout(check, extension);
  };
  let timer = setTimeout(check, milliseconds);
  return () => clearTimeout(timer);
}
