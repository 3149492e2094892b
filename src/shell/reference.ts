import type { Command } from '../command/command.ts';
import { globalOptions } from '../command/global-options.ts';
import type { Option } from '../command/option.ts';
import { type ExitCode, everyExitCode, exitCodesOf } from './exit-codes.ts';
import { argumentWord, optionRows, shownOptions, usageLine } from './option-facts.ts';
import { variables } from './topics.ts';
import { aliasOf, type Branch, flatten } from './tree.ts';

/** The reference of all commands as Markdown: docs/reference.md. */
export function reference(branches: readonly Branch[]): string {
  const all = branches.flatMap(flatten).filter(({ command }) => command !== undefined);
  return [
    '# Reference',
    '',
    'Every command of `iiot`, written from the definitions that the program itself reads, by `npm run texts`. The same is in `iiot help COMMAND`, in',
    '`man iiot-orgs-users-list` and the other pages, and for programs in `iiot help --all -o json`.',
    '',
    ...table(
      ['command', 'does'],
      all.map(({ name, command }) => [`[\`iiot ${name}\`](#${anchor(name)})`, command?.summary ?? '']),
    ),
    '',
    '## Options of every command',
    '',
    ...optionTable(globalOptions),
    '',
    '## Exit codes',
    '',
    ...exitTable(everyExitCode()),
    '',
    '## Variables',
    '',
    ...table(
      ['variable', 'what it is for'],
      variables.map(([name, says]) => [`\`${name}\``, says]),
    ),
    ...all.flatMap((branch) => (branch.command ? ['', ...commandLines(branch, branch.command)] : [])),
    '',
  ].join('\n');
}

function commandLines(branch: Branch, command: Command): string[] {
  const args = Object.entries(command.arguments);
  const options = shownOptions(command);
  const alias = aliasOf(branch);
  return [
    `## iiot ${command.name}`,
    '',
    `${command.summary}.`,
    '',
    '```text',
    usageLine(command),
    ...(alias === undefined ? [] : [`iiot ${command.name.replace(/\S+$/, alias)} …`]),
    '```',
    '',
    text(command.description),
    '',
    changesLine(command),
    ...part(
      table(
        ['argument', 'what it is'],
        args.map(([name, argument]) => [`\`${argumentWord(name, argument)}\``, argument.description]),
      ),
    ),
    ...part(
      table(
        ['key', 'what it is for'],
        Object.entries(command.keys ?? {}).map(([key, says]) => [`\`${key}\``, says]),
      ),
    ),
    ...part(optionTable(options, command)),
    ...part(exitTable(exitCodesOf(command))),
    '',
    '```sh',
    ...command.examples.flatMap(({ line, says }) => [`# ${says}`, line]),
    '```',
  ];
}

function part(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', ...lines];
}

function changesLine({ changes }: Command): string {
  if (changes === undefined) return 'Changes nothing.';
  return changes === 'final'
    ? 'Changes something that cannot be undone.'
    : 'Changes something that can be changed back.';
}

function optionTable(options: readonly Option[], command?: Command): string[] {
  const rows = optionRows(options, command);
  return table(
    ['option', 'what it is for'],
    rows.map(([words, says]) => [`\`${words}\``, says]),
  );
}

function exitTable(codes: readonly ExitCode[]): string[] {
  return table(
    ['exit code', '`error.code`', 'when'],
    codes.map(({ code, error, when }) => [String(code), error === null ? '' : `\`${error}\``, when]),
  );
}

type Row = readonly string[];

export function table(head: Row, rows: readonly Row[]): string[] {
  if (rows.length === 0) return [];
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`);
}

function cell(words: string): string {
  return (words.startsWith('`') || words.startsWith('[') ? words : text(words)).replaceAll('|', '\\|');
}

/** Escapes characters that are special in Markdown. */
function text(words: string): string {
  return words.replace(/[*<>[\]]/g, '\\$&');
}

function anchor(name: string): string {
  return `iiot-${name.replaceAll(' ', '-')}`;
}
