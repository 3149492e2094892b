/** The first row of a table, whose cells name its columns. */
import { type Failure, usage } from '../failure.ts';
import { plainName } from '../text/alike.ts';
import { nearest } from '../text/nearest.ts';

/** The separators of cells that are recognized without an option. */
export const separators = [',', ';', '\t', '|'] as const;

/** Ends a sentence on missing column names with the required one. */
export function among(required: string | undefined): string {
  return required === undefined ? '' : `, "${required}" among them`;
}

export function emptyHeaderFailure(name: string, where: string): Failure {
  return usage(`${where} of ${name} is empty; --header-row names the one with the column names.`);
}

type HeaderTest = {
  readonly required?: string | undefined;
  readonly isHeader?: ((cells: readonly string[]) => boolean) | undefined;
};

/** Tells a header from a title above it. */
export function headerTest({ required = '', isHeader }: HeaderTest): (cells: readonly string[]) => boolean {
  const own = plainName(required);
  return (cells) => isHeader?.(cells) ?? cells.some((cell) => plainName(cell) === own);
}

/** Whether a row has a single cell with a text, or none. */
export const isTitle = (cells: readonly string[] = []) => cells.filter((cell) => cell.trim() !== '').length < 2;

/** A hint that says where the column names are. @param option to name that row, if there is one */
export function headerHint(where: string, row: number, isSure: boolean, option?: string): string {
  const way = option === undefined ? 'remove what is above' : `add ${option}=${row}`;
  return `The column names ${isSure ? 'are' : 'may be'} ${where}: ${way}`;
}

type HeaderRule = {
  readonly required: string | undefined;
  readonly separator: string;
  /** A hint that says where else the column was found. */
  readonly instead?: string | undefined;
};

/** The column names of a header, trimmed, the required one in the spelling of `required`. @throws usage if that is missing, or if a name occurs twice */
export function readHeader(cells: readonly string[], name: string, expected: HeaderRule): readonly string[] {
  const written = cells.map((cell) => cell.trim());
  const { required } = expected;
  if (required === undefined) return written;
  const columns = written.map((column) => (plainName(column) === plainName(required) ? required : column));
  const places = new Map<string, number>();
  for (const [index, column] of columns.entries()) {
    const first = places.get(column) ?? index;
    places.set(column, first);
    if (column !== '' && first !== index) throw sameColumnFailure(name, written, first, index);
  }
  if (places.has(required)) return columns;
  throw usage(`${name} has no column "${required}".`, missingColumnHint(columns, required, expected));
}

/** The failure for a column that occurs twice, at two indices. */
export function sameColumnFailure(name: string, columns: readonly string[], first: number, second: number): Failure {
  const [one, other] = [columns[first], columns[second]];
  const [at, later] = [`column ${first + 1}`, `column ${second + 1}`];
  const fault =
    one === other
      ? `the column "${one}" twice: it is ${at} and ${later}`
      : `two columns that mean the same: "${one}" is ${at}, and "${other}" is ${later}`;
  return usage(`${name} has ${fault}.`, 'Keep one of them');
}

function missingColumnHint(columns: readonly string[], required: string, { separator, instead }: HeaderRule): string {
  if (instead !== undefined) return instead;
  const [only = ''] = columns;
  const other = separators.find((each) => columns.length === 1 && each !== separator && only.includes(each));
  if (other) return `Its cells seem to be separated by ${separatorWords(other)}, not by ${separatorWords(separator)}`;
  const near = nearest(required, columns);
  if (near !== undefined) return `Rename its column "${near}" to "${required}"`;
  const named = columns.filter((column) => column !== '').slice(0, 10);
  return `Rename one of its columns to "${required}": ${named.map((column) => `"${column}"`).join(', ')}`;
}

function separatorWords(separator: string): string {
  return separator === '\t' ? 'tabs' : `"${separator}"`;
}
