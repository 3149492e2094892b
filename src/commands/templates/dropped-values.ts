import type { Context } from '../../command/context.ts';
import { listTemplates, updateTemplate } from '../../contract/templates.ts';
import { cellText, idOf, valueAt } from '../../output/columns.ts';
import { fieldsOf } from '../../text/record.ts';
import { readItems } from '../list.ts';
import { replacementNotes } from '../update.ts';

type Fields = Readonly<Record<string, unknown>>;

const lists = ['channelTypes', 'tags'] as const;

/** The maximum number of templates to search for the sake of a notice. */
const mostTemplates = 1000;

const { maximum: pageSize } = listTemplates.params.maxResultCount;

/**
 * The values that a template loses: "channelTypes (array, replaces the entire list)", "tags (array, replaces the entire list)". The stored
 * values come from the list of templates, since the interface has no other way; if they are not found, the notice only says that they are
 * replaced.
 */
export async function droppedValues(
  { orgId, id, body }: { readonly orgId: string; readonly id: string; readonly body: object },
  context: Context,
): Promise<readonly string[]> {
  const given = lists.filter((name) => fieldsOf(body).has(name));
  if (given.length === 0) return [];
  const stored = await storedTemplate(orgId, id, context);
  return given.flatMap((name) => loss(name, valueAt(stored, name), fieldsOf(body).get(name)));
}

function loss(name: (typeof lists)[number], before: unknown, after: unknown): readonly string[] {
  if (!Array.isArray(before) || !Array.isArray(after))
    return replacementNotes(updateTemplate, new Map([[name, after]]));
  const gone = before.filter((item) => !after.includes(item));
  if (gone.length === 0) return [];
  return [`Removes from ${name}: ${cellText(gone)}.`];
}

async function storedTemplate(orgId: string, templateId: string, context: Context): Promise<Fields | undefined> {
  const request = { limit: mostTemplates, pageSize, id: 'templateId' };
  for await (const { items } of await readItems(listTemplates, { orgId }, request, context, () => undefined)) {
    const found = items.find((item) => isFields(item) && idOf(item, 'templateId') === templateId);
    if (isFields(found)) return found;
  }
  return undefined;
}

function isFields(item: unknown): item is Fields {
  return typeof item === 'object' && item !== null;
}
