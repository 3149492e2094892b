import { visible } from '../text/visible.ts';
import { cellText, idOf, valueAt } from './columns.ts';
import { paintFor } from './paint.ts';
import type { Column, Form, Sink } from './result.ts';

/** A list in a pipe: one line per row, a tab between cells, nothing cut, no header; the IDs are coloured if colour is forced. */
export async function plainForm(columns: readonly Column[], id: string, sink: Sink): Promise<Form> {
  const paint = await paintFor(sink.color);
  const fields = columns.map(({ field }) => field);
  const cellOf = (item: unknown, field: string) => {
    const cell = plainCell(valueAt(item, field));
    return field === id ? paint.id(cell) : cell;
  };
  const lineOf = (item: unknown) => `${fields.map((field) => cellOf(item, field)).join('\t')}\n`;
  return { columns, page: (items) => items.map(lineOf).join(''), end: () => '' };
}

/** One record in a pipe: one line per field, with the platform's name, a tab, and the value. */
export async function plainRecord(value: object, columns: readonly Column[], sink: Sink): Promise<string> {
  const paint = await paintFor(sink.color);
  const fields = columns.map(({ field }) => field);
  return fields.map((field) => `${paint.heading(plainCell(field))}\t${plainCell(valueAt(value, field))}\n`).join('');
}

/** The IDs of a list, one per line. An item without an ID is skipped. @param of a field whose value stands before each ID */
export function idForm(field: string, of?: string): Form {
  const lineOf = (item: unknown) => {
    const line = idLine(item, field);
    return of === undefined || line === '' ? line : `${plainCell(valueAt(item, of))}\t${line}`;
  };
  return { page: (items) => items.map(lineOf).join(''), end: () => '' };
}

/** The ID of a value as a line; empty if it has none. */
export function idLine(value: unknown, field: string): string {
  const id = plainCell(idOf(value, field));
  return id === '' ? '' : `${id}\n`;
}

/** A value as one cell on one line: tabs, line breaks and invisible characters are escaped. */
export function plainCell(value: unknown): string {
  return visible(cellText(value), 'escape');
}
