import type { Groups } from '../command/command.ts';
import { globalOptions } from '../command/global-options.ts';
import type { Option } from '../command/option.ts';
import { ownWords } from '../command/word.ts';
import { type Failure, usage } from '../failure.ts';
import type { OutputShape, Result } from '../output/result.ts';
import { nearest, nearestOrPart } from '../text/nearest.ts';
import { describeBranch, describeTool } from './describe.ts';
import { allCommandsHelp, commandHelp, groupHelp, rootHelp, topicHelp } from './help.ts';
import { topics } from './topics.ts';
import { type Branch, childNamed, lastWord, loadBranch, loadBranches } from './tree.ts';

export type Help = { readonly result: Result; readonly shape: OutputShape };

/** The maximum width of help, however wide the terminal is: longer lines are hard to read. */
const widest = 80;
const narrowest = 40;

/** The help requested with `help …` or `--help`; undefined for anything else. @throws usage with "did you mean" for words that name nothing */
export async function findHelp(groups: Groups, words: readonly string[], columns: number): Promise<Help | undefined> {
  const { path, requestedBy, all, format, jq } = readWords(words);
  if (requestedBy === 'nothing') return undefined;
  // A user who adds --help to a half-typed line wants to read it, whatever format the line says.
  const shape = requestedBy === 'help' ? shapeOf(format, jq) : undefined;
  const width = Math.min(Math.max(columns, narrowest), widest);
  const subject = await subjectOf(groups, path, { requestedBy, all });
  if (shape) return { result: { kind: 'record', value: subject.facts() }, shape };
  return { result: { kind: 'text', text: subject.text(width) }, shape: { format: 'table' } };
}

function shapeOf(format: string | undefined, jq: string | undefined): OutputShape | undefined {
  const structured = (['json', 'ndjson', 'yaml'] as const).find((each) => each === format);
  if (format !== undefined && format !== 'table' && !structured) {
    throw usage(`Help has no format "${format}".`, 'It is text, or json, ndjson or yaml');
  }
  if (!structured && jq === undefined) return undefined;
  return { format: structured ?? 'json', ...(jq !== undefined && { jq }) };
}

/** The line of `iiot version` for a line with --version anywhere, in the format of that line. */
export function versionLine(words: readonly string[]): readonly string[] {
  const { format, jq } = readWords(words);
  return ['version', ...(format ? [`--output=${format}`] : []), ...(jq === undefined ? [] : [`--jq=${jq}`])];
}

/** The help text for the words of a command, a group or a topic. [] stands for the whole tool. */
export async function helpText(groups: Groups, path: readonly string[], width: number): Promise<string> {
  return (await subjectOf(groups, path, { requestedBy: 'help', all: false })).text(width);
}

type HelpSubject = { readonly text: (width: number) => string; readonly facts: () => unknown };

async function subjectOf(groups: Groups, path: readonly string[], how: HelpRequest): Promise<HelpSubject> {
  if (path.length === 0 && how.all) {
    const tree = await loadBranches(groups);
    const facts = () => ({ ...describeTool(groups), commands: tree.map((branch) => describeBranch(branch)) });
    return { text: (width) => allCommandsHelp(tree, width), facts };
  }
  if (path.length === 0) return { text: (width) => rootHelp(groups, width), facts: () => describeTool(groups) };
  const topic = topics.find(({ name }) => name === path.join(' '));
  if (topic) return { text: (width) => topicHelp(topic, width), facts: () => ({ ...topic, text: topic.text() }) };
  const branch = await findBranch(groups, path, how);
  const { command } = branch;
  return {
    text: (width) => (command ? commandHelp(branch, command, width) : groupHelp(branch, width)),
    facts: () => describeBranch(branch, true),
  };
}

/** The group or command that the words of a line lead to; undefined if the first word is neither. */
export async function branchReachedBy(groups: Groups, words: readonly string[]): Promise<Branch | undefined> {
  return (await followWords(groups, readWords(ownWords(words)).path))?.branch;
}

/** Follows words from a group as far as they name something below it. */
async function followWords(groups: Groups, [first, ...rest]: readonly string[]) {
  const group = groups.find(({ name }) => name === first);
  if (!group) return undefined;
  let branch = await loadBranch(group);
  for (const word of rest) {
    const child = childNamed(branch, word);
    if (!child) return { branch, unknown: word };
    branch = child;
  }
  return { branch };
}

async function findBranch(groups: Groups, path: readonly string[], { requestedBy }: HelpRequest): Promise<Branch> {
  const reached = await followWords(groups, path);
  const known = [...groups, ...topics].map(({ name }) => name);
  if (!reached) throw unknownCommandFailure(path[0] ?? '', [], known);
  const { branch, unknown: word } = reached;
  // With --help, the words after a command may be its arguments.
  if (word === undefined || (branch.command && requestedBy === '--help')) return branch;
  throw unknownCommandFailure(word, branch.name.split(' '), branch.branches.map(lastWord));
}

function unknownCommandFailure(word: string, before: readonly string[], known: readonly string[]): Failure {
  const suggestion = nearestOrPart(word, known);
  const line = ['iiot', ...before, word].join(' ');
  const hint = suggestion === undefined ? ['iiot', 'help', ...before] : ['iiot', 'help', ...before, suggestion];
  return usage(`Unknown command "${line}".`, `${suggestion ? 'Did you mean:' : 'See'} ${hint.join(' ')}`);
}

type HelpRequest = { readonly requestedBy: 'help' | '--help'; readonly all: boolean };

/** The words that are neither options nor their values, and the options that control the format of help. */
function readWords(words: readonly string[]) {
  const path: string[] = [];
  const given = new Map<string, string>();
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const option = optionOf(word);
    if (option && option.schema.type !== 'boolean') {
      given.set(option.long, inlineValue(word) ?? words[index + 1] ?? '');
      if (inlineValue(word) === undefined) index += 1;
    } else if (word.startsWith('-')) given.set(option?.long ?? word, '');
    else path.push(word);
  }
  const help = path[0] === 'help';
  if (help) refuseOtherOptions([...given.keys()]);
  const requestedBy: HelpRequest['requestedBy'] | 'nothing' = help
    ? 'help'
    : words.length === 0 || given.has('help')
      ? '--help'
      : 'nothing';
  const format = given.get('output') ?? (given.has('json') ? 'json' : undefined);
  return { path: help ? path.slice(1) : path, requestedBy, all: given.has('--all'), format, jq: given.get('jq') };
}

function refuseOtherOptions(options: readonly string[]): void {
  const other = options.find((each) => each.startsWith('-') && each !== '--all');
  if (other === undefined) return;
  const suggestion = nearest(other, ['--all', ...globalOptions.map(({ long }) => `--${long}`)]);
  const hint = suggestion ? `Did you mean ${suggestion}?` : 'See iiot --help';
  throw usage(`Unknown option "${other.replace(/=.*/s, '')}".`, hint);
}

function optionOf(word: string): Option | undefined {
  const [name = ''] = word.split('=');
  return globalOptions.find(
    ({ long, schema }) =>
      name === `--${long}` || (schema.short && word.startsWith(`-${schema.short}`) && !word.startsWith('--')),
  );
}

/** The value in the same word as the option: `--output=json`, `-ojson`. */
function inlineValue(word: string): string | undefined {
  if (word.startsWith('--')) return word.includes('=') ? word.slice(word.indexOf('=') + 1) : undefined;
  return word.length > 2 ? word.slice(2).replace(/^=/, '') : undefined;
}
