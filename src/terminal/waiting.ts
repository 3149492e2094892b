/** What a person sees while they wait: nothing for a second, then what is waited for. */

type Wait = {
  /** Says something else from now on. */
  say(text: string): void;
  end(): void;
};

export type Waiting = {
  /**
   * Says what is waited for, once that takes more than a second. Where one wait lies in another, the outer one is said; with an empty text nothing is
   * shown until it ends.
   */
  begin(text: string): Wait;
  /** Takes it off the screen, so that something else can be written; it comes back after another second. */
  hide(): void;
  /** Ends whatever is under way. */
  finish(): void;
};

/** Nothing is ever shown: --quiet, or stderr is no terminal. */
export const silentWaiting: Waiting = {
  begin: () => ({ say: () => {}, end: () => {} }),
  hide: () => {},
  finish: () => {},
};
