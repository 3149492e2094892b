/** Runs that have begun and whose end is not in the history yet. Each has a file beside the history, so that a killed run is not forgotten. */

import { closeSync, futimesSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileNamesIn, readRegular } from '../files/open-regular.ts';
import { isAbandoned, newOwnerName } from '../files/owner.ts';
import { openPrivately } from '../files/private-file.ts';
import { prepareFolder } from '../files/trust.ts';
import { ignoreError } from '../text/ignore-error.ts';
import { parseSafely } from '../text/json.ts';
import { isRecord } from '../text/record.ts';
import type { StoreWorld } from './folder.ts';
import type { HistoryEntry } from './history-entry.ts';

/** A run as it begins. Its entry in the history keeps the `id`; `journal` is the absolute path of its journal, if it has one. */
type BegunRun = HistoryEntry & { readonly id: string; readonly journal: string | null };

/** A run whose end is missing, with the IDs of the rows that it has sent. `isOver`: its process is gone. `remove` removes its file. */
export type OpenRun = { readonly begun: BegunRun; readonly isOver: boolean; readonly remove: () => void };

const prefix = 'history.run.';

/** In bytes. A run has at most a thousand IDs, of up to 500 characters that JSON may escape, and a hundred fields. */
const largestRun = 4 * 1024 * 1024;

/** `noteSent` is called with a row's ID before the row is sent, `remove` at the end of the run. */
type RunFile = { noteSent(id: string): void; remove(): void };

/** Writes a file for a run that begins. @throws Failure 'io' if it cannot be written */
export function beginRun(folder: string, begun: BegunRun, world: StoreWorld): RunFile {
  prepareFolder(folder, false, world);
  const path = join(folder, prefix + newOwnerName());
  const file = openPrivately(path, `${JSON.stringify(begun)}\n`);
  const touch = () => ignoreError(() => futimesSync(file, world.now() / 1000, world.now() / 1000));
  // Shows a process in another container that the run has not ended.
  const touching = setInterval(touch, 60_000).unref();
  return {
    noteSent(id: string): void {
      ignoreError(() => writeSync(file, `${JSON.stringify(id)}\n`));
    },
    remove(): void {
      clearInterval(touching);
      closeSync(file);
      ignoreError(() => unlinkSync(path));
    },
  };
}

/** Reads the runs whose end is missing, the latest first. A file that cannot be read is left out. */
export function readOpenRuns(folder: string, now: number): readonly OpenRun[] {
  const runs = fileNamesIn(folder).flatMap((name): OpenRun[] => {
    if (!name.startsWith(prefix)) return [];
    const path = join(folder, name);
    const read = ignoreError(() => readRegular(path, { largest: largestRun }));
    if (!read || !('bytes' in read)) return [];
    const [first = '', ...rest] = read.bytes.toString('utf8').split('\n').slice(0, -1);
    const begun = parseSafely(first);
    if ('wrong' in begun || !isRecord(begun.value)) return [];
    const ids = rest.map((line) => parseSafely(line)).flatMap((id) => ('wrong' in id ? [] : String(id.value)));
    const entry = { ...(begun.value as unknown as BegunRun), ids: [...new Set(ids)] }; // our own format
    const isOver = isAbandoned(name.slice(prefix.length), statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0, now);
    return [{ begun: entry, isOver, remove: () => void ignoreError(() => unlinkSync(path)) }];
  });
  return runs.toSorted(({ begun: one }, { begun: other }) => (one.at < other.at ? 1 : -1));
}
