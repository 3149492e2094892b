import type { Column, ListResult, OutputShape, Page, Result, Sink } from '../../src/output/result.ts';
import { writeResult } from '../../src/output/write.ts';

/** A Sink that keeps what it is given. */
export function memorySink(facts: Partial<Pick<Sink, 'isTerminal' | 'columns' | 'color'>> = {}) {
  const chunks: string[] = [];
  return {
    isTerminal: false,
    columns: 80,
    color: false,
    closed: false,
    ...facts,
    chunks,
    text: () => chunks.join(''),
    async write(text: string) {
      chunks.push(text);
    },
  };
}

export const terminal = (columns = 80, color = false) => memorySink({ isTerminal: true, columns, color });

/** When it is. */
const noon = Date.UTC(2026, 0, 1, 12);

/** What a result looks like in a shape: the text on stdout and the lines on stderr. */
export async function seen(result: Result, shape: OutputShape, stdout = memorySink(), isWatched = stdout.isTerminal) {
  const notices: string[] = [];
  await writeResult(result, shape, {
    stdout,
    notice: async (line) => {
      notices.push(line);
    },
    isWatched,
    now: () => noon,
  });
  return { stdout: stdout.text(), notices };
}

export async function* pagesOf(...pages: Page[]): AsyncGenerator<Page> {
  yield* pages;
}

export const userColumns: readonly Column[] = [
  { field: 'userId', header: 'USER ID', keep: 'whole' },
  { field: 'name', header: 'NAME' },
  { field: 'orgRole', header: 'ROLE' },
];

/** A list of users as a command gives it. */
export function users(...pages: Page[]): ListResult {
  return {
    kind: 'list',
    pages: pagesOf(...pages),
    id: 'userId',
    columns: userColumns,
    empty: 'No users match',
    noun: 'users',
  };
}

export const ada = { userId: 'u-1', name: 'Ada Lovelace', orgRole: 'admin' };
export const bob = { userId: 'u-2', name: 'Bob', orgRole: 'viewer' };
