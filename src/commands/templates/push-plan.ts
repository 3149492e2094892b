import { syncStatus } from '../../working-copy/compare.ts';
import type { GoodFile } from '../../working-copy/folder.ts';
import type { PulledTemplate } from '../../working-copy/record.ts';
import { differences, hashesOf, isChangeable, type TemplateDocument } from '../../working-copy/template.ts';
import type { Conflict } from './conflict.ts';
import type { WorkingCopy } from './folder.ts';

/** An update to be sent. */
export type Update = { readonly file: GoodFile; readonly stored: TemplateDocument; readonly names: readonly string[] };

/** What a push will send, decided before anything is sent. */
type PushPlan = {
  readonly updates: readonly Update[];
  readonly conflicts: readonly Conflict[];
  /** Files whose template is not on the platform. */
  readonly withoutTemplate: readonly GoodFile[];
  /** What is the same on both sides, even if the record differs. */
  readonly settled: ReadonlyMap<string, PulledTemplate>;
};

export function planPush(
  { record }: WorkingCopy,
  files: readonly GoodFile[],
  stored: ReadonlyMap<string, TemplateDocument>,
): PushPlan {
  const updates: Update[] = [];
  const conflicts: Conflict[] = [];
  const settled = new Map<string, PulledTemplate>();
  for (const file of files) {
    const { templateId } = file.template;
    const there = stored.get(templateId);
    if (!there) continue;
    const pulled = record.templates.get(templateId);
    const is = syncStatus(file.template, there, pulled);
    if (is === 'same') settled.set(templateId, pulledAfterUpdate(file, there));
    else updates.push({ file, stored: there, names: differences(file.template, there) });
    if (is === 'behind' || is === 'conflict') {
      conflicts.push({ file, stored: there, standing: is, pulled: pulled !== undefined });
    }
  }
  return {
    updates,
    conflicts,
    settled,
    withoutTemplate: files.filter(({ template }) => !stored.has(template.templateId)),
  };
}

/** The record of a template whose file now equals the stored fields. */
export function pulledAfterUpdate({ name, template }: GoodFile, stored: TemplateDocument): PulledTemplate {
  // Fields that only the platform writes are recorded as they are in the file.
  const left = [...stored.fields].filter(([field]) => isChangeable(field));
  const now = { ...template, fields: new Map([...left, ...template.fields]) };
  return { file: name, hashes: hashesOf(now) };
}
