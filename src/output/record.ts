import { membersOf } from '../text/json-write.ts';
import { visible } from '../text/visible.ts';
import { gap } from './column-widths.ts';
import { cellText, valueAt } from './columns.ts';
import { labelOf } from './label.ts';
import { paintFor } from './paint.ts';
import type { Column, Sink } from './result.ts';
import { contained } from './table.ts';
import { prepareWidths, textWidth } from './text-width.ts';
import { wrapWords } from './wrap-words.ts';

type RecordView = {
  readonly id: string | undefined;
  readonly sink: Sink;
  /** Set if the columns were requested: fields without a value are shown too. */
  readonly exact: boolean;
};

/**
 * One record at a terminal: one line per field, label and value. Values are never cut: one of several words wraps below its beginning, and values
 * that people copy are never broken.
 */
export async function recordTable(value: object, columns: readonly Column[], { id, sink, exact }: RecordView) {
  const paint = await paintFor(sink.color);
  const known: readonly Column[] =
    columns.length > 0 ? columns : membersOf(value).map(([field]) => ({ field, header: field }));
  const fields = known
    .map((column) => ({ column, text: visible(cellText(valueAt(value, column.field))) }))
    .filter(({ text }) => exact || text !== '');
  const labels = fields.map(({ column }) => visible(labelOf(column)));
  await prepareWidths([...labels, ...fields.map(({ text }) => text)]);
  const width = Math.max(0, ...labels.map(textWidth));
  const lines = fields.map(({ column, text }, at) => {
    const label = labels[at] ?? '';
    const isCopied = column.field === id || column.keep === 'whole' || /secret|token/i.test(column.field);
    const room = sink.columns - width - gap.length;
    const parts = isCopied || room < 20 ? [text] : wrapWords(text, room);
    const shown = parts.map((part) => (column.field === id ? paint.id(contained(part)) : contained(part)));
    const lead = `${paint.heading(label)}${' '.repeat(width - textWidth(label))}${gap}`;
    return lead + shown.join(`\n${' '.repeat(width)}${gap}`);
  });
  return lines.map((line) => `${line.replace(/ +$/gm, '')}\n`).join('');
}
