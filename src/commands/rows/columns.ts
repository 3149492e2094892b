import type { Command } from '../../command/command.ts';
import type { Option } from '../../command/option.ts';
import { addValue, isRepeatable, listMark, readWord, valuesIn } from '../../command/word.ts';
import type { Schema } from '../../contract/schema.ts';
import { type FailureDetail, usage } from '../../failure.ts';
import { columnTwice } from '../../rows/csv.ts';
import type { ColumnUse } from '../../rows/doubts.ts';
import { plainName as plain } from '../../text/alike.ts';
import { capitalized } from '../../text/capitalized.ts';
import { parseOrdered } from '../../text/json.ts';
import { nearestOrPart } from '../../text/nearest.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import { options as otherWords } from '../other-words.ts';
import type { RowsRun } from './plan.ts';
import { type Column, namesIn, ownName, type Vocabulary } from './vocabulary.ts';

/** A header, or the members of a row of JSON, as columns; what is left out has none. */
export type Header = {
  readonly columns: readonly (Column | undefined)[];
  /** The names of its columns by option: `--alert-level` is "alertLevel" there. */
  readonly labels: ReadonlyMap<string, string>;
  /** What is wrong with them, as text that follows "has", and what to do. */
  readonly refusal?: { readonly has: string; readonly hint: string };
  /** Those that a record has and the command does not set, and the names of --ignore-columns that it has. */
  readonly unset: readonly string[];
  readonly ignored: readonly string[];
};

export const noHeader: Header = { columns: [], labels: new Map(), unset: [], ignored: [] };

/** The first step: what the names of a header, or of the members of a row, are about. What else the command line takes, such as a file, is never a column. */
export function headerOf(names: readonly string[], what: 'column' | 'member', vocabulary: Vocabulary): Header {
  const { command, words } = vocabulary;
  const isRehearsal = ['request', 'curl', 'dryRun'].every((field) => names.includes(field));
  if (isRehearsal) {
    const has = `the ${what}s of what a dry run prints`;
    return { ...noHeader, refusal: { has, hint: 'give the file that it read' } };
  }
  const left = vocabulary.leftOf(names);
  const found = names.map((label) =>
    label === '' && what === 'column' ? undefined : columnFor(label, names, left, what, vocabulary),
  );
  const refused = new Map(found.flatMap((each) => (each && 'refused' in each ? [[each.refused, each.problem]] : [])));
  const columns = found.map((each) => (each && 'schema' in each ? each : undefined));
  const unknown = [...refused].flatMap(([label, problem]) => (problem === undefined ? [label] : []));
  const hint = [what === 'column' ? `Columns: ${words.join(', ')}` : '', ignoring(unknown)].filter(Boolean).join('; ');
  return {
    columns,
    labels: new Map(columns.flatMap((each) => (each ? [[wordOf(each), each.label]] : []))),
    unset: found.flatMap((each) => (each && 'unset' in each ? [each.unset] : [])),
    ignored: found.flatMap((each) => (each && 'ignored' in each ? [each.ignored] : [])),
    ...(refused.size > 0 && { refusal: { has: refusal(refused, what, command, words), hint } }),
  };
}

function columnFor(
  label: string,
  names: readonly string[],
  left: ReadonlySet<string>,
  what: 'column' | 'member',
  { known, typed, elsewhere, recorded, own, facts }: Vocabulary,
):
  | Column
  | { readonly ignored: string }
  | { readonly unset: string }
  | { readonly refused: string; readonly problem?: string } {
  const { others, filesBy } = facts;
  if (left.has(own(label))) return { ignored: own(label) };
  const name = plain(label);
  const found = known.get(name);
  if (found && typed[found.name] === undefined) return { ...found, label };
  const isOfReport = reportFields.has(name) && isReport(names);
  if (others !== undefined && !isOfReport) {
    const isKey = what === 'column' || name === plain(others);
    return isKey
      ? { name: others, label, schema: anyKey, takesNull: true }
      : { refused: label, problem: `which is neither ${facts.key} nor ${others}: a row is ${formOf({ facts })}` };
  }
  const typedOnly = elsewhere.get(name);
  if (typedOnly)
    return { refused: label, problem: `which only the command line takes: ${instead(typedOnly, known, filesBy)}` };
  if (found) return { refused: label, problem: 'which the command line also gives' };
  return recorded.has(name) || isOfReport ? { unset: shortened(label) } : { refused: label };
}

/** How a row of JSON is written, where it is not one member for each option. */
export function formOf({ facts: { key, others } }: Pick<Vocabulary, 'facts'>): string | undefined {
  return others === undefined ? undefined : `{"${key}": "…", "${others}": {…}}`;
}

const anyKey = { type: 'object', description: '' } as const;

/** @throws usage for what the header does not have, or for a column that appears twice */
export function checkHeader({ columns, refusal: wrong }: Header, file: string, isBelow?: string): void {
  if (wrong) throw usage(`${file} has ${wrong.has}.`, isBelow ?? capitalized(wrong.hint));
  const labels = columns.map((column) => column?.label ?? '');
  const places = new Map<string, number>();
  for (const [index, column] of columns.entries()) {
    if (!column || column.schema === anyKey) continue;
    const first = places.get(column.name);
    if (first !== undefined && !isRepeatable(column.schema)) throw columnTwice(file, labels, first, index);
    places.set(column.name, index);
  }
}

/** Whether these are the names of a header. */
export function isHeader(names: readonly string[], { known }: Vocabulary): boolean {
  return names.some((label) => known.has(plain(label)));
}

/** What columns are for, as far as a spreadsheet can spoil them. */
export function usesOf({ columns }: Header, { facts }: RowsRun): readonly (ColumnUse | undefined)[] {
  return columns.map((column) => column && { label: column.label, use: useOf(column, facts.key) });
}

function useOf({ name, option, schema }: Column, key: string): ColumnUse['use'] {
  if (name === key) return 'key';
  if (schema === anyKey) return 'other';
  if (option === undefined || /ids?$/i.test(name)) return 'id';
  if (schema.type === 'integer') return 'number';
  if (schema.type === 'array') return 'list';
  return schema.type === 'string' && !option.readsJson && option.schema.value !== 'DURATION|TIME' ? 'text' : 'other';
}

/** What a row gives the command. */
export type RowInput = {
  readonly input: Readonly<Record<string, unknown>>;
  readonly problems: readonly FailureDetail[];
};

/** The second step, for cells. */
export function inputOfCells(columns: Header['columns'], cells: readonly string[], reading: RowsRun): RowInput {
  return collected(columns, (column, add, at, input) => addCell(column, cells[at] ?? '', reading, add, input));
}

/** The members of a row, each with its label; null changes nothing where it cannot be set. */
export function membersOf(row: ReadonlyMap<string, unknown>, { known, elsewhere, facts, own, leftOf }: Vocabulary) {
  const nulls: string[] = [];
  const ignored: string[] = [];
  if (facts.others !== undefined) {
    const kept = (value: unknown) => {
      if (!(value instanceof Map)) return value;
      const left = leftOf([...value.keys()]);
      ignored.push(...[...value.keys()].map(own).filter((key) => left.has(key)));
      return new Map([...value].filter(([key]) => !left.has(own(key))));
    };
    return { members: [...row].map(([label, value]) => [label, kept(value)] as const), nulls, ignored };
  }
  const members = flat(row, known, '').filter(([label, value]) => {
    const isLeft = value === null && known.get(plain(label))?.takesNull !== true && !elsewhere.has(plain(label));
    const isKnown = known.has(plain(label)) || isWhole(label, known);
    if (isLeft && isKnown) nulls.push(shortened(label));
    return !(isLeft && isKnown);
  });
  return { members, nulls, ignored };
}

/** The second step, for members of an object. */
export function inputOfMembers(columns: Header['columns'], members: readonly (readonly [string, unknown])[]): RowInput {
  return collected(columns, (column, add, at, input) => addMember(column, members[at]?.[1], add, input));
}

/** @throws usage for a name of --ignore-columns that no row has */
export function checkIgnored(
  { ignored, facts }: RowsRun,
  found: ReadonlySet<string>,
  file: string,
  names: readonly string[],
): void {
  const own = ownName(facts);
  const missing = ignored
    .flatMap((value) => (found.has(own(value)) ? [] : namesIn(value)))
    .find((name) => !found.has(own(name)));
  if (missing !== undefined)
    throw usage(
      `${file} has no column ${quoted(missing)} for --ignore-columns.`,
      names.length > 0 ? `Columns: ${listed(names.map(quoted))}` : undefined,
    );
}

/** What a run with --rows reports of each row beside the fields of the record, in csv and NDJSON. */
const reportFields: ReadonlySet<string> = new Set(['line', 'row', 'status', 'code', 'message', 'error', 'secretfile']);

function isReport(names: readonly string[]): boolean {
  return ['line', 'status'].every((field) => names.some((name) => plain(name) === field));
}

/** Says of columns that records have and the command does not set. */
export function leftOut(names: readonly string[], command: Command): string {
  const cannot = `iiot ${command.name} does not set`;
  return `${listed(names)} ${names.length === 1 ? `is left out: ${cannot} it` : `are left out: ${cannot} them`}.`;
}

function ignoring(unknown: readonly string[]): string {
  if (unknown.length === 0) return '';
  const isSpecial = (name: string) => /[",]/.test(name);
  const names = [...new Set(unknown)];
  const values = [
    listed(
      names.filter((name) => !isSpecial(name)),
      ',',
    ),
    ...names.filter(isSpecial),
  ].filter(Boolean);
  return `to leave columns out: ${values.map((value) => `--ignore-columns=${quoteForShell(value)}`).join(' ')}`;
}

/** What to do instead of naming an option as a column. */
function instead({ name, readsJson, schema }: Option, known: ReadonlyMap<string, unknown>, filesBy?: string): string {
  const field = name.replace(/File$/, '');
  if (readsJson) return `give its JSON in a column ${name}`;
  if (name === field || schema.forAgents) return 'leave it out';
  if (!known.has(plain(field))) return 'give its fields in separate columns';
  return `give the text in a column ${field}${filesBy === undefined ? '' : `, or ${filesBy}`}`;
}

/** What is wrong with the columns of a file or the members of a row, as text that follows "has". */
function refusal(
  refused: ReadonlyMap<string, string | undefined>,
  what: 'column' | 'member',
  command: Command,
  words: readonly string[],
): string {
  const unknown = [...refused.keys()].filter((label) => refused.get(label) === undefined);
  const named = unknown.map((label) => [quoted(label), meant(label, words)] as const);
  const [first, ...more] = named;
  const not = `that iiot ${command.name} does not have`;
  const parts = [...refused].flatMap(([label, problem]) => (problem ? [`a ${what} ${quoted(label)}, ${problem}`] : []));
  if (first && more.length === 0) parts.unshift(`a ${what} ${first[0]}, ${not.replace('that', 'which')}${first[1]}`);
  else if (first) parts.unshift(`${named.length} ${what}s ${not}: ${listed(named.map((each) => each.join('')))}`);
  return parts.slice(0, mostNames).join('; ');
}

type Add = (value: unknown) => string | undefined;

/** The word of the command line that a column stands for. */
const wordOf = ({ name, option }: Column) => (option ? `--${option.long}` : `<${name}>`);

/** The input of all columns, and everything that is wrong with it. */
function collected(
  columns: readonly (Column | undefined)[],
  addTo: (column: Column, add: Add, at: number, input: Record<string, unknown>) => string | undefined,
): RowInput {
  const input: Record<string, unknown> = {};
  const problems: FailureDetail[] = [];
  for (const [at, column] of columns.entries()) {
    if (!column) continue;
    const { name, schema } = column;
    const put: Add = (value) =>
      column.only === undefined ? addValue(input, name, schema, value) : elsewhere(value, column.only);
    const message = addTo(column, put, at, input);
    if (message !== undefined) problems.push({ option: wordOf(column), message });
  }
  return { input, problems };
}

function addCell(
  column: Column,
  cell: string,
  { nullAs, listSeparator }: RowsRun,
  add: Add,
  input: Record<string, unknown>,
): string | undefined {
  if (cell === nullAs) return addNull(column, add);
  if (cell === '') return undefined;
  const { schema, option } = column;
  if (schema === anyKey) return add([column.label, cell]);
  if (option?.readsJson) return addWritten(column, cell, add, input);
  if (!isRepeatable(schema)) return addWord(column, cell, add);
  if (/^\s*[[{]/.test(cell) && cell.trim().startsWith('{') === (schema.type === 'object'))
    return addWritten(column, cell, add, input);
  const parts = listSeparator === undefined ? [cell] : cell.split(listSeparator).map((part) => part.trim());
  const several = listSeparator === undefined && schema.type === 'array' ? valuesIn(cell) : undefined;
  if (several && /["'[\]]/.test(cell))
    return `looks like several values: write them as ${sampleList}, and one as ${sampleOne}`;
  const [mark = ''] = several ? (listMark.exec(cell) ?? []) : [];
  if (mark)
    return `looks like several values: write one as ${sampleOne}, or say what is between them with --list-separator ${quoteForShell(mark)}`;
  return firstOf(parts.map((part) => (part === '' ? undefined : addWord(column, part, add))));
}

const [sampleList, sampleOne] = ['["day", "night"]', '["day, night"]'];

/** A cell with JSON, as this tool writes lists. */
function addWritten(column: Column, cell: string, add: Add, input: Record<string, unknown>): string | undefined {
  const read = parseOrdered(cell);
  const value = 'value' in read ? read.value : undefined;
  if (value === undefined)
    return isList(column) ? notList : `takes JSON${'problem' in read ? `: the cell ${read.problem}` : ''}`;
  const isTexts = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return isList(column) && !isTexts ? notList : addMember(column, value, add, input);
}

const isList = ({ schema }: Column) => schema.type === 'array';

const notList = `begins with [ but is not a list: write ${sampleList}, and a text that begins with [ as ["[day]"]`;

function elsewhere(value: unknown, orgId: string): string | undefined {
  if (String(value).toLowerCase() === orgId.toLowerCase()) return undefined;
  return `is ${quoted(String(value))}, but the rows go to organization ${orgId}`;
}

function addNull({ takesNull, schema, label }: Column, add: Add): string | undefined {
  if (!takesNull) return 'cannot be null';
  return add(schema === anyKey ? [label, null] : null);
}

/** A word as it would be typed. */
function addWord({ schema }: Column, word: string, add: Add): string | undefined {
  if (schema.type === 'boolean') {
    const value = switches.get(word.trim().toLowerCase());
    return value === undefined ? `takes true or false, not ${quoted(word)}` : add(value);
  }
  const meaning = readWord(schema, word);
  if (!('refusal' in meaning)) return add(meaning.value);
  return schema.type === 'integer' ? `${meaning.refusal}, not ${quoted(word)}` : meaning.refusal;
}

const switches = new Map(Object.entries({ true: true, yes: true, 1: true, false: false, no: false, 0: false }));

/** A member of an object: texts as they would be typed, and other values as the platform takes them. */
function addMember(column: Column, value: unknown, add: Add, input: Record<string, unknown>): string | undefined {
  const { schema, option } = column;
  if (schema === anyKey) return addKeys(value, add);
  if (value === null) return addNull(column, add);
  if (option?.readsJson && typeof value === 'string') return 'takes JSON, not the name of a file';
  const none = noneOf(schema, value);
  if (none !== undefined) input[column.name] ??= none;
  if (schema.type === 'array')
    return firstOf([value].flat().map((item) => (typeof item === 'string' ? addWord(column, item, add) : add(item))));
  if (schema.type === 'object' && value instanceof Map)
    return firstOf(
      [...value].map(([key, inner]) => (typeof inner === 'string' ? add([key, inner]) : `takes a string as ${key}`)),
    );
  if (typeof value === 'string' && !option?.readsJson) return addWord(column, value, add);
  if (schema.type === 'object' && !option?.readsJson) return 'takes an object';
  if (schema.type === 'integer' && typeof value === 'number') return addWord(column, String(value), add);
  const isText = schema.type === 'string' && option?.path === undefined;
  return isText ? 'takes a string: write it in quotes' : add(value);
}

/** Every key of an object as it is, with a string or null. */
function addKeys(value: unknown, add: Add): string | undefined {
  if (!(value instanceof Map)) return 'takes an object of strings';
  return firstOf(
    [...value].map(([key, inner]) => {
      if (inner === null || typeof inner === 'string') return add([key, inner]);
      const how = typeof inner === 'object' ? 'write its JSON as one string, in quotes' : 'write it in quotes';
      return `takes a string or null as ${JSON.stringify(key)}: ${how}`;
    }),
  );
}

/** A list or an object without anything in it, which replaces what is stored. */
function noneOf({ type }: Schema, value: unknown): object | undefined {
  if (type === 'array' && Array.isArray(value) && value.length === 0) return [];
  return type === 'object' && value instanceof Map && value.size === 0 ? new Map() : undefined;
}

function firstOf(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}

/** The members of a row, those of inner objects by their path: {"notification": {"channelIds": […]}}. */
function flat(
  row: ReadonlyMap<string, unknown>,
  known: ReadonlyMap<string, unknown>,
  before: string,
): [string, unknown][] {
  return [...row].flatMap(([name, value]): [string, unknown][] => {
    const label = before + name;
    const isInner = value instanceof Map && value.size > 0 && !known.has(plain(label)) && isWhole(label, known);
    return isInner ? flat(value, known, `${label}.`) : [[label, value]];
  });
}

/** Whether it is an object whose fields are columns. */
function isWhole(label: string, known: ReadonlyMap<string, unknown>): boolean {
  return [...known.keys()].some((each) => each.startsWith(`${plain(label)}.`));
}

/** The same as for an option that is unknown. */
function meant(word: string, words: readonly string[]): string {
  const other = Object.keys(otherWords).filter((name) => otherWords[name]?.map(plain).includes(plain(word)));
  const known = words.find((each) => other.map(plain).includes(plain(each)));
  const found = known ?? (word.length > longestShown ? undefined : nearestOrPart(word, words));
  return found === undefined ? '' : ` (did you mean ${JSON.stringify(found)}?)`;
}

/** How much of a name is shown, and how many names are: a file that is none of rows may have any. */
const [longestShown, mostNames] = [80, 20];

const shortened = (name: string) => (name.length > longestShown ? `${name.slice(0, longestShown)}…` : name);

const quoted = (name: string) => JSON.stringify(shortened(name));

/** Names of columns, at most twenty. */
export function listed(names: readonly string[], separator = ', '): string {
  return names.slice(0, mostNames).join(separator) + (names.length > mostNames ? `${separator}…` : '');
}
