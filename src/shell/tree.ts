import type { Command, Group, Groups } from '../command/command.ts';
import { aliases } from '../command/global-options.ts';

/** A word of the command line: a group, a word between a group and its commands, a command, or a command with others below it. */
export type Branch = {
  /** All words up to this one: "orgs users list". */
  readonly name: string;
  readonly summary: string;
  readonly command?: Command;
  readonly branches: readonly Branch[];
};

export async function loadBranches(groups: Groups): Promise<readonly Branch[]> {
  return Promise.all(groups.map(loadBranch));
}

export async function loadBranch(group: Group): Promise<Branch> {
  return grow(group.name, group, await group.load());
}

function grow(name: string, group: Group, commands: readonly Command[]): Branch {
  const command = commands.find((each) => each.name === name);
  const depth = name.split(' ').length;
  const below = commands.filter((each) => each.name.startsWith(`${name} `));
  const words = [...new Set(below.map((each) => each.name.split(' ', depth + 1).join(' ')))];
  const summary = name === group.name ? group.summary : (command?.summary ?? group.parts?.[name] ?? group.summary);
  return { name, summary, ...(command && { command }), branches: words.map((each) => grow(each, group, commands)) };
}

export function flatten(branch: Branch): readonly Branch[] {
  return [branch, ...branch.branches.flatMap(flatten)];
}

export function commandsIn(branches: readonly Branch[]): readonly Command[] {
  return branches.flatMap(flatten).flatMap(({ command }) => command ?? []);
}

export async function loadCommands(groups: Groups): Promise<readonly Command[]> {
  return commandsIn(await loadBranches(groups));
}

export function lastWord({ name }: Pick<Branch, 'name'>): string {
  return name.split(' ').at(-1) ?? name;
}

/** The alias of a command's last word, if it has one: "ls" for "orgs users list". */
export function aliasOf({ name }: Pick<Branch, 'name'>): string | undefined {
  return name.includes(' ') ? aliases[lastWord({ name })] : undefined;
}

export function childNamed({ branches }: Pick<Branch, 'branches'>, word: string): Branch | undefined {
  return branches.find((branch) => lastWord(branch) === word || aliasOf(branch) === word);
}
