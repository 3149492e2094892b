import { type FailureDetail, usage } from '../failure.ts';
import { visible } from '../text/visible.ts';
import { fieldNamed, otherFields, valueAt } from './columns.ts';
import { allColumns, type Column } from './result.ts';

type KnownColumns = {
  readonly columns: readonly Column[];
  readonly fields?: readonly string[] | undefined;
  readonly id?: string | undefined;
};

/** Whether certain columns were requested: their values are shown as they are, empty ones too. */
export function isExact(requested: readonly string[] | undefined): boolean {
  return requested !== undefined && !requested.includes(allColumns);
}

/**
 * The columns to show: the requested ones, in that order; otherwise the declared ones; otherwise the fields of the items.
 * A requested column that is neither declared, nor a known field, nor in any item is a usage failure.
 */
export function chooseColumns(
  known: KnownColumns,
  requested: readonly string[] | undefined,
  items: readonly unknown[],
): readonly Column[] {
  const declared = known.columns.map(present(items, known.id));
  if (requested === undefined && declared.length > 0) return declared;
  const every = everyColumn(declared, items, known.fields);
  if (requested === undefined) return every;
  const fields = [...new Set([...every, ...known.columns].map(({ field }) => field).concat(known.fields ?? []))];
  const isKnown = (name: string) => covers(fields, name) || items.some((item) => valueAt(item, name) !== undefined);
  const names = requested.flatMap((word) =>
    word === allColumns ? every.map(({ field }) => field) : (fieldNamed(word, known.columns, fields) ?? word),
  );
  if (items.length > 0 || known.fields) refuseUnknown(names, isKnown, fields);
  const columnOf = (name: string) => [...known.columns, ...every].find(({ field }) => field === name);
  return [...new Set(names)].map((name) => columnOf(name) ?? plainColumn(name));
}

/** The declared columns, then one for each further field of the items: those of the schema first. */
export function everyColumn(
  declared: readonly Column[],
  items: readonly unknown[],
  schema: readonly string[] = [],
): readonly Column[] {
  const { names, look } = otherFields(declared, true);
  look(items);
  const known = schema.filter((field) => names.includes(field));
  const others = [...new Set([...known, ...names])];
  return [...declared, ...others.map((field): Column => ({ ...plainColumn(field), shows: 'time' }))];
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

/** The ID's column, under the name that it has in the items. */
function present(items: readonly unknown[], id: string | undefined): (column: Column) => Column {
  const has = (field: string) => items.some((item) => valueAt(item, field) !== undefined);
  return (column) => (column.field === id && !has(id) && has('id') ? { ...column, field: 'id' } : column);
}

/** Names of fields for a remark: the first twelve, and how many more there are. */
export function namedFields(names: readonly string[]): string {
  const first = names.slice(0, mostNamed).map((name) => visible(name));
  return names.length > mostNamed ? `${first.join(', ')} and ${names.length - mostNamed} more` : first.join(', ');
}

const mostNamed = 12;

function plainColumn(field: string): Column {
  return { field, header: field };
}
