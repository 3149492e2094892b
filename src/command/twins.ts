import { differenceOf, lookOf, notNfc } from '../text/alike.ts';
import { visibleWithBlanks } from '../text/visible.ts';
import type { Context } from './context.ts';

/** Notes names that differ for the platform, but look alike, such as "Hall 1" and "hall 1". */
export function noteTwins(noun: string, names: Iterable<string>, context: Context): void {
  const twinOf = openTwins();
  for (const name of names) {
    if (name === '') continue;
    const form = name === name.normalize('NFC') ? undefined : `"${name}" is ${notNfc}`;
    for (const doubt of [twinOf(name), form]) if (doubt) context.notice(`Note: the ${noun} ${doubt}.`);
  }
}

/** Gives a function that compares each name with the earlier ones, and describes how it differs from one that looks alike. @param most names are kept */
export function openTwins(most = Number.POSITIVE_INFINITY): (name: string) => string | undefined {
  const known = new Map<string, string>();
  return (name) => {
    const look = /^[!-~]*$/.test(name) ? name.toLowerCase() : lookOf(name);
    const twin = known.get(look) ?? name;
    if (known.size < most) known.set(look, twin);
    const words = `"${visibleWithBlanks(name)}" differs from "${visibleWithBlanks(twin)}" only in`;
    return twin === name ? undefined : `${words} ${differenceOf(name, twin)}`;
  };
}
