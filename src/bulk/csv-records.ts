import type { Parser } from 'csv-parse';
import { Failure } from '../failure.ts';
import { longestRow } from './row.ts';
import { openLineCutter } from './text.ts';

type Records = {
  readonly records: readonly (readonly string[])[];
  /** Whether cells may contain line ends: there has been a quote. */
  readonly quoted: boolean;
};

/** For error messages: the file, and the number of the next line. */
type Place = { readonly name: string; readonly nextLine: () => number };

/**
 * Yields the records of each piece of text together: a promise per record would cost more than parsing it. Until the first quote, only lines
 * and separators matter; a parser that looks at every character would take five times as long. The only file that loads csv-parse.
 * @throws usage for invalid quoting, because nothing after it can be trusted, and for a row of more than 1 MiB
 */
export async function* recordsOf(
  texts: AsyncIterable<string>,
  separator: string,
  place: Place,
): AsyncGenerator<Records, void> {
  const pieces = texts[Symbol.asyncIterator]();
  const cutter = openLineCutter();
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) {
    if (piece.value.includes('"')) {
      const rest = beginningWith(cutter.rest() + piece.value, pieces);
      yield* parsed(rest, separator, place);
      return;
    }
    yield { records: cutter.cut(piece.value).map((line) => line.split(separator)), quoted: false };
    if (cutter.rest().length > longestRow) throw unreadable('CSV_MAX_RECORD_SIZE', place.name, place.nextLine());
  }
  const last = cutter.rest().replace(/\r$/, '');
  yield { records: [last.split(separator)], quoted: false };
}

/** @param texts starting with a whole record */
async function* parsed(
  texts: AsyncIterable<string>,
  separator: string,
  { name, nextLine }: Place,
): AsyncGenerator<Records, void> {
  const { parse } = await import('csv-parse');
  const parser = parse({
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: longestRow,
  });
  const before = nextLine() - 1;
  let fault: unknown;
  parser.on('error', (error) => {
    fault = error;
  });
  for await (const text of texts) {
    const written = new Promise<void>((resolve) => parser.write(text, () => resolve()));
    const records = drained(parser);
    await written;
    if (fault !== undefined) throw asFailure(fault, name, before, nextLine());
    yield { records: records.concat(drained(parser)), quoted: true };
  }
  parser.end();
  try {
    const records: string[][] = [];
    for await (const record of parser) records.push(record);
    yield { records, quoted: true };
  } catch (error) {
    throw asFailure(error, name, before, nextLine());
  }
}

/** Takes all records that the parser has ready. */
function drained(parser: Parser): string[][] {
  const records: string[][] = [];
  for (let record = parser.read(); record !== null; record = parser.read()) records.push(record);
  return records;
}

/** @param before the number of lines that the parser has not seen */
function asFailure(error: unknown, name: string, before: number, nextLine: number): unknown {
  if (error instanceof Failure || !(error instanceof Error) || !('code' in error)) return error;
  // For an unclosed quote, the parser reports the last line.
  const at = error.code === 'CSV_QUOTE_NOT_CLOSED' || !('lines' in error) ? nextLine : before + Number(error.lines);
  return unreadable(String(error.code), name, at, error);
}

function unreadable(code: string, name: string, line: number, cause?: Error): Failure {
  const [what, hint] = problems[code] ?? ['cannot be read as CSV', undefined];
  return new Failure('usage', `${name} ${what} at line ${line}.`, { ...(hint && { hint }), ...(cause && { cause }) });
}

async function* beginningWith(first: string, pieces: AsyncIterator<string>): AsyncGenerator<string, void> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => pieces };
}

const quoting = 'Put a cell that contains quotes in quotes, and double each quote in it: "7"" screen"';
const problems: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  CSV_INVALID_CLOSING_QUOTE: ['has text after the closing quote of a cell', quoting],
  INVALID_OPENING_QUOTE: ['has a quote in the middle of a cell that is not quoted', quoting],
  CSV_QUOTE_NOT_CLOSED: ['has a quoted cell that does not end; it begins', quoting],
  CSV_MAX_RECORD_SIZE: ['has a row longer than 1 MiB', 'A quote that is not closed may be the reason'],
};
