import type { Command } from '../command/command.ts';
import { ownOptions } from '../command/command.ts';
import { aliases, globalOptions } from '../command/global-options.ts';
import type { Argument, Flag, Option } from '../command/option.ts';
import { globalOptionsOf } from '../command/reach.ts';
import { takesFile } from './option-facts.ts';
import { topics } from './topics.ts';
import { type Branch, flatten, lastWord } from './tree.ts';
import { columnValues, specialValues, type Values, wordsValues } from './values.ts';

export type Candidate = { readonly word: string; readonly says: string };

/** An option for completions: its spellings, and its possible values; `values` is absent for a switch. */
export type Choosable = { readonly words: readonly string[]; readonly says: string; readonly values?: Values };

/** What may follow the words of a command: more words, options, arguments. */
export type Place = {
  /** "orgs users list"; "" for the beginning. */
  readonly path: string;
  readonly words: readonly Candidate[];
  readonly options: readonly Choosable[];
  readonly arguments: readonly Values[];
  /** Set if the last argument takes all words that follow. */
  readonly repeated: boolean;
  /** The global options that the command refuses. */
  readonly refused?: readonly string[];
  /** The fields of its result, for --columns. */
  readonly columns?: Values;
};

/** The completions that need neither settings nor platform. */
export type Grammar = {
  readonly places: readonly Place[];
  readonly global: readonly Choosable[];
  /** The full word for a shorter one: `list` for `ls`. */
  readonly aliases: Readonly<Record<string, string>>;
};

/** The grammar of the command line, from all commands in the order of help. */
export function readGrammar(branches: readonly Branch[]): Grammar {
  const all = branches.flatMap(flatten);
  const root = [...branches, { name: 'help', summary: 'Help on a command or a topic' }].map(candidate);
  const helped = [...branches, ...topics].map(candidate);
  const places = [
    bare('', root),
    ...all.map(placeOf),
    bare('help', helped),
    ...all.filter((each) => each.branches.length > 0).map((each) => bare(`help ${each.name}`, below(each))),
  ];
  const longer = Object.fromEntries(Object.entries(aliases).map(([word, short]) => [short, word]));
  return { places, global: globalOptions.map((option) => choosable(option)), aliases: longer };
}

function bare(path: string, words: readonly Candidate[]): Place {
  return { path, words, options: [], arguments: [], repeated: false };
}

function candidate({ name, summary }: { readonly name: string; readonly summary: string }): Candidate {
  return { word: lastWord({ name }), says: summary };
}

function below(branch: Branch): readonly Candidate[] {
  return branch.branches.map(candidate);
}

function placeOf(branch: Branch): Place {
  const { name, command } = branch;
  if (!command) return bare(name, below(branch));
  const args = Object.entries(command.arguments);
  const columns = columnValues(command);
  const taken = globalOptionsOf(command);
  const refused = globalOptions.filter((option) => !taken.includes(option)).map(({ long }) => `--${long}`);
  return {
    path: name,
    words: below(branch),
    options: ownOptions(command).map((option) => choosable(option, command)),
    arguments: args.map(([each, argument]) => valuesOf(each, argument, command)),
    repeated: args.some(([, { repeated }]) => repeated === true),
    ...(refused.length > 0 && { refused }),
    ...(columns && { columns }),
  };
}

function choosable(option: Option, command?: Command): Choosable {
  const { name, long, schema } = option;
  const words = [`--${long}`, ...(schema.short ? [`-${schema.short}`] : [])];
  if (schema.type !== 'boolean') return { words, says: schema.description, values: valuesOf(name, schema, command) };
  return { words: [...words, ...(schema.negative ? [`--${schema.negative}`] : [])], says: schema.description };
}

function valuesOf(name: string, schema: Flag | Argument, command?: Command): Values {
  const special = specialValues(name, command);
  if (special) return special;
  const words = wordsValues(schema);
  if (words) return words;
  return takesFile(schema) ? { kind: 'file' } : { kind: 'none' };
}
