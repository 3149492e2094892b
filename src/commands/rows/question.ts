import type { Confirmation } from '../../command/confirm.ts';
import type { Context } from '../../command/context.ts';
import type { Replacement } from '../../command/perform.ts';
import { capitalized } from '../../text/capitalized.ts';
import { countedRows, groupDigits } from '../../text/group-digits.ts';
import type { RowsRun } from './plan.ts';
import type { SurveyFindings } from './survey.ts';

/** The question before `left` rows are sent. @param made sentences on rows that earlier runs have created, but that were changed or removed since */
export function questionOf(
  { facts, command, typed, orgId }: RowsRun,
  seen: SurveyFindings,
  left: number,
  made: readonly string[],
): Confirmation {
  // With --resume, we do not know which fields the remaining rows set.
  const isAll = left === seen.total - seen.bad;
  const announce = [...[...seen.replaced.values()].map((each) => replacementLine(each, isAll)), ...made];
  const verb = command.name.split(' ').at(-1) ?? '';
  const object = facts.others === undefined ? '' : ' custom information of';
  const place = orgId === undefined ? '' : ` of organization ${orgId}`;
  return {
    action: `${capitalized(verb)}${object} ${groupDigits(left)} ${left === 1 ? facts.one : facts.many}${place}`,
    detail: command.changes?.adds ? '' : countedFields(seen, isAll),
    announce,
    asks: [...announce, facts.asks?.(left, typed) ?? ''].filter(Boolean).join(' '),
  };
}

const mostFields = 8;

/** How many rows set each field: "alertLevel in 40, name in 39". */
export function countedFields({ changed }: SurveyFindings, isAll = true): string {
  const named = [...changed].toSorted().slice(0, mostFields);
  const others = changed.size > mostFields ? [`${groupDigits(changed.size - mostFields)} more fields`] : [];
  return [...named.map(([label, rows]) => (isAll ? `${label} in ${groupDigits(rows)}` : label)), ...others].join(', ');
}

function replacementLine(
  { replacement: { what, mayMerge, lost }, count }: { readonly replacement: Replacement; readonly count: number },
  isAll: boolean,
): string {
  const rows = isAll ? countedRows(count) : 'Some rows';
  const replace = mayMerge || !isAll ? 'may replace' : count === 1 ? 'replaces' : 'replace';
  return `${rows} ${replace} ${what}${lost === undefined ? '.' : `: ${lost}`}`;
}

/** Prints doubts about the rows: as warnings if the user is asked next, otherwise as notices. */
export async function noticeDoubts({ doubts }: SurveyFindings, context: Context): Promise<void> {
  const { dryRun, yes } = context.options;
  const isAsked = !dryRun && !yes && (await context.person()).canAnswer;
  for (const doubt of doubts.questions()) (isAsked ? context.warn : context.notice)(`Note: ${doubt}`);
}
