import type { Context } from '../../command/context.ts';
import type { LookupFinding } from '../../command/look.ts';
import { sharedReading } from '../../command/shared-reading.ts';
import { organization } from '../../command/target.ts';
import { listTemplates } from '../../contract/templates.ts';
import { Failure } from '../../failure.ts';
import { groupDigits } from '../../text/group-digits.ts';
import { fieldsOf, isLongNumber, isRecord, type JsonRecord, memberOf } from '../../text/record.ts';
import { optionForShell } from '../../text/shell-lines.ts';
import { canonicalText, changeable, type TemplateDocument } from '../../working-copy/template.ts';
import { readItems, readWhole, withProgress } from '../list.ts';
import type { UpdateFacts } from '../update.ts';

/** The templates of an organization, by id. */
export type StoredTemplates = ReadonlyMap<string, TemplateDocument>;

/** Reads every template of the organization. @throws rejected if the platform's list has no content, unavailable for a template without an ID */
export async function readStoredTemplates(orgId: string, context: Context): Promise<StoredTemplates> {
  const items = await readWhole(() => readEveryItem(orgId, context));
  const hasContent = items.some((item) => typeof memberOf(item, 'content') === 'string');
  if (items.length > 0 && !hasContent)
    throw new Failure('rejected', "The platform's list of templates does not include their content.", {
      hint: 'Without it, templates cannot be compared with files. Set it with: iiot templates update <templateId> --content-file FILE',
    });
  return new Map(items.map(templateOf).map((template) => [template.templateId, template]));
}

/** Reads one template. @param where says where else it was looked for, in the error @throws not_found */
export async function readStoredTemplate(id: string, context: Context, where = ''): Promise<TemplateDocument> {
  const orgId = organization(context);
  const found = (await readStoredTemplates(orgId, context)).get(id);
  if (found) return found;
  const hint = `See iiot templates list ${optionForShell('org', orgId)}`;
  throw new Failure('not_found', `There is no template ${id}${where}.`, { hint });
}

const readSharedTemplates = sharedReading((context, orgId: string) => readStoredTemplates(orgId, context));

/** Looks up whether the stored fields are those that an update has sent. Platforms may trim texts, change their line ends, and sort lists. */
export async function findUpdate({ orgId, id, body }: UpdateFacts, context: Context): Promise<LookupFinding> {
  const stored = (await readSharedTemplates(context, orgId)).get(id);
  if (!stored) return { outcome: 'unclear', words: 'it is not there' };
  const fields = new Map<string, unknown>([...stored.fields, ['content', stored.content]]);
  const sent = [...fieldsOf(body)];
  if (sent.some(([name]) => !fields.has(name))) return { outcome: 'unclear' };
  const isApplied = sent.every(([name, value]) => comparableText(value) === comparableText(fields.get(name)));
  return { outcome: isApplied ? 'applied' : 'not applied' };
}

function comparableText(value: unknown): string {
  const plain = typeof value === 'string' ? value.replace(/\r\n?/g, '\n').trim() : value;
  return canonicalText(Array.isArray(plain) ? plain.toSorted() : plain);
}

async function readEveryItem(orgId: string, context: Context) {
  const request = { id: 'templateId', records: true } as const;
  const items: JsonRecord[] = [];
  let characters = 0;
  const pages = await readItems(listTemplates, { orgId }, request, context);
  for await (const page of withProgress(pages, 'templates', context)) {
    const found = page.items.filter(isRecord);
    characters += lengthOf(found);
    items.push(...found);
    if (items.length > mostTemplates || characters > mostCharacters) {
      const read = `${groupDigits(items.length)} with ${groupDigits(characters)} characters were read`;
      const sentence = `The list of templates has no end, or is too long to compare with files: ${read}.`;
      throw unreadableTemplates(sentence, 'See it with: iiot templates list --limit 10 -o json');
    }
  }
  return items;
}

/** All templates are in memory before anything is compared or written, so an endless list must not fill it. */
const mostTemplates = 20_000;
const mostCharacters = 64 * 1024 * 1024;

/** In characters: the front matter of a file may have no more. */
const mostBesideContent = 64 * 1024;

/** The number of characters in the names and texts of a value. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce((sum, [name, inner]) => sum + name.length + lengthOf(inner), 0);
}

function unreadableTemplates(sentence: string, hint = 'See it with: iiot templates list -o json'): Failure {
  return new Failure('unavailable', sentence, { hint });
}

/** Reads a template. Known fields may be written in any case; all others stay as they are. @throws unavailable if it has no ID, or does not fit into a file */
function templateOf(item: JsonRecord): TemplateDocument {
  const ownId = memberOf(item, 'templateId');
  const id = ownId ?? memberOf(item, 'id');
  if ((typeof id !== 'string' || id === '') && typeof id !== 'number' && typeof id !== 'bigint')
    throw unreadableTemplates("The platform's list has a template without an ID, and cannot be read.");
  const content = memberOf(item, 'content');
  if (lengthOf(item) - lengthOf(content) > mostBesideContent)
    throw unreadableTemplates(`Template ${id} has more than 64 KiB besides its content, too much for a file.`);
  const taken = new Set([ownId === undefined || ownId === null ? '' : 'templateid', 'content']);
  const fields = new Map<string, unknown>();
  for (const name of changeable) {
    const value = memberOf(item, name);
    if (value !== undefined) fields.set(name, asMaps(value));
    taken.add(name.toLowerCase());
  }
  for (const [name, value] of Object.entries(item)) if (!taken.has(name.toLowerCase())) fields.set(name, asMaps(value));
  return { templateId: String(id), fields, content: typeof content === 'string' ? content : '' };
}

/** Turns objects into Maps, in which any key works, and numbers that JavaScript would round into their digits. */
function asMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asMaps);
  if (!isRecord(value)) return value;
  if (isLongNumber(value)) return String(value);
  return new Map(Object.entries(value).map(([name, inner]) => [name, asMaps(inner)]));
}
