/** What the lines of a journal below its first one say, beside the rows. */
type JournalLines = {
  /** Files that hold rows which failed, each as it was given to `keptLine`. */
  readonly kept: ReadonlySet<string>;
  /** Where the last whole and sensible line ends: what is behind that was cut short. */
  readonly end: number;
};

/**
 * @param from where the lines begin
 * @param rows how many there can be
 * @param isDone is told each row that is done
 */
export function readLines(bytes: Buffer, from: number, rows: number, isDone: (row: number) => void): JournalLines {
  const kept = new Set<string>();
  let end = from;
  for (;;) {
    const next = bytes.indexOf(10, end);
    if (next < 0) return { kept, end };
    const line = bytes.toString('latin1', end, next);
    const row = rowNumber(line, rows);
    const file = row === undefined ? keptFile.exec(line)?.[1] : undefined;
    if (row !== undefined) isDone(row);
    else if (file !== undefined) kept.add(file);
    else return { kept, end };
    end = next + 1;
  }
}

const keptFile = /^failed-to (\d{1,20}:\d{1,20})$/;

/** The line that says which file, by the numbers of its device and of itself, has the failed rows of this import. */
export function keptLine(file: string): string {
  return `failed-to ${file}\n`;
}

function rowNumber(line: string, rows: number): number | undefined {
  const row = /^[1-9]\d{0,14}$/.test(line) ? Number(line) : 0;
  return row >= 1 && row <= rows ? row : undefined;
}
