/** The only file that loads cli-table3. */
import { gap } from './column-widths.ts';

type Rows = readonly (readonly string[])[];

const borders = [
  'top',
  'top-mid',
  'top-left',
  'top-right',
  'bottom',
  'bottom-mid',
  'bottom-left',
  'bottom-right',
  'left',
  'left-mid',
  'mid',
  'mid-mid',
  'right',
  'right-mid',
] as const;
const chars = { ...Object.fromEntries(borders.map((name) => [name, ''])), middle: gap };
const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true };

/** It looks at every cell above each cell, and at all of a cell for each of its lines: drawn in pieces, a long table takes as long as it is. */
const mostRows = 16;

/** It shortens every cell to 10 for a message that nobody reads, letter by letter. With a mark as wide as that, nothing is left to shorten. */
const wideMark = '…'.repeat(10);

// Tried at the first blank of each gap alone.
const blanksAtEnds = /(?<! ) +$/gm;

/**
 * Draws rows in columns of these widths, a line each, without borders. The cells may be coloured.
 * @param fit false where a cell may be wider than its column: it is shortened
 */
export async function openDrawing(): Promise<(rows: Rows, widths: readonly number[], fit: boolean) => string> {
  const { default: Table } = await import('cli-table3');
  return (rows, widths, fit) => {
    let text = '';
    for (let at = 0; at < rows.length; at += mostRows) {
      const some = rows.slice(at, at + mostRows);
      const table = new Table({ chars, style, colWidths: [...widths], ...(fit && { truncate: wideMark }) });
      // A cell costs more than a line in one: as long as nothing is shortened, each column is a single cell.
      if (fit) table.push(widths.map((_, place) => some.map((cells) => cells[place] ?? '').join('\n')));
      else table.push(...some.map((cells) => [...cells]));
      text += `${table.toString().replace(blanksAtEnds, '')}\n`;
    }
    return text;
  };
}
