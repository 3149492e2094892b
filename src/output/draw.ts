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
const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 0 };

/** It looks at every cell above each cell: drawn in pieces, a long table takes as long as it is. */
const mostRows = 100;

/** Draws rows in columns of these widths, a line each, without borders. The cells fit already, and may be coloured. */
export async function openDrawing(): Promise<(rows: Rows, widths: readonly number[]) => string> {
  const { default: Table } = await import('cli-table3');
  return (rows, widths) => {
    let text = '';
    for (let at = 0; at < rows.length; at += mostRows) {
      const table = new Table({ chars, style, colWidths: [...widths] });
      table.push(...rows.slice(at, at + mostRows).map((cells) => [...cells]));
      text += `${table.toString().replace(/ +$/gm, '')}\n`;
    }
    return text;
  };
}
