import { capitalized } from '../text/capitalized.ts';
import { ExactNumber } from '../text/json.ts';
import { isHolder } from '../text/record.ts';
import { visible } from '../text/visible.ts';
import { briefText, isDay, zone } from './brief.ts';
import { cellText, everyColumn, valueAt } from './columns.ts';
import { gap } from './fit-columns.ts';
import { paintFor } from './paint.ts';
import type { Column, Sink } from './result.ts';
import { contained, prepareWidths, textWidth, wrapWords } from './text-width.ts';

type RecordView = {
  readonly id: string | undefined;
  readonly sink: Sink;
  /** Set if the columns were requested: values are exact, and fields without a value are shown too. */
  readonly exact: boolean;
  readonly now: number;
};

type Line = { readonly column: Column; readonly label: string; readonly text: string };

/**
 * One record at a terminal: one line per field, label and value, and the fields inside of a value indented below it. Values are never cut: one of
 * several words wraps below its beginning, and values that people copy are never broken.
 */
export async function recordTable(value: object, columns: readonly Column[], view: RecordView): Promise<string> {
  const { id, sink } = view;
  const paint = await paintFor(sink.color);
  const lines = linesOf(value, columns, view);
  await prepareWidths(lines.flatMap(({ label, text }) => [label, text]));
  const width = lines.reduce((widest, { label }) => Math.max(widest, textWidth(label)), 0);
  const room = sink.columns - width - gap.length;
  const shown = lines.map(({ column, label, text }) => {
    const isId = column.field === id;
    const isCopied = isId || column.keep === 'whole' || /secret|token/i.test(column.field);
    const parts = (isCopied || room < 20 ? [text] : wrapWords(text, room)).map(contained);
    const lead = `${paint.heading(label)}${' '.repeat(width - textWidth(label))}${gap}`;
    return lead + (isId ? parts.map((part) => paint.id(part)) : parts).join(`\n${' '.repeat(width)}${gap}`);
  });
  return shown.map((line) => `${line.replace(/(?<! ) +$/gm, '')}\n`).join('');
}

/** Values that lie deeper are written as JSON. */
const deepest = 5;

/** Below the first level, a name that the operation does not define may be a user's, such as that of a variable, and stays as it is. */
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
    return view.exact || text !== '' ? [{ column, label: isDay(text, value) ? label + zone : label, text }] : [];
  });
}

/** What has fields of its own: an object, or a list of objects, by their numbers. */
function innerOf(value: unknown): object | undefined {
  const isInner = (each: unknown) => isHolder(each) && !(each instanceof ExactNumber);
  if (!Array.isArray(value)) return isInner(value) ? (value as object) : undefined; // isInner says so
  return value.some(isInner) ? new Map(value.map((item, at) => [String(at + 1), item])) : undefined;
}

const initials = new Map(Object.entries({ id: 'ID', ids: 'IDs', url: 'URL', api: 'API', csv: 'CSV' }));

/** The label of a field: "Client credential ID" for `clientCredentialId`, "Time zone" for TIME ZONE. Somebody else's name (`HALL_B`, `site.hall`) stays as it is. */
function labelOf({ field, header }: Column): string {
  if (header !== field) return sentenceCase(header.toLowerCase().split(' '));
  if (!/^[a-z]+([A-Z][a-z0-9]*)*$/.test(field)) return field;
  return sentenceCase(field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' '));
}

function sentenceCase(words: readonly string[]): string {
  return capitalized(words.map((word) => initials.get(word) ?? word).join(' '));
}
