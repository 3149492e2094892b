import { membersOf } from '../text/json-write.ts';
import { isVisible, visible } from '../text/visible.ts';
import { cellText, idOf, valueAt } from './columns.ts';
import { paintFor } from './paint.ts';
import type { Column, Form, Sink } from './result.ts';

/** A list in a pipe: a line a row, a tab between cells, nothing cut, no header; the ids coloured where colour is forced. */
export async function plainForm(columns: readonly Column[], id: string, sink: Sink): Promise<Form> {
  const paint = await paintFor(sink.color);
  return {
    page(items) {
      const rows = items.map((item) => columns.map(({ field }) => cellText(valueAt(item, field))));
      // One look at all cells of a page: what has to be spelled out is rare.
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

/** One thing in a pipe: a line a field, its name in the platform's words, a tab, its value. */
export async function plainRecord(value: object, columns: readonly Column[], sink: Sink): Promise<string> {
  const paint = await paintFor(sink.color);
  const fields = columns.length > 0 ? columns.map(({ field }) => field) : membersOf(value).map(([name]) => name);
  return fields.map((field) => `${paint.heading(plainCell(field))}\t${plainCell(valueAt(value, field))}\n`).join('');
}

/** The ids of a list, a line each; an item without one has no line. */
export function idForm(field: string): Form {
  return { page: (items) => items.map((item) => idLine(item, field)).join(''), end: () => '' };
}

/** The id of the value, as a line; nothing where there is none. */
export function idLine(value: unknown, field: string): string {
  const id = plainCell(idOf(value, field));
  return id === '' ? '' : `${id}\n`;
}

/** A value as one cell of one line: tabs, line ends and what cannot be seen are spelled out. */
export function plainCell(value: unknown): string {
  return visible(cellText(value), 'escape');
}
