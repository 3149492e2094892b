import type { Context, World } from '../command/context.ts';
import type { GlobalInput } from '../command/global-options.ts';
import { asFailure, type Failure, usage } from '../failure.ts';
import { allColumns, type Format, type OutputShape, type Result, type Streams } from '../output/result.ts';
import { sinkOf, wantsColor } from '../output/sink.ts';
import { silentWaiting, type Waiting } from '../terminal/waiting.ts';

/** Reads from the options how to write the result. @throws usage if they contradict each other */
export async function readShape(input: GlobalInput, format: Format, env: World['env']): Promise<OutputShape> {
  const { jq, forSpreadsheet, quiet } = input;
  const columns = input.columns?.split(',').map((name) => name.trim());
  // The format of a profile is not for the result of --jq.
  const isMeant = jq === undefined || input.output !== undefined;
  const shape = await checkShape({ format: isMeant ? format : 'json', columns, jq, forSpreadsheet, quiet });
  return jq === undefined ? shape : { ...shape, jq: (await import('../output/jq.ts')).withEnvironment(jq, env) };
}

/** Refuses options that are for other formats, and an expression that jq cannot parse, before anything is sent. @throws usage */
export async function checkShape(shape: OutputShape): Promise<OutputShape> {
  const where = shape.jq === undefined ? `-o ${shape.format}` : '--jq alone';
  if (shape.forSpreadsheet && shape.format !== 'csv')
    throw usage(`--for-spreadsheet works with csv, not ${where}.`, 'Use -o csv', [
      { option: '--for-spreadsheet', message: `not with ${where}` },
    ]);
  if (shape.columns) refuseColumns(shape, shape.columns);
  if (shape.jq !== undefined) await (await import('../output/jq.ts')).checkExpression(shape.jq);
  return shape;
}

function refuseColumns(shape: OutputShape, columns: readonly string[]): void {
  const where = shape.jq === undefined ? `-o ${shape.format}` : '--jq';
  if (shape.jq !== undefined || (shape.format !== 'table' && shape.format !== 'csv')) {
    const details = [{ option: '--columns', message: `not with ${where}` }];
    throw usage(`--columns works with table and csv, not ${where}.`, hintForColumns(shape, columns), details);
  }
  if (columns.length === 0 || columns.includes('')) {
    throw usage('--columns needs field names.', 'Separate them with commas: --columns userId,name', [
      { option: '--columns', message: 'empty' },
    ]);
  }
}

function hintForColumns({ format }: OutputShape, columns: readonly string[]): string {
  if (format === 'id') return 'Leave out --columns, or choose -o csv.';
  if (columns.includes(allColumns)) return 'Leave out --columns: every field is there.';
  return `Choose fields with --jq, as in --jq '.[].${columns[0]}'.`;
}

/** Writes the result. @returns the failure if it could not be written, 'unread' if its reader has gone away */
export async function write(
  result: Result,
  shape: OutputShape,
  world: World,
  { notice, waiting, fields }: Pick<Context, 'notice' | 'waiting'> & Pick<Streams, 'fields'>,
  noColor: boolean,
): Promise<Failure | 'unread' | undefined> {
  const { writeResult } = await import('../output/write.ts');
  // If stdout is a terminal, hide the spinner before writing.
  const stdout = sinkOf(world.stdout, world.env, noColor, world.stdout.isTTY ? waiting.hide : undefined);
  const isWatched = world.stderr.isTTY === true;
  const done = async (line: string) => {
    if (!isWatched) return notice(line);
    const { successMark } = await import('../terminal/streams.ts');
    notice(line, await successMark(world, noColor));
  };
  try {
    const streams = { stdout, notice: async (line: string) => notice(line), done, isWatched, now: world.now, fields };
    await writeResult(result, shape, streams);
  } catch (error) {
    return asFailure(error);
  }
  return stdout.closed ? 'unread' : undefined;
}

/** Opens the spinner. It shows nothing with --quiet, or if stderr is not a terminal. */
export async function openWaitingFor({ stderr, env }: World, { quiet, noColor }: GlobalInput): Promise<Waiting> {
  if (quiet || stderr.isTTY !== true) return silentWaiting;
  const { openWaiting } = await import('../terminal/spinner.ts');
  return openWaiting({ stderr, env, color: wantsColor(true, env, noColor === true) });
}
