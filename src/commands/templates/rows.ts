import { onePage } from '../../output/pages.ts';
import type { Column, ListResult, Result } from '../../output/result.ts';

/** A list with a row for each template. @param fields the fields besides its ID, its file and its status */
export function rowsResult(
  rows: readonly unknown[],
  columns: readonly Column[],
  fields: readonly string[],
  more: Pick<Result, 'ending'> & Pick<ListResult, 'lines'>,
): Result {
  return {
    kind: 'list',
    pages: onePage(rows),
    id: 'templateId',
    columns,
    fields: ['templateId', 'file', 'status', ...fields],
    noun: 'templates',
    empty: 'Up to date.',
    ...more,
  };
}

const statusWords = {
  created: 'created',
  updated: 'updated',
  done: 'updated',
  kept: 'kept',
  conflict: 'in conflict',
  failed: 'failed',
  unknown: 'of unknown outcome',
  not_sent: 'not sent',
  skipped: 'done before',
  no_template: 'not on the platform',
} as const;

export type StatusRow = { readonly status: keyof typeof statusWords };

/** "45 templates: 43 created, 2 up to date." */
export function sumOf(rows: readonly StatusRow[], unchanged = 0): string {
  const counts = Object.entries(statusWords).map(
    ([each, word]) => [rows.filter(({ status }) => status === each).length, word] as const,
  );
  const parts = [...counts, [unchanged, 'up to date'] as const].filter(([count]) => count > 0);
  return `${countOf(rows.length + unchanged)}: ${parts.map((part) => part.join(' ')).join(', ')}.`;
}

export function countOf(count: number): string {
  return count === 1 ? '1 template' : `${count} templates`;
}
