/** The platform's time: the real time, shifted on request. */
export type SandboxClock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Shifts the time by milliseconds, forward or back. */
  move(milliseconds: number): void;
  /** The total shift in milliseconds. */
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
