import type { PulledTemplate } from './record.ts';
import {
  changeable,
  differences,
  type Hashes,
  hashesOf,
  hashOfNothing,
  haveSameFixedFields,
  type TemplateDocument,
} from './template.ts';

/** How a file and its template on the platform differ since the last pull. */
export type SyncStatus =
  /** Nothing to update. */
  | 'same'
  /** Changed only in the file. */
  | 'changed'
  /** Changed only on the platform. */
  | 'behind'
  /** Changed on both sides, or it is not known where. */
  | 'conflict';

/** Compares only the fields that an update can change. */
export function syncStatus(
  file: TemplateDocument,
  stored: TemplateDocument,
  pulled: PulledTemplate | undefined,
): SyncStatus {
  if (differences(file, stored).length === 0) return 'same';
  if (!pulled) return 'conflict';
  const here = changedSince(file, pulled).length > 0;
  const there = isChanged(hashesOf(stored), pulled);
  if (here && there) return 'conflict';
  return there ? 'behind' : 'changed';
}

/** Compares all fields, for a pull: fields that no update can change are taken from the platform, unless somebody has edited them in the file. */
export function pullSyncStatus(
  file: TemplateDocument,
  stored: TemplateDocument,
  pulled: PulledTemplate | undefined,
): SyncStatus {
  const isSame = differences(file, stored).length === 0;
  if (isSame && differences(stored, file).length === 0 && haveSameFixedFields(file, stored)) return 'same';
  const own = ownFields(file, stored, pulled);
  if (isSame) return own ? 'changed' : 'behind';
  const is = syncStatus(file, stored, pulled);
  return own && is === 'behind' ? 'conflict' : is;
}

/** Whether somebody has added, changed or removed a field that no update can send. */
function ownFields(file: TemplateDocument, stored: TemplateDocument, pulled: PulledTemplate | undefined): boolean {
  if (!pulled) return [...file.fields.keys()].some((name) => !stored.fields.has(name));
  const isGone = (name: string) => name !== 'content' && !file.fields.has(name);
  return changedButFixed(file, pulled).length > 0 || [...pulled.hashes.keys()].some(isGone);
}

/** The fields of a file that differ from the last pull; without a pull, all that have a value. */
export function changedSince(file: TemplateDocument, pulled: PulledTemplate | undefined): string[] {
  const hashes = hashesOf(file);
  return sendable.filter(
    (name) => hashes.has(name) && hashes.get(name) !== (pulled?.hashes.get(name) ?? hashOfNothing),
  );
}

/** Fields that were changed or added in a file although no update can change them. */
export function changedButFixed(file: TemplateDocument, pulled: PulledTemplate | undefined): string[] {
  if (!pulled) return [];
  const hashes = [...hashesOf(file)].filter(([name]) => !sendable.includes(name));
  return hashes.filter(([name, hash]) => hash !== pulled.hashes.get(name)).map(([name]) => name);
}

function isChanged(hashes: Hashes, { hashes: before }: PulledTemplate): boolean {
  return sendable.some((name) => (hashes.get(name) ?? hashOfNothing) !== (before.get(name) ?? hashOfNothing));
}

const sendable: readonly string[] = [...changeable, 'content'];
