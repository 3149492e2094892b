import type { Context } from '../../command/context.ts';
import { perform } from '../../command/perform.ts';
import { organization } from '../../command/target.ts';
import { updateTemplate } from '../../contract/templates.ts';
import { Failure, usage } from '../../failure.ts';
import { paintFor } from '../../output/paint.ts';
import type { Result } from '../../output/result.ts';
import { wantsColor } from '../../output/sink.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import { fileNameOf, kindOf } from '../../working-copy/file-name.ts';
import { openFrontMatter } from '../../working-copy/front-matter.ts';
import { openPatch } from '../../working-copy/patch.ts';
import { differences, fieldsNamed, hashesOf, syncStatus, type TemplateDocument } from '../../working-copy/template.ts';
import { edited, requireEditor } from '../editing.ts';
import { unchangedResult, updatedResult } from '../update.ts';
import { patchLines } from './diff.ts';
import { problemsOf, severalWrong, wrongOf } from './folder.ts';
import { storedTemplates } from './stored.ts';

export async function runEdit({ templateId }: { readonly templateId: string }, context: Context): Promise<Result> {
  const orgId = organization(context);
  await requireEditor('Change it with: iiot templates update, or in a file with: iiot templates pull, push', context);
  const stored = await storedTemplate(orgId, templateId, context);
  const frontMatter = await openFrontMatter();
  const name = fileNameOf({ templateId, name: stored.fields.get('name') }, kindOf(stored.content), () => false);
  const begun = { file: name, hashes: hashesOf(stored) };
  const fileOf = (text: string) => ({ name, path: name, writtenAt: 0, text, template: frontMatter.read(text) });
  const asFile = (template: TemplateDocument) => ({ ...fileOf(''), template });
  const read = (text: string) => {
    const file = fileOf(text);
    if (!file.template || 'wrong' in file.template) throw usage(`The text is not a template: ${wrongOf(file)}.`);
    const template = withoutAddedEnd(file.template, stored);
    if (template.templateId !== templateId) throw usage(`templateId has to stay ${templateId}.`);
    const copy = { orgId, record: { templates: new Map([[templateId, begun]]) } };
    const problems = problemsOf(asFile(template), copy, context);
    if (problems.length > 0) throw severalWrong('', problems, '');
    return differences(template, stored).length > 0 ? template : undefined;
  };
  const unchanged = unchangedResult('templateId', templateId);
  return edited({ name, text: frontMatter.write(stored), mark: '#', read, unchanged }, context, async (template) => {
    const now = await storedTemplate(orgId, templateId, context);
    const patch = await openPatch(frontMatter);
    const show = await shower(context);
    const status = syncStatus(template, now, begun);
    if (status === 'same') return unchanged;
    if (status !== 'changed') {
      context.warn('Changed on the platform meanwhile:');
      show(patch(stored, asFile(now)));
      context.warn('Your changes:');
    }
    show(patch(stored, asFile(template)));
    if (status !== 'changed') throw changedMeanwhile(templateId);
    const body = fieldsNamed(template, differences(template, now));
    const about = `template ${templateId}`;
    return perform(
      {
        kind: 'change',
        operation: updateTemplate,
        input: { orgId, templateId, body },
        about,
        action: `Update ${about}`,
        asks: '',
        result: ({ value }) =>
          updatedResult(
            value,
            { operation: updateTemplate, noun: 'template', field: 'templateId' },
            { id: templateId, orgId, body },
          ),
      },
      context,
    );
  });
}

async function storedTemplate(orgId: string, id: string, context: Context): Promise<TemplateDocument> {
  const stored = (await storedTemplates(orgId, context)).get(id);
  if (stored) return stored;
  const hint = `See iiot templates list --org ${quoteForShell(orgId)}`;
  throw new Failure('not_found', `There is no template ${id}.`, { hint });
}

/** Most editors end every file with a line end, also where a content has none. */
function withoutAddedEnd(template: TemplateDocument, stored: TemplateDocument): TemplateDocument {
  const { content } = template;
  return stored.content.endsWith('\n') ? template : { ...template, content: content.replace(/\r?\n$/, '') };
}

/** Prints the lines of a patch, without its names of files. */
async function shower({ world, options, warn }: Context): Promise<(patch: string) => void> {
  const paint = await paintFor(wantsColor(true, world.env, options.noColor === true));
  return (patch) => {
    for (const line of patchLines(patch, paint).slice(2)) warn('', line);
  };
}

function changedMeanwhile(templateId: string): Failure {
  return new Failure(
    'conflict',
    `Template ${templateId} was changed on the platform meanwhile, and nothing was sent.`,
    {
      hint: `Edit what is there now: iiot templates edit ${quoteForShell(templateId)}`,
    },
  );
}
