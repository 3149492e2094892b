import { pause } from '../../text/abort.ts';
import { pullSyncStatus } from '../../working-copy/compare.ts';
import { comparableName, fileNameOf } from '../../working-copy/file-name.ts';
import { isGood, type TemplateFile } from '../../working-copy/folder.ts';
import { kindOf } from '../../working-copy/kind.ts';
import type { PulledTemplate, PullRecord } from '../../working-copy/record.ts';
import { hashesOf, type TemplateDocument } from '../../working-copy/template.ts';
import type { Conflict } from './conflict.ts';
import { goodFiles, type Selection, type WorkingCopy } from './folder.ts';

type PullRow = {
  readonly templateId: string;
  readonly file: string;
  readonly status: 'created' | 'updated' | 'kept' | 'conflict' | 'no-template';
};

/** What a pull will write, decided before anything is written. */
export type Plan = {
  /** By the names of their files. */
  readonly texts: ReadonlyMap<string, string>;
  readonly rows: readonly PullRow[];
  readonly conflicts: readonly Conflict[];
  readonly unchanged: number;
  readonly record: PullRecord;
};

/** Compares a folder with the platform. If both sides have changed, the folder's version stays, unless `force` is set. */
export async function planPull(
  copy: WorkingCopy,
  stored: ReadonlyMap<string, TemplateDocument>,
  selection: Selection,
  { force, signal }: { readonly force: boolean; readonly signal: AbortSignal },
): Promise<Plan> {
  const files = new Map(goodFiles(copy).map((file) => [file.template.templateId, file]));
  const texts = new Map<string, string>();
  const rows: PullRow[] = [];
  const conflicts: Conflict[] = [];
  const templates = new Map(copy.record.templates);
  const nameFor = namesFor(copy, stored);
  let unchanged = 0;
  for (const template of stored.values()) {
    await pause(signal);
    const { templateId } = template;
    const file: TemplateFile | undefined = files.get(templateId) ?? brokenFile(templateId, copy);
    if (!selection.has(templateId, file?.name)) continue;
    const name = file?.name ?? nameFor(template);
    const move = moveOf(file, template, copy.record.templates.get(templateId), force);
    if (move === 'conflict' && file) conflicts.push(conflictOf(file, template, copy));
    if (move === 'same') unchanged += 1;
    else rows.push({ templateId, file: name, status: move });
    if (move === 'conflict' || move === 'kept') continue;
    templates.set(templateId, { file: name, hashes: hashesOf(template) });
    if (move !== 'same') texts.set(name, textFor(copy, file, template));
  }
  const gone = [...files.values()].filter(({ name, template }) => isGone(template, name, stored, selection));
  rows.push(
    ...gone.map(({ name, template }) => ({
      templateId: template.templateId,
      file: name,
      status: 'no-template' as const,
    })),
  );
  for (const id of copy.record.templates.keys()) if (!stored.has(id) && !files.has(id)) templates.delete(id);
  return { texts, rows, conflicts, unchanged, record: { orgId: copy.orgId, templates } };
}

/** The file that a template was pulled into, if it no longer contains one. */
function brokenFile(templateId: string, { record, files }: WorkingCopy): TemplateFile | undefined {
  const name = record.templates.get(templateId)?.file;
  return files.find((file) => file.name === name && (file.template === undefined || 'wrong' in file.template));
}

function isGone(
  { templateId }: TemplateDocument,
  name: string,
  stored: ReadonlyMap<string, TemplateDocument>,
  selection: Selection,
) {
  return !stored.has(templateId) && selection.has(templateId, name);
}

type Move = 'same' | Exclude<PullRow['status'], 'no-template'>;

function moveOf(
  file: TemplateFile | undefined,
  stored: TemplateDocument,
  pulled: PulledTemplate | undefined,
  force: boolean,
): Move {
  if (!file) return 'created';
  if (!isGood(file)) return force ? 'updated' : 'conflict';
  const is = pullSyncStatus(file.template, stored, pulled);
  if (is === 'same') return 'same';
  if (is === 'behind' || force) return 'updated';
  return is === 'changed' ? 'kept' : 'conflict';
}

function textFor({ frontMatter }: WorkingCopy, file: TemplateFile | undefined, template: TemplateDocument): string {
  return file ? frontMatter.rewrite(file.text, template) : frontMatter.write(template);
}

function conflictOf(file: TemplateFile, stored: TemplateDocument, { record }: WorkingCopy): Conflict {
  return { file, stored, standing: 'conflict', pulled: record.templates.has(stored.templateId) };
}

/** Names for new files. Two ids that differ only in case both get a hash, in either order. */
function namesFor(
  { files }: WorkingCopy,
  stored: ReadonlyMap<string, TemplateDocument>,
): (template: TemplateDocument) => string {
  const taken = new Set(files.map(({ name }) => comparableName(name)));
  const counts = new Map<string, number>();
  for (const id of stored.keys()) counts.set(comparableName(id), (counts.get(comparableName(id)) ?? 0) + 1);
  return ({ templateId, fields, content }) => {
    const isAmbiguous = (counts.get(comparableName(templateId)) ?? 0) > 1;
    const named = { templateId, name: fields.get('name'), isAmbiguous };
    const name = fileNameOf(named, kindOf(content), (each) => taken.has(comparableName(each)));
    taken.add(comparableName(name));
    return name;
  };
}
