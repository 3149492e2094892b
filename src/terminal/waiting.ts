/** What is shown while the user waits: nothing for a second, then what is waited for; long work at once. */

type Wait = {
  /** Replaces the text. */
  say(text: string): void;
  end(): void;
};

export type Waiting = {
  /**
   * Shows what is waited for; of nested waits the outer one. An empty text shows nothing until it ends. Plain lines (ACCESSIBLE) come every ten seconds,
   * and those of long work begin after the first ten.
   */
  begin(text: string, shows?: 'after a second' | 'at once'): Wait;
  /** Removes it from the screen, so that something else can be written; it comes back as it came. */
  hide(): void;
  /** Ends all waits. */
  finish(): void;
};

/** Never shows anything: for --quiet, or if stderr is not a terminal. */
export const silentWaiting: Waiting = {
  begin: () => ({ say: () => {}, end: () => {} }),
  hide: () => {},
  finish: () => {},
};
