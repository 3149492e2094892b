import type { Replacement } from '../../command/perform.ts';
import { noteCells } from '../../rows/cells.ts';
import { type ColumnUse, type DoubtfulPlace, openDoubts } from '../../rows/doubts.ts';
import type { RowPosition, RowProblem } from '../../rows/row.ts';
import { codePointOf } from '../../text/utf8.ts';
import type { Header } from './header.ts';

/** How many problems, notes, names and keys are kept, at most. */
export const most = { problems: 100, notes: 20, names: 1000, keys: 100_000 };

/** Collects what is found in the rows of a file while they are read. */
export type Survey = ReturnType<typeof openSurvey>;
export type SurveyFindings = Survey['seen'];

export function openSurvey() {
  const seen = {
    /** The number of rows, of those that cannot be sent, and of those without a value, which are not in `total`. */
    ...{ total: 0, bad: 0, empty: 0 },
    /** The problems of the first rows that cannot be sent. */
    problems: [] as (RowPosition & RowProblem & { readonly key: string | null })[],
    columns: [] as readonly string[],
    separator: ',',
    /** Names that the command does not set, names of --ignore-columns that were found, and names with null that change nothing. */
    ...{ unset: new Set<string>(), ignored: new Set<string>(), nulls: new Set<string>() },
    doubts: openDoubts(),
    /** How a text file that is not UTF-8 was read, as a sentence, and the first texts that may have been misread before. */
    ...{ read: '', misread: [] as { readonly where: string; readonly text: string }[] },
    /** How many rows set each field, by its name in the file, and the platform's names of the fields. */
    ...{ changed: new Map<string, number>(), fields: new Set<string>() },
    replaced: new Map<string, { readonly replacement: Replacement; readonly count: number }>(),
    keys: new Set<string>(),
  };
  const add = (names: Set<string>, more: readonly string[]) => {
    for (const name of more) if (names.size < most.names) names.add(name);
  };
  const texts = (found: readonly string[], placeOf: (at: number) => DoubtfulPlace) => {
    for (const [at, text] of found.entries()) {
      // A cell with JSON may hold a secret.
      if (/^[\0-\x7f]*$/.test(text) || text.includes('{')) continue;
      const privateUse = /\p{Co}/u.exec(text)?.[0];
      if (privateUse !== undefined) seen.doubts.add('privateUse', placeOf(at), text, codePointOf(privateUse));
      if (misreadText.test(text) && seen.misread.length < most.names) seen.misread.push({ ...placeOf(at), text });
    }
  };
  return {
    seen,
    header(names: readonly string[], separator: string, { unset, ignored }: Header): void {
      Object.assign(seen, { columns: names, separator });
      texts(names, () => ({ where: 'the header' }));
      for (const name of names.filter((each) => /[\r\n]/.test(each)))
        seen.doubts.ask(`The column name ${JSON.stringify(name)} has a line break.`);
      add(seen.unset, unset);
      add(seen.ignored, ignored);
    },
    members({ unset, ignored }: Header, nulls: readonly string[], more: readonly string[]): void {
      add(seen.unset, unset);
      add(seen.ignored, [...ignored, ...more]);
      add(seen.nulls, nulls);
    },
    cells(
      cells: readonly string[],
      uses: readonly (ColumnUse | undefined)[],
      placeOf: (column: number) => string,
      separator: string | undefined,
    ): void {
      noteCells(cells, uses, { doubts: seen.doubts, placeOf, separator });
      texts(cells, (at) => ({ where: placeOf(at), label: uses[at]?.label }));
    },
    texts,
    read(sentence: string): void {
      seen.read = sentence;
    },
    empty(rows: number): void {
      seen.empty += rows;
    },
  };
}

/** Text that results from reading UTF-8 as windows-1252, or as shift_jis: half-width kana beside ideographs. */
const misreadText = /[\u00c2-\u00f4][\u00a0-\u00bf\u0152-\u0192\u02c6-\u20ac\u2122]|\p{Script=Han}[\uff61-\uff9f]/u;
