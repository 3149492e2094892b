import type { Input, Output } from './streams.ts';

/** What a question needs from the terminal. */
export type Terminal = { readonly stdin: Input; readonly stderr: Output; readonly color: boolean };

export type Check = (answer: string) => string | undefined;

export type Choice<T extends string> = { readonly value: T; readonly says: string };

/** One way of asking. Texts are already safe to show; each function rejects when `signal` fires, and restores the terminal. */
export type Questions = {
  ask(question: string, options: { default?: string; check: Check }, signal: AbortSignal): Promise<string>;
  confirm(question: string, signal: AbortSignal): Promise<boolean>;
  choose<T extends string>(question: string, choices: readonly Choice<T>[], signal: AbortSignal): Promise<T>;
};

/** "Tenant path" becomes "Tenant path:"; a question with its own punctuation keeps it. */
export function withPunctuation(question: string): string {
  return /[?:.!]$/.test(question) ? question : `${question}:`;
}
