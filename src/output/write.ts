import { cellText, chooseColumns } from './columns.ts';
import { csvForm } from './csv.ts';
import { writeFiltered } from './filtered.ts';
import { compact, pretty } from './json.ts';
import { writeList } from './list.ts';
import { idLine, plainCell, plainRecord } from './plain.ts';
import type { DoneResult, ListResult, RecordResult, Result, Shape, Sink, Streams } from './result.ts';
import { recordTable } from './table.ts';
import { visible } from './visible.ts';
import { yamlWriter } from './yaml.ts';

/**
 * Writes a result in the shape that was asked for, pages as they come. Sections 3 and 9 of the command line's contract.
 * Ends quietly once the reader has gone away; rejects with a Failure where the result cannot be written or shaped.
 */
export async function writeResult(result: Result, shape: Shape, streams: Streams): Promise<void> {
  const { stdout } = streams;
  const notice = shape.quiet ? async () => {} : streams.notice;
  if (result.kind === 'text') return stdout.write(result.text);
  if (shape.jq !== undefined) return writeFiltered(result, shape.jq, { stdout, notice });
  if (result.kind === 'list') return writeList(result, shape, { stdout, notice });
  if (result.kind === 'done' && shape.format === 'table') return notice(result.sentence);
  if (Array.isArray(result.value)) return writeList(listOf(result.value, result), shape, { stdout, notice });
  await writeOne(result, shape, { stdout, notice });
}

async function writeOne(result: RecordResult | DoneResult, shape: Shape, { stdout, notice }: Streams): Promise<void> {
  const { value } = result;
  switch (shape.format) {
    case 'json':
      return stdout.write(`${pretty(value)}\n`);
    case 'ndjson':
      return stdout.write(`${compact(value)}\n`);
    case 'yaml':
      return stdout.write((await yamlWriter())(value));
    case 'csv': {
      const rows = [isHolder(value) ? value : { value }];
      const form = await csvForm(chooseColumns(known(result), shape.columns, rows), shape.csvSafe === true);
      return stdout.write(form.page(rows) + form.end());
    }
    case 'id': {
      const own = result.id === undefined ? '' : idLine(value, result.id);
      const about = result.kind === 'record' ? result.about : undefined;
      const line = own === '' && about !== undefined ? `${plainCell(about)}\n` : own;
      return line === '' ? notice('The platform gave no id') : stdout.write(line);
    }
    case 'table':
      return stdout.write(await recordText(result, shape, stdout));
  }
}

async function recordText(result: RecordResult | DoneResult, shape: Shape, stdout: Sink): Promise<string> {
  const { value, id } = result;
  if (!isHolder(value)) {
    const text = stdout.isTerminal ? visible(cellText(value)) : plainCell(value);
    return text === '' ? '' : `${text}\n`;
  }
  const { columns } = known(result);
  const chosen = shape.columns || columns.length > 0 ? chooseColumns(known(result), shape.columns, [value]) : [];
  return stdout.isTerminal ? recordTable(value, chosen, id, stdout) : plainRecord(value, chosen, stdout);
}

function listOf(items: readonly unknown[], result: RecordResult | DoneResult): ListResult {
  async function* pages() {
    yield { items };
  }
  return {
    kind: 'list',
    pages: pages(),
    id: result.id ?? 'id',
    ...known(result),
    empty: 'The list is empty',
    noun: 'items',
  };
}

function known(result: RecordResult | DoneResult) {
  if (result.kind === 'done') return { columns: [] };
  return { columns: result.columns ?? [], ...(result.fields && { fields: result.fields }) };
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
