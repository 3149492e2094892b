import type { FileUser } from '../../files/trust.ts';
import type { HistoryEntry } from '../../store/history-entry.ts';
import type { OpenRun } from '../../store/history-runs.ts';
import { ignoreError } from '../../text/ignore-error.ts';
import { countRecorded } from '../../work/journal.ts';

/** The history's entry for a run whose end is missing, with the counts of its journal. */
export function entryOfOpenRun({ begun, isOver }: OpenRun, world: FileUser): HistoryEntry & { readonly id: string } {
  const { id, journal, rows, ...entry } = begun;
  const recorded = journal === null ? undefined : ignoreError(() => countRecorded(id, journal, world));
  // Before its first row, the run is in no journal.
  const { done, unknown } = recorded ?? { done: entry.ids?.length === 0 ? 0 : null, unknown: 0 };
  return {
    id,
    ...entry,
    outcome: isOver ? 'interrupted' : 'running',
    rows: rows && { ...rows, done, failed: null, notSent: null, unknown },
  };
}
