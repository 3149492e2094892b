/** Turns commander's errors into messages about the command that was meant. Loaded only for a wrong command line. */

import type { CommanderError } from 'commander';
import { type Command, ownOptions } from '../command/command.ts';
import { globalOptions } from '../command/global-options.ts';
import { namesOf, type Option } from '../command/option.ts';
import { wrongBlank } from '../command/word.ts';
import { groups } from '../commands/index.ts';
import * as others from '../commands/other-words.ts';
import { type Failure, usage } from '../failure.ts';
import { branchReachedBy } from '../shell/find-help.ts';
import { argumentWord, usageLine } from '../shell/option-facts.ts';
import { type Branch, childNamed, flatten, lastWord } from '../shell/tree.ts';
import { isLost } from '../text/environment.ts';
import { nearestOrPart } from '../text/nearest.ts';
import { quoteForShell } from '../text/shell-lines.ts';
import { codePointOf } from '../text/utf8.ts';

/** The failure for a command line that commander refuses, whose message quotes what was typed. */
export async function commandLineFailure(
  { code, message }: CommanderError,
  words: readonly string[],
): Promise<Failure> {
  const tree: Branch = { name: '', summary: '', branches: groups.map((group) => ({ ...group, branches: [] })) };
  const branch = (await branchReachedBy(groups, words)) ?? tree;
  const { command } = branch;
  if (code === 'commander.optionMissingArgument') {
    const [, long = '', value = 'value'] = /(--[\w-]+)(?: <(.+)>)?'/.exec(message) ?? [];
    const hint = `Write a value that begins with a hyphen as ${long}=VALUE; quote one with > or <, such as ">80"`;
    return usage(`${long} needs a value${value === 'value' ? '' : `: ${value}`}.`, hint);
  }
  // Commander quotes the value too, which may be a secret: repeat only the option's name.
  if (code === 'commander.unknownOption') return unknownOption(/'([^'=\s]*)/.exec(message)?.[1] ?? '', branch, words);
  // A word behind an option may be a secret that was meant as its value: only one right behind the name is repeated.
  const next = words[words.indexOf(lastWord(branch)) + 1]?.replace(/^-.*/s, '');
  const word = code === 'commander.unknownCommand' ? /'([^']*)'/.exec(message)?.[1] : next;
  if (!command || (word && branch.branches.length > 0)) return unknownCommand(word ?? '', branch, words);
  const counts = /Expected .*$/.exec(message)?.[0] ?? '';
  return usage(`Too many arguments for iiot ${command.name}. ${counts}`.trim(), tooManyHint(command, words, word));
}

async function unknownCommand(word: string, branch: Branch, words: readonly string[]): Promise<Failure> {
  const path = `${branch.name} ${word}`.trim();
  const next = words[words.indexOf(word) + 1] ?? '';
  const [other] = [...keysWith(`${path} ${next}`, others.commands), ...keysWith(path, others.commands)];
  const near = nearestOrPart(word, branch.branches.map(lastWord));
  const meant = other ?? (near && `${branch.name} ${near}`.trim());
  // What is meant and the next word are together: `users list` is orgs users list.
  const below = meant && (await branchReachedBy(groups, [...meant.split(' '), next]));
  const lacking = (!other && withoutOperation(branch, word)) || (below && withoutOperation(below, next));
  if (lacking) return lacking;
  const whole = below && below.name.length > meant.length ? below.name : meant;
  const all = branch.branches.flatMap(flatten).flatMap(({ name, command }) => (command ? [`iiot ${name}`] : []));
  const listed = all.length > 0 ? `Commands: ${all.join(', ')}` : 'See iiot --help';
  return usage(`Unknown command "iiot ${path}".`, whole ? `Did you mean: iiot ${whole}` : listed);
}

/** What to type here for the word of another tool. */
function keysWith(word: string, words: others.OtherWords): readonly string[] {
  return Object.keys(words).filter((key) => words[key]?.includes(word));
}

/** The failure for a verb that the interface has no operation for; undefined for any other word. */
function withoutOperation(branch: Branch, verb: string): Failure | undefined {
  const [call] = keysWith(verb, others.calls);
  const untilNoun = `.*?${lastWord(branch)}`;
  const [place] = flatten(branch).flatMap(({ command }) => command?.operation?.path.match(untilNoun) ?? []);
  if (!call || !place) return undefined;
  const list = childNamed(branch, 'list')?.name;
  const where = list ? `See them with: iiot ${list} -o json` : 'You find these and their IDs in the web console';
  const one = place.replace(/\{(?!orgId)\w+\}/, 'ID');
  // What belongs to one resource has no ID of its own.
  const request = call.replace(one.includes('/ID/') ? /\*(\/ID)?/ : '*', one);
  return usage(
    `Unknown command "iiot ${branch.name} ${verb}": the platform's interface has no operation for it.`,
    `${where}. If your platform has such an operation, for example: iiot api ${request}`,
  );
}

function tooManyHint(command: Command, words: readonly string[], word?: string): string {
  const source = words.some(soundsSecret) ? secretSource(ownOptions(command)) : undefined;
  if (source) return source;
  if (words.some((each, at) => each === '--json' && words[at + 1]?.includes(',')))
    return '--json takes no value. Choose fields with --columns A,B, or with --jq';
  if (!word || Object.keys(command.arguments).length > 0)
    return `A value with spaces needs quotes. Usage: ${usageLine(command)}`;
  const isOrganization = /^[0-9a-f]{8}-/i.test(word) && command.operation?.params.orgId !== undefined;
  const option = isOrganization ? 'org' : ownOptions(command).find(({ long }) => long === 'name')?.long;
  return option ? `Did you mean --${option} ${quoteForShell(word)}?` : `Leave it out. Usage: ${usageLine(command)}`;
}

function unknownOption(option: string, { name, command, branches }: Branch, words: readonly string[]): Failure {
  const own = command ? ownOptions(command) : [];
  const source = soundsSecret(option) ? secretSource(own) : undefined;
  const known = [...own, ...globalOptions].find((each) => namesOf(each).includes(option));
  if (known && !source && words.some((word) => word.startsWith(`${option}=`)))
    return usage(`${option} takes no value.`, `Write ${namesOf(known).join(' or ')}`);
  const inner = branches.find((each) => each.command && ownOptions(each.command).flatMap(namesOf).includes(option));
  const args = Object.values(command?.arguments ?? {});
  const line = command && usageLine(command);
  const meant = optionMeant(option, [...own, ...globalOptions].flatMap(namesOf));
  const hints = [
    source,
    inner && `Did you mean: iiot ${inner.name} ${option}`,
    /^--?f(ile)?$/.test(option) && args.some(({ value }) => value === 'FILE') && `Usage: ${line}`,
    meant && `Did you mean ${meant}?`,
    args.some(({ behindDashes }) => behindDashes) && `Put -- before the command and its options: ${line}`,
    /pass|secret|token|key|pwd|credential/i.test(option) &&
      'Passwords and secrets are not options: give them on standard input, in a variable or in a file',
  ];
  return usage(`Unknown option "${option}".`, hints.find(Boolean) || `See ${`iiot ${name}`.trim()} --help`);
}

/** What an option of another tool, or one with a slip, may be here. A secret is only what takes a secret. */
function optionMeant(option: string, names: readonly string[]): string | undefined {
  const known = keysWith(option, others.options);
  if (known.length > 0 || !option.startsWith('--')) return known.find((each) => names.includes(each));
  const possible = names.filter((each) => !soundsSecret(option) || soundsSecret(each)).map((each) => each.slice(2));
  const near = nearestOrPart(option.slice(2), possible);
  return near && `--${near}`;
}

const soundsSecret = (word: string) => /^--?(.*pass|.*sec|.*pwd|pw\b)/i.test(word);

/** Where a command reads the secret that somebody gave as the value of an option: --client-secret-stdin, IIOT_CLIENT_SECRET. */
function secretSource(options: readonly Option[]): string | undefined {
  const [name] = options.flatMap(({ long }) => (long.endsWith('-stdin') ? [long.slice(0, -6)] : []));
  const variable = `IIOT_${name?.replaceAll('-', '_').toUpperCase()}`;
  const says = 'A secret is never the value of an option: it is read from standard input';
  return name && `${says} (--${name}-stdin), ${variable} or a prompt`;
}

/**
 * The failure for a word that is not UTF-8, or begins with a dash that is not - or with a typographic quote. The word is repeated only as an option that
 * exists: anything else may be a secret.
 */
export async function wrongWord(argv: readonly string[], at: number, from: number): Promise<Failure> {
  const { [at]: word = '' } = argv;
  const { command } = (await branchReachedBy(groups, argv.slice(from))) ?? {};
  const options = [...(command ? ownOptions(command) : []), ...globalOptions];
  const file = options.some(({ name }) => name === 'bodyFile') ? ', or use --body-file' : '';
  if (isLost(word))
    return usage(`Argument ${at + 1} is not UTF-8.`, `Use a UTF-8 terminal, and save scripts as UTF-8${file}`);
  const blank = wrongBlank.exec(word)?.[0].at(-1);
  if (blank !== undefined)
    return usage(
      `Argument ${at + 1} has ${codePointOf(blank)}, which is not a space, before or in an option.`,
      'Write a space',
    );
  const [, dashes = '', typed = '', given = ''] =
    /^([\p{Pd}\u2043\u2212\u2500\u30fc\uff70]*)([^=\uff1d]*)(.*)/su.exec(word) ?? [];
  const [mark = ''] = /[^-]/.exec(word) ?? [];
  const place = `Argument ${at + 1} has ${mark} (${codePointOf(mark)})`;
  const value = `To pass a value that begins with ${mark}, write --name=VALUE, or put it after --`;
  if (!dashes.includes(mark))
    return usage(`${place}, a quotation mark that shells do not know.`, `Use " or '. ${value}`);
  const name = typed.normalize('NFKC');
  const meant = `${name.length === 1 ? '-' : '--'}${name}`;
  const option = options.find((each) => [...namesOf(each), `-${each.schema.short}`].includes(meant));
  const isEnd = name === '' && Object.values(command?.arguments ?? {}).some(({ behindDashes }) => behindDashes);
  const whole = option && option.schema.type !== 'boolean' ? meant + given.replace(/^./, '=') : meant;
  const hint = option || isEnd ? `Did you mean ${quoteForShell(whole)}?` : `Use - for an option. ${value}`;
  return usage(`${place}, which is not -.`, hint);
}

/** The failure for a line that lacks an argument, or else the `--` before the inner command. */
export function incompleteLine(command: Command, name = ''): Failure {
  const argument = command.arguments[name];
  const needed = argument
    ? `${argumentWord(name, argument)}: ${argument.description}`
    : '-- before the command that it runs';
  return usage(`iiot ${command.name} needs ${needed}.`, `Usage: ${usageLine(command)}`);
}
