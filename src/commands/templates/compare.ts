import { Failure } from '../../failure.ts';
import { handleSignals } from '../../text/abort.ts';
import { type GoodFile, isGood, type TemplateFile } from '../../working-copy/folder.ts';
import {
  hashesOf,
  type PulledTemplate,
  type SyncStatus,
  syncStatus,
  type TemplateDocument,
} from '../../working-copy/template.ts';
import { joinFirst, problemWords, type Selection, type WorkingCopy } from './folder.ts';
import type { StoredTemplates } from './stored.ts';

/** A file and its template on the platform, or only one of them, and how they differ. */
export type Pair<F extends TemplateFile = GoodFile> =
  | Both<F>
  | { readonly templateId: string; readonly status: 'no_template'; readonly file: F }
  | { readonly templateId: string; readonly status: 'no_file'; readonly stored: TemplateDocument };

/** A file and its template. If they are in conflict, writing one of them would lose somebody's change. */
export type Both<F extends TemplateFile = TemplateFile> = {
  readonly templateId: string;
  readonly status: SyncStatus;
  readonly file: F;
  readonly stored: TemplateDocument;
  readonly pulled: PulledTemplate | undefined;
};

type Sides<F> = {
  readonly copy: WorkingCopy;
  /** Files by the IDs of their templates. A file that cannot be read is in conflict. */
  readonly files: ReadonlyMap<string, F>;
  readonly stored: StoredTemplates;
  readonly selection: Selection;
  readonly signal: AbortSignal;
};

/** Compares the selected templates among these IDs, in their order. */
export async function compareFiles<F extends TemplateFile>(
  ids: ReadonlySet<string>,
  { copy, files, stored: all, selection, signal }: Sides<F>,
  statusOf = syncStatus,
): Promise<readonly Pair<F>[]> {
  const pairs: Pair<F>[] = [];
  for (const templateId of ids) {
    await handleSignals(signal);
    const [file, stored] = [files.get(templateId), all.get(templateId)];
    if (!selection.has(templateId, file?.name)) continue;
    const pulled = copy.record.templates.get(templateId);
    const template = file && isGood(file) ? file.template : undefined;
    if (file && stored) {
      // The first push to another organization or platform has no record. The user sees what it replaces, and confirms that.
      const base =
        pulled ?? (copy.destination === 'origin' ? undefined : { file: file.name, hashes: hashesOf(stored) });
      const status = template ? statusOf(template, stored, base, copy.pushed.get(templateId)) : 'conflict';
      pairs.push({ templateId, status, file, stored, pulled });
    } else if (file) pairs.push({ templateId, status: 'no_template', file });
    else if (stored) pairs.push({ templateId, status: 'no_file', stored });
  }
  return pairs;
}

export function conflictsIn(pairs: readonly Pair<TemplateFile>[]): readonly Both[] {
  return pairs.flatMap((pair) => (pair.status === 'behind' || pair.status === 'conflict' ? [pair] : []));
}

/** Describes a conflict: "press.md was changed here (2026-01-01T12:00:00Z) and on the platform (2026-01-01T11:00:00Z) since the pull". */
export function describeConflict({ file, stored, status, pulled }: Both, { destination }: WorkingCopy): string {
  const { name, writtenAt } = file;
  if (!isGood(file)) return `${name} cannot be read: ${problemWords(file)}`;
  const isTime = (name: string, value: unknown) => timeName.test(name) && typeof value === 'string' && value !== '';
  const [, time] = [...stored.fields].find(([name, value]) => isTime(name, value)) ?? [];
  const platformWords = `on the platform${time === undefined ? '' : ` (${time})`}`;
  if (!pulled) return `${name} differs from the platform, and there is no record of its pull`;
  const since = destination === 'origin' ? 'the pull' : 'the last push';
  if (status === 'behind') return `${name} was changed ${platformWords} since ${since}`;
  return `${name} was changed here (${new Date(writtenAt).toISOString().replace(/\.\d+Z$/, 'Z')}) and ${platformWords} since ${since}`;
}

/** One failure for all conflicts. @param hint how to choose a side */
export function conflictFailure(conflicts: readonly Both[], copy: WorkingCopy, hint: string): Failure {
  const words = conflicts.map((conflict) => describeConflict(conflict, copy));
  const names = conflicts.length === 1 ? conflicts.map(({ file }) => file.name) : undefined;
  return new Failure('conflict', `${joinFirst(words)}.`, {
    hint: `See the difference with: ${copy.line('diff', names)}. ${copy.destination === 'origin' ? hint : mergeHint}`,
    details: words.map((message) => ({ message })),
  });
}

/** The hint for a change in an organization from which the folder cannot be pulled. */
export const mergeHint = 'Merge the change into the file, or overwrite it with push --force';

export const noTemplateHint = 'A push cannot create templates: remove each such file, or correct its templateId';

// The usual names of the field with the time of the last change, which the interface does not show.
const timeName = /^(last)?(update|updated|modified|modification|change|changed)_?(at|on|time|date)$|^lastmodified$/i;
