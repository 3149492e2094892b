import { usage } from '../failure.ts';
import { parseLossless } from '../text/json.ts';
import { compact, pretty, wellFormed } from '../text/json-write.ts';
import { isHolder, isRecord } from '../text/record.ts';
import { visible } from '../text/visible.ts';
import { cellText, chooseColumns, isExact } from './columns.ts';
import { runJq } from './jq.ts';
import { noticeCut, writeList } from './list.ts';
import { onePage, readAhead } from './pages.ts';
import { type Paint, paintFor } from './paint.ts';
import { idLine, plainCell, plainRecord } from './plain.ts';
import type { DoneResult, ListResult, OutputShape, Page, RecordResult, Result, Sink, Streams } from './result.ts';
import { yamlWriter } from './yaml.ts';

/**
 * Writes a result in the requested shape, page by page (docs/contract.md, "Streams and formats" and "Lists").
 * Ends quietly if the reader goes away; rejects with a Failure if the result cannot be written or formatted.
 */
export async function writeResult(result: Result, shape: OutputShape, streams: Streams): Promise<void> {
  const { stdout } = streams;
  const discard = async () => {};
  if (result.jsonByDefault && shape.format === 'table' && !shape.columns && !shape.jq) {
    const json = { ...streams, stdout: await colouringSink(stdout) };
    return writeResult({ ...result, jsonByDefault: false }, { ...shape, format: 'json' }, json);
  }
  const outputs = shape.quiet ? { ...streams, notice: discard, done: discard } : streams;
  if (result.kind === 'text') return stdout.write(result.text);
  if (shape.jq !== undefined) return writeFiltered(result, shape.jq, shape, outputs);
  if (shape.format === 'table' && result.kind === 'record' && result.asText !== undefined)
    return writeResult({ ...result, value: result.asText, asText: undefined }, shape, streams);
  if (result.kind === 'list') return writeList(result, shape, outputs);
  if (result.kind === 'done' && shape.format === 'table') return (outputs.done ?? outputs.notice)(result.sentence);
  if (result.kind === 'record' && result.screen && stdout.isTerminal && shape.format === 'table' && !shape.columns) {
    const look = { paint: await paintFor(stdout.color), columns: stdout.columns, now: streams.now() };
    return stdout.write(result.screen(look));
  }
  if (Array.isArray(result.value)) return writeList(listOf(result.value, result), shape, outputs);
  await writeOne(result, shape, outputs);
}

/** A sink that colours JSON text, if colour is wanted. Every piece of text has to end between two tokens. */
async function colouringSink(sink: Sink): Promise<Sink> {
  if (!sink.color) return sink;
  const paint = await paintFor(true);
  const write: Sink['write'] = (text) => sink.write(typeof text === 'string' ? paintedJson(text, paint) : text);
  // Not a copy, because `closed` and `columns` of the sink change.
  return Object.create(sink, { write: { value: write } });
}

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g;

function paintedJson(json: string, paint: Paint): string {
  return json.replace(token, (whole, text?: string, colon?: string) => {
    if (text !== undefined) return colon === undefined ? paint.good(text) : paint.heading(text) + colon;
    return /^[tfn]/.test(whole) ? paint.caution(whole) : paint.id(whole);
  });
}

type Filterable = Exclude<Result, { kind: 'text' }>;

/** Writes the values of a jq expression over the whole result: strings as they are, one per line, everything else as JSON on one line. */
async function writeFiltered(result: Filterable, expression: string, shape: OutputShape, streams: Streams) {
  const { stdout, notice } = streams;
  const { json, count, last } = await readAllAsJson(result);
  const { values, remarks } = await runJq(expression, json);
  const isText = values.every((value) => value.startsWith('"')) && !(shape.forSpreadsheet && values.length > 0);
  const isCsv = shape.format === 'csv' && !isText;
  if (isCsv) await writeList(listOf(await rowsIn(values), { id: result.id }), shape, { ...streams, fields: undefined });
  const show = (text: string) => (stdout.isTerminal ? visible(text, 'keep') : text);
  // A single write would hold a large result in memory twice.
  for (let at = 0; at < values.length && !isCsv && !stdout.closed; at += 1000) {
    const lines = values.slice(at, at + 1000).map((value) => (value.startsWith('"') ? show(JSON.parse(value)) : value));
    await stdout.write(lines.map((line) => `${line}\n`).join(''));
  }
  for (const remark of remarks) await notice(visible(remark));
  if (result.kind === 'list' && !stdout.closed) await noticeCut(result, count, last, notice);
}

/** The objects that jq returned, one by one or as one list. @throws usage if it returned anything else */
async function rowsIn(values: readonly string[]): Promise<readonly unknown[]> {
  const returned = await parseLossless(`[${values.join(',')}]`);
  const [only, ...others] = Array.isArray(returned) ? returned : [];
  const rows = Array.isArray(only) && others.length === 0 ? only : [only, ...others];
  if (rows.every(isRecord)) return rows;
  throw usage(
    'jq returned no objects; -o csv needs one per row.',
    "Return objects, or rows of your own without -o csv: --jq '.[] | [.name, .orgRole] | @csv'",
    [{ option: '--jq', message: 'returned no objects' }],
  );
}

async function readAllAsJson(result: Filterable) {
  if (result.kind !== 'list') return { json: wellFormed(result.value), count: 1, last: undefined };
  const items: string[] = [];
  let last: Page | undefined;
  for await (const page of readAhead(result.pages)) {
    for (const item of page.items) items.push(wellFormed(item));
    last = page;
  }
  return { json: `[${items.join(',')}]`, count: items.length, last };
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
    case 'csv':
      return writeList(listOf([isHolder(value) ? value : { value }], result), shape, streams);
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

async function recordText(result: RecordResult | DoneResult, shape: OutputShape, { stdout, now }: Streams) {
  const { value, id } = result;
  const { columns: asked } = shape;
  if (!isHolder(value)) {
    const text = stdout.isTerminal ? visible(cellText(value)) : plainCell(value);
    return text === '' ? '' : `${text}\n`;
  }
  const columns = chooseColumns(knownColumns(result), asked, [value]);
  if (!stdout.isTerminal) return plainRecord(value, columns, stdout);
  const { recordTable } = await import('./record.ts');
  const shown = result.kind === 'record' && !isExact(asked) ? result.shown : undefined;
  return recordTable(value, shown ?? columns, { id, sink: stdout, exact: isExact(asked), now: now() });
}

function listOf(items: readonly unknown[], result: Partial<RecordResult | DoneResult> = {}): ListResult {
  return {
    kind: 'list',
    pages: onePage(items),
    id: result.id ?? 'id',
    ...knownColumns(result),
    empty: 'The list is empty',
    noun: 'items',
  };
}

function knownColumns(result: Partial<RecordResult | DoneResult>) {
  if (result.kind !== 'record') return { columns: [] };
  return { columns: result.columns ?? [], fields: result.fields };
}
