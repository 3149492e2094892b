import type { Context } from '../../command/context.ts';
import { updateTemplate } from '../../contract/templates.ts';
import { checkInput } from '../../contract/wire.ts';
import { type Failure, type FailureDetail, usage } from '../../failure.ts';
import { changedButFixed, changedSince } from '../../working-copy/compare.ts';
import type { GoodFile } from '../../working-copy/folder.ts';
import { fieldOf, type TemplateDocument } from '../../working-copy/template.ts';
import { unclosedLine } from '../../working-copy/variables.ts';
import { type Selection, type WorkingCopy, wrongFiles } from './folder.ts';

/** The body of an update, with these fields of a template. */
export function bodyFor(template: TemplateDocument, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.map((name) => [name, fieldOf(template, name)]));
}

/**
 * Checks the changes in every file.
 * @returns one failure for all problems, undefined if there are none
 */
export function wrongIn(
  copy: WorkingCopy,
  files: readonly GoodFile[],
  selection: Selection,
  context: Context,
): Failure | undefined {
  const unreadable = wrongFiles(copy, selection)
    .filter(({ file }) => selection.has('', file.name))
    .map(({ file, why }) => `${file.name}: ${why}`);
  const wrong = [...unreadable, ...files.flatMap((file) => problemsOf(file, copy, context))];
  if (wrong.length === 0) return undefined;
  const more = wrong.length > mostNamed ? `; and ${wrong.length - mostNamed} more` : '';
  const details: readonly FailureDetail[] = wrong.map((message) => ({ message }));
  return usage(
    `${wrong.slice(0, mostNamed).join('; ')}${more}.`,
    'Nothing is sent until the files are correct',
    details,
  );
}

const can = 'name, subject, channelTypes, tags and the content';
const mostNamed = 20;

function problemsOf(file: GoodFile, { orgId, record }: WorkingCopy, context: Context) {
  const { name, template } = file;
  const pulled = record.templates.get(template.templateId);
  const names = changedSince(template, pulled);
  const input = { orgId, templateId: template.templateId, body: bodyFor(template, names) };
  // If nothing is sent, nothing can be wrong, not even an id that no path can contain.
  const nothing = { problems: [], warnings: [] };
  const { problems, warnings } = names.length > 0 ? checkInput(updateTemplate, input) : nothing;
  for (const { field, message } of warnings) context.notice(`Note: ${name}: ${field} ${message}.`);
  const line = names.includes('content') ? unclosedLine(template.content) : undefined;
  const inVain = changedButFixed(template, pulled);
  return [
    ...problems.map(({ field, message }) => `${field} ${message}`),
    ...(line === undefined ? [] : [`line ${line} of the content opens a variable with {{ that does not close`]),
    ...(inVain.length === 0 ? [] : [`${inVain.join(', ')} cannot be changed: ${can} can`]),
  ].map((message) => `${name}: ${message}`);
}
