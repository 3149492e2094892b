import { type Command, type Groups, ownOptions } from '../command/command.ts';
import type { Option } from '../command/option.ts';
import { argumentRows, optionRows, shownOptions, usageLine, usageWords } from './option-facts.ts';
import { type Topic, topics } from './topics.ts';
import { aliasOf, type Branch, commandsIn } from './tree.ts';
import { twoColumns, wrapCommand, wrapText } from './wrap.ts';

/** The help of the whole tool, for a screen of 24 lines: its groups, its topics, and how to begin. Lines are at most `width` wide. */
export function rootHelp(groups: Groups, width: number): string {
  const headings = [...new Set(groups.map(({ heading }) => heading))];
  const lastHeading = headings.at(-1);
  const groupRows = headings.flatMap((heading) => {
    if (heading === lastHeading) return [];
    const groupsHere = groups.filter((group) => group.heading === heading);
    const rows = [...groupsHere.map(({ name, summary }) => [name, summary] as const), ...(rowsBeside[heading] ?? [])];
    return rows.map(([name, says], index) => [(index === 0 ? heading : '').padEnd(14) + name, says] as const);
  });
  // The groups under the last heading are only named, in one row, so that the help fits 24 lines.
  const namedGroups = groups.filter(({ heading }) => heading === lastHeading);
  return asText([
    ...paragraph('iiot administers an industrial IoT platform from the command line.', width),
    '',
    'Usage: iiot COMMAND [OPTIONS]',
    '',
    ...twoColumns(groupRows, width),
    ...twoColumns([nameRow(lastHeading ?? '', namedGroups), nameRow('Topics', topics)], width),
    '',
    ...paragraph('Begin: iiot sandbox tour, iiot login. Help: iiot help COMMAND, iiot help --all', width),
  ]);
}

function nameRow(heading: string, members: readonly { readonly name: string }[]): readonly [string, string] {
  return [heading.padEnd(12), members.map(({ name }) => name).join(', ')];
}

/** Rows under a heading that are not groups. */
const rowsBeside: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'Many at once': [['--rows FILE', 'One change per row of a file; see iiot help rows']],
};

export function allCommandsHelp(branches: readonly Branch[], width: number): string {
  const rows = commandsIn(branches).map((command) => callAndSummary(command, ''));
  return asText([
    'Every command of iiot',
    ...section('Commands:', twoColumns(rows, width)),
    '',
    ...paragraph('See iiot help COMMAND. For programs: iiot help --all -o json', width),
  ]);
}

/** The help of a group, or of a word between a group and its commands. */
export function groupHelp(branch: Branch, width: number): string {
  return asText([
    branch.summary,
    '',
    `Usage: iiot ${branch.name} COMMAND [OPTIONS]`,
    ...section('Commands:', twoColumns(commandsBelow(branch), width)),
    ...section('More options of its commands:', twoColumns(optionRows(optionsExplainedBy(branch)), width)),
    '',
    ...paragraph(`See iiot ${branch.name} COMMAND --help`, width),
  ]);
}

/** The help of one command. Its usage comes first, so that it is on the first screen, and prose last. */
export function commandHelp(branch: Branch, command: Command, width: number): string {
  const alias = aliasOf(branch);
  const elsewhere = new Set(ownOptions(command).flatMap(({ schema }) => schema.topic ?? []));
  const more = [...elsewhere].map((topic) => `More options: iiot help ${topic}. `).join('');
  const [usage = '', ...usageRest] = paragraph(`Usage: ${usageLine(command)}`, width);
  return asText([
    command.summary,
    '',
    usage,
    ...usageRest.map((line) => `         ${line}`),
    ...(alias === undefined ? [] : [`Alias: iiot ${command.name.replace(/\S+$/, alias)}`]),
    ...section(
      'Examples:',
      Object.entries(command.examples).flatMap(([line, says]) => [
        ...paragraph(`  # ${says}`, width),
        ...wrapCommand(line, width - 2).map((part) => `  ${part}`),
      ]),
    ),
    ...section('Commands:', twoColumns(commandsBelow(branch), width)),
    ...section('Arguments:', twoColumns(argumentRows(command), width)),
    ...section('Options:', twoColumns(optionRows(shownOptions(command), command), width)),
    ...section('Keys:', twoColumns(Object.entries(command.shell.keys ?? {}), width)),
    '',
    ...paragraph(`${more}Options of every command: iiot help options`, width),
    '',
    ...paragraph(command.description, width),
  ]);
}

export function topicHelp({ text: lines }: Topic, width: number): string {
  return asText(
    lines().flatMap((line) => (typeof line === 'string' ? paragraph(line, width) : twoColumns(line, width))),
  );
}

function asText(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

function paragraph(words: string, width: number): string[] {
  return words
    .split('\n\n')
    .flatMap((each, index) => [...(index > 0 ? [''] : []), ...wrapText(each, width).split('\n')]);
}

function section(title: string, content: readonly string[]): string[] {
  return content.length === 0 ? [] : ['', title, ...content];
}

function commandsBelow({ name, branches }: Branch) {
  return commandsIn(branches).map((command) => callAndSummary(command, `${name} `));
}

/** Options of several commands in a group, which the help of these commands leaves out. */
function optionsExplainedBy({ name, branches }: Branch): readonly Option[] {
  const all = commandsIn(branches)
    .flatMap(ownOptions)
    .filter(({ schema }) => schema.topic === name);
  return [...new Map(all.map((option) => [option.long, option])).values()];
}

/** A row of help: a command's words after `prefix` with its arguments ("delete <orgId>"), and its summary. */
function callAndSummary(command: Command, prefix: string): readonly [string, string] {
  const words = usageWords(command).filter((word) => word !== '[OPTIONS]');
  return [[command.name.slice(prefix.length), ...words].join(' '), command.summary];
}
