import type { TemplateDocument } from './template.ts';
import { fill, type UnclearVariable } from './variables.ts';

/** A template with its variables replaced. */
export type FilledTemplate = {
  readonly subject: string | null;
  readonly content: string;
  readonly variables: readonly string[];
  readonly missing: readonly string[];
  /** Names of values that match no variable. */
  readonly unused: readonly string[];
  readonly notUnderstood: readonly UnclearVariable[];
};

/** Replaces the variables in subject and content. */
export function fillTemplate(
  { fields, content }: TemplateDocument,
  values: ReadonlyMap<string, string>,
): FilledTemplate {
  const stored = fields.get('subject');
  const subject = fill(typeof stored === 'string' ? stored : '', values);
  const body = fill(content, values);
  const variables = [...new Set([...subject.variables, ...body.variables])];
  return {
    subject: typeof stored === 'string' ? subject.text : null,
    content: body.text,
    variables,
    missing: [...new Set([...subject.missing, ...body.missing])],
    unused: [...values.keys()].filter((name) => !variables.includes(name)),
    notUnderstood: [...subject.notUnderstood, ...body.notUnderstood],
  };
}
