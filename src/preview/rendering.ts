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
export function listTemplates(files: readonly TemplateFile[]): readonly ListedTemplate[] {
  return files.flatMap(({ name, holds }): ListedTemplate[] => {
    if (holds === undefined) return [];
    if ('wrong' in holds) return [{ file: name, title: name, wrong: holds.wrong }];
    return [{ file: name, title: String(holds.fields.get('name') ?? holds.templateId), wrong: null }];
  });
}

export function renderTemplate({ name, holds }: TemplateFile, values: ReadonlyMap<string, string>): RenderedTemplate {
  if (holds === undefined || 'wrong' in holds) {
    const wrong = holds?.wrong ?? 'it has no front matter';
    const nothing = { kind: 'txt', subject: null, content: '', variables: [], missing: [], notUnderstood: [] } as const;
    return { file: name, title: name, wrong, ...nothing };
  }
  const { subject, content, variables, missing, notUnderstood } = fillTemplate(holds, values);
  return {
    file: name,
    title: String(holds.fields.get('name') ?? holds.templateId),
    wrong: null,
    // The template decides, not its values, which may look like a tag.
    kind: kindOf(holds.content),
    subject,
    content,
    variables,
    missing,
    notUnderstood: notUnderstood.map(({ text, line }) => `line ${line}: ${text.slice(0, 80)}`),
  };
}
