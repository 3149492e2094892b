import type { Context } from '../../command/context.ts';
import { readRegular } from '../../files/open-regular.ts';
import { idOf } from '../../output/columns.ts';
import type { Place } from '../../place.ts';
import { countedRows } from '../../text/group-digits.ts';
import { ignoreError } from '../../text/ignore-error.ts';
import { compact } from '../../text/json-write.ts';
import { isRecord, readRecord } from '../../text/record.ts';
import { openFailedRows } from '../../work/failed-rows.ts';
import { readItems, readWhole } from '../list.ts';
import { markOfResult } from './header.ts';
import { type CheckedRows, readRemaining } from './journal.ts';

/** In bytes: how large a file of --before-file may be to be continued. */
const largest = 1024 * 1024 * 1024;

/** Writes the stored records of the rows into --before-file, as rows. Those that it has already are older, and stay. @throws Failure before anything is sent */
export async function saveStored({ run, source, journal }: CheckedRows, place: Place, context: Context): Promise<void> {
  const { beforeFile, resume, orgId, facts } = run;
  const { operation, lists } = facts.stored ?? {};
  if (beforeFile === undefined || !operation || !lists) return;
  const fileOptions = { option: '--before-file', earlier: resume ? 'kept' : 'refused' } as const;
  const file = openFailedRows(beforeFile, 'ndjson', () => '', context.world, journal, fileOptions);
  try {
    const read = ignoreError(() => readRegular(beforeFile, { largest }));
    const lines = read && 'bytes' in read ? read.bytes.toString('utf8').split('\n') : [];
    const knownKeys = new Set(lines.map((line) => String(readRecord(line)?.[facts.key])));
    const wanted = new Set<string>();
    for await (const calls of readRemaining(run, source, journal))
      for (const { key, problem } of calls) if (key !== null && !problem && !knownKeys.has(key)) wanted.add(key);
    if (wanted.size === 0) return;
    const stored = await readWhole(async () => {
      const records = new Map<string, object>();
      for await (const { items } of await readItems(operation, { orgId }, { id: lists.id }, context))
        for (const item of items.filter(isRecord)) {
          const id = String(idOf(item, lists.id));
          if (wanted.has(id)) records.set(id, item);
        }
      return records;
    });
    for (const [id, item] of stored) file.add(compact({ [facts.key]: id, ...item, ...markOfResult(place) }));
    const missing = wanted.size - stored.size;
    if (missing > 0)
      context.notice(
        `Note: the platform lists no ${facts.one} for ${countedRows(missing)}; ${beforeFile} does not have ${missing === 1 ? 'it' : 'them'}.`,
      );
  } finally {
    file.close();
  }
}
