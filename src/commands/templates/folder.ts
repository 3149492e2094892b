import { basename, resolve } from 'node:path';
import type { Context } from '../../command/context.ts';
import { organization } from '../../command/target.ts';
import { Failure, usage } from '../../failure.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import { type GoodFile, isGood, readFolder, type TemplateFile } from '../../working-copy/folder.ts';
import { type FrontMatter, openFrontMatter } from '../../working-copy/front-matter.ts';
import { type PullRecord, readPullRecord } from '../../working-copy/record.ts';
import { noFrontMatter } from './conflict.ts';

/** The current content of a folder of templates. */
export type WorkingCopy = {
  readonly dir: string;
  readonly orgId: string;
  readonly record: PullRecord;
  readonly frontMatter: FrontMatter;
  /** All files that may be templates. */
  readonly files: readonly TemplateFile[];
};

/**
 * Reads a folder of templates and the record of what was pulled into it.
 * @throws usage if it belongs to another organization, if a template is in two files, or if the folder does not exist
 */
export async function openWorkingCopy(
  dir: string,
  context: Context,
  folder: 'existing' | 'new' = 'existing',
): Promise<WorkingCopy> {
  const orgId = organization(context);
  const frontMatter = await openFrontMatter();
  const files = await readFolder(dir, frontMatter, context.world.interrupt);
  if (!files && folder === 'existing') {
    throw usage(`There is no folder ${dir}.`, `Get the templates with: iiot templates pull ${quoteForShell(dir)}`);
  }
  const record = readPullRecord(dir);
  if (record.orgId !== undefined && record.orgId !== orgId) {
    throw usage(
      `The templates in ${dir} are those of organization ${record.orgId}, and --org is ${orgId}.`,
      `Give --org ${quoteForShell(record.orgId)}, or another folder`,
    );
  }
  const copy = { dir, orgId, record, frontMatter, files: files ?? [] };
  refuseTwins(goodFiles(copy));
  return copy;
}

export function goodFiles({ files }: WorkingCopy): readonly GoodFile[] {
  return files.filter(isGood);
}

/** Files with errors: invalid front matter, or none although a template was pulled into the file or the user has named it. */
export function wrongFiles(
  { files, record }: WorkingCopy,
  { named }: Selection,
): readonly { readonly file: TemplateFile; readonly why: string }[] {
  const pulled = new Set([...record.templates.values()].map(({ file }) => file));
  return files.flatMap((file) => {
    if (file.template === undefined)
      return pulled.has(file.name) || named.has(file.name) ? [{ file, why: noFrontMatter }] : [];
    return 'wrong' in file.template ? [{ file, why: file.template.wrong }] : [];
  });
}

function refuseTwins(files: readonly GoodFile[]): void {
  const seen = new Map<string, string>();
  for (const { name, template } of files) {
    const other = seen.get(template.templateId);
    if (other !== undefined) {
      throw usage(`Template ${template.templateId} is in ${other} and in ${name}.`, 'Remove one of them');
    }
    seen.set(template.templateId, name);
  }
}

/** The templates that a command applies to: all, or those named by id or by file. */
export type Selection = {
  readonly has: (templateId: string, fileName?: string) => boolean;
  /** Names of the files that the user has named. */
  readonly named: ReadonlySet<string>;
};

/**
 * Reads the words after the folder.
 * @param known ids on the platform, in addition to those of the files
 * @throws not_found for a word that is neither an id nor a file of the folder
 */
export function selectionOf(words: readonly string[], copy: WorkingCopy, known: ReadonlySet<string>): Selection {
  const ids = new Set<string>();
  const named = new Set<string>();
  if (words.length === 0) return { has: () => true, named };
  for (const word of words) {
    const file = fileNamed(word, copy);
    if (file) named.add(file.name);
    if (file && isGood(file)) ids.add(file.template.templateId);
    if (!file && !known.has(word)) throw unknownWord(word, copy);
    if (!file) ids.add(word);
  }
  return { has: (id, name) => ids.has(id) || (name !== undefined && named.has(name)), named };
}

function fileNamed(word: string, copy: WorkingCopy): TemplateFile | undefined {
  const byId = goodFiles(copy).find(({ template }) => template.templateId === word);
  if (byId) return byId;
  return copy.files.find(
    ({ name, path }) => resolve(path) === resolve(word) || (word === basename(word) && word === name),
  );
}

function unknownWord(word: string, { dir }: WorkingCopy): Failure {
  return new Failure('not_found', `${word} is neither a template nor a file in ${dir}.`, {
    hint: 'Give the ID of a template, or its file',
  });
}
