import type { Choosable, Grammar, Place } from './grammar.ts';
import type { Values } from './values.ts';

/**
 * What completes a value, as the scripts of all shells read it: "words a b", "list a b" (with commas), "pairs k=v", "file", "command",
 * "live templates"; "" takes a value that nobody can guess.
 */
export function specOf(values: Values): string {
  if (values.kind === 'none') return '';
  if (values.kind === 'live') return `live ${values.what}`;
  return 'words' in values ? `${values.kind} ${values.words.join(' ')}` : values.kind;
}

/** The specs of a place's arguments; the last one again and again where it takes all that follow. */
export function argumentSpecs({ arguments: values }: Pick<Place, 'arguments'>): readonly string[] {
  return values.map(specOf);
}

export type SpecRule = {
  /** Where it holds; undefined: everywhere. */
  readonly path?: string;
  readonly words: readonly string[];
  /** Undefined: a switch, which takes no value. */
  readonly spec?: string;
};

/**
 * What follows an option, the first rule that holds: those of one place that differ from what holds everywhere, the global ones, and
 * at last every other option that takes a value, so that one typed before its command is skipped together with its value.
 */
export function specRules({ places, global }: Grammar): readonly SpecRule[] {
  const globalWords = new Set(global.flatMap(({ words }) => words));
  const own = places.flatMap(({ path, options }) => options.map((option) => ({ path, option })));
  const taking = new Set(own.filter(({ option }) => option.values).flatMap(({ option }) => option.words));
  const special = own.flatMap(({ path, option }) => {
    const spec = option.values && specOf(option.values);
    const isPlain = spec === '' || (spec === undefined && !option.words.some((word) => taking.has(word)));
    return isPlain ? [] : [{ path, ...ruleOf(option) }];
  });
  const columns = places.flatMap(({ path, columns: values }) =>
    values ? [{ path, words: ['--columns'], spec: specOf(values) }] : [],
  );
  const rest = [...taking].filter((word) => !globalWords.has(word));
  return [...special, ...columns, ...global.filter(({ values }) => values).map(ruleOf), { words: rest, spec: '' }];
}

function ruleOf({ words, values }: Choosable): SpecRule {
  return { words, ...(values && { spec: specOf(values) }) };
}
