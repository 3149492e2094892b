import { compact, pretty } from '../text/json-write.ts';
import { visible } from '../text/visible.ts';
import { chooseColumns, isExact } from './choose-columns.ts';
import { cellText } from './columns.ts';
import { csvForm } from './csv.ts';
import { writeFiltered } from './filtered.ts';
import { writeList } from './list.ts';
import { onePage } from './one-page.ts';
import { paintFor } from './paint.ts';
import { idLine, plainCell, plainRecord } from './plain.ts';
import type { DoneResult, ListResult, OutputShape, RecordResult, Result, Streams } from './result.ts';
import { allColumns } from './result.ts';
import { yamlWriter } from './yaml.ts';

/**
 * Writes a result in the requested shape, page by page (docs/contract.md, "Streams and formats" and "Lists").
 * Ends quietly if the reader goes away; rejects with a Failure if the result cannot be written or formatted.
 */
export async function writeResult(result: Result, shape: OutputShape, streams: Streams): Promise<void> {
  const { stdout } = streams;
  const quiet = async () => {};
  if (result.jsonByDefault && shape.format === 'table' && !shape.columns && !shape.jq) {
    const { jsonSink } = await import('./painted-json.ts');
    const json = { ...streams, stdout: await jsonSink(stdout) };
    return writeResult({ ...result, jsonByDefault: false }, { ...shape, format: 'json' }, json);
  }
  const outputs = shape.quiet ? { ...streams, notice: quiet, done: quiet } : streams;
  if (result.kind === 'text') return stdout.write(result.text);
  if (shape.jq !== undefined) return writeFiltered(result, shape.jq, outputs);
  if (result.kind === 'list') return writeList(result, shape, outputs);
  if (result.kind === 'done' && shape.format === 'table') return (outputs.done ?? outputs.notice)(result.sentence);
  if (result.kind === 'record' && result.screen && stdout.isTerminal && shape.format === 'table' && !shape.columns) {
    const look = { paint: await paintFor(stdout.color), columns: stdout.columns, now: streams.now() };
    return stdout.write(result.screen(look));
  }
  if (Array.isArray(result.value)) return writeList(listOf(result.value, result), shape, outputs);
  await writeOne(result, shape, outputs);
}

async function writeOne(result: RecordResult | DoneResult, shape: OutputShape, streams: Streams): Promise<void> {
  const { stdout, notice } = streams;
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
      const columns = chooseColumns(known(result), shape.columns ?? [allColumns], rows);
      const form = csvForm(columns, shape.csvSafe === true, stdout.isTerminal);
      return stdout.write(form.page(rows) + form.end());
    }
    case 'id': {
      const own = result.id === undefined ? '' : idLine(value, result.id);
      const about = result.kind === 'record' ? result.about : undefined;
      const line = own === '' && about !== undefined ? `${plainCell(about)}\n` : own;
      return line === '' ? notice('The platform returned no ID') : stdout.write(line);
    }
    case 'table':
      if (stdout.isTerminal && result.kind === 'record' && result.sentence !== undefined)
        await (streams.done ?? notice)(result.sentence);
      return stdout.write(await recordText(result, shape, streams));
  }
}

async function recordText(
  result: RecordResult | DoneResult,
  shape: OutputShape,
  { stdout, now }: Streams,
): Promise<string> {
  const { value, id } = result;
  const { columns: asked } = shape;
  if (!isHolder(value)) {
    const text = stdout.isTerminal ? visible(cellText(value)) : plainCell(value);
    return text === '' ? '' : `${text}\n`;
  }
  const columns = chooseColumns(known(result), asked, [value]);
  if (!stdout.isTerminal) return plainRecord(value, columns, stdout);
  const { recordTable } = await import('./record.ts');
  const shown = result.kind === 'record' && !isExact(asked) ? result.shown : undefined;
  return recordTable(value, shown ?? columns, { id, sink: stdout, exact: isExact(asked), now: now() });
}

function listOf(items: readonly unknown[], result: RecordResult | DoneResult): ListResult {
  return {
    kind: 'list',
    pages: onePage(items),
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
