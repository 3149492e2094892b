/** Prepares the files of a folder for the platform: fills in --values, and finds their templates in another organization. */
import { Readable } from 'node:stream';
import type { Context } from '../../command/context.ts';
import { isForProgram } from '../../command/perform.ts';
import { readText } from '../../command/read-file.ts';
import { usage } from '../../failure.ts';
import { type Cells, csvRows } from '../../rows/csv.ts';
import { plainName } from '../../text/alike.ts';
import { visible } from '../../text/visible.ts';
import { type GoodFile, isGood } from '../../working-copy/folder.ts';
import { changeable, hashesOf, type TemplateDocument, unsendableChanges } from '../../working-copy/template.ts';
import { fillFile, readValues } from '../../working-copy/values.ts';
import { type FolderInput, failureOfAll, type Selection, unsendableWords, type WorkingCopy } from './folder.ts';
import type { StoredTemplates } from './stored.ts';

type ByName = ReadonlyMap<string, readonly string[]>;

/** A folder with --values filled into its files, and the IDs of --map. */
type Outgoing = { readonly copy: WorkingCopy; readonly map: ByName | undefined };

export async function openOutgoing(copy: WorkingCopy, input: FolderInput, context: Context): Promise<Outgoing> {
  const map = input.map === undefined ? undefined : await readMap(input.map, context);
  const path = input.values;
  if (path === undefined) return { copy, map };
  const values = await readValues(await readText(path, '--values', context));
  if ('wrong' in values) throw usage(`--values ${path} ${values.wrong}.`);
  const files = copy.files.map((file) => (isGood(file) ? fillFile(file, values, path) : file));
  const good = new Map(files.filter(isGood).map((file) => [file.template.templateId, file]));
  return { copy: { ...copy, files, good }, map };
}

async function readMap(path: string, context: Context): Promise<ByName> {
  const texts = Readable.from([await readText(path, '--map', context)]);
  const names = new Map<string, string>();
  for await (const rows of csvRows(texts, path, { required: 'name' })) {
    for (const row of rows) {
      if ('problem' in row) throw usage(`${path}: line ${row.line} ${row.problem}.`);
      const { columns, cells } = row.value as Cells; // what csvRows gives
      const [name = '', id = ''] = ['name', 'templateid'].map((own) => cells[columns.map(plainName).indexOf(own)]);
      const problem = id === '' ? 'no templateId' : names.has(id) && `template ${id} again`;
      if (problem) throw usage(`${path}: line ${row.line} has ${problem}.`, 'Its columns are name and templateId');
      names.set(id, name.normalize('NFC'));
    }
  }
  return group([...names].map(([id, name]) => [name, id]));
}

/** In a dry run, stands for the ID of a template that would be found by its name. */
const unknownId = 'TEMPLATE_ID';

/**
 * Finds the templates that the selected files go to. In another organization they are found by name, so names are not sent, and neither
 * are the fields that belong to the first organization.
 * @param stored the templates of that organization; before they are read, IDs come from --map or from earlier pushes
 * @param isLast whether every file has to have exactly one template
 * @throws usage for all files that do not
 */
export function matchFiles(
  { copy, map }: Outgoing,
  selection: Selection,
  context: Context,
  stored?: StoredTemplates,
  isLast = stored !== undefined,
) {
  if (copy.destination !== 'organization') return copy;
  const files = [...copy.good.values()];
  const filesByName = group(files.map(({ name, template }) => [templateName(template), name]));
  const idsOf = map ?? (stored && group([...stored.values()].map((each) => [templateName(each), each.templateId])));
  const pushed = new Map([...copy.record.templates].map(([id, { hashes }]) => [hashes.get('name'), id]));
  const allProblems = new Set<string>();
  const sendable: string[] = [];
  const good = new Map<string, GoodFile>();
  for (const file of files) {
    const name = templateName(file.template);
    const ids = idsOf ? (idsOf.get(name) ?? []) : [pushed.get(hashesOf(file.template).get('name')) ?? unknownId];
    const [templateId = unknownId] = ids;
    if (!selection.has(templateId, file.name)) continue;
    const same = filesByName.get(name) ?? [];
    const problems: string[] = [];
    const unsendable = unsendableChanges(file.template, copy.own.templates.get(file.template.templateId));
    if (same.length > 1) problems.push(`${same.join(' and ')} have the name "${name}"`);
    if (ids.length > 1) problems.push(`${file.name}: ${ids.join(' and ')} have the name "${name}"`);
    if (ids.length === 0) problems.push(`${file.name}: no template has the name "${name}"${map ? ' in --map' : ''}`);
    else if (stored && !stored.has(templateId)) problems.push(`${file.name}: there is no template ${templateId}`);
    if (unsendable.length > 0) problems.push(`${file.name}: ${unsendableWords(unsendable)}`);
    if (problems.length === 0) sendable.push(file.template.templateId);
    for (const problem of problems) allProblems.add(problem);
    const fields = [...file.template.fields].filter(([field]) => field !== 'name' && changeable.includes(field));
    const template = { ...file.template, templateId, fields: new Map(fields) };
    good.set(stored ? templateId : file.name, { ...file, template });
  }
  if (allProblems.size === 0 || !isLast) return { ...copy, good };
  const others = sendable.length > 0 ? `. Send the others: ${copy.line('push', sendable)}` : '';
  const hint = `Nothing was sent. To say which template a file goes to, give --map FILE${others}`;
  const failure = failureOfAll(`The files cannot go to organization ${copy.orgId}: `, [...allProblems], hint);
  if (allProblems.size === 1 || isForProgram(context)) throw failure;
  for (const problem of allProblems) context.warn(`${visible(problem)}.`);
  throw usage(`The files cannot go to organization ${copy.orgId}, for ${allProblems.size} reasons.`, hint);
}

function templateName({ fields }: TemplateDocument): string {
  return String(fields.get('name') ?? '').normalize('NFC');
}

function group(pairs: readonly (readonly [name: string, value: string])[]): ByName {
  const groups = new Map<string, string[]>();
  for (const [name, value] of pairs) groups.set(name, [...(groups.get(name) ?? []), value]);
  return groups;
}
