/** The question before something that cannot be undone: its name, typed. */
import { explainDifference } from './difference.ts';
import type { Person } from './person.ts';

/** `about` completes "To …, type its name": "delete organization 0b0f…". `expected` is the name, where this tool could learn it. */
export type TypedConfirmation = { readonly about: string; readonly expected?: string | undefined };

/**
 * Has the person type a name, and gives it unchanged, to be sent as it is. A wrong one is refused with the reason, and asked again.
 * The interface shows no way to read an organization's name: where `expected` is unknown, every name that is not blank goes to the
 * platform, which compares it.
 */
export function confirmTyped(person: Person, { about, expected }: TypedConfirmation): Promise<string> {
  return person.ask(`To ${about}, type its name`, { check: (typed) => refuse(typed, expected) });
}

function refuse(typed: string, expected: string | undefined): string | undefined {
  if (typed.trim() === '' && typed !== expected) return 'Nothing was typed; Ctrl-C leaves everything as it is.';
  return expected === undefined ? undefined : explainDifference(typed, expected);
}
