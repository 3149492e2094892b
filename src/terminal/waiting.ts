/** What is shown while the user waits: nothing for a second, then what is waited for. */

type Wait = {
  /** Replaces the text. */
  say(text: string): void;
  end(): void;
};

export type Waiting = {
  /** After a second, shows what is waited for. If waits are nested, the outer one is shown; an empty text shows nothing until it ends. */
  begin(text: string): Wait;
  /** Removes it from the screen, so that something else can be written; it comes back after another second. */
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
