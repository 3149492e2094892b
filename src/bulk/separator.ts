import { longestRow } from './row.ts';

/** The separators that can be detected. */
export const separators = [',', ';', '\t', '|'] as const;

type Table = {
  readonly separator: string;
  /** The texts from their beginning, without a line "sep=;". */
  readonly texts: AsyncIterable<string>;
  /** The number of lines skipped. */
  readonly lines: number;
};

/**
 * Reads a CSV text as far as its header, and determines the separator: `given`, else that of a first line "sep=;", which some programs
 * write, else the one with which the header has the column `required`.
 */
export async function openTable(texts: AsyncIterable<string>, required: string, given?: string): Promise<Table> {
  const pieces = texts[Symbol.asyncIterator]();
  let head = '';
  let header: string | undefined;
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) {
    head += piece.value;
    header = headerOf(head);
    if (header !== undefined || head.length > longestRow) break;
  }
  const [mark = '', named] = markLine.exec(head) ?? [];
  const separator = given ?? named ?? separatorOf(header ?? head.slice(mark.length), required);
  return { separator, texts: beginningWith(head.slice(mark.length), pieces), lines: mark === '' ? 0 : 1 };
}

const markLine = /^"?sep=([^\r\n"])"?[ \t]*(?:\r\n|\n|\r)/i;

async function* beginningWith(first: string, pieces: AsyncIterator<string>): AsyncGenerator<string, void> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => pieces };
}

/** The first non-empty line, once it is complete and more text follows. */
function headerOf(text: string): string | undefined {
  let [begin, isQuoted] = [markLine.exec(text)?.[0].length ?? 0, false];
  for (let at = begin; at < text.length - 1; at += 1) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted || (character !== '\n' && character !== '\r')) continue;
    const line = text.slice(begin, at);
    if (/[^\s,;|"]/.test(line)) return line;
    begin = at + 1;
  }
  return undefined;
}

function separatorOf(header: string, required: string): string {
  const readings = separators.map((separator) => ({ separator, columns: columnsOf(header, separator) }));
  const found = readings.find(({ columns }) => columns.includes(required));
  // Without that column, use the separator that gives the most columns, for the error message.
  return (found ?? readings.reduce((best, other) => (other.columns.length > best.columns.length ? other : best)))
    .separator;
}

/** The columns, parsed well enough to recognize one of them. */
function columnsOf(header: string, separator: string): string[] {
  const columns: string[] = [];
  let [column, isQuoted] = ['', false];
  for (const character of header) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) {
      columns.push(column.trim());
      column = '';
    } else column += character;
  }
  return [...columns, column.trim()];
}
