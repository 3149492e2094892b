type Wait = {
  say(text: string): void;
  end(): void;
};

export type Waiting = {
  /**
   * Shows a text after a second, or at once for long work, until the wait ends. Of nested waits the outer one is shown; one with an empty text shows
   * nothing. Plain lines (ACCESSIBLE) come every ten seconds, and those of long work begin after the first ten.
   */
  begin(text: string, shows?: 'after a second' | 'at once'): Wait;
  /** Removes the text from the screen, so that something else can be written. It comes back after its delay. */
  hide(): void;
  finish(): void;
};

/** Never shows anything: for --quiet, or if stderr is not a terminal. */
export const silentWaiting: Waiting = {
  begin: () => ({ say: () => {}, end: () => {} }),
  hide: () => {},
  finish: () => {},
};
