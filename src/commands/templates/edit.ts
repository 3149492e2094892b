import type { Context } from '../../command/context.ts';
import { perform } from '../../command/perform.ts';
import { readText } from '../../command/read-file.ts';
import { organization } from '../../command/target.ts';
import { updateTemplate } from '../../contract/templates.ts';
import { Failure, usage } from '../../failure.ts';
import { paintFor } from '../../output/paint.ts';
import type { Result } from '../../output/result.ts';
import { wantsColor } from '../../output/sink.ts';
import { compact } from '../../text/json-write.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import { fileNameOf, kindOf } from '../../working-copy/file-name.ts';
import { type FrontMatter, openFrontMatter } from '../../working-copy/front-matter.ts';
import { openPatch } from '../../working-copy/patch.ts';
import {
  changeable,
  differences,
  emptied,
  emptyOf,
  fieldsNamed,
  hashesOf,
  syncStatus,
  type TemplateDocument,
} from '../../working-copy/template.ts';
import { beginningOf, edited, requireEditor } from '../editing.ts';
import { unchangedResult, updatedResult } from '../update.ts';
import { patchLines } from './diff.ts';
import { problemsOf, severalWrong, wrongOf } from './folder.ts';
import { storedTemplates } from './stored.ts';

type EditInput = { readonly templateId?: string; readonly continue?: string | undefined };

export async function runEdit(input: EditInput, context: Context): Promise<Result> {
  const orgId = organization(context);
  await requireEditor('Change it with: iiot templates update, or in a file with: iiot templates pull, push', context);
  const frontMatter = await openFrontMatter();
  const kept = input.continue;
  const first = kept === undefined ? undefined : await templateBegun(kept, frontMatter, context);
  const templateId = input.templateId ?? first?.id;
  if (templateId === undefined)
    throw usage(`iiot cannot tell which template ${kept} belongs to.`, 'Give its ID as well');
  const stored =
    first?.begun?.templateId === templateId ? first.begun : await storedTemplate(orgId, templateId, context);
  const name = fileNameOf({ templateId, name: stored.fields.get('name') }, kindOf(stored.content), () => false);
  const begun = { file: name, hashes: hashesOf(stored) };
  const fileOf = (text: string) => ({ name, path: name, writtenAt: 0, text, template: frontMatter.read(text) });
  const asFile = (template: TemplateDocument) => ({ ...fileOf(''), template });
  const read = (text: string) => {
    const file = fileOf(text);
    if (!file.template || 'wrong' in file.template) throw usage(`The text is not a template: ${wrongOf(file)}.`);
    const template = withoutAddedEnd(file.template, stored);
    if (template.templateId !== templateId) throw usage(`templateId must stay ${templateId}.`);
    for (const note of notesOn(template, stored)) context.warn(note);
    const copy = { orgId, record: { templates: new Map([[templateId, begun]]) } };
    const problems = problemsOf(asFile(template), copy, context);
    if (problems.length > 0) throw severalWrong('', problems, '');
    return differences(template, stored).length > 0 ? template : undefined;
  };
  const unchanged = unchangedResult('templateId', templateId);
  const draft = { name, text: frontMatter.write(stored), kept, mark: '#', read, unchanged } as const;
  return edited(draft, context, async (template, begin) => {
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
    if (status !== 'changed') {
      begin(frontMatter.write(now));
      throw changedMeanwhile(templateId);
    }
    const body = fieldsNamed(template, differences(template, now));
    const about = `template ${templateId}`;
    return perform(
      {
        kind: 'change',
        operation: updateTemplate,
        input: { orgId, templateId, body },
        subject: { type: 'template', id: templateId },
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

/** The ID of a kept text, and the template that it begins from if that is known. */
async function templateBegun(kept: string, frontMatter: FrontMatter, context: Context) {
  const own = await readText(kept, '--continue', context);
  const [begun, text] = [beginningOf(kept), own].map((each) => frontMatter.read(each ?? ''));
  const from = begun && !('wrong' in begun) ? begun : undefined;
  return { begun: from, id: from?.templateId ?? (text && !('wrong' in text) ? text.templateId : undefined) };
}

/** Most editors end every file with a line end, also where a content has none; one that writes CRLF may add half of it. */
function withoutAddedEnd(template: TemplateDocument, stored: TemplateDocument): TemplateDocument {
  if (stored.content.endsWith('\n')) return template;
  const added = stored.content.endsWith('\r') ? /\n$/ : /\r?\n$|\r$/;
  return { ...template, content: template.content.replace(added, '') };
}

/** What a person may not have meant: lines that are gone change nothing, and an editor may change the end of every line. */
function notesOn(template: TemplateDocument, stored: TemplateDocument): readonly string[] {
  const isLeft = (name: string) => !template.fields.has(name) && emptied(stored.fields.get(name)) !== emptied(null);
  const toEmpty = (name: string) => (name === 'name' ? '' : `; to empty it write ${name}: ${compact(emptyOf(name))}`);
  const [before, after] = [stored.content, template.content].map(endsOf);
  return [
    ...changeable.filter(isLeft).map((name) => `${name} was left out and stays${toEmpty(name)}`),
    ...(before && after && before !== after ? [`The editor changed all line endings from ${before} to ${after}.`] : []),
  ];
}

/** Undefined where there are none, or both. */
function endsOf(text: string): 'LF' | 'CRLF' | undefined {
  const [all, both] = [text.split('\n').length, text.split('\r\n').length];
  return all === 1 ? undefined : both === 1 ? 'LF' : both === all ? 'CRLF' : undefined;
}

/** Prints the lines of a patch, without its names of files. */
async function shower({ world, options, warn }: Context): Promise<(patch: string) => void> {
  const paint = await paintFor(wantsColor(true, world.env, options.noColor === true));
  return (patch) => {
    for (const line of patchLines(patch, paint).slice(2)) warn('', line);
  };
}

function changedMeanwhile(templateId: string): Failure {
  return new Failure('conflict', `Template ${templateId} was changed on the platform meanwhile, so nothing was sent.`, {
    hint: `Continue with the line above and merge the change, or start over: iiot templates edit ${quoteForShell(templateId)}`,
  });
}
