import { longestRow } from './row.ts';

/** What may stand between cells where nobody says what does. */
export const separators = [',', ';', '\t', '|'] as const;

type Opened = {
  readonly separator: string;
  /** The texts from their beginning, without a line "sep=;". */
  readonly texts: AsyncIterable<string>;
  /** How many lines were left out. */
  readonly lines: number;
};

/**
 * Reads a CSV text as far as its header, and finds what separates its cells: what `given` says, else the line "sep=;" with which some
 * programs begin, else that by which the header has the column `required`.
 */
export async function openTable(texts: AsyncIterable<string>, required: string, given?: string): Promise<Opened> {
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

/** The first line with anything in it, once it has come whole and something behind it. */
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
  // Without that column: by which there are most, to say what there is.
  return (found ?? readings.reduce((best, other) => (other.columns.length > best.columns.length ? other : best)))
    .separator;
}

/** The columns as far as it takes to know one of them. */
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
