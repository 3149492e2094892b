import type { Command } from '../../command/command.ts';
import { isField, type Option, optionsOf } from '../../command/option.ts';
import { addValue, isRepeatable, readWord, valuesIn } from '../../command/word.ts';
import type { Operation } from '../../contract/operation.ts';
import { operations } from '../../contract/operations.ts';
import type { Schema } from '../../contract/schema.ts';
import { type FailureDetail, usage } from '../../failure.ts';
import { type Cells, columnTwice } from '../../rows/csv.ts';
import { nearest } from '../../shell/nearest.ts';
import { parseOrdered } from '../../text/json.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import type { CallFacts, CellReading } from './kind.ts';

/** What a column is about: an argument of the command, or a field of its body. */
type Column = {
  /** Its name in `run`'s input. */
  readonly name: string;
  /** As the user wrote it. */
  readonly label: string;
  readonly schema: Schema;
  readonly option: Option | undefined;
  readonly takesNull: boolean;
  /** The only value that it may have, which is not sent: the organization of all rows. */
  readonly only?: string | undefined;
};

/** What a row gives the command, with the names of its columns by option: `--alert-level` is "alertLevel" there. */
export type RowInput = {
  readonly input: Readonly<Record<string, unknown>>;
  readonly labels: ReadonlyMap<string, string>;
};

/** What could be read of a row, and what is wrong with it. */
export type Read = (RowInput & { readonly problems: readonly FailureDetail[] }) | { readonly problem: string };

type Known = Omit<Column, 'label'>;
type Refused = { readonly label: string; readonly problem: string | undefined };

/** What holds for the rows of a file. */
type Given = Pick<CallFacts, 'filesBy'> & {
  /** The input of the command line, which holds for every row. */
  readonly typed: Readonly<Record<string, unknown>>;
  /** Names of columns to leave out. */
  readonly ignored: readonly string[];
  readonly orgId: string | undefined;
};

/**
 * The columns of a command: its arguments, and the fields of its operation's body by their options or by the platform's names. What else the command
 * line takes, such as the name of a file, is never a column.
 */
export function columnsOf(command: Command, { typed, ignored, orgId, filesBy }: Given) {
  const { known, words, elsewhere } = namesOf(command, orgId);
  const recorded = recordedBy(command.operation);
  const unmatched = new Map(ignored.map((name) => [plain(name), name]));
  const left = new Set(unmatched.keys());
  const [unset, nulls] = [new Set<string>(), new Set<string>()];
  const columnFor = (label: string, names: readonly string[]): Column | Refused | undefined => {
    const name = plain(label);
    unmatched.delete(name);
    if (left.has(name)) return undefined;
    const found = known.get(name);
    if (found && typed[found.name] === undefined) return { ...found, label };
    const typedOnly = elsewhere.get(name);
    if (typedOnly)
      return { label, problem: `which only the command line takes: ${instead(typedOnly, known, filesBy)}` };
    if (found) return { label, problem: 'which the command line also gives' };
    if (!recorded.has(name) && !(reportFields.has(name) && isReport(names))) return { label, problem: undefined };
    unset.add(shortened(label));
    return undefined;
  };
  const refusalOf = (found: readonly (Column | Refused | undefined)[], what: 'column' | 'member') => {
    const refused = new Map(found.flatMap((each) => (each && 'problem' in each ? [[each.label, each.problem]] : [])));
    return refused.size === 0 ? undefined : refusal(refused, what, command, words);
  };
  // Those of the header; undefined for one that is left out.
  let columns: readonly (Column | undefined)[] = [];
  return {
    /** Reads the header. @throws usage for all columns that the command does not have, or for one that stands twice */
    judge(names: readonly string[], file: string, isBelow?: string): void {
      if (isRehearsal(names)) throw usage(`${file} is the output of a dry run.`, 'Give the file that it read');
      const found = names.map((label) => (label === '' ? undefined : columnFor(label, names)));
      const wrong = refusalOf(found, 'column');
      if (wrong) throw usage(`${file} has ${wrong}.`, isBelow ?? `Columns: ${words.join(', ')}${ignoring(found)}`);
      columns = found as readonly (Column | undefined)[]; // by the line above
      const places = new Map<string, number>();
      for (const [index, column] of columns.entries()) {
        if (!column) continue;
        const first = places.get(column.name);
        if (first !== undefined && !isRepeatable(column.schema)) throw columnTwice(file, column.label, first, index);
        places.set(column.name, index);
      }
    },
    isHeader: (names: readonly string[]) => names.some((label) => known.has(plain(label))),
    isId(label: string) {
      const found = known.get(plain(label));
      return found !== undefined && (found.option === undefined || /ids?$/i.test(found.name));
    },
    /** What to say of the columns once all rows were read. @throws usage for a name to ignore that no row has */
    notes(file: string): readonly string[] {
      const [missing] = unmatched.values();
      if (missing !== undefined) throw usage(`${file} has no column ${quoted(missing)} for --ignore-columns.`);
      return [
        ...(unset.size > 0 ? [leftOut([...unset], command)] : []),
        ...(nulls.size > 0 ? [`null changes nothing in ${listed([...nulls])}.`] : []),
      ];
    },
    fromCells: ({ cells }: Cells, reading: CellReading) =>
      collected(columns, (column, add, at, input) => addCell(column, cells[at] ?? '', reading, add, input)),
    fromJson(value: unknown): Read {
      if (!(value instanceof Map)) return { problem: 'is not an object: a row has a member for each option' };
      const members = flat(value, known, '').filter(([label, value]) => {
        const isLeft = value === null && known.get(plain(label))?.takesNull !== true && !elsewhere.has(plain(label));
        const isKnown = known.has(plain(label)) || isWhole(label, known);
        if (isLeft && isKnown) nulls.add(shortened(label));
        return !(isLeft && isKnown);
      });
      const names = members.map(([label]) => label);
      if (isRehearsal(names)) return { problem: 'is the output of a dry run: give the file that it read' };
      const found = names.map((label) => columnFor(label, names));
      const wrong = refusalOf(found, 'member');
      if (wrong) return { problem: `has ${wrong}${ignoring(found)}` };
      // Columns, by the line above.
      return collected(found as readonly (Column | undefined)[], (column, add, at, input) =>
        addMember(column, members[at]?.[1], add, input),
      );
    },
  };
}

/** What a run with --rows reports of each row beside the fields of the record, in csv and NDJSON. */
const reportFields: ReadonlySet<string> = new Set(['line', 'row', 'status', 'code', 'message', 'error', 'secretfile']);

function isReport(names: readonly string[]): boolean {
  return ['line', 'status'].every((field) => names.some((name) => plain(name) === field));
}

function isRehearsal(names: readonly string[]): boolean {
  return ['request', 'curl', 'dryRun'].every((field) => names.includes(field));
}

function leftOut(names: readonly string[], command: Command): string {
  const cannot = `iiot ${command.name} does not set`;
  return `${listed(names)} ${names.length === 1 ? `is left out: ${cannot} it` : `are left out: ${cannot} them`}.`;
}

function ignoring(found: readonly (Column | Refused | undefined)[]): string {
  const unknown = found.flatMap((each) => (each && 'problem' in each && !each.problem ? [each.label] : []));
  if (unknown.length === 0) return '';
  return `; to leave columns out: --ignore-columns ${quoteForShell(listed([...new Set(unknown)], ','))}`;
}

/** The names of a command's columns, and of the options that are none. */
function namesOf(command: Command, orgId: string | undefined) {
  const known = new Map<string, Known>();
  const elsewhere = new Map<string, Option>();
  const text = { type: 'string', description: '' } as const;
  if (orgId !== undefined)
    known.set(plain('orgId'), { name: 'orgId', schema: text, option: undefined, takesNull: false, only: orgId });
  for (const [name, schema] of Object.entries(command.arguments))
    known.set(plain(name), { name, schema, option: undefined, takesNull: false });
  const options = optionsOf(command);
  for (const option of options.filter((each) => isField(command, each))) {
    const { name, long, path, schema, readsJson } = option;
    const takesNull = [command.operation?.body?.properties?.[name]?.type].flat().includes('null');
    for (const word of [path?.join('.') ?? name, name, ...(readsJson ? [] : [long])])
      known.set(plain(word), { name, schema, option, takesNull });
  }
  for (const option of options)
    for (const word of [option.name, option.long]) if (!known.has(plain(word))) elsewhere.set(plain(word), option);
  const longs = options
    .filter((each) => isField(command, each))
    .map(({ name, long, readsJson }) => (readsJson ? name : long));
  return { known, elsewhere, words: [...Object.keys(command.arguments), ...longs] };
}

/** The fields that the interface names in the record of an operation, or in a list of such records. */
function recordedBy(operation: Operation | undefined): ReadonlySet<string> {
  const list = (operations as readonly Operation[]).find(({ id }) => id === `${operation?.id.split('.')[0]}.list`);
  const items = list?.responseSchema?.type === 'array' ? list.responseSchema.items : undefined;
  const fields = [items, operation?.responseSchema].map((each) => (each?.type === 'object' ? each.properties : {}));
  return new Set(fields.flatMap((each) => Object.keys(each ?? {}).map(plain)));
}

/** What to do instead of naming an option as a column. */
function instead({ name, readsJson, schema }: Option, known: ReadonlyMap<string, Known>, filesBy?: string): string {
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

/** The input of all columns, or everything that is wrong with it. */
function collected(
  columns: readonly (Column | undefined)[],
  addTo: (column: Column, add: Add, at: number, input: Record<string, unknown>) => string | undefined,
): Read {
  const input: Record<string, unknown> = {};
  const labels = new Map<string, string>();
  const problems: FailureDetail[] = [];
  for (const [at, column] of columns.entries()) {
    if (!column) continue;
    const { name, label, schema, option } = column;
    const word = option ? `--${option.long}` : `<${name}>`;
    labels.set(word, label);
    const put: Add = (value) =>
      column.only === undefined ? addValue(input, name, schema, value) : elsewhere(value, column.only);
    const message = addTo(column, put, at, input);
    if (message !== undefined) problems.push({ option: word, message });
  }
  return { input, labels, problems };
}

function addCell(
  column: Column,
  cell: string,
  { nullAs, listSeparator }: CellReading,
  add: Add,
  input: Record<string, unknown>,
): string | undefined {
  if (cell === nullAs) return addNull(column, add);
  if (cell === '') return undefined;
  const { schema, option } = column;
  if (option?.readsJson) return addWritten(column, cell, add, input);
  if (!isRepeatable(schema)) return addWord(column, cell, add);
  if (/^\s*[[{]/.test(cell) && cell.trim().startsWith('{') === (schema.type === 'object'))
    return addWritten(column, cell, add, input);
  const parts = listSeparator === undefined ? [cell] : cell.split(listSeparator).map((part) => part.trim());
  const several = listSeparator === undefined && schema.type === 'array' ? valuesIn(cell) : undefined;
  if (several && /["'[\]]/.test(cell)) return `looks like several values: write them as ${sampleList}`;
  if (several) return 'looks like several values: say what is between them with --list-separator ,';
  return firstOf(parts.map((part) => (part === '' ? undefined : addWord(column, part, add))));
}

const sampleList = '["day", "night"]';

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

function addNull({ takesNull }: Column, add: Add): string | undefined {
  return takesNull ? add(null) : 'cannot be null';
}

/** A word as it would be typed. */
function addWord({ schema }: Column, word: string, add: Add): string | undefined {
  if (schema.type === 'boolean') {
    const value = switches.get(word.trim().toLowerCase());
    return value === undefined ? 'takes true or false' : add(value);
  }
  const meaning = readWord(schema, word);
  return 'refusal' in meaning ? meaning.refusal : add(meaning.value);
}

const switches: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
]);

/** A member of an object: texts as they would be typed, and other values as the platform takes them. */
function addMember(column: Column, value: unknown, add: Add, input: Record<string, unknown>): string | undefined {
  const { schema, option } = column;
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
  if (schema.type === 'integer' && typeof value === 'number') return addWord(column, String(value), add);
  const isOwn = option !== undefined && option.path === undefined;
  return isOwn && schema.type === 'string' && typeof value !== 'string' ? 'takes a string' : add(value);
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

function meant(word: string, words: readonly string[]): string {
  const found = word.length > longestShown ? undefined : nearest(word, words);
  return found === undefined ? '' : ` (did you mean ${JSON.stringify(found)}?)`;
}

/** How much of a name is shown, and how many names are: a file that is none of rows may have any. */
const [longestShown, mostNames] = [80, 20];

const shortened = (name: string) => (name.length > longestShown ? `${name.slice(0, longestShown)}…` : name);

const quoted = (name: string) => JSON.stringify(shortened(name));

function listed(names: readonly string[], separator = ', '): string {
  return names.slice(0, mostNames).join(separator) + (names.length > mostNames ? `${separator}…` : '');
}

const plain = (name: string) => name.toLowerCase().replace(/[\s-]/g, '');
