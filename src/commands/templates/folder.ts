import { resolve } from 'node:path';
import type { Context } from '../../command/context.ts';
import { lastingOptions } from '../../command/lasting-line.ts';
import { orderWords, whereWords } from '../../command/line.ts';
import { placeOf, resolvePlace, wayTo } from '../../command/place.ts';
import { organization } from '../../command/target.ts';
import { isSameId } from '../../contract/formats.ts';
import { updateTemplate } from '../../contract/templates.ts';
import { checkInput } from '../../contract/wire.ts';
import { Failure, usage } from '../../failure.ts';
import { type Place, placeWords, sameTenant } from '../../place.ts';
import { capitalized } from '../../text/capitalized.ts';
import { argumentForShell, optionForShell, quoteForShell } from '../../text/shell-lines.ts';
import { type GoodFile, isGood, readFolder, type TemplateFile } from '../../working-copy/folder.ts';
import {
  isElsewhere,
  type PullRecord,
  readOtherRecord,
  readPullRecord,
  readPushed,
} from '../../working-copy/record.ts';
import { changedSince, fieldsNamed, unsendableChanges } from '../../working-copy/template.ts';
import { describeOddBraces, fillIn } from '../../working-copy/variables.ts';

export type FolderInput = {
  readonly dir: string;
  readonly templates: readonly string[];
  readonly force?: boolean | undefined;
  readonly match?: 'name' | undefined;
  readonly map?: string | undefined;
  readonly values?: string | undefined;
};

/** Where the files go: back to where they came from, to another platform or tenant, or to another organization, whose templates have to be found. */
type FilesDestination = 'origin' | 'place' | 'organization';

/** A folder of templates, as it is now. */
export type WorkingCopy = {
  readonly dir: string;
  readonly orgId: string;
  readonly here: Place;
  /** The records for this organization, and for the folder's own one. */
  readonly record: PullRecord;
  readonly own: PullRecord;
  /** The templates that this machine has pushed last, by ID. */
  readonly pushed: PullRecord['templates'];
  readonly destination: FilesDestination;
  /** Words for where the files came from, if that is or may be another platform or tenant, and nothing was pushed here from this folder yet. */
  readonly foreign: string | undefined;
  /** Writes another command for this folder and organization, to be copied, by default for the same templates. */
  readonly line: (verb: 'pull' | 'diff' | 'push', names?: readonly string[]) => string;
  /** All files that may be templates. */
  readonly files: readonly TemplateFile[];
  /** The files that are templates, by the IDs of their templates. */
  readonly good: ReadonlyMap<string, GoodFile>;
};

/** Reads a folder and the record of its pull. @throws usage if it belongs to another organization, does not exist, or has a template in two files */
export async function openWorkingCopy(
  input: FolderInput,
  context: Context,
  folder: 'existing' | 'new' = 'existing',
): Promise<WorkingCopy> {
  const { dir, match, map, force } = input;
  const orgId = organization(context);
  const isMatched = match !== undefined || map !== undefined;
  if (match !== undefined && map !== undefined) throw usage('--match and --map cannot be combined.');
  const files = await readFolder(dir, context.world.interrupt);
  if (!files && folder === 'existing') {
    const hint = `Get the templates with: iiot templates pull ${argumentForShell(dir)}`;
    throw usage(`The folder ${dir} does not exist.`, hint);
  }
  const own = readPullRecord(dir);
  const isComparable = folder === 'new' || own.place?.tenantId !== undefined;
  const here = await (isComparable ? resolvePlace : placeOf)(context, orgId);
  const foreign = foreignWords(own, here);
  if (own.orgId !== undefined && isMatched === isSameId(own.orgId, orgId) && !(isMatched && foreign)) {
    const sentence = `The templates in ${dir} belong to organization ${own.orgId}`;
    if (isMatched) throw usage(`${sentence} itself.`, `Leave out ${match === undefined ? '--map' : '--match'}`);
    const other = folder === 'new' ? 'another folder' : 'another folder, or find its templates with --match name';
    if (foreign) throw otherPlaceFailure({ dir, own, here, foreign }, other, context);
    throw usage(`${sentence}, but --org is ${orgId}.`, `Give ${optionForShell('org', own.orgId)}, or ${other}`);
  }
  if (foreign && folder === 'new' && !force)
    throw otherPlaceFailure({ dir, own, here, foreign }, 'another folder, or --force', context);
  const isOtherPlace = foreign !== undefined && !isDoubtful(own, here);
  const place = isOtherPlace && folder === 'existing' ? 'place' : 'origin';
  const destination: FilesDestination = isMatched ? 'organization' : place;
  const isAway = destination !== 'origin';
  const knownRecord = isAway ? readOtherRecord(dir, orgId, here, foreign === undefined ? undefined : own.place) : own;
  noticeTenant(dir, knownRecord, here, context);
  const record = { ...knownRecord, ...(isOtherPlace && !isAway && { templates: new Map() }), orgId };
  const isFirst = !isAway || knownRecord.templates.size === 0;
  const good = indexByTemplate((files ?? []).filter(isGood));
  const pushed = readPushed(dir, record, here);
  const to = { destination, foreign: isFirst ? foreign : undefined, line: openCommandLine(input, orgId, context) };
  return { dir, orgId, here, record, own, pushed, ...to, files: files ?? [], good };
}

function openCommandLine({ dir, templates, match, map, values }: FolderInput, orgId: string, context: Context) {
  const options = Object.entries({ match, map, values }).flatMap(([name, value]) =>
    value === undefined ? [] : [optionForShell(name, value)],
  );
  const where = whereWords(lastingOptions(context, orgId));
  const line: WorkingCopy['line'] = (verb, names = templates) => {
    const words = [dir, ...names].map((word) => quoteForShell(word));
    return ['iiot templates', verb, ...orderWords(words, verb === 'pull' ? where : [...where, ...options])].join(' ');
  };
  return line;
}

/** "were pulled from http://platform.example/prod, tenant acme"; undefined if that is certainly this place. */
function foreignWords(own: PullRecord, here: Place): string | undefined {
  if (!own.place || !isElsewhere(own, here)) return undefined;
  if (isDoubtful(own, here)) return `may have been pulled from another platform at ${own.place.base}`;
  return `were pulled from ${placeWords(own.place, here)}`;
}

/** Whether the record knows only the origin of its platform, which this platform has too. */
function isDoubtful({ place, isOld }: PullRecord, here: Place): boolean {
  return isOld === true && place?.base === new URL(here.base).origin;
}

/** The failure for files of another place. @param instead what else the user can do than go there */
export function otherPlaceFailure(
  { dir, own, here, foreign }: Pick<WorkingCopy, 'dir' | 'own' | 'here' | 'foreign'>,
  instead: string,
  context: Context,
): Failure {
  // No address from a file becomes part of a command to copy: whoever wrote the file would get a token.
  const way = capitalized(wayTo(own.place ?? here, context) ?? 'log in there with a profile of its own');
  const sentence = `The templates in ${dir} ${foreign}, but this is ${placeWords(here, own.place)}.`;
  return usage(sentence, `${way}, or ${instead}`);
}

function noticeTenant(dir: string, { place, isOld }: PullRecord, here: Place, { notice, options }: Context): void {
  const isTold = [place, here].some((each) => each?.tenant !== undefined || each?.tenantId !== undefined);
  if (!place || isOld || !isTold || options.dryRun || sameTenant(place, here) !== 'unknown') return;
  notice(`Nothing tells whether this is the tenant of the templates in ${dir}: ${placeWords(place)}. It is assumed.`);
}

function indexByTemplate(files: readonly GoodFile[]): ReadonlyMap<string, GoodFile> {
  const good = new Map<string, GoodFile>();
  for (const file of files) {
    const { templateId } = file.template;
    const other = good.get(templateId)?.name;
    if (other !== undefined)
      throw usage(`Template ${templateId} is in ${other} and in ${file.name}.`, 'Remove one of them');
    good.set(templateId, file);
  }
  return good;
}

export function selectedFiles({ good }: WorkingCopy, { has }: Selection): readonly GoodFile[] {
  return [...good.values()].filter(({ name, template }) => has(template.templateId, name));
}

/** The selected files that are wrong: with invalid front matter, or without any, although a template was pulled into the file or the user named it. */
export function wrongFiles({ files, record, own }: WorkingCopy, { has, named }: Selection) {
  const pulled = [...record.templates.values(), ...own.templates.values()];
  const expected = new Set([...pulled.map(({ file }) => file), ...named]);
  return files.flatMap((file) => {
    if (isGood(file) || !has('', file.name) || (!file.template && !expected.has(file.name))) return [];
    return [{ file, why: problemWords(file) }];
  });
}

export function problemWords({ template }: TemplateFile): string {
  return template && 'wrong' in template ? template.wrong : 'its front matter is missing: it starts with a line ---';
}

/** The templates that a command applies to: all, or those named by id or by file. */
export type Selection = {
  readonly has: (templateId: string, fileName?: string) => boolean;
  /** The names of the files that were typed. */
  readonly named: ReadonlySet<string>;
};

/** Reads the words after the folder. @param known the IDs on the platform @throws not_found for a word that is neither an ID nor a file of the folder */
export function readSelection(words: readonly string[], copy: WorkingCopy, known: ReadonlySet<string>): Selection {
  const ids = new Set<string>();
  const named = new Set<string>();
  if (words.length === 0) return { has: () => true, named };
  for (const word of words) {
    const isNamed = ({ name, path }: TemplateFile) =>
      isSameName(resolve(path), resolve(word)) || isSameName(name, word);
    const file = copy.good.get(word) ?? copy.files.find(isNamed);
    if (file) named.add(file.name);
    else if (known.has(word)) ids.add(word);
    else {
      const sentence = `${word} is neither a template nor a file in ${copy.dir}.`;
      throw new Failure('not_found', sentence, { hint: 'Give the ID of a template, or its file' });
    }
  }
  return { has: (id, name) => ids.has(id) || (name !== undefined && named.has(name)), named };
}

const isSameName = (one: string, other: string) => one.normalize('NFC') === other.normalize('NFC');

/** Checks every selected file, and prints notes on doubtful ones. @returns one failure for all problems, undefined if there are none */
export function checkSelected(
  copy: WorkingCopy,
  selection: Selection,
  context: Context,
  hint = 'Correct the files',
): Failure | undefined {
  const unreadable = wrongFiles(copy, selection).map(({ file, why }) => `${file.name}: ${why}`);
  const wrong = [...unreadable, ...selectedFiles(copy, selection).flatMap((file) => findProblems(file, copy, context))];
  if (wrong.length === 0) return undefined;
  return failureOfAll('', wrong, hint);
}

export function failureOfAll(before: string, problems: readonly string[], hint: string): Failure {
  const details = problems.map((message) => ({ message }));
  return usage(`${before}${joinFirst(problems)}.`, hint, details);
}

export function unsendableWords(names: readonly string[]): string {
  return `${names.join(', ')} cannot be changed: name, subject, channelTypes, tags and the content can`;
}

function findProblems(file: GoodFile, { orgId, record }: WorkingCopy, context: Context) {
  const { name, template } = file;
  const pulled = record.templates.get(template.templateId);
  const names = changedSince(template, pulled);
  const input = { orgId, templateId: template.templateId, body: fieldsNamed(template, names) };
  // If nothing is sent, nothing can be wrong, not even an ID that no path can contain.
  const nothing = { problems: [], warnings: [] };
  const { problems, warnings } = names.length > 0 ? checkInput(updateTemplate, input) : nothing;
  for (const { field, message } of warnings) context.notice(`Note: ${name}: ${field} ${message}.`);
  const { subject, content } = input.body;
  for (const [field, text] of Object.entries({ subject, content })) {
    const odd = typeof text === 'string' ? fillIn(text, new Map()).notUnderstood : [];
    const words = odd.toSorted((one, other) => Number(!one.meant) - Number(!other.meant)).map(describeOddBraces);
    if (odd.length > 0)
      context.notice(`Note: ${name}: ${field} has double braces that may not be a variable: ${joinFirst(words, 5)}.`);
  }
  const unsendable = unsendableChanges(template, pulled);
  const marked = template.content.split('\n');
  const isMerging = ['<<<<<<< ', '>>>>>>> '].every((mark) => marked.some((each) => each.startsWith(mark)));
  return [
    ...(isMerging ? ['its content has a merge conflict: lines <<<<<<< and >>>>>>>'] : []),
    ...problems.map(({ field, message }) => `${field} ${message}`),
    ...(unsendable.length === 0 ? [] : [unsendableWords(unsendable)]),
  ].map((message) => `${name}: ${message}`);
}

/** Joins the first of many sentences, and says how many more there are. */
export function joinFirst(sentences: readonly string[], most = 20): string {
  const restCount = sentences.length - most;
  return `${sentences.slice(0, most).join('; ')}${restCount > 0 ? `; and ${restCount} more` : ''}`;
}
