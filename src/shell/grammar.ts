import { type Command, type LiveKind, ownOptions } from '../command/command.ts';
import { aliases, globalOptions } from '../command/global-options.ts';
import type { Argument, Flag, Option } from '../command/option.ts';
import { globalOptionsOf } from '../command/reach.ts';
import { allColumns } from '../output/result.ts';
import { acceptedWords, takesFile } from './option-facts.ts';
import { idKinds } from './seen.ts';
import { topics } from './topics.ts';
import { type Branch, flatten, lastWord } from './tree.ts';

/**
 * The possible values of an option or argument. `list`: words, or fields that the command has shown here, separated by commas. `pairs`: KEY=VALUE, first
 * the key and then its value. `command`: any command of the machine, or with `own` one of iiot.
 */
export type PossibleValues =
  | { readonly kind: 'none' | 'file' }
  | { readonly kind: 'command'; readonly own?: true }
  | { readonly kind: 'words' | 'pairs'; readonly words: readonly string[] }
  | { readonly kind: 'list'; readonly words: readonly string[]; readonly command: string }
  | { readonly kind: 'live'; readonly what: LiveKind };

export type Candidate = { readonly word: string; readonly says: string };

/** An option for completions: its spellings, and its values, which a switch lacks. `with`: it is offered only together with that option. */
export type Choosable = {
  readonly words: readonly string[];
  readonly says: string;
  readonly values?: PossibleValues;
  readonly with?: string;
};

/** The words, options and arguments that may follow the words of a command. */
export type GrammarNode = {
  /** "orgs users list"; "" for the beginning. */
  readonly path: string;
  readonly words: readonly Candidate[];
  readonly options: readonly Choosable[];
  readonly arguments: readonly PossibleValues[];
  /** Set if the last argument takes all following words. */
  readonly repeated: boolean;
  readonly refused?: readonly string[];
  readonly columns?: PossibleValues;
};

/** The completions that need neither settings nor platform. */
export type Grammar = {
  readonly places: readonly GrammarNode[];
  readonly global: readonly Choosable[];
  /** The full word for a shorter one: `list` for `ls`. */
  readonly aliases: Readonly<Record<string, string>>;
  /** The groups with a command that lists all of a kind. */
  readonly listing: readonly string[];
};

export function readGrammar(branches: readonly Branch[]): Grammar {
  const all = branches.flatMap(flatten);
  const root = [...branches, { name: 'help', summary: 'Help on a command or a topic' }].map(candidate);
  const helped = [...branches, ...topics].map(candidate);
  const places = [
    emptyNode('', root),
    ...all.map(nodeOf),
    emptyNode('help', helped),
    ...all
      .filter((each) => each.branches.length > 0)
      .map(({ name, branches: below }) => emptyNode(`help ${name}`, below.map(candidate))),
  ];
  const longer = Object.fromEntries(Object.entries(aliases).map(([word, short]) => [short, word]));
  const listing = branches
    .filter((each) => flatten(each).some(({ command }) => command?.lists))
    .map(({ name }) => name);
  return { places, global: globalOptions.map((option) => choosable(option)), aliases: longer, listing };
}

function emptyNode(path: string, words: readonly Candidate[]): GrammarNode {
  return { path, words, options: [], arguments: [], repeated: false };
}

function candidate({ name, summary }: { readonly name: string; readonly summary: string }): Candidate {
  return { word: lastWord({ name }), says: summary };
}

function nodeOf({ name, command, branches }: Branch): GrammarNode {
  const words = branches.map(candidate);
  if (!command) return emptyNode(name, words);
  const args = Object.entries(command.arguments);
  const columns = columnValues(command);
  const taken = globalOptionsOf(command);
  const refused = globalOptions.filter((option) => !taken.includes(option)).map(({ long }) => `--${long}`);
  return {
    path: name,
    words,
    options: ownOptions(command).map((option) => choosable(option, command)),
    arguments: args.map(([each, argument]) => possibleValues(each, argument, command)),
    repeated: args.some(([, { repeated }]) => repeated === true),
    ...(refused.length > 0 && { refused }),
    ...(columns && { columns }),
  };
}

function choosable(option: Option, command?: Command): Choosable {
  const { name, long, schema } = option;
  const words = [`--${long}`, ...(schema.short ? [`-${schema.short}`] : [])];
  const facts = { says: schema.description, ...(command?.rows && schema.topic === 'rows' && { with: '--rows' }) };
  if (schema.type !== 'boolean') return { words, ...facts, values: possibleValues(name, schema, command) };
  return { words: [...words, ...(schema.negative ? [`--${schema.negative}`] : [])], ...facts };
}

/** The kinds of values of arguments and options, by their names in any command. */
const kindsByName: Readonly<Record<string, LiveKind>> = {
  ...idKinds,
  profile: 'profiles',
  confirmProfile: 'profiles',
  saveProfile: 'profiles',
  org: 'organizations',
  templates: 'template-files',
  channelIds: 'channels',
  deviceIds: 'devices',
  tz: 'zones',
};

/** The kind of values of an argument or option, or the values, if its name or its command tells. */
export function liveKindOf(name: string, command?: Command): LiveKind | readonly string[] | undefined {
  return command?.shell.completes?.[name] ?? kindsByName[name];
}

function possibleValues(name: string, schema: Flag | Argument, command?: Command): PossibleValues {
  const { value = '', behindDashes } = command?.arguments[name] ?? {};
  if (behindDashes) return { kind: 'command', ...(behindDashes === 'iiot' && { own: true }) };
  const what = liveKindOf(name, command);
  if (typeof what === 'string') return { kind: 'live', what };
  if (what) return { kind: value === 'KEY=VALUE' ? 'pairs' : 'words', words: what };
  if (/^(FILE|DIR)\b|\|FILE$/.test(value)) return { kind: 'file' };
  const words = acceptedWords(schema);
  if (words) return { kind: 'words', words };
  return { kind: takesFile(schema) ? 'file' : 'none' };
}

/** The fields that --columns accepts: those of the command's response, and those that the platform has beside them. */
function columnValues({ name, operation, result }: Command): PossibleValues | undefined {
  const answer = result ?? operation?.responseSchema;
  const item = answer?.type === 'array' ? answer.items : answer;
  if (item?.type !== 'object' || !item.properties) return undefined;
  return { kind: 'list', words: [...Object.keys(item.properties), allColumns], command: name };
}
