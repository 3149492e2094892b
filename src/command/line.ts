/** Writes command lines to copy from their parsed values. */
import type { JsonRecord } from '../text/record.ts';
import { isLikeOption, optionForShell, quoteForShell } from '../text/shell-lines.ts';
import { type Command, type Groups, type InnerLine, ownOptions } from './command.ts';
import { type GlobalInput, globalOptions } from './global-options.ts';
import type { Option } from './option.ts';
import { globalOptionsOf } from './reach.ts';

/** The global options that say where a line acts, and are repeated in every next line. */
const placeNames = ['profile', 'baseUrl', 'org', 'caFile', 'clientCert', 'clientKey'];

/** The global options that are repeated when the same command runs again. Confirmations, formats and traces are not. */
const repeatNames = ['requestTimeout', 'retries'];

/** The line that runs a command with this input again, quoted for the shell of this system, with the options that say where and how it acts. */
export function lineOf(command: Command, input: JsonRecord, options: GlobalInput): string {
  const again = globalOptions.filter(({ name }) => placeNames.includes(name) || repeatNames.includes(name));
  const words = [
    ...optionsForShell(ownOptions(command), { ...input, dryRun: undefined }),
    ...optionsForShell(again, repeatable(options)),
  ];
  const args = Object.keys(command.arguments).flatMap((name) => argumentWords(input[name]));
  const isInner = Object.values(command.arguments).some(({ behindDashes }) => behindDashes);
  return ['iiot', command.name, ...orderWords(args, words, isInner)].join(' ');
}

/** Puts quoted arguments before options; behind them and a `--` if one of them would be taken for an option. */
export function orderWords(args: readonly string[], options: readonly string[], isInner = false): string[] {
  const needsDashes = isInner || args.some((word) => isLikeOption(word.replace(/^["'`]+/, '')));
  return needsDashes ? [...options, '--', ...args] : [...args, ...options];
}

/** Options with their values, quoted. @param input by the names of the options */
export function optionsForShell(options: readonly Option[], input: JsonRecord): string[] {
  return options.flatMap((option) =>
    optionWords(option, input[option.name]).map(([long, value]) =>
      value === undefined ? `--${long}` : optionForShell(long, value),
    ),
  );
}

/** The typed options that say where a line acts, as words. */
export function whereWords(options: GlobalInput): string[] {
  const where = globalOptions.filter(({ name }) => placeNames.includes(name));
  return optionsForShell(where, repeatable(options));
}

/** Leaves out a base URL with a user or a password, which is refused anyway and may be a secret. */
function repeatable({ baseUrl, ...options }: GlobalInput): GlobalInput {
  return { ...options, ...(baseUrl !== undefined && !baseUrl.includes('@') && { baseUrl }) };
}

/** An option as it is typed for a value, with its word if it takes one. A list and a Map of pairs repeat the option. */
export function optionWords({ long, schema }: Option, value: unknown): (readonly [long: string, word?: string])[] {
  if (value === undefined) return [];
  if (schema.type === 'boolean') return value ? [[long]] : schema.negative ? [[schema.negative]] : [];
  const words = value instanceof Map ? [...value].map((pair) => pair.join('=')) : [value].flat();
  return words.map((word) => [long, String(word)]);
}

function argumentWords(value: unknown): string[] {
  if (value === undefined) return [];
  if (isInnerLine(value)) return [lineOf(value.command, value.input, {}).replace(/^iiot /, '')];
  return [value].flat().map((word) => quoteForShell(String(word)));
}

function isInnerLine(value: unknown): value is InnerLine {
  return typeof value === 'object' && value !== null && 'command' in value;
}

/** Adds the typed options that say where to the lines of a hint: `iiot orgs list` becomes `iiot orgs list --profile plant`, unless it has that option. */
export async function withPlace(text: string, groups: Groups, options: GlobalInput): Promise<string> {
  const repeated = repeatable(options);
  const typed = placeNames.filter((name) => repeated[name as keyof GlobalInput] !== undefined);
  const first = [...text.matchAll(/\biiot ([a-z]+)/g)].map(([, word]) => word);
  const named = typed.length === 0 ? [] : groups.filter(({ name }) => first.includes(name));
  if (named.length === 0) return text;
  const commands = (await Promise.all(named.map(({ load }) => load()))).flat();
  return text
    .split(/(?=\biiot )/)
    .map((part) => addPlace(part, commands, typed, options))
    .join('');
}

function addPlace(part: string, commands: readonly Command[], typed: readonly string[], options: GlobalInput): string {
  const [, ...words] = (/^iiot(?: [a-z][\w-]*)+/.exec(part)?.[0] ?? '').split(' ');
  const names = words.map((_, at) => words.slice(0, words.length - at).join(' '));
  const command = names.map((name) => commands.find((each) => each.name === name)).find((found) => found);
  if (!command || / --help\b/.test(part)) return part;
  const takes = globalOptionsOf(command).filter(({ name }) => name !== 'org' || command.operation?.params.orgId);
  const isBound = takes.some(({ name }) => name === 'profile');
  const lacking = takes.filter(({ name, long }) => isBound && typed.includes(name) && !part.includes(`--${long} `));
  const end = 'iiot '.length + command.name.length;
  return [part.slice(0, end), ...optionsForShell(lacking, options)].join(' ') + part.slice(end);
}
