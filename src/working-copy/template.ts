import { createHash } from 'node:crypto';
import { canonical } from '../text/json-write.ts';
import type { JsonRecord } from '../text/record.ts';

export type TemplateDocument = {
  readonly templateId: string;
  /** All fields except the ID and the content, in order, including unknown ones. */
  readonly fields: ReadonlyMap<string, unknown>;
  readonly content: string;
};

/** The file of a template, and a hash of each field that it had, including the content. */
export type PulledTemplate = {
  readonly file: string;
  readonly hashes: ReadonlyMap<string, string>;
  /** For a push: the states of the record before and after pushes from this machine. Version control may bring one of them back. */
  readonly before?: readonly string[];
};

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

/** The fields that an update can change, besides the content. */
export const changeable: readonly string[] = ['name', 'subject', 'channelTypes', 'tags'];
const sendable = [...changeable, 'content'];

/** Compares the fields that an update can change. @param pushed what this machine has sent last */
export function syncStatus(
  file: TemplateDocument,
  stored: TemplateDocument,
  pulled: PulledTemplate | undefined,
  pushed?: PulledTemplate,
): SyncStatus {
  if (differences(file, stored).length === 0) return 'same';
  // Version control has brought back an older file and record, and the platform still has what this machine pushed: only the file has changed.
  if (pushed && isUnchanged(stored, pushed) && pushed.before?.includes(stateOf(pulled))) return 'changed';
  if (!pulled) return 'conflict';
  if (isUnchanged(stored, pulled)) return 'changed';
  return changedSince(file, pulled).length > 0 ? 'conflict' : 'behind';
}

/** The record of a push, with the states of the record before and after this push and earlier ones. */
export function pushRecord(now: PulledTemplate, pulled: PulledTemplate | undefined, last: PulledTemplate | undefined) {
  return { ...now, before: [...new Set([...(last?.before ?? []), stateOf(pulled), stateOf(now)])].slice(-mostStates) };
}

const mostStates = 50;

function stateOf(pulled: PulledTemplate | undefined): string {
  return hash(pulled?.hashes);
}

function isUnchanged(stored: TemplateDocument, { hashes }: PulledTemplate): boolean {
  const storedHashes = hashesOf(stored);
  return sendable.every((name) => (storedHashes.get(name) ?? hashOfNothing) === (hashes.get(name) ?? hashOfNothing));
}

/** Compares all fields, for a pull. Fields that no update can change come from the platform, unless they were edited in the file. */
export function pullSyncStatus(
  file: TemplateDocument,
  stored: TemplateDocument,
  pulled: PulledTemplate | undefined,
): SyncStatus {
  const isSame = differences(file, stored).length === 0;
  if (isSame && holdsFields(file, stored)) return 'same';
  const hasOwn = hasOwnFields(file, stored, pulled);
  if (isSame) return hasOwn ? 'changed' : 'behind';
  const status = syncStatus(file, stored, pulled);
  return hasOwn && status === 'behind' ? 'conflict' : status;
}

/** Whether a field that no update can change was added, changed or removed in the file. */
function hasOwnFields(file: TemplateDocument, stored: TemplateDocument, pulled: PulledTemplate | undefined): boolean {
  if (!pulled) return [...file.fields.keys()].some((name) => !stored.fields.has(name));
  const isGone = (name: string) => name !== 'content' && !file.fields.has(name);
  return unsendableChanges(file, pulled).length > 0 || [...pulled.hashes.keys()].some(isGone);
}

/** The fields of a file that differ from the last pull; without a pull, all of them. */
export function changedSince(file: TemplateDocument, pulled: PulledTemplate | undefined): string[] {
  const hashes = hashesOf(file);
  return sendable.filter(
    (name) => hashes.has(name) && hashes.get(name) !== (pulled && (pulled.hashes.get(name) ?? hashOfNothing)),
  );
}

/** Fields that were changed or added in a file although no update can change them. */
export function unsendableChanges(file: TemplateDocument, pulled: PulledTemplate | undefined): string[] {
  if (!pulled) return [];
  const hashes = [...hashesOf(file)].filter(([name]) => !sendable.includes(name));
  return hashes.filter(([name, hash]) => hash !== pulled.hashes.get(name)).map(([name]) => name);
}

/** The fields that differ, including the content. Fields that `local` lacks stay unchanged, so they are not differences. */
export function differences(local: TemplateDocument, stored: TemplateDocument): string[] {
  const differ = changeable.filter(
    (name) =>
      local.fields.has(name) && canonicalText(local.fields.get(name)) !== canonicalText(stored.fields.get(name)),
  );
  return local.content === stored.content ? differ : [...differ, 'content'];
}

/** Whether a template has all fields of another, and no others that no update can change. */
export function holdsFields(template: TemplateDocument, other: TemplateDocument): boolean {
  const fixed = ({ fields }: TemplateDocument) => new Map([...fields].filter(([name]) => !changeable.includes(name)));
  return differences(other, template).length === 0 && canonical(fixed(template)) === canonical(fixed(other));
}

/** The body of an update with these fields. For an empty field, the platform returns null, which no update accepts: it is sent as '' or []. */
export function fieldsNamed({ fields, content }: TemplateDocument, names: readonly string[]): JsonRecord {
  const values = new Map<string, unknown>([...fields, ['content', content]]);
  return Object.fromEntries(names.map((name) => [name, values.get(name) ?? emptyOf(name)]));
}

export function emptyOf(name: string): '' | readonly [] {
  return name === 'channelTypes' || name === 'tags' ? [] : '';
}

/** The value as canonical JSON, in which '', [] and null are all null: each of them empties a field. */
export function canonicalText(value: unknown): string {
  const text = canonical(value);
  return text === '""' || text === '[]' ? 'null' : text;
}

export function hashesOf({ fields, content }: TemplateDocument): PulledTemplate['hashes'] {
  return new Map([...fields, ['content', content] as const].map(([name, value]) => [name, hash(value)]));
}

function hash(value: unknown): string {
  return createHash('sha256').update(canonicalText(value)).digest('base64url').slice(0, 22);
}

/** The hash of a missing field, or of null. */
const hashOfNothing = hash(null);
