/** Finds out what may come at the cursor, from the words of a command line alone. Asks nobody and reads nothing. */

import type { LiveKind } from '../command/command.ts';
import type { Candidate, Choosable, Grammar, GrammarNode, PossibleValues } from './grammar.ts';

/** A command line without the program: the words before the one under the cursor, and the typed part of that one. */
type TypedLine = { readonly words: readonly string[]; readonly current: string };

/** The possible words at the cursor. `before` is the part of the word that precedes the value: "--name=", "userId,". */
export type Completion = { readonly before: string; readonly value: string } & (
  | { readonly kind: 'nothing' | 'file' | 'command' }
  /** `open`: more text follows in the same word. `columnsOf`: a command whose fields that were shown on this machine are possible, too. */
  | {
      readonly kind: 'words';
      readonly candidates: readonly Candidate[];
      readonly open?: true;
      readonly columnsOf?: string;
    }
  /** `hyphens`: a value that begins with a hyphen is not taken for an option. `line` has options for profile and organization, `rest` the arguments. */
  | {
      readonly kind: 'live';
      readonly what: LiveKind;
      readonly hyphens: boolean;
      readonly line: readonly string[];
      readonly rest: readonly string[];
    }
);

/** A completion whose values are all known. */
export type ResolvedCompletion = Exclude<Completion, { readonly kind: 'live' }>;

/** Reads the words that a script passes to `iiot __complete SHELL` when the Tab key is pressed. Undefined if nothing can be offered. */
export type ReadTab = (given: readonly string[]) => Tab | undefined;

export type Tab = {
  readonly line: TypedLine;
  /** The text on standard output for the shell's script. */
  readonly format: (completion: ResolvedCompletion) => string;
};

export function completionAt(line: TypedLine, grammar: Grammar): Completion {
  const { current, words } = line;
  const { place, pending, ended, rest } = positionAfter(words, grammar);
  if (pending) return valueAt(pending, '', line, ended);
  if (!ended && current.startsWith('--') && current.includes('=')) {
    const end = current.indexOf('=') + 1;
    const values = valuesOfOption(current.slice(0, end - 1), place, grammar);
    return values ? valueAt(values, current.slice(0, end), line, ended) : nothing(current);
  }
  if (!ended && current.startsWith('-')) {
    const taken = grammar.global.filter(({ words: [long = ''] }) => !place.refused?.includes(long));
    const offered = place.options.filter(
      (option) => option.with === undefined || words.some((word) => word.split('=')[0] === option.with),
    );
    const candidates = [...offered, ...taken].flatMap(({ words: names, says }) =>
      names.map((word) => ({ word, says })),
    );
    return wordsAt(candidates, current);
  }
  if (rest.length === 0 && !ended && place.words.length > 0) return wordsAt(place.words, current);
  const values = place.arguments[place.repeated ? Math.min(rest.length, place.arguments.length - 1) : rest.length];
  if (!values) return nothing(current);
  return values.kind === 'command'
    ? inCommand(rest, current, grammar, values.own)
    : valueAt(values, '', line, ended, rest);
}

/** The state after some words. `pending`: the values of an option whose value comes next. `ended`: `--` has ended the options. `rest`: the arguments. */
function positionAfter(words: readonly string[], grammar: Grammar) {
  const places = new Map(grammar.places.map((each) => [each.path, each]));
  let place = places.get('') ?? nowhere;
  let pending: PossibleValues | undefined;
  let ended = false;
  const rest: string[] = [];
  for (const word of words) {
    if (pending) pending = undefined;
    else if (ended) rest.push(word);
    else if (word === '--') ended = true;
    else if (/^-./.test(word)) pending = word.includes('=') ? undefined : valuesOfOption(word, place, grammar);
    else {
      const name = grammar.aliases[word] ?? word;
      const further = rest.length === 0 ? places.get(place.path === '' ? name : `${place.path} ${name}`) : undefined;
      if (further) place = further;
      else rest.push(word);
    }
  }
  return { place, ended, rest, pending };
}

const nowhere: GrammarNode = { path: '', words: [], options: [], arguments: [], repeated: false };

/** The values of an option, or `none` for an option of a command that is not typed yet. Undefined for a switch. */
function valuesOfOption(word: string, place: GrammarNode, { global, places }: Grammar): PossibleValues | undefined {
  if (word === '--columns' && place.columns) return place.columns;
  const has = ({ words }: Choosable) => words.includes(word);
  const known = place.options.find(has) ?? global.find(has);
  if (known) return known.values;
  const elsewhere = places.some(({ options }) => options.some((option) => has(option) && option.values));
  return elsewhere ? { kind: 'none' } : undefined;
}

function valueAt(
  values: PossibleValues,
  before: string,
  { words, current }: TypedLine,
  ended: boolean,
  rest: readonly string[] = [],
): Completion {
  const value = current.slice(before.length);
  const bare = (word: string): Candidate => ({ word, says: '' });
  switch (values.kind) {
    case 'none':
      return nothing(current);
    case 'words':
      return { kind: 'words', before, value, candidates: values.words.map(bare) };
    case 'list': {
      const end = value.lastIndexOf(',') + 1;
      const chosen = value.slice(0, end).split(',');
      const candidates = values.words.filter((word) => !chosen.includes(word)).map(bare);
      const place = { before: before + value.slice(0, end), value: value.slice(end) };
      return { kind: 'words', ...place, candidates, open: true, columnsOf: values.command };
    }
    case 'pairs': {
      const end = value.indexOf('=') + 1;
      const key = value.slice(0, end);
      if (end === 0) return { kind: 'words', before, value, candidates: keysOf(values.words).map(bare), open: true };
      const known = values.words.filter((pair) => pair.startsWith(key) && pair !== key).map((pair) => pair.slice(end));
      return wordsAt(known.map(bare), value.slice(end), before + key);
    }
    case 'live':
      return { kind: 'live', what: values.what, before, value, hyphens: ended || before !== '', line: words, rest };
    default:
      return { kind: values.kind, before, value };
  }
}

function keysOf(pairs: readonly string[]): readonly string[] {
  return [...new Set(pairs.map((pair) => pair.slice(0, pair.indexOf('=') + 1)))];
}

function wordsAt(candidates: readonly Candidate[], value: string, before = ''): Completion {
  return { kind: 'words', before, value, candidates };
}

function nothing(value: string): Completion {
  return { kind: 'nothing', before: '', value };
}

/** Completes the command after `sandbox exec --`. Only iiot's words are known, and no values of its platform, which is not running yet. */
function inCommand(rest: readonly string[], current: string, grammar: Grammar, isOwn?: true): Completion {
  if (isOwn) return completionAt({ words: rest, current }, grammar);
  const [command, ...words] = rest;
  if (command === undefined) return { kind: 'command', before: '', value: current };
  if (command !== 'iiot') return { kind: 'file', before: '', value: current };
  const inner = completionAt({ words, current }, grammar);
  return inner.kind === 'live' && inner.what !== 'zones' ? nothing(current) : inner;
}
