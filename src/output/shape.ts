import { usage } from '../failure.ts';
import { checkExpression } from './jq.ts';
import type { OutputShape } from './result.ts';
import { allColumns } from './result.ts';

/** Refuses an impossible shape before anything is sent: `--columns` with a format without columns, or an expression jq cannot parse. */
export async function checkShape(shape: OutputShape): Promise<void> {
  if (shape.columns) refuseColumns(shape, shape.columns);
  if (shape.jq !== undefined) await checkExpression(shape.jq);
}

function refuseColumns(shape: OutputShape, columns: readonly string[]): void {
  const where = shape.jq === undefined ? `-o ${shape.format}` : '--jq';
  if (shape.jq !== undefined || (shape.format !== 'table' && shape.format !== 'csv')) {
    throw usage(
      `--columns works with table and csv, not ${where}.`,
      shape.format === 'id'
        ? 'Leave out --columns, or choose -o csv.'
        : columns.includes(allColumns)
          ? 'Leave out --columns: every field is there.'
          : `Choose fields with --jq, as in --jq '.[].${columns[0]}'.`,
      [{ option: '--columns', message: `not with ${where}` }],
    );
  }
  if (columns.length === 0 || columns.includes('')) {
    throw usage('--columns needs names of fields.', 'Separate them by commas: --columns userId,name', [
      { option: '--columns', message: 'empty' },
    ]);
  }
}
