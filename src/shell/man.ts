import { type Command, ownOptions } from '../command/command.ts';
import { globalOptions } from '../command/global-options.ts';
import { decapitalized } from '../text/capitalized.ts';
import { exitCodesOf } from './exit-codes.ts';
import { argumentRows, optionRows, usageWords } from './option-facts.ts';
import { configFolders, files, topics } from './topics.ts';
import { type Branch, commandsIn, flatten } from './tree.ts';

export type TextPage = { readonly name: string; readonly text: string };
type PageRow = readonly [term: string, text: string];

/** The manual: one page for the whole tool, and one for each group and command. */
export function manualPages(branches: readonly Branch[], version: string): readonly TextPage[] {
  const all = branches.flatMap(flatten);
  return [toolPage(branches, version), ...all.map((branch) => branchPage(branch, version))];
}

function toolPage(branches: readonly Branch[], version: string): TextPage {
  return page('iiot', 'administer an industrial IoT platform', version, [
    ...synopsis(['iiot', 'COMMAND', '[OPTIONS]']),
    '.SH DESCRIPTION',
    ...paragraph(
      'iiot administers an industrial IoT platform: organizations, devices, alert policies, notifications, batches, credentials. ' +
        'It includes an embedded platform to try it with: iiot sandbox tour.',
    ),
    ...section('COMMANDS', summaries(branches)),
    ...section('OPTIONS', optionRows(globalOptions)),
    ...paragraph('Other options are on the pages of the commands.'),
    ...topics.flatMap(({ name, text }) => [
      `.SH ${escaped(name.replaceAll('-', ' ').toUpperCase())}`,
      ...text().flatMap((part) =>
        // fish reads the description of an option up to the next paragraph.
        typeof part === 'string' ? paragraph(part) : [...part.flatMap(([word, says]) => definition(word, says)), '.PP'],
      ),
    ]),
    ...section('FILES', files),
    ...paragraph('They are in the folder that IIOT_CONFIG_DIR names, otherwise in the usual one for configuration:'),
    ...configFolders.flatMap(([system, folder]) => definition(system, folder)),
    ...seeAlso(branches.map(({ name }) => pageName(name))),
  ]);
}

function branchPage(branch: Branch, version: string): TextPage {
  const { name, summary, command, branches } = branch;
  const parent = name.includes(' ') ? pageName(name.replace(/ \S+$/, '')) : 'iiot';
  const lines = command ? commandLines(command) : synopsis([`iiot ${name}`, 'COMMAND', '[OPTIONS]']);
  return page(pageName(name), forTitle(command?.summary ?? summary), version, [
    ...lines,
    ...section('COMMANDS', summaries(branches)),
    ...seeAlso([parent, ...branches.map((each) => pageName(each.name))]),
  ]);
}

function summaries(branches: readonly Branch[]): PageRow[] {
  return commandsIn(branches).map(({ name, summary }) => [`iiot ${name}`, summary]);
}

function commandLines(command: Command): string[] {
  return [
    ...synopsis([`iiot ${command.name}`, ...usageWords(command)]),
    '.SH DESCRIPTION',
    ...paragraph(command.description),
    ...section('ARGUMENTS', argumentRows(command)),
    ...section('KEYS', Object.entries(command.shell.keys ?? {})),
    '.SH OPTIONS',
    ...optionRows(ownOptions(command), command).flatMap(([words, says]) => definition(words, says)),
    ...paragraph('The options of every command are in iiot(1).'),
    '.SH EXIT STATUS',
    ...exitCodesOf(command).flatMap(({ code, error, when }) =>
      definition(String(code), error === null ? when : `${error}: ${when}`),
    ),
    '.SH EXAMPLES',
    ...Object.entries(command.examples).flatMap(([line, says]) => [
      ...paragraph(/[.?!]$/.test(says) ? says : `${says}:`),
      '.PP',
      '.RS 4',
      '.nf',
      // Apostrophes in a line to type must stay straight on every system.
      troffText(line).replaceAll("'", '\\(aq'),
      '.fi',
      '.RE',
    ]),
  ];
}

/** "iiot-orgs-users-list" is the page of "iiot orgs users list". */
function pageName(name: string): string {
  return `iiot-${name.replaceAll(' ', '-')}`;
}

function page(name: string, summary: string, version: string, lines: readonly string[]): TextPage {
  const head = [`.TH ${escaped(name.toUpperCase())} 1 "" "iiot ${version}" "iiot manual"`, '.nh', '.ad l'];
  const title = ['.SH NAME', `${escaped(name)} \\- ${escaped(summary)}`];
  return { name: `${name}.1`, text: `${[...head, ...title, ...lines].join('\n')}\n` };
}

function synopsis([command = '', ...words]: readonly string[]): string[] {
  return ['.SH SYNOPSIS', `\\fB${escaped(command)}\\fR ${words.map(escaped).join(' ')}`];
}

function section(title: string, rows: readonly PageRow[]): string[] {
  return rows.length === 0 ? [] : [`.SH ${title}`, ...rows.flatMap(([word, says]) => definition(word, says))];
}

function definition(word: string, says: string): string[] {
  return ['.TP', `\\fB${escaped(word)}\\fR`, troffText(says)];
}

function paragraph(text: string): string[] {
  return text === '' ? [] : text.split('\n\n').flatMap((each) => ['.PP', troffText(each)]);
}

function seeAlso(names: readonly string[]): string[] {
  return ['.SH SEE ALSO', names.map((name) => `\\fB${escaped(name)}\\fR(1)`).join(',\n')];
}

/** A line of text, escaped if it begins like a request of troff. */
function troffText(text: string): string {
  return escaped(text).replace(/^([.'])/, '\\&$1');
}

const escapes = new Map(Object.entries({ '\\': '\\e', '-': '\\-', '`': '\\(ga', '^': '\\(ha', '~': '\\(ti' }));

/** Escapes what troff would change. A straight quote stays, because fish shows escapes of a man page unchanged. */
function escaped(text: string): string {
  return text.replace(/[\\\-`^~]/g, (char) => escapes.get(char) ?? char);
}

/** A summary with a lower-case initial, to follow the page's name: "iiot-orgs - organizations and their users". */
function forTitle(summary: string): string {
  return /^[A-Z][a-z]/.test(summary) ? decapitalized(summary) : summary;
}
