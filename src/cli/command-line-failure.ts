/** Explains a wrong command line, with a guess at what was meant. Loaded only for one. */

import type { CommanderError } from 'commander';
import { type Command, ownOptions } from '../command/command.ts';
import { globalOptions } from '../command/global-options.ts';
import { type Option, optionNames } from '../command/option.ts';
import { wrongBlank } from '../command/word.ts';
import { groups } from '../commands/index.ts';
import { type Failure, usage } from '../failure.ts';
import { branchReachedBy } from '../shell/find-help.ts';
import { argumentWord, usageLine } from '../shell/option-facts.ts';
import { lastWord } from '../shell/tree.ts';
import { isLost } from '../text/environment.ts';
import { quoteForShell } from '../text/shell-lines.ts';
import { codePointOf } from '../text/utf8.ts';
import { secretSource, unknownCommand, unknownOption } from './guesses.ts';

/** The failure for a command line that commander refuses. Its message quotes the words that were typed, so only some of it is shown. */
export async function commandLineFailure({ code, message }: CommanderError, argv: readonly string[]): Promise<Failure> {
  const tree = { name: '', summary: '', branches: groups.map((group) => ({ ...group, branches: [] })) };
  const branch = (await branchReachedBy(groups, argv)) ?? tree;
  const command = 'command' in branch ? branch.command : undefined;
  if (code === 'commander.optionMissingArgument') {
    const [, long = '', value = 'value'] = /(--[\w-]+)(?: <(.+)>)?'/.exec(message) ?? [];
    const hint = `Write a value that begins with a hyphen as ${long}=VALUE; quote one with > or <, such as ">80"`;
    return usage(`${long} needs a value${value === 'value' ? '' : `: ${value}`}.`, hint);
  }
  // Commander quotes the value too, which may be a secret: repeat only the option's name.
  if (code === 'commander.unknownOption') return unknownOption(/'([^'=\s]*)/.exec(message)?.[1] ?? '', branch, argv);
  // Repeats only the word right behind the command's name: one behind an option may be a secret that was meant as its value.
  const next = argv[argv.indexOf(lastWord(branch)) + 1]?.replace(/^-.*/s, '');
  const word = code === 'commander.unknownCommand' ? /'([^']*)'/.exec(message)?.[1] : next;
  if (!command || (word && branch.branches.length > 0)) return unknownCommand(word ?? '', branch, argv);
  const counts = /Expected .*$/.exec(message)?.[0] ?? '';
  return usage(`Too many arguments for iiot ${command.name}. ${counts}`.trim(), tooManyHint(command, argv, word));
}

function tooManyHint(command: Command, words: readonly string[], word?: string): string {
  const source = secretSource(words, ownOptions(command));
  if (source) return source;
  if (words.some((each, at) => each === '--json' && words[at + 1]?.includes(',')))
    return '--json takes no value. Choose fields with --columns A,B, or with --jq';
  if (!word || Object.keys(command.arguments).length > 0)
    return `A value with spaces needs quotes. Usage: ${usageLine(command)}`;
  const isOrganization = /^[0-9a-f]{8}-/i.test(word) && command.operation?.params.orgId !== undefined;
  const option = isOrganization ? 'org' : ownOptions(command).find(({ long }) => long === 'name')?.long;
  return option ? `Did you mean --${option} ${quoteForShell(word)}?` : `Leave it out. Usage: ${usageLine(command)}`;
}

/** The failure for a word that is not UTF-8 or begins with a wrong dash or quote. Shows it only if it is an option that exists, because it may be a secret. */
export async function wrongWordFailure(argv: readonly string[], at: number, from: number): Promise<Failure> {
  const { [at]: word = '' } = argv;
  const { command } = (await branchReachedBy(groups, argv.slice(from))) ?? {};
  const options = [...(command ? ownOptions(command) : []), ...globalOptions];
  const file = options.some(({ name }) => name === 'bodyFile') ? ', or use --body-file' : '';
  if (isLost(word))
    return usage(`Argument ${at + 1} is not UTF-8.`, `Use a UTF-8 terminal, and save scripts as UTF-8${file}`);
  const blank = wrongBlank.exec(word)?.[0].at(-1);
  const place = `Argument ${at + 1} has`;
  if (blank !== undefined)
    return usage(`${place} ${codePointOf(blank)}, which is not a space, before or in an option.`, 'Write a space');
  return dashFailure(word, place, command, options);
}

function dashFailure(word: string, place: string, command: Command | undefined, options: readonly Option[]): Failure {
  // Any kind of dashes, the name of an option, and a value with its equals sign.
  const [, dashes = '', typed = '', given = ''] =
    /^([\p{Pd}\u2043\u2212\u2500\u30fc\uff70]*)([^=\uff1d]*)(.*)/su.exec(word) ?? [];
  const [mark = ''] = /[^-]/.exec(word) ?? [];
  const sentence = `${place} ${mark} (${codePointOf(mark)})`;
  const value = `To pass a value that begins with ${mark}, write --name=VALUE, or put it after --`;
  if (!dashes.includes(mark))
    return usage(`${sentence}, a quotation mark that shells do not know.`, `Use " or '. ${value}`);
  const name = typed.normalize('NFKC');
  const meant = `${name.length === 1 ? '-' : '--'}${name}`;
  const option = options.find((each) => [...optionNames(each), `-${each.schema.short}`].includes(meant));
  const isEnd = name === '' && Object.values(command?.arguments ?? {}).some(({ behindDashes }) => behindDashes);
  const whole = option && option.schema.type !== 'boolean' ? meant + given.replace(/^./, '=') : meant;
  const hint = option || isEnd ? `Did you mean ${quoteForShell(whole)}?` : `Use - for an option. ${value}`;
  return usage(`${sentence}, which is not -.`, hint);
}

/** The failure for a line without a required argument, or without the `--` before the inner command. @param name of the argument; empty for `--` */
export function incompleteLine(command: Command, name = ''): Failure {
  const argument = command.arguments[name];
  const needed = argument
    ? `${argumentWord(name, argument)}: ${argument.description}`
    : '-- before the command that it runs';
  return usage(`iiot ${command.name} needs ${needed}.`, `Usage: ${usageLine(command)}`);
}
