import { type FailureDetail, usage } from '../failure.ts';
import { compact, membersOf } from '../text/json-write.ts';
import type { Column } from './result.ts';

/**
 * The value at a dotted path: `channel.name`, `tags.0`. A key that contains dots is found by its whole name, and one that the platform writes in
 * another case, such as `UserId`, in any case. Only own members count; undefined if there is none.
 */
export function valueAt(item: unknown, path: string): unknown {
  const whole = member(item, path);
  const dot = path.indexOf('.');
  if (whole !== undefined || dot === -1) return whole;
  return valueAt(member(item, path.slice(0, dot)), path.slice(dot + 1));
}

/**
 * A value as the text of one table cell: empty for null, "a, b" for a list of plain values, JSON for nested values. An item that has a comma is quoted,
 * so that it is not taken for two; one that begins with a quote, so that it is not taken for a quoted one.
 */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  if (!Array.isArray(value) || value.some(isNested)) return compact(value);
  return value.map((item) => (/,|^"/.test(String(item)) ? JSON.stringify(item) : cellText(item))).join(', ');
}

/**
 * The columns to show: the requested ones, in that order; otherwise the declared ones; otherwise the fields of the items.
 * A requested column that is neither declared, nor a known field, nor in any item is a usage failure.
 */
export function chooseColumns(
  known: {
    readonly columns: readonly Column[];
    readonly fields?: readonly string[] | undefined;
    readonly id?: string | undefined;
  },
  requested: readonly string[] | undefined,
  items: readonly unknown[],
): readonly Column[] {
  if (requested === undefined) {
    return known.columns.length > 0 ? known.columns.map(present(items, known.id)) : fieldsOf(items).map(plainColumn);
  }
  const fields = [
    ...new Set([...known.columns.map(({ field }) => field), ...(known.fields ?? []), ...fieldsOf(items)]),
  ];
  const isKnown = (name: string) => covers(fields, name) || items.some((item) => valueAt(item, name) !== undefined);
  const names = requested.map((word) => fieldNamed(word, known.columns, fields) ?? word);
  if (items.length > 0 || known.fields) refuseUnknown(names, isKnown, fields);
  return names.map((name) => known.columns.find(({ field }) => field === name) ?? plainColumn(name));
}

/** The field for a name or a column header, in any case: `User ID`, `userid`. Undefined if there is none. */
export function fieldNamed(
  word: string,
  columns: readonly Pick<Column, 'field' | 'header'>[],
  fields: readonly string[] = [],
): string | undefined {
  const all = [...columns.map(({ field }) => field), ...fields];
  if (all.includes(word)) return word;
  const plain = plainName(word);
  const headed = columns.find(({ header }) => plainName(header) === plain);
  return all.find((field) => plainName(field) === plain) ?? headed?.field;
}

function plainName(name: string): string {
  return name.replaceAll(/[ _-]/g, '').toLowerCase();
}

/** Refuses requested columns that are not known. `fields` are the names to suggest. */
function refuseUnknown(
  requested: readonly string[],
  isKnown: (name: string) => boolean,
  fields: readonly string[],
): void {
  const unknown = requested.filter((name) => !isKnown(name));
  if (unknown.length === 0) return;
  const details: FailureDetail[] = unknown.map((name) => ({
    option: '--columns',
    message: `unknown column "${name}"`,
  }));
  const names = unknown.map((name) => `"${name}"`).join(', ');
  throw usage(
    `The result has no ${unknown.length === 1 ? 'column' : 'columns'} ${names}.`,
    `Columns: ${fields.join(', ')}`,
    details,
  );
}

/** Whether the name is one of the fields, or a path into one of them: `channel.name` for `channel`. */
function covers(fields: readonly string[], name: string): boolean {
  return fields.some((field) => name === field || name.startsWith(`${field}.`));
}

/** The ID in a field of an item, or in its `id` if it has no such field; undefined if it has neither. */
export function idOf(item: unknown, field: string): unknown {
  return valueAt(item, field) ?? valueAt(item, 'id');
}

/** The ID's column, under the name that it has in the items. */
function present(items: readonly unknown[], id: string | undefined): (column: Column) => Column {
  const has = (field: string) => items.some((item) => valueAt(item, field) !== undefined);
  return (column) => (column.field === id && !has(id) && has('id') ? { ...column, field: 'id' } : column);
}

function member(item: unknown, key: string): unknown {
  if (item instanceof Map) return item.get(key);
  if (typeof item !== 'object' || item === null) return undefined;
  const own = Object.hasOwn(item, key) ? key : inAnyCase(item, key);
  return own === undefined ? undefined : (item as Readonly<Record<string, unknown>>)[own]; // an own key
}

function inAnyCase(item: object, key: string): string | undefined {
  const lowerKey = key.toLowerCase();
  return Object.keys(item).find((name) => name.length === key.length && name.toLowerCase() === lowerKey);
}

function fieldsOf(items: readonly unknown[]): string[] {
  const names = items.flatMap((item) => (isHolder(item) ? membersOf(item).map(([name]) => name) : []));
  return [...new Set(names)];
}

function isHolder(item: unknown): item is object {
  return isNested(item) && !Array.isArray(item);
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function plainColumn(field: string): Column {
  return { field, header: field };
}
