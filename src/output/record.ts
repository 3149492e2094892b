import { capitalized } from '../text/capitalized.ts';
import { ExactNumber } from '../text/json.ts';
import { isHolder } from '../text/record.ts';
import { visible } from '../text/visible.ts';
import { briefText, isDay, zoneSuffix } from './brief.ts';
import { cellText, everyColumn, valueAt } from './columns.ts';
import { columnGap } from './fit-columns.ts';
import { paintFor } from './paint.ts';
import type { Column, Sink } from './result.ts';
import { isolated, prepareWidths, textWidth, wrapWords } from './text-width.ts';

type RecordView = {
  readonly id: string | undefined;
  readonly sink: Sink;
  /** Set if the columns were requested: values are exact, and fields without a value are shown too. */
  readonly exact: boolean;
  readonly now: number;
};

type Line = { readonly column: Column; readonly label: string; readonly text: string };

/**
 * One record at a terminal: a line with label and value for each field, and the fields of a nested value indented below it. Values are never cut: a text
 * wraps between its words, and a value that people copy stays on one line.
 */
export async function recordTable(value: object, columns: readonly Column[], view: RecordView): Promise<string> {
  const { id, sink } = view;
  const paint = await paintFor(sink.color);
  const lines = linesOf(value, columns, view);
  await prepareWidths(lines.flatMap(({ label, text }) => [label, text]));
  const width = lines.reduce((widest, { label }) => Math.max(widest, textWidth(label)), 0);
  const room = sink.columns - width - columnGap.length;
  const shown = lines.map(({ column, label, text }) => {
    const isId = column.field === id;
    const isCopied = isId || column.keep === 'whole' || /secret|token/i.test(column.field);
    const parts = (isCopied || room < 20 ? [text] : wrapWords(text, room)).map(isolated);
    const lead = `${paint.heading(label)}${' '.repeat(width - textWidth(label))}${columnGap}`;
    return lead + (isId ? parts.map((part) => paint.id(part)) : parts).join(`\n${' '.repeat(width)}${columnGap}`);
  });
  return shown.map((line) => `${line.replace(/(?<! ) +$/gm, '')}\n`).join('');
}

/** Deeper values are written as JSON. */
const deepest = 5;

/** @param labelled the columns that get a label. Other names may be a user's own, such as that of a variable, and are shown unchanged */
function linesOf(holder: object, columns: readonly Column[], view: RecordView, labelled = columns, depth = 0): Line[] {
  return columns.flatMap((column) => {
    const value = valueAt(holder, column.field);
    const label = '  '.repeat(depth) + visible(labelled.includes(column) ? labelOf(column) : column.field);
    const inner = view.exact || column.keep === 'whole' || depth === deepest ? undefined : innerOf(value);
    if (inner) {
      const known = column.members ?? [];
      const lines = linesOf(inner, everyColumn(known, [inner]), view, known, depth + 1);
      return lines.length > 0 ? [{ column, label, text: '' }, ...lines] : [];
    }
    const text = visible(view.exact ? cellText(value) : briefText(value, column, view.now));
    return view.exact || text !== '' ? [{ column, label: isDay(text, value) ? label + zoneSuffix : label, text }] : [];
  });
}

/** A value with fields of its own: an object, or a list of objects by their numbers. Undefined for any other value. */
function innerOf(value: unknown): object | undefined {
  const isInner = (each: unknown) => isHolder(each) && !(each instanceof ExactNumber);
  if (!Array.isArray(value)) return isInner(value) ? (value as object) : undefined; // isInner says so
  return value.some(isInner) ? new Map(value.map((item, at) => [String(at + 1), item])) : undefined;
}

const initials = new Map(Object.entries({ id: 'ID', ids: 'IDs', url: 'URL', api: 'API', csv: 'CSV' }));

/** The label of a field: "Client credential ID" for `clientCredentialId`, "Time zone" for TIME ZONE. A name in another form (`HALL_B`, `site.hall`) is unchanged. */
function labelOf({ field, header }: Column): string {
  if (header !== field) return sentenceCase(header.toLowerCase().split(' '));
  if (!/^[a-z]+([A-Z][a-z0-9]*)*$/.test(field)) return field;
  return sentenceCase(field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' '));
}

function sentenceCase(words: readonly string[]): string {
  return capitalized(words.map((word) => initials.get(word) ?? word).join(' '));
}
