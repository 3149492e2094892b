import { addValue, isRepeatable, listMarks, readWord, valuesIn } from '../../command/word.ts';
import type { Schema } from '../../contract/schema.ts';
import type { FailureDetail } from '../../failure.ts';
import { plainName as plain } from '../../text/alike.ts';
import { parseOrdered } from '../../text/json.ts';
import { optionForShell } from '../../text/shell-lines.ts';
import { anyKey, columnWord, type Header, quote, shortenName } from './header.ts';
import type { RowsRun } from './plan.ts';
import type { InputColumn, Vocabulary } from './vocabulary.ts';

/** The input that a row gives the command, and the problems of its cells or members. */
export type RowInput = {
  readonly input: Readonly<Record<string, unknown>>;
  readonly problems: readonly FailureDetail[];
};

export function inputOfCells(columns: Header['columns'], cells: readonly string[], reading: RowsRun): RowInput {
  return collectInput(columns, (column, add, at, input) => addCell(column, cells[at] ?? '', reading, add, input));
}

/** The members of a row, each with its label. A null where none can be set changes nothing, and is left out. */
export function membersOf(row: ReadonlyMap<string, unknown>, vocabulary: Vocabulary) {
  const { known, elsewhere, facts, normalize, ignoredIn } = vocabulary;
  const nulls: string[] = [];
  const ignored: string[] = [];
  if (facts.others !== undefined) {
    const removeIgnored = (value: unknown) => {
      if (!(value instanceof Map)) return value;
      const ignoredKeys = ignoredIn([...value.keys()]);
      ignored.push(...[...value.keys()].map(normalize).filter((key) => ignoredKeys.has(key)));
      return new Map([...value].filter(([key]) => !ignoredKeys.has(normalize(key))));
    };
    return { members: [...row].map(([label, value]) => [label, removeIgnored(value)] as const), nulls, ignored };
  }
  const members = flattenMembers(row, known, '').filter(([label, value]) => {
    const isLeft = value === null && known.get(plain(label))?.takesNull !== true && !elsewhere.has(plain(label));
    const isKnown = known.has(plain(label)) || hasInnerColumns(label, known);
    if (isLeft && isKnown) nulls.push(shortenName(label));
    return !(isLeft && isKnown);
  });
  return { members, nulls, ignored };
}

export function inputOfMembers(columns: Header['columns'], members: readonly (readonly [string, unknown])[]): RowInput {
  return collectInput(columns, (column, add, at, input) => addMember(column, members[at]?.[1], add, input));
}

type Add = (value: unknown) => string | undefined;

function collectInput(
  columns: readonly (InputColumn | undefined)[],
  addTo: (column: InputColumn, add: Add, at: number, input: Record<string, unknown>) => string | undefined,
): RowInput {
  const input: Record<string, unknown> = {};
  const problems: FailureDetail[] = [];
  for (const [at, column] of columns.entries()) {
    if (!column) continue;
    const { name, schema } = column;
    const put: Add = (value) =>
      column.only === undefined ? addValue(input, name, schema, value) : checkOrganization(value, column.only);
    const message = addTo(column, put, at, input);
    if (message !== undefined) problems.push({ option: columnWord(column), message });
  }
  return { input, problems };
}

function addCell(
  column: InputColumn,
  cell: string,
  { nullAs, listSeparator }: RowsRun,
  add: Add,
  input: Record<string, unknown>,
): string | undefined {
  if (cell === nullAs) return addNull(column, add);
  if (cell === '') return undefined;
  const { schema, option } = column;
  if (schema === anyKey) return add([column.label, cell]);
  if (option?.readsJson) return addJson(column, cell, add, input);
  if (!isRepeatable(schema)) return addWord(column, cell, add);
  if (/^\s*[[{]/.test(cell) && cell.trim().startsWith('{') === (schema.type === 'object'))
    return addJson(column, cell, add, input);
  const parts = listSeparator === undefined ? [cell] : cell.split(listSeparator).map((part) => part.trim());
  const several = listSeparator === undefined && schema.type === 'array' ? valuesIn(cell) : undefined;
  if (several && /["'[\]]/.test(cell))
    return `looks like several values: write them as ${sampleList}, and one as ${sampleOne}`;
  const [mark = ''] = several ? (listMarks.exec(cell) ?? []) : [];
  if (mark)
    return `looks like several values: write one as ${sampleOne}, or say what is between them with ${optionForShell('list-separator', mark)}`;
  return firstOf(parts.map((part) => (part === '' ? undefined : addWord(column, part, add))));
}

const [sampleList, sampleOne] = ['["day", "night"]', '["day, night"]'];

/** Adds a cell with JSON, as this tool writes lists. */
function addJson(column: InputColumn, cell: string, add: Add, input: Record<string, unknown>): string | undefined {
  const read = parseOrdered(cell);
  const value = 'value' in read ? read.value : undefined;
  if (value === undefined)
    return isList(column) ? notListProblem : `takes JSON${'problem' in read ? `: the cell ${read.problem}` : ''}`;
  const isTexts = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return isList(column) && !isTexts ? notListProblem : addMember(column, value, add, input);
}

const isList = ({ schema }: InputColumn) => schema.type === 'array';

const notListProblem = `begins with [ but is not a list: write ${sampleList}, and a text that begins with [ as ["[day]"]`;

function checkOrganization(value: unknown, orgId: string): string | undefined {
  if (String(value).toLowerCase() === orgId.toLowerCase()) return undefined;
  return `is ${quote(String(value))}, but the rows go to organization ${orgId}`;
}

function addNull({ takesNull, schema, label }: InputColumn, add: Add): string | undefined {
  if (!takesNull) return 'cannot be null';
  return add(schema === anyKey ? [label, null] : null);
}

/** Adds a word as if it were typed on the command line. */
function addWord({ schema }: InputColumn, word: string, add: Add): string | undefined {
  if (schema.type === 'boolean') {
    const value = switches.get(word.trim().toLowerCase());
    return value === undefined ? `takes true or false, not ${quote(word)}` : add(value);
  }
  const meaning = readWord(schema, word);
  if (!('refusal' in meaning)) return add(meaning.value);
  return schema.type === 'integer' ? `${meaning.refusal}, not ${quote(word)}` : meaning.refusal;
}

const switches = new Map(Object.entries({ true: true, yes: true, 1: true, false: false, no: false, 0: false }));

/** Adds a member of an object: a text as if it were typed on the command line, any other value unchanged. */
function addMember(column: InputColumn, value: unknown, add: Add, input: Record<string, unknown>): string | undefined {
  const { schema, option } = column;
  if (schema === anyKey) return addKeys(value, add);
  if (value === null) return addNull(column, add);
  if (option?.readsJson && typeof value === 'string') return 'takes JSON, not the name of a file';
  const none = emptyCopy(schema, value);
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

/** Adds every key of an object, with a string or null as its value. */
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

/** A new empty list or object for an empty one, which replaces the stored value; undefined for anything else. */
function emptyCopy({ type }: Schema, value: unknown): object | undefined {
  if (type === 'array' && Array.isArray(value) && value.length === 0) return [];
  return type === 'object' && value instanceof Map && value.size === 0 ? new Map() : undefined;
}

function firstOf(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}

/** Lists the members of a row, those of inner objects by their path: "notification.channelIds". */
function flattenMembers(
  row: ReadonlyMap<string, unknown>,
  known: ReadonlyMap<string, unknown>,
  before: string,
): [string, unknown][] {
  return [...row].flatMap(([name, value]): [string, unknown][] => {
    const label = before + name;
    const isInner = value instanceof Map && value.size > 0 && !known.has(plain(label)) && hasInnerColumns(label, known);
    return isInner ? flattenMembers(value, known, `${label}.`) : [[label, value]];
  });
}

function hasInnerColumns(label: string, known: ReadonlyMap<string, unknown>): boolean {
  return [...known.keys()].some((each) => each.startsWith(`${plain(label)}.`));
}
