/** Turns commander's errors into messages about the command that was meant. Loaded only for a wrong command line. */

import { type Command, ownOptions } from '../command/command.ts';
import { globalOptions } from '../command/global-options.ts';
import type { Option } from '../command/option.ts';
import { familiar, familiarOptions, insteadOf } from '../commands/absent.ts';
import { groups } from '../commands/index.ts';
import { type Failure, usage } from '../failure.ts';
import { branchReachedBy } from '../shell/find-help.ts';
import { nearest } from '../shell/nearest.ts';
import { argumentWord, usageLine } from '../shell/option-facts.ts';
import { aliasOf, type Branch, flatten, lastWord } from '../shell/tree.ts';
import { quoteForShell } from '../text/shell-lines.ts';

/** Commander's error: its kind, and a message that quotes what was typed. */
type Refusal = { readonly code: string; readonly message: string };

/** The failure for a command line that commander refuses. */
export async function commandLineFailure(error: Refusal, words: readonly string[]): Promise<Failure> {
  const branch = await branchReachedBy(groups, words);
  const name = branch ? `iiot ${branch.name}` : 'iiot';
  switch (error.code) {
    case 'commander.unknownCommand':
      return unknownCommand(quoted(error), branch, words);
    case 'commander.excessArguments': {
      // A word behind an option may be a secret that was meant as its value: only one right behind the name is repeated.
      const word = branch?.branches.length ? words[words.indexOf(lastWord(branch)) + 1] : undefined;
      return word && !word.startsWith('-') ? unknownCommand(word, branch, words) : tooMany(error, name, branch, words);
    }
    case 'commander.missingArgument':
      return missingArgument(quoted(error), name, branch);
    case 'commander.optionMissingArgument': {
      const [, long = '', value = 'value'] = /(--[\w-]+)(?: <(.+)>)?'/.exec(error.message) ?? [];
      const named = value === 'value' ? '' : `: ${value}`;
      return usage(
        `${long} needs a value${named}.`,
        `Write a value that begins with a hyphen as ${long}=VALUE; quote one with > or <, such as ">80"`,
      );
    }
    default:
      return unknownOption(error, name, branch, words);
  }
}

/** The quoted part of commander's message. */
function quoted({ message }: Refusal): string {
  return /'([^']*)'/.exec(message)?.[1] ?? '';
}

async function unknownCommand(word: string, branch: Branch | undefined, words: readonly string[]): Promise<Failure> {
  const path = branch ? `${branch.name} ${word}` : word;
  const next = words[words.indexOf(word) + 1];
  const group = branch ? undefined : familiar[word]?.replace(/ list$/, '');
  const meant = familiar[`${word} ${next}`] ?? (branch ? familiar[path] : await below(group, next));
  const instead = branch ? insteadOf(branch.name, word) : insteadOf(group, next);
  if (instead && !meant)
    return usage(
      `There is no command "iiot ${branch ? path : `${word} ${next}`}": the platform's interface has no operation for it.`,
      instead,
    );
  const suggestion = meant ?? familiar[word] ?? nearestBelow(word, branch);
  return usage(`Unknown command "iiot ${path}".`, suggestion ? `Did you mean: iiot ${suggestion}` : commandsOf(branch));
}

/** What another tool's word and the next one are together here: `users list` is orgs users list. */
async function below(group: string | undefined, next: string | undefined): Promise<string | undefined> {
  if (!group || !next || next.startsWith('-')) return undefined;
  const found = await branchReachedBy(groups, [...group.split(' '), next]);
  return found?.name === group ? undefined : found?.name;
}

/** Finds a command for a typing error, or for a missing word in between. */
function nearestBelow(word: string, branch: Branch | undefined): string | undefined {
  const names = branch ? branch.branches.map(lastWord) : groups.map(({ name }) => name);
  const child = nearest(word, names);
  if (!branch || child !== undefined) return child && (branch ? `${branch.name} ${child}` : child);
  return branch.branches
    .flatMap(flatten)
    .find((each) => each.command && (lastWord(each) === word || aliasOf(each) === word))?.name;
}

function commandsOf(branch: Branch | undefined): string {
  if (!branch) return 'See iiot --help';
  const below = branch.branches.flatMap(flatten).flatMap(({ name, command }) => (command ? [name] : []));
  return `Commands: ${below.map((name) => `iiot ${name}`).join(', ')}`;
}

function tooMany({ message }: Refusal, name: string, branch: Branch | undefined, words: readonly string[]): Failure {
  const counts = /Expected .*$/.exec(message)?.[0] ?? '';
  const line = branch?.command ? `. Usage: ${usageLine(branch.command)}` : '';
  const hint = words.some((word) => soundsSecret(word)) ? secretSource(branch) : undefined;
  const meant = branch?.command && optionFor(branch.command, words);
  return usage(
    `Too many arguments for ${name}. ${counts}`.trim(),
    hint ?? meant ?? `A value with spaces needs quotes${line}`,
  );
}

/** Which option a word too many may have been. Only a word right behind the name is repeated: another may be a secret. */
function optionFor(command: Command, words: readonly string[]): string | undefined {
  if (words.some((word, at) => word === '--json' && words[at + 1]?.includes(',')))
    return '--json takes no value. Choose fields with --columns A,B, or with --jq';
  if (Object.keys(command.arguments).length > 0) return undefined;
  const word = words[words.indexOf(command.name.split(' ').at(-1) ?? '') + 1] ?? '-';
  if (word.startsWith('-')) return undefined;
  const isOrganization = /^[0-9a-f]{8}-/i.test(word) && command.operation?.params.orgId !== undefined;
  const option = isOrganization ? 'org' : ownOptions(command).find(({ long }) => long === 'name')?.long;
  return option ? `Did you mean --${option} ${quoteForShell(word)}?` : `Leave it out. Usage: ${usageLine(command)}`;
}

function missingArgument(argument: string, name: string, branch: Branch | undefined): Failure {
  const found = branch?.command?.arguments[argument];
  const word = found ? argumentWord(argument, found) : `<${argument}>`;
  const what = found ? `: ${found.description}` : '';
  const hint = branch?.command ? `Usage: ${usageLine(branch.command)}` : `See ${name} --help`;
  return usage(`${name} needs ${word}${what}.`, hint);
}

function unknownOption(
  { message }: Refusal,
  name: string,
  branch: Branch | undefined,
  words: readonly string[],
): Failure {
  // Commander quotes the value, which may be a secret: repeat only the option's name.
  const text = message.replace(/^error: /, '').replace(/'(--?[\w-]+)=[^\n]*'/, "'$1'");
  const [sentence = ''] = text.split('\n');
  const option = /'([^']*)'/.exec(sentence)?.[1] ?? '';
  const full = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
    .replace(/\.\.$/, '.')
    .replace(/'([^']*)'/g, '"$1"');
  const known = optionsOf(branch);
  const source = soundsSecret(option) ? secretSource(branch) : undefined;
  const valued = known.includes(option) && words.some((word) => word.startsWith(`${option}=`));
  if (valued && !source) return usage(`${option} takes no value.`, switchHint(option, branch) ?? `See ${name} --help`);
  const inner = branch?.branches.find((each) => optionsOf(each, false).includes(option));
  const file = /^--?f(ile)?$/.test(option) && branch?.command ? fileHint(branch.command) : undefined;
  const foreign = Object.hasOwn(familiarOptions, option) ? familiarOptions[option] : undefined;
  const meant = foreign
    ? foreign.find((each) => known.includes(each))
    : (nearestOption(option, optionsOf(branch, false)) ?? (inner ? undefined : nearestOption(option, known)));
  const suggested = meant ? `Did you mean ${meant}?` : inner && `Did you mean: iiot ${inner.name} ${option}`;
  return usage(
    full,
    source ?? suggested ?? file ?? dashesHint(branch, words) ?? secretHint(option) ?? `See ${name} --help`,
  );
}

/** `--enabled=false`: which of the two switches it may have been. */
function switchHint(option: string, branch: Branch | undefined): string | undefined {
  const own = branch?.command && ownOptions(branch.command).find(({ long }) => option === `--${long}`)?.schema;
  return own?.type === 'boolean' && own.negative ? `Write ${option} or --${own.negative}` : undefined;
}

/** The option that a word may have been: a few other letters, or its first words, such as --template for --template-id. None for a secret that is none itself. */
function nearestOption(option: string, known: readonly string[]): string | undefined {
  const word = option.replace(/^--/, '');
  if (word === option) return undefined;
  const names = known.filter((each) => !soundsSecret(option) || soundsSecret(each)).map((each) => each.slice(2));
  const near = nearest(word, names) ?? names.find((each) => `${each}-`.startsWith(`${word}-`));
  return near && `--${near}`;
}

/** Where a file is an argument, or what takes one. */
function fileHint(command: Command): string | undefined {
  const takesFile = Object.values(command.arguments).some(({ value }) => value === 'FILE');
  if (takesFile) return `Usage: ${usageLine(command)}`;
  const all = ownOptions(command).filter(({ schema }) => schema.topic === undefined);
  const named = (what: RegExp) => all.flatMap(({ long }) => (what.test(long) ? [`--${long}`] : []));
  const [files, rows] = [named(/-file$/), named(/^rows$/)];
  const either = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(files.length > 0 ? files : rows);
  return either === '' ? undefined : `Did you mean ${either}?`;
}

/** Every option that may stand behind a command, as it is written. */
function optionsOf(branch: Branch | undefined, withGlobal = true): readonly string[] {
  const own = branch?.command ? ownOptions(branch.command) : [];
  const names = ({ long, schema }: Option) =>
    schema.type === 'boolean' && schema.negative ? [`--${long}`, `--${schema.negative}`] : [`--${long}`];
  return [...own, ...(withGlobal ? globalOptions : [])].flatMap(names);
}

function soundsSecret(word: string): boolean {
  return /^--?(.*pass|.*sec|.*pwd|pw\b)/i.test(word);
}

/** Where a command reads the secret that somebody gave as the value of an option: --client-secret-stdin, IIOT_CLIENT_SECRET. */
function secretSource(branch: Branch | undefined): string | undefined {
  const own = branch?.command && ownOptions(branch.command).find(({ long }) => long.endsWith('-stdin'));
  if (!own) return undefined;
  const variable = `IIOT_${own.long.slice(0, -6).replaceAll('-', '_').toUpperCase()}`;
  return `A secret is never the value of an option: it is read from standard input (--${own.long}), ${variable} or a prompt`;
}

/** Options after `--` belong to the inner command; without it, they are taken for ours. */
function dashesHint(branch: Branch | undefined, words: readonly string[]): string | undefined {
  const { command } = branch ?? {};
  const isInner = command && Object.values(command.arguments).some(({ behindDashes }) => behindDashes);
  if (!isInner) return undefined;
  const order = words.includes('--') ? 'Put options of the command after --' : 'Put -- before the command';
  return `${order}: ${usageLine(command)}`;
}

function secretHint(option: string): string | undefined {
  if (!/pass|secret|token|key|pwd|credential/i.test(option)) return undefined;
  return 'Passwords and secrets are not options: give them on standard input, in a variable or in a file';
}

/** The failure for a missing `--` before the inner command. */
export function dashesMissing(name: string, line: string): Failure {
  return usage(`iiot ${name} needs -- before the command that it runs.`, `Usage: ${line}`);
}
