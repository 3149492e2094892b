/** The only file that loads cli-table3. */
import { gap } from './column-widths.ts';

type Rows = readonly (readonly string[])[];

const borders =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid';
const chars = { ...Object.fromEntries(borders.split(' ').map((name) => [name, ''])), middle: gap };
const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true };

/** cli-table3 looks at all cells above each cell, and at a whole cell for each of its lines: drawing in pieces keeps the time linear. */
const mostRows = 16;

/** cli-table3 shortens every cell to 10 for a debug message that is never shown. A mark of that width leaves nothing to shorten. */
const wideMark = '…'.repeat(10);

// Only matches from the first space of a gap, which keeps it linear.
const blanksAtEnds = /(?<! ) +$/gm;

/** Draws rows in columns of these widths, one line each, without borders. The cells fit into their columns, and may be coloured. */
export async function openDrawing(): Promise<(rows: Rows, widths: readonly number[]) => string> {
  const { default: Table } = await import('cli-table3');
  return (rows, widths) => {
    let text = '';
    for (let at = 0; at < rows.length; at += mostRows) {
      const some = rows.slice(at, at + mostRows);
      const table = new Table({ chars, style, colWidths: [...widths], truncate: wideMark });
      // A cell costs more than a line in a cell, so each column becomes a single cell.
      table.push(widths.map((_, place) => some.map((cells) => cells[place] ?? '').join('\n')));
      text += `${table.toString().replace(blanksAtEnds, '')}\n`;
    }
    return text;
  };
}
