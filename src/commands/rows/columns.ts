import { type Cells, columnTwice } from '../../bulk/csv.ts';
import type { Command } from '../../command/command.ts';
import { type Option, optionsOf } from '../../command/option.ts';
import { addValue, isRepeatable, readWord, valuesIn } from '../../command/word.ts';
import type { Schema } from '../../contract/schema.ts';
import { type FailureDetail, usage } from '../../failure.ts';
import { nearest } from '../../shell/nearest.ts';
import type { CellReading } from './kind.ts';

/** What a column is about: an option of the command, or an argument. */
type Column = {
  /** Its name in `run`'s input. */
  readonly name: string;
  /** As the user wrote it. */
  readonly label: string;
  readonly schema: Schema;
  readonly option: Option | undefined;
  readonly takesNull: boolean;
};

/** What a row gives the command, with the names of its columns by option: `--alert-level` is "alertLevel" there. */
export type RowInput = {
  readonly input: Readonly<Record<string, unknown>>;
  readonly labels: ReadonlyMap<string, string>;
};

/** What could be read of a row, and what is wrong with it. */
export type Read = (RowInput & { readonly problems: readonly FailureDetail[] }) | { readonly problem: string };

/**
 * The columns of a command: its options by their names or the platform's fields, and its arguments.
 * @param typed the input of the command line, which holds for every row
 */
export function columnsOf(command: Command, typed: Readonly<Record<string, unknown>>) {
  const known = new Map<string, Omit<Column, 'label'>>();
  for (const [name, schema] of Object.entries(command.arguments))
    known.set(plain(name), { name, schema, option: undefined, takesNull: false });
  for (const option of optionsOf(command)) {
    const { name, long, path, schema } = option;
    const takesNull = [command.operation?.body?.properties?.[name]?.type].flat().includes('null');
    for (const word of [path?.join('.') ?? name, name, long])
      known.set(plain(word), { name, schema, option, takesNull });
  }
  const words = [...Object.keys(command.arguments), ...optionsOf(command).map(({ long }) => long)];
  const columnFor = (label: string): Column | { readonly problem: string } => {
    const found = known.get(plain(label));
    if (!found) return { problem: `${quoted(label)}, which iiot ${command.name} does not have${meant(label, words)}` };
    if (typed[found.name] === undefined) return { ...found, label };
    return { problem: `${quoted(label)}, which the command line gives too` };
  };
  // Those of the header; undefined for one without a name.
  let columns: readonly (Column | undefined)[] = [];
  return {
    /** Reads the header. @throws usage for columns that the command does not have, or that stand twice */
    judge(names: readonly string[], file: string): void {
      const places = new Map<string, number>();
      columns = names.map((label, index) => {
        if (label === '') return undefined;
        const found = columnFor(label);
        if ('problem' in found) throw usage(`${file} has a column ${found.problem}.`, `Columns: ${words.join(', ')}`);
        const first = places.get(found.name);
        places.set(found.name, index);
        if (first !== undefined && !isRepeatable(found.schema)) throw columnTwice(file, label, first, index);
        return found;
      });
    },
    isId(label: string) {
      const found = known.get(plain(label));
      return found !== undefined && (found.option === undefined || /ids?$/i.test(found.name));
    },
    fromCells: ({ cells }: Cells, reading: CellReading) =>
      collected(columns, (column, add, at) => addCell(column, cells[at] ?? '', reading, add)),
    fromJson(value: unknown): Read {
      if (!(value instanceof Map)) return { problem: 'is not an object: a row has a member for each option' };
      const members = flat(value, known, '');
      const found = members.map(([label]) => columnFor(label));
      const wrong = found.find((each) => 'problem' in each);
      if (wrong && 'problem' in wrong) return { problem: `has a member ${wrong.problem}` };
      // Columns, by the line above.
      return collected(found as readonly Column[], (column, add, at, input) => {
        const value = members[at]?.[1];
        const none = noneOf(column.schema, value);
        if (none !== undefined) input[column.name] ??= none;
        return addMember(column, value, add);
      });
    },
  };
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
    const message = addTo(column, (value) => addValue(input, name, schema, value), at, input);
    if (message !== undefined) problems.push({ option: word, message });
  }
  return { input, labels, problems };
}

function addCell(column: Column, cell: string, { nullAs, listSeparator }: CellReading, add: Add): string | undefined {
  if (cell === nullAs) return addNull(column, add);
  if (cell === '') return undefined;
  if (!isRepeatable(column.schema)) return addWord(column, cell, add);
  const parts = listSeparator === undefined ? [cell] : cell.split(listSeparator).map((part) => part.trim());
  const several = listSeparator === undefined && column.schema.type === 'array' ? valuesIn(cell) : undefined;
  if (several) return 'looks like several values: say what is between them with --list-separator ,';
  return firstOf(parts.map((part) => (part === '' ? undefined : addWord(column, part, add))));
}

function addNull({ takesNull }: Column, add: Add): string | undefined {
  return takesNull ? add(null) : 'takes no null';
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
function addMember(column: Column, value: unknown, add: Add): string | undefined {
  const { schema, option } = column;
  if (value === null) return addNull(column, add);
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
    const isInner =
      value instanceof Map &&
      value.size > 0 &&
      !known.has(plain(label)) &&
      [...known.keys()].some((each) => each.startsWith(`${plain(label)}.`));
    return isInner ? flat(value, known, `${label}.`) : [[label, value]];
  });
}

function meant(word: string, words: readonly string[]): string {
  const found = word.length > longestShown ? undefined : nearest(word, words);
  return found === undefined ? '' : ` (did you mean ${JSON.stringify(found)}?)`;
}

/** How much of a name is shown: a file that is none of rows may have any. */
const longestShown = 80;

const quoted = (name: string) => JSON.stringify(name.length > longestShown ? `${name.slice(0, longestShown)}…` : name);

const plain = (name: string) => name.trim().toLowerCase();
