import type { Input, Output } from './streams.ts';

/** What a question needs of the terminal. */
export type Terminal = { readonly stdin: Input; readonly stderr: Output; readonly color: boolean };

export type Check = (answer: string) => string | undefined;

export type Choice<T extends string> = { readonly value: T; readonly says: string };

/** One way of asking. Texts are safe to show already; each rejects when `signal` fires, and leaves the terminal as it was. */
export type Questions = {
  ask(question: string, options: { default?: string; check: Check }, signal: AbortSignal): Promise<string>;
  confirm(question: string, signal: AbortSignal): Promise<boolean>;
  choose<T extends string>(question: string, choices: readonly Choice<T>[], signal: AbortSignal): Promise<T>;
};

/** "Tenant path" becomes "Tenant path:"; a question that has its own end keeps it. */
export function punctuated(question: string): string {
  return /[?:.!]$/.test(question) ? question : `${question}:`;
}
