import { usage } from '../failure.ts';
import { covers, refuseUnknown } from './columns.ts';
import { checkExpression } from './jq.ts';
import { formats, type Shape } from './result.ts';

/**
 * Refuses, before anything is sent, a shape that no result can have: an unknown format, `--columns` with a format that has
 * none, a column that is not among the result's `fields` (where the command declares them), an expression jq cannot read.
 */
export async function checkShape(shape: Shape, fields?: readonly string[]): Promise<void> {
  refuseFormat(shape.format);
  if (shape.columns) refuseColumns(shape, shape.columns, fields);
  if (shape.jq !== undefined) await checkExpression(shape.jq);
}

function refuseFormat(format: string): void {
  if (formats.some((known) => known === format)) return;
  throw usage(`"${format}" is no output format.`, `Formats: ${formats.join(', ')}`, [
    { option: '--output', message: `unknown format "${format}"` },
  ]);
}

function refuseColumns(shape: Shape, columns: readonly string[], fields: readonly string[] | undefined): void {
  const where = shape.jq === undefined ? `-o ${shape.format}` : '--jq';
  if (shape.jq !== undefined || (shape.format !== 'table' && shape.format !== 'csv')) {
    throw usage(
      `--columns shapes table and csv, not ${where}.`,
      shape.format === 'id'
        ? 'Leave out --columns, or choose -o csv.'
        : `Choose fields with --jq, as in --jq '.[].${columns[0]}'.`,
      [{ option: '--columns', message: `not with ${where}` }],
    );
  }
  if (columns.length === 0 || columns.includes('')) {
    throw usage('--columns needs names of fields.', 'Separate them by commas: --columns userId,name', [
      { option: '--columns', message: 'empty' },
    ]);
  }
  if (fields) refuseUnknown(columns, (name) => covers(fields, name), fields);
}
