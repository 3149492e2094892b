import type { Context } from '../../command/context.ts';
import { isForProgram } from '../../command/perform.ts';
import { noteTwins } from '../../command/twins.ts';
import { type Failure, usage } from '../../failure.ts';
import { csvHead, type Oddity } from '../../rows/csv.ts';
import { readRows } from '../../rows/read.ts';
import { checkRows, type FirstPassResult, placeText, rowsOfShard } from '../../rows/row.ts';
import type { Source } from '../../rows/source.ts';
import { countedRows, groupDigits } from '../../text/group-digits.ts';
import { isRecord } from '../../text/record.ts';
import type { CheckedRows, RowKind, RowsPlan } from './kind.ts';
import { hasCells } from './plan.ts';
import { placeAndKey } from './result.ts';

/**
 * Checks every row. @throws usage with all problems, unless `--skip-invalid` sends the good rows; and if the input cannot be read
 */
export async function checkInputFile<T>(
  kind: RowKind<T>,
  plan: RowsPlan,
  source: Source,
  context: Context,
): Promise<CheckedRows<T>> {
  let header = { columns: [] as readonly string[], separator: ',' };
  let empty = 0;
  const odd: Oddities = { hidden: 0, merged: 0, rounded: 0, firstRounded: '' };
  const sheets = new Set<string>();
  const csv = hasCells(plan.format) ? plan : undefined;
  const meaningOf = kind.reader(csv);
  const { key, columns } = kind;
  const readAll = () =>
    readRows(source, {
      ...plan,
      ...columns,
      onOddity(what, where) {
        if (what === 'rounded' && odd.rounded === 0) odd.firstRounded = where;
        odd[what] += 1;
      },
      onSheet: (doubt) => sheets.add(doubt),
      onHeader: (names, separator, below) => {
        header = { columns: names, separator };
        columns.judge?.(names, source.name, below);
      },
      empty: (rows) => {
        empty += rows;
      },
    });
  const { shard } = plan;
  const read = () => (shard ? rowsOfShard(readAll(), shard, (row) => meaningOf(row).key) : readAll());
  const wait = context.waiting.begin(`Checking ${source.name}`);
  const oddIds: OddIds = { count: 0, first: '' };
  const safeCells: OddIds = { count: 0, first: '' };
  const looking = lookingFor(oddIds, safeCells, meaningOf);
  const found = await checkRows(read(), looking, context.world.interrupt, kind.inspect).finally(wait.end);
  const [emptyRows, doubts] = [empty + found.empty, [...sheets, ...doubtsAbout(odd)]]; // before the rows are read again
  if (columns.required !== undefined) noteTwins('columns', header.columns, context);
  for (const note of columns.notes?.(source.name) ?? []) context.notice(`Note: ${note}`);
  if (odd.rounded > 0) context.notice(`Note: ${roundedNote(odd)}`);
  if (emptyRows > 0)
    context.notice(`Note: ${countedRows(emptyRows)} without a value ${emptyRows === 1 ? 'is' : 'are'} not sent.`);
  if (safeCells.count > 0)
    context.notice(
      `Note: the apostrophe that --csv-safe writes is sent as it is, in ${countedRows(safeCells.count)} (first: ${safeCells.first}).`,
    );
  if (oddIds.count > 0) context.notice(`Note: ${describeOdd(oddIds)}.`);
  if (found.bad > 0 && plan.skipInvalid !== true) {
    warnOfProblems(found, context);
    throw refused(found, source.name);
  }
  return {
    kind,
    plan,
    source,
    total: found.rows,
    bad: found.bad,
    read,
    meaningOf,
    keys: header.columns.filter((name) => name !== '' && name !== key),
    empty: emptyRows,
    doubts,
    // The byte order mark makes it UTF-8, whatever --encoding is given when it is imported.
    head: () => (plan.encoding === undefined ? '' : '\ufeff') + (csv ? csvHead(header.columns, header.separator) : ''),
  };
}

type Oddities = Record<Oddity, number> & { firstRounded: string };

function doubtsAbout({ hidden, merged }: Oddities): string[] {
  const are = `${countedRows(hidden)} ${hidden === 1 ? 'is' : 'are'}`;
  return [
    ...(hidden > 0 ? [`${are} hidden in the sheet, and sent like the others.`] : []),
    ...(merged > 0
      ? [`The sheet has merged cells (${groupDigits(merged)}): only the first cell of each has the value.`]
      : []),
  ];
}

function roundedNote({ rounded, firstRounded }: Oddities): string {
  const many = rounded === 1 ? '1 value' : `${groupDigits(rounded)} values`;
  return `${many} may have lost digits in a spreadsheet, which keeps 15 (first: ${firstRounded}).`;
}

type OddIds = { count: number; first: string };

/** A blank or an invisible character is copied from a page or a mail, and an apostrophe is how spreadsheets mark a text. */
function lookingFor<T>(odd: OddIds, safe: OddIds, meaningOf: CheckedRows<T>['meaningOf']): CheckedRows<T>['meaningOf'] {
  return (row) => {
    const meaning = meaningOf(row);
    const cells = 'value' in row && isRecord(row.value) && Array.isArray(row.value.cells) ? row.value.cells : [];
    const written = cells.find((cell) => /^'[=+@-]/.test(cell));
    if (written !== undefined) {
      safe.count += 1;
      safe.first ||= `${placeText(row)}, ${JSON.stringify(written.slice(0, 80))}`;
    }
    if ('value' in meaning && /^['\s\u00ad\u200b-\u200f\u2060]|[\s\u00ad\u200b-\u200f\u2060]$/.test(meaning.key)) {
      odd.count += 1;
      odd.first ||= `${placeText(row)} (${encodeURIComponent(meaning.key)})`;
    }
    return meaning;
  };
}

function describeOdd({ count, first }: OddIds): string {
  const what = 'a space or an apostrophe';
  if (count === 1) return `the ID on ${first} begins or ends with ${what}; it is sent as it is`;
  return `${groupDigits(count)} IDs, the first on ${first}, begin or end with ${what}; they are sent as they are`;
}

/** How many problems to print; programs get all of them as details of the failure. */
const mostShown = 20;

function warnOfProblems({ bad, problems }: FirstPassResult, context: Context): void {
  if (isForProgram(context)) return;
  const places = new Map<string, string[]>();
  for (const { problem, key, ...place } of problems) {
    const known = places.get(problem) ?? [];
    places.set(problem, [...known, placeAndKey(place, place.row === undefined ? '' : key)]);
  }
  const shown = [...places].slice(0, mostShown);
  for (const [problem, [where, ...others]] of shown) {
    const more = others.length > 0 ? ` (and ${countedRows(others.length)} more)` : '';
    context.warn(`${where}${more}${/^(?:has|is) /.test(problem) ? '' : ':'} ${problem}.`);
  }
  const left = bad - shown.reduce((sum, [, lines]) => sum + lines.length, 0);
  if (left > 0) context.warn(`… and ${left} more`);
}

function refused({ rows, bad, problems }: FirstPassResult, name: string): Failure {
  return usage(
    `${countedRows(bad)} of ${groupDigits(rows)} in ${name} cannot be sent, so nothing was sent.`,
    'Fix them, or send the other rows with --skip-invalid',
    problems.map(({ problem, field, key: _key, ...place }) => ({ ...place, field, message: problem })),
  );
}
