/** The platform's time: the real one, moved by what a rehearsal asked for. */
export type SandboxClock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Moves the time, forward or back, by milliseconds. */
  move(milliseconds: number): void;
  /** By how much it was moved in all. */
  moved(): number;
};

export function createClock(now: () => number, moved = 0): SandboxClock {
  let offset = moved;
  return {
    now: () => now() + offset,
    move: (milliseconds) => {
      offset += milliseconds;
    },
    moved: () => offset,
  };
}
