import { type FailureDetail, usage } from '../failure.ts';
import { plainName } from '../text/alike.ts';
import { compact } from '../text/json-write.ts';
import { isHolder, isRecord, type JsonRecord, keyIn, memberOf } from '../text/record.ts';
import { visible } from '../text/visible.ts';
import { allColumns, type Column, type ListResult } from './result.ts';

/**
 * The value at a dotted path, such as `channel.name` or `tags.0`; undefined if there is none. A key that contains dots is found by its whole name, and
 * a key in another spelling, such as `UserId` or `user_id`, counts as the same.
 */
export function valueAt(item: unknown, path: string): unknown {
  const whole = memberAt(item, path);
  const dot = path.indexOf('.');
  if (whole !== undefined || dot === -1) return whole;
  return valueAt(memberAt(item, path.slice(0, dot)), path.slice(dot + 1));
}

/**
 * A value as the text of one table cell: empty for null, "a, b" for a list of plain values, JSON for nested values. An item of a list is quoted if it
 * has a comma or begins with a quote, so that it reads as one item.
 */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  if (!Array.isArray(value) || value.some(isHolder)) return compact(value);
  return value.map((item) => (/,|^"/.test(String(item)) ? JSON.stringify(item) : cellText(item))).join(', ');
}

/** A table has no more columns than this, even if a platform gives every value a name of its own. */
const mostFields = 1000;

/** Fields that no column shows, in the order in which they came. `addFrom` adds the fields of items, and returns whether any is new. */
export type OtherFields = { readonly names: readonly string[]; addFrom(items: readonly unknown[]): boolean };

/** Collects the fields that no column shows, quickly for those it knows. @param evenEmpty collects fields without a value, too */
export function collectOtherFields(columns: readonly Column[], evenEmpty = false): OtherFields {
  const known = new Set<string>();
  const names: string[] = [];
  const shown = columns.map(({ field }) => field);
  const whole = new Set(shown);
  const alike = new Set(shown.flatMap((field) => [field, field.split('.', 1).join()]).map(plainName));
  // Comparing a key with a thousand fields takes long, and only keys that look like a field need it.
  const isShown = (item: object, key: string) =>
    whole.has(key) ||
    (alike.has(plainName(key)) &&
      [...shown, ...names].some((field) => (ownKey(item, field) ?? field.split('.')[0]) === key));
  const addFrom = (items: readonly unknown[]) => {
    const before = names.length;
    for (const item of items) {
      if (!isRecord(item)) continue;
      for (const key of item instanceof Map ? item.keys() : Object.keys(item)) {
        if (known.has(key) || names.length >= mostFields) continue;
        const value = memberAt(item, key);
        if (value === undefined || (!evenEmpty && cellText(value) === '')) continue;
        known.add(key);
        if (isShown(item, key)) continue;
        names.push(key);
        alike.add(plainName(key));
      }
    }
    return names.length > before;
  };
  return { names, addFrom };
}

/** The field with this name or column header, in any case: `User ID`, `userid`. Undefined if there is none. */
export function fieldNamed(
  word: string,
  columns: readonly Pick<Column, 'field' | 'header'>[],
  fields: readonly string[] = [],
): string | undefined {
  const all = [...columns.map(({ field }) => field), ...fields];
  if (all.includes(word)) return word;
  const plain = plainName(word.replace('(UTC)', ''));
  const headed = columns.find(({ header }) => plainName(header) === plain);
  return all.find((field) => plainName(field) === plain) ?? headed?.field;
}

/** The ID in a field of an item, or in its `id` if it has no such field; undefined if it has neither. */
export function idOf(item: unknown, field: string): unknown {
  return valueAt(item, field) ?? valueAt(item, 'id');
}

function memberAt(item: unknown, key: string): unknown {
  if (item instanceof Map) return item.get(key);
  return isHolder(item) ? memberOf(item as JsonRecord, key) : undefined; // a list has its indices as keys
}

/** The spelling of a key in an item; undefined if the item does not have it. */
function ownKey(item: object, key: string): string | undefined {
  if (item instanceof Map) return item.has(key) ? key : undefined;
  return keyIn(item, key);
}

/** Whether certain columns were requested, whose values are shown exactly and even if they are empty. */
export function isExact(requested: readonly string[] | undefined): boolean {
  return requested !== undefined && !requested.includes(allColumns);
}

/** The requested columns, else the declared ones, else the fields of the items. @throws usage for a requested column that nothing declares or has */
export function chooseColumns(
  known: Pick<ListResult, 'columns' | 'fields'> & Partial<Pick<ListResult, 'id'>>,
  requested: readonly string[] | undefined,
  items: readonly unknown[],
): readonly Column[] {
  const declared = known.columns.map(withActualId(items, known.id));
  if (requested === undefined && declared.length > 0) return declared;
  const every = everyColumn(declared, items, known.fields);
  if (requested === undefined) return every;
  const fields = [...new Set([...every, ...known.columns].map(({ field }) => field).concat(known.fields ?? []))];
  // A field, or a path into one: `channel.name` for `channel`.
  const covers = (name: string) => fields.some((field) => name === field || name.startsWith(`${field}.`));
  const isUnknown = (name: string) => !covers(name) && items.every((item) => valueAt(item, name) === undefined);
  const names = requested.flatMap((word) =>
    word === allColumns ? every.map(({ field }) => field) : (fieldNamed(word, known.columns, fields) ?? word),
  );
  if (items.length > 0 || known.fields) refuseUnknown(names.filter(isUnknown), fields);
  const columnOf = (name: string) => [...known.columns, ...every].find(({ field }) => field === name);
  return [...new Set(names)].map((name) => columnOf(name) ?? { field: name, header: name });
}

/** The declared columns, and a column for each other field of the items, those of the schema first. */
export function everyColumn(
  declared: readonly Column[],
  items: readonly unknown[],
  schema: readonly string[] = [],
): readonly Column[] {
  const { names, addFrom } = collectOtherFields(declared, true);
  addFrom(items);
  const known = schema.filter((field) => names.includes(field));
  const others = [...new Set([...known, ...names])];
  return [...declared, ...others.map((field): Column => ({ field, header: field, shows: 'time' }))];
}

/** Refuses requested columns that are not known. @param fields to suggest @throws usage */
function refuseUnknown(unknown: readonly string[], fields: readonly string[]): void {
  if (unknown.length === 0) return;
  const details: FailureDetail[] = unknown.map((name) => ({
    option: '--columns',
    message: `unknown column "${name}"`,
  }));
  const names = unknown.map((name) => `"${name}"`).join(', ');
  const sentence = `The result has no ${unknown.length === 1 ? 'column' : 'columns'} ${names}.`;
  throw usage(sentence, `Columns: ${fields.join(', ')}`, details);
}

/** Renames the ID's column to `id` if the items have their ID there. */
function withActualId(items: readonly unknown[], id: string | undefined): (column: Column) => Column {
  const has = (field: string) => items.some((item) => valueAt(item, field) !== undefined);
  return (column) => (column.field === id && !has(id) && has('id') ? { ...column, field: 'id' } : column);
}

/** Names of fields for a remark: the first twelve, and how many more there are. */
export function namedFields(names: readonly string[]): string {
  const first = names.slice(0, mostNamed).map((name) => visible(name));
  return names.length > mostNamed ? `${first.join(', ')} and ${names.length - mostNamed} more` : first.join(', ');
}

const mostNamed = 12;
