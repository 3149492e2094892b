import type { Command } from '../command/command.ts';
import { globalOptions } from '../command/global-options.ts';
import type { Option } from '../command/option.ts';
import { type ExitCode, everyExitCode, exitCodesOf } from './exit-codes.ts';
import { argumentWord, optionRows, shownOptions, usageLine } from './option-facts.ts';
import { variables } from './topics.ts';
import { aliasOf, type Branch, flatten } from './tree.ts';

/** A page: its file name and its text. */
type Page = { readonly name: string; readonly text: string };

/** The reference as Markdown, a page for each command, and README.md for what holds for all: docs/reference. */
export function referencePages(branches: readonly Branch[]): readonly Page[] {
  const all = branches
    .flatMap(flatten)
    .flatMap((branch) => (branch.command ? [{ branch, command: branch.command }] : []));
  return [
    { name: 'README.md', text: indexPage(all.map(({ command }) => command)) },
    ...all.map(({ branch, command }) => ({ name: referenceName(command), text: commandPage(branch, command) })),
  ];
}

/** The file of a command in docs/reference. */
export function referenceName({ name }: Command): string {
  return `iiot-${name.replaceAll(' ', '-')}.md`;
}

function indexPage(commands: readonly Command[]): string {
  return lines([
    '# Reference',
    '',
    'Every command of `iiot`, written from the definitions that the program itself reads, by `npm run texts`. The same is in `iiot help COMMAND`, in',
    '`man iiot-orgs-users-list` and the other pages, and for programs in `iiot help --all -o json`.',
    '',
    ...table(
      ['command', 'does'],
      commands.map((command) => [`[\`iiot ${command.name}\`](${referenceName(command)})`, command.summary]),
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
  ]);
}

function commandPage(branch: Branch, command: Command): string {
  const alias = aliasOf(branch);
  const codes = exitCodesOf(command);
  const usual = new Set(everyExitCode().map(({ code, error, when }) => `${code} ${error} ${when}`));
  return lines([
    `# iiot ${command.name}`,
    '',
    `${command.summary}. ${changesLine(command)}`,
    '',
    '```text',
    usageLine(command),
    ...(alias === undefined ? [] : [`iiot ${command.name.replace(/\S+$/, alias)} …`]),
    '```',
    '',
    '```sh',
    ...command.examples.flatMap(({ line, says }) => [`# ${says}`, line]),
    '```',
    ...part(
      table(
        ['argument', 'what it is'],
        Object.entries(command.arguments).map(([name, argument]) => [
          `\`${argumentWord(name, argument)}\``,
          argument.description,
        ]),
      ),
    ),
    ...part(optionTable(shownOptions(command), command)),
    ...part(
      table(
        ['key', 'what it is for'],
        Object.entries(command.shell.keys ?? {}).map(([key, says]) => [`\`${key}\``, says]),
      ),
    ),
    '',
    text(command.description),
    '',
    `[Exit codes](README.md#exit-codes): ${[...new Set(codes.map(({ code }) => code))].join(', ')}.`,
    ...part(exitTable(codes.filter(({ code, error, when }) => !usual.has(`${code} ${error} ${when}`)))),
  ]);
}

function lines(all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}

function part(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', ...lines];
}

function changesLine(command: Command): string {
  const { changes } = command;
  if (usageLine(command).includes(' -- COMMAND')) return 'Changes what its command changes.';
  if (changes === undefined) return 'Changes nothing on the platform.';
  return changes.undoable ? 'The change can be undone.' : 'The change cannot be undone.';
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
