/** Turns commander's errors into messages about the command that was meant. Loaded only for a wrong command line. */

import { ownOptions } from '../command/command.ts';
import { familiar, insteadOf } from '../commands/absent.ts';
import { groups } from '../commands/index.ts';
import { type Failure, usage } from '../failure.ts';
import { branchReachedBy } from '../shell/find-help.ts';
import { nearest } from '../shell/nearest.ts';
import { argumentWord, usageLine } from '../shell/option-facts.ts';
import { aliasOf, type Branch, flatten, lastWord } from '../shell/tree.ts';

/** Commander's error: its kind, and a message that quotes what was typed. */
type Refusal = { readonly code: string; readonly message: string };

/** The failure for a command line that commander refuses. */
export async function commandLineFailure(error: Refusal, words: readonly string[]): Promise<Failure> {
  const branch = await branchReachedBy(groups, words);
  const name = branch ? `iiot ${branch.name}` : 'iiot';
  switch (error.code) {
    case 'commander.unknownCommand':
      return unknownCommand(quoted(error), branch);
    case 'commander.excessArguments': {
      // A word behind an option may be a secret that was meant as its value: only one right behind the name is repeated.
      const word = branch?.branches.length ? words[words.indexOf(lastWord(branch)) + 1] : undefined;
      return word && !word.startsWith('-') ? unknownCommand(word, branch) : tooMany(error, name, branch, words);
    }
    case 'commander.missingArgument':
      return missingArgument(quoted(error), name, branch);
    case 'commander.optionMissingArgument': {
      const [, long = '', value = 'value'] = /(--[\w-]+)(?: <(.+)>)?'/.exec(error.message) ?? [];
      const named = value === 'value' ? '' : `: ${value}`;
      return usage(`${long} needs a value${named}.`, `A value that begins with a hyphen is written ${long}=VALUE`);
    }
    default:
      return unknownOption(error, name, branch, words);
  }
}

/** The quoted part of commander's message. */
function quoted({ message }: Refusal): string {
  return /'([^']*)'/.exec(message)?.[1] ?? '';
}

function unknownCommand(word: string, branch: Branch | undefined): Failure {
  const path = branch ? `${branch.name} ${word}` : word;
  const instead = branch && insteadOf(branch.name, word);
  if (instead)
    return usage(`There is no command "iiot ${path}": the platform's interface has no operation for it.`, instead);
  const suggestion = familiar[path] ?? familiar[word] ?? nearestBelow(word, branch);
  return usage(`Unknown command "iiot ${path}".`, suggestion ? `Did you mean: iiot ${suggestion}` : commandsOf(branch));
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
  return usage(`Too many arguments for ${name}. ${counts}`.trim(), hint ?? `A value with spaces needs quotes${line}`);
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
  const [sentence = '', suggestion] = text.split('\n');
  const option = /'([^']*)'/.exec(sentence)?.[1] ?? '';
  const nearestOption = suggestion?.match(/\(Did you mean (.+?)\?\)/)?.[1];
  const full = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
    .replace(/\.\.$/, '.')
    .replace(/'([^']*)'/g, '"$1"');
  const source = soundsSecret(option) ? secretSource(branch) : undefined;
  const suggested = nearestOption ? `Did you mean ${nearestOption}?` : undefined;
  return usage(full, source ?? suggested ?? dashesHint(branch, words) ?? secretHint(option) ?? `See ${name} --help`);
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
  return isInner && !words.includes('--') ? `Put -- before the command: ${usageLine(command)}` : undefined;
}

function secretHint(option: string): string | undefined {
  if (!/pass|secret|token|key|pwd|credential/i.test(option)) return undefined;
  return 'Passwords and secrets are not options: give them on standard input, in a variable or in a file';
}

/** The failure for a missing `--` before the inner command. */
export function dashesMissing(name: string, line: string): Failure {
  return usage(`iiot ${name} needs -- before the command that it runs.`, `Usage: ${line}`);
}
