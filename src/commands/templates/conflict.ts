import { Failure } from '../../failure.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import type { SyncStatus } from '../../working-copy/compare.ts';
import type { TemplateFile } from '../../working-copy/folder.ts';
import type { TemplateDocument } from '../../working-copy/template.ts';

/** A file or template that cannot be written without losing somebody else's change. */
export type Conflict = {
  readonly file: TemplateFile;
  readonly stored: TemplateDocument;
  readonly standing: Exclude<SyncStatus, 'same' | 'changed'>;
  readonly pulled: boolean;
};

/** "press.md was changed here (2026-01-01T12:00:00Z) and on the platform (2026-01-01T11:00:00Z) since the pull". */
export function conflictWords({ file, stored, standing, pulled }: Conflict): string {
  const { name, writtenAt, template } = file;
  if (!template || 'wrong' in template) return `${name} cannot be read: ${template?.wrong ?? noFrontMatter}`;
  const time = changeTimeOf(stored);
  const there = `on the platform${time === undefined ? '' : ` (${time})`}`;
  if (!pulled) return `${name} differs from the platform, and there is no record of its pull`;
  if (standing === 'behind') return `${name} was changed ${there} since the pull`;
  return `${name} was changed here (${new Date(writtenAt).toISOString().replace(/\.\d+Z$/, 'Z')}) and ${there} since the pull`;
}

/** One failure for all conflicts. `hint` says how to choose a side. */
export function conflictFailure(conflicts: readonly Conflict[], dir: string, hint: string): Failure {
  const named = conflicts.slice(0, mostNamed).map(conflictWords).join('; ');
  const more = conflicts.length > mostNamed ? `; and ${conflicts.length - mostNamed} more` : '';
  const files = conflicts.length === 1 ? ` ${quoteForShell(conflicts[0]?.file.name ?? '')}` : '';
  return new Failure('conflict', `${named}${more}.`, {
    hint: `See the difference with: iiot templates diff ${quoteForShell(dir)}${files}. ${hint}`,
    details: conflicts.map((each) => ({ message: conflictWords(each) })),
  });
}

/** The problem of a file that should contain a template but does not. */
export const noFrontMatter = 'its front matter is missing: it starts with a line ---';

/** What to do with a file whose template is not on the platform. */
export const cannotCreate = 'A push cannot create templates: remove each such file, or correct its templateId';

const mostNamed = 20;

// The interface does not show such a field: these are the usual names.
const timeNames = /^(last)?(update|updated|modified|modification|change|changed)_?(at|on|time|date)$|^lastmodified$/i;

function changeTimeOf({ fields }: TemplateDocument): string | undefined {
  const found = [...fields].find(([name, value]) => timeNames.test(name) && typeof value === 'string' && value !== '');
  return found && String(found[1]);
}
