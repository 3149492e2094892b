import { fillTemplate } from '../working-copy/filled-template.ts';
import type { TemplateFile } from '../working-copy/folder.ts';
import { kindOf } from '../working-copy/kind.ts';

/** A template as the page shows it in its list. */
type ListedTemplate = { readonly file: string; readonly title: string; readonly wrong: string | null };

/** A template with its variables replaced, as the page shows it. */
type RenderedTemplate = {
  readonly file: string;
  readonly title: string;
  readonly wrong: string | null;
  readonly kind: 'html' | 'md' | 'txt';
  readonly subject: string | null;
  readonly content: string;
  readonly variables: readonly string[];
  readonly missing: readonly string[];
  readonly notUnderstood: readonly string[];
};

/** Files that contain a template, or should. */
export function listedTemplates(files: readonly TemplateFile[]): readonly ListedTemplate[] {
  return files.flatMap(({ name, template }): ListedTemplate[] => {
    if (template === undefined) return [];
    if ('wrong' in template) return [{ file: name, title: name, wrong: template.wrong }];
    return [{ file: name, title: String(template.fields.get('name') ?? template.templateId), wrong: null }];
  });
}

export function renderTemplate(
  { name, template }: TemplateFile,
  values: ReadonlyMap<string, string>,
): RenderedTemplate {
  if (template === undefined || 'wrong' in template) {
    const wrong = template?.wrong ?? 'it has no front matter';
    const nothing = { kind: 'txt', subject: null, content: '', variables: [], missing: [], notUnderstood: [] } as const;
    return { file: name, title: name, wrong, ...nothing };
  }
  const { subject, content, variables, missing, notUnderstood } = fillTemplate(template, values);
  return {
    file: name,
    title: String(template.fields.get('name') ?? template.templateId),
    wrong: null,
    // The template decides, not its values, which may look like a tag.
    kind: kindOf(template.content),
    subject,
    content,
    variables,
    missing,
    notUnderstood: notUnderstood.map(({ text, line }) => `line ${line}: ${text.slice(0, 80)}`),
  };
}
