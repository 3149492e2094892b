/** Records a run over rows in the history: from its start, so that a killed run is there too. */
import { resolve } from 'node:path';
import type { Context } from '../../command/context.ts';
import { beginRecord, fieldsIn, recordEntry } from '../../command/record.ts';
import type { WireRequest } from '../../contract/wire.ts';
import { idOf } from '../../output/columns.ts';
import { mostIds } from '../../store/history-entry.ts';
import type { Journal } from '../../work/journal.ts';
import type { Outcome } from '../../work/run.ts';
import type { RowsEnd } from '../../work/tally.ts';
import type { Call } from './calls.ts';
import type { CheckedRows } from './journal.ts';
import { entryOfOpenRun } from './open-run.ts';
import type { RowsRun } from './plan.ts';

const mostFields = 100_000;

/** Records that a run begins. @returns what to call for each request, before and after each row, and at the end of the run */
export async function openRunRecord({ run, seen, source, journal }: CheckedRows, context: Context) {
  const { operation, orgId } = run;
  const about = {
    ...{ operation: operation.id, orgId: orgId ?? null, sha256: source.digest() ?? null },
    subject: { type: 'file', id: source.name },
  };
  const rows = { done: 0, failed: 0, skipped: journal?.done.size ?? 0, notSent: 0, unknown: 0, total: seen.total };
  const record = await beginRecord({ ...about, fields: [...seen.fields], rows }, journalPath(journal), context);
  journal?.begin(record.id);
  const [fields, sent] = [new Set<string>(), new Set<string>()];
  const changed: string[] = [];
  return {
    request(request: WireRequest): void {
      for (const name of fieldsIn(request)) if (fields.size < mostFields) fields.add(name);
    },
    sent({ key }: Call): void {
      if (key === null || sent.size >= mostIds || sent.has(key)) return;
      sent.add(key);
      record.sent(key);
    },
    ended(outcome: Outcome<Call>): void {
      const isChanged = outcome.status === 'done' || outcome.status === 'unknown';
      if (isChanged && changed.length < mostIds) changed.push(idOfRow(outcome, run));
    },
    async end({ counts, stopped }: RowsEnd<Call>): Promise<void> {
      const { done, failed, unknown } = counts;
      const isWhole = !stopped && failed + unknown === 0;
      const outcome = isWhole ? 'done' : done + unknown === 0 ? 'failed' : 'partial';
      const whole = { ...about, outcome, fields: [...fields], ids: changed } as const;
      await record.end(sent.size === 0 ? undefined : { ...whole, rows: counts });
    },
  };
}

/** The ID of the record that a row has changed or created. */
function idOfRow({ of: { key }, result }: Outcome<Call>, { facts: { results = [], others } }: RowsRun): string {
  const made = others === undefined ? idOf(result, results[0] ?? '') : undefined;
  return String(made ?? key ?? '');
}

/** Completes the history's entries of killed runs: those with this journal, which this run has locked, and those without one. */
export async function completeKilledRuns(journal: Journal | undefined, context: Context): Promise<void> {
  const { readOpenRuns } = await import('../../store/history-runs.ts');
  const { folder } = context.store;
  const killed = readOpenRuns(folder, context.world.now()).filter(({ isOver, begun }) =>
    begun.journal === null ? isOver : begun.journal === journalPath(journal),
  );
  if (killed.length === 0) return;
  const { readHistory } = await import('../../store/history.ts');
  const known = new Set((await readHistory(folder)).entries.map(({ id }) => id));
  for (const open of killed) {
    const entry = entryOfOpenRun({ ...open, isOver: true }, context.world);
    // A run that was killed at its very end has its entry already.
    if (known.has(entry.id) || (await recordEntry(entry, context))) open.remove();
  }
}

function journalPath(journal: Journal | undefined): string | undefined {
  return journal && resolve(journal.path);
}
