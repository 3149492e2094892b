import type { Groups, LiveKind } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { asFailure } from '../failure.ts';
import { isChoosable, nouns } from '../shell/choose.ts';
import { findList, listItems } from '../shell/live.ts';
import { idKinds } from '../shell/seen.ts';
import { isRecord, type JsonRecord, keyIn, memberOf } from '../text/record.ts';
import { visible } from '../text/visible.ts';

const longestName = 80;

/**
 * What the IDs in a tool's input stand for, a line each, as far as the platform lists their kind: one page of each list is read. Names are the platform's
 * text, so they are short, in quotes, and on one line. Never throws for a platform that does not answer: the line says that the name is not known.
 */
export async function namesOfIds(input: JsonRecord, context: Context, groups: Groups): Promise<readonly string[]> {
  const ids = new Map<LiveKind, Set<string>>();
  JSON.stringify(input, (name, value) => {
    const kind = idKinds[keyIn(idKinds, name.replace(/s$/, '')) ?? ''];
    for (const each of [value].flat())
      if (kind && typeof each === 'string') ids.set(kind, (ids.get(kind) ?? new Set()).add(each));
    return value;
  });
  const lines = await Promise.all([...ids].map(([kind, named]) => namesOfKind(kind, [...named], context, groups)));
  return lines.flat().map((line) => visible(line, 'escape'));
}

async function namesOfKind(kind: LiveKind, ids: readonly string[], context: Context, groups: Groups) {
  const list = await findList(kind, context, groups);
  if (!list?.lists) return [];
  const { id: field, describe } = list.lists;
  const unknown = (id: string, why: string) =>
    `The name of ${isChoosable(kind) && nouns[kind]} ${id} is not known: ${why}`;
  try {
    const { value: first } = await listItems(list, context).next();
    const items = [...(first ?? [])].filter(isRecord);
    const lines = ids.map((id) => {
      const item = items.find((each) => memberOf(each, field) === id);
      if (!item) return [unknown(id, "it is not on the first page of the platform's list.")];
      return describe({ ...item, name: shortName(item) }, context);
    });
    return (await Promise.all(lines)).flat();
  } catch (error) {
    const { message } = asFailure(error);
    return ids.map((id) => unknown(id, message));
  }
}

function shortName(item: JsonRecord): string {
  const name = [...String(memberOf(item, 'name') ?? '')];
  const short = name.length > longestName ? [...name.slice(0, longestName), '…'] : name;
  return JSON.stringify(short.join('')).slice(1, -1);
}
