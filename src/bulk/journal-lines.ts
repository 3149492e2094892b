/** The content of a journal's lines after the first, other than the rows. */
type JournalLines = {
  /** Files of failed rows, each as it was passed to `failedRowsLine`. */
  readonly failedRowFiles: ReadonlySet<string>;
  /** The end of the last complete, valid line: anything after it was cut off. */
  readonly end: number;
};

/**
 * @param from the offset of the first line
 * @param rows the highest possible row number
 * @param isDone called with each row that is done
 */
export function readLines(bytes: Buffer, from: number, rows: number, isDone: (row: number) => void): JournalLines {
  const failedRowFiles = new Set<string>();
  let end = from;
  for (;;) {
    const next = bytes.indexOf(10, end);
    if (next < 0) return { failedRowFiles, end };
    const line = bytes.toString('latin1', end, next);
    const row = rowNumber(line, rows);
    const file = row === undefined ? keptFile.exec(line)?.[1] : undefined;
    if (row !== undefined) isDone(row);
    else if (file !== undefined) failedRowFiles.add(file);
    else return { failedRowFiles, end };
    end = next + 1;
  }
}

const keptFile = /^failed-to (\d{1,20}:\d{1,20})$/;

/** The line that records which file, by device and inode number, has the failed rows of this import. */
export function failedRowsLine(file: string): string {
  return `failed-to ${file}\n`;
}

function rowNumber(line: string, rows: number): number | undefined {
  const row = /^[1-9]\d{0,14}$/.test(line) ? Number(line) : 0;
  return row >= 1 && row <= rows ? row : undefined;
}
