import type { Context } from './context.ts';

/** Tells of names that are different to the platform, but maybe not to whoever wrote them. */
export function noteTwins(noun: string, names: Iterable<string>, context: Context): void {
  const seen = new Map<string, string>();
  for (const name of names) {
    const twin = seen.get(name.toLowerCase());
    if (twin !== undefined) context.notice(`Note: the ${noun} "${twin}" and "${name}" differ only in case.`);
    seen.set(name.toLowerCase(), name);
  }
}
