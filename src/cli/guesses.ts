/** Guesses which command or option was meant by one that does not exist. Loaded only for a wrong command line. */

import { ownOptions } from '../command/command.ts';
import { globalOptions } from '../command/global-options.ts';
import { type Option, optionNames } from '../command/option.ts';
import { groups } from '../commands/index.ts';
import { otherCalls, ownWordsFor } from '../commands/other-words.ts';
import { type Failure, usage } from '../failure.ts';
import { branchReachedBy } from '../shell/find-help.ts';
import { usageLine } from '../shell/option-facts.ts';
import { type Branch, childNamed, flatten, lastWord } from '../shell/tree.ts';
import { nearestOrPart } from '../text/nearest.ts';

/** The failure for a word that is not a command of the branch before it. */
export async function unknownCommand(word: string, branch: Branch, words: readonly string[]): Promise<Failure> {
  const path = `${branch.name} ${word}`.trim();
  const next = words[words.indexOf(word) + 1] ?? '';
  const [other] = [`${path} ${next}`, path].flatMap((each) => ownWordsFor(each));
  const near = nearestOrPart(word, branch.branches.map(lastWord));
  const meant = other ?? (near && `${branch.name} ${near}`.trim());
  // The guess may be a group, to which the next word belongs: `users list` is orgs users list.
  const meantBranch = meant && (await branchReachedBy(groups, [...meant.split(' '), next]));
  const lacking = (!other && withoutOperation(branch, word)) || (meantBranch && withoutOperation(meantBranch, next));
  if (lacking) return lacking;
  const whole = meantBranch && meantBranch.name.length > meant.length ? meantBranch.name : meant;
  const lines = branch.branches.flatMap(flatten).flatMap(({ name, command }) => (command ? [`iiot ${name}`] : []));
  const listed = lines.length > 0 ? `Commands: ${lines.join(', ')}` : 'See iiot --help';
  return usage(`Unknown command "iiot ${path}".`, whole ? `Did you mean: iiot ${whole}` : listed);
}

/** The failure for a verb that the interface has no operation for; undefined for any other word. */
function withoutOperation(branch: Branch, verb: string): Failure | undefined {
  const [call] = ownWordsFor(verb, otherCalls);
  const [place] = flatten(branch).flatMap(
    ({ command }) => command?.operation?.path.match(`.*?${lastWord(branch)}`) ?? [],
  );
  if (!call || !place) return undefined;
  const list = childNamed(branch, 'list')?.name;
  const where = list ? `See them with: iiot ${list} -o json` : 'You find these and their IDs in the web console';
  const one = place.replace(/\{(?!orgId)\w+\}/, 'ID');
  // A resource that another one has only once has no ID of its own.
  const request = call.replace(one.includes('/ID/') ? /\*(\/ID)?/ : '*', one);
  return usage(
    `Unknown command "iiot ${branch.name} ${verb}": the platform's interface has no operation for it.`,
    `${where}. If your platform has such an operation, for example: iiot api ${request}`,
  );
}

/** The failure for an option that the command does not have. Its value, which may be a secret, is not repeated. */
export function unknownOption(option: string, branch: Branch, words: readonly string[]): Failure {
  const { name, command, branches } = branch;
  const options = [...(command ? ownOptions(command) : []), ...globalOptions];
  const source = secretSource([option], options);
  const known = options.find((each) => optionNames(each).includes(option));
  if (known && !source && words.some((word) => word.startsWith(`${option}=`)))
    return usage(`${option} takes no value.`, `Write ${optionNames(known).join(' or ')}`);
  const inner = branches.find((each) => each.command && ownOptions(each.command).flatMap(optionNames).includes(option));
  const args = Object.values(command?.arguments ?? {});
  const line = command && usageLine(command);
  const meant = optionMeant(option, options.flatMap(optionNames));
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

/** The option that is meant by one of another tool, or by one with a typing mistake. An option for a secret is offered only for a name that sounds like one. */
function optionMeant(option: string, names: readonly string[]): string | undefined {
  const known = ownWordsFor(option);
  if (known.length > 0 || !option.startsWith('--')) return known.find((each) => names.includes(each));
  const possible = names.filter((each) => !soundsSecret(option) || soundsSecret(each)).map((each) => each.slice(2));
  const near = nearestOrPart(option.slice(2), possible);
  return near && `--${near}`;
}

const soundsSecret = (word: string) => /^--?(.*pass|.*sec|.*pwd|pw\b)/i.test(word);

/** A hint that a secret given as the value of an option is read elsewhere, from --client-secret-stdin or IIOT_CLIENT_SECRET; undefined for other words. */
export function secretSource(words: readonly string[], options: readonly Option[]): string | undefined {
  const [name] = options.flatMap(({ long }) => (long.endsWith('-stdin') ? [long.slice(0, -6)] : []));
  if (!name || !words.some(soundsSecret)) return undefined;
  const variable = `IIOT_${name.replaceAll('-', '_').toUpperCase()}`;
  const says = 'A secret is never the value of an option: it is read from standard input';
  return `${says} (--${name}-stdin), ${variable} or a prompt`;
}
