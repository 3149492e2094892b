import { membersOf } from '../text/json-write.ts';
import { isVisible, visible } from '../text/visible.ts';
import { cellText, idOf, valueAt } from './columns.ts';
import { paintFor } from './paint.ts';
import type { Column, Form, Sink } from './result.ts';

/** A list in a pipe: one line per row, a tab between cells, nothing cut, no header; the IDs are coloured if colour is forced. */
export async function plainForm(columns: readonly Column[], id: string, sink: Sink): Promise<Form> {
  const paint = await paintFor(sink.color);
  return {
    page(items) {
      const rows = items.map((item) => columns.map(({ field }) => cellText(valueAt(item, field))));
      // Tests all cells of a page at once: escaping is rarely needed.
      const isPlain = !sink.color && isVisible(rows.map((row) => row.join(' ')).join(' '));
      const cellOf = (text: string, at: number) => {
        const cell = visible(text, 'escape');
        return columns[at]?.field === id ? paint.id(cell) : cell;
      };
      return rows.map((row) => `${(isPlain ? row : row.map(cellOf)).join('\t')}\n`).join('');
    },
    end: () => '',
  };
}

/** One record in a pipe: one line per field, with the platform's name, a tab, and the value. */
export async function plainRecord(value: object, columns: readonly Column[], sink: Sink): Promise<string> {
  const paint = await paintFor(sink.color);
  const fields = columns.length > 0 ? columns.map(({ field }) => field) : membersOf(value).map(([name]) => name);
  return fields.map((field) => `${paint.heading(plainCell(field))}\t${plainCell(valueAt(value, field))}\n`).join('');
}

/** The IDs of a list, one per line; an item without an ID is skipped. */
export function idForm(field: string): Form {
  return { page: (items) => items.map((item) => idLine(item, field)).join(''), end: () => '' };
}

/** The ID of the value, as a line; empty if there is none. */
export function idLine(value: unknown, field: string): string {
  const id = plainCell(idOf(value, field));
  return id === '' ? '' : `${id}\n`;
}

/** A value as one cell on one line: tabs, line breaks and invisible characters are escaped. */
export function plainCell(value: unknown): string {
  return visible(cellText(value), 'escape');
}
