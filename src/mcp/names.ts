import type { Groups, LiveKind } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { asFailure } from '../failure.ts';
import { isChoosable, nouns } from '../shell/choose.ts';
import { itemPages, listedBy } from '../shell/live.ts';
import { idKinds } from '../shell/seen.ts';
import { isRecord, type JsonRecord, keyIn, memberOf } from '../text/record.ts';
import { visible } from '../text/visible.ts';

type Ids = Map<LiveKind, Set<string>>;

const longestName = 80;

/**
 * What the IDs in a tool's input stand for, a line each, as far as the platform lists their kind: one page of each list is read. Names are the platform's
 * text, so they are short, in quotes, and on one line. Never throws for a platform that does not answer: the line says that the name is not known.
 */
export async function namesOfIds(input: JsonRecord, context: Context, groups: Groups): Promise<readonly string[]> {
  const ids: Ids = new Map();
  collect(input, ids);
  const lines = await Promise.all([...ids].map(([kind, named]) => namesOfKind(kind, [...named], context, groups)));
  return lines.flat().map((line) => visible(line, 'escape'));
}

function collect(value: unknown, ids: Ids): void {
  for (const [name, inner] of Object.entries(Object(value))) {
    const key = keyIn(idKinds, name.replace(/s$/, ''));
    const kind = key === undefined ? undefined : idKinds[key];
    const found = kind && (ids.get(kind) ?? new Set());
    if (kind && found) ids.set(kind, found);
    for (const each of [inner].flat()) if (typeof each === 'string') found?.add(each);
    if (typeof inner === 'object') collect(inner, ids);
  }
}

async function namesOfKind(kind: LiveKind, ids: readonly string[], context: Context, groups: Groups) {
  const list = await listedBy(kind, context, groups);
  if (!list?.lists) return [];
  const { id: field, describe } = list.lists;
  const unknown = (id: string, why: string) =>
    `The name of ${isChoosable(kind) && nouns[kind]} ${id} is not known: ${why}`;
  try {
    const { value: first } = await itemPages(list, context).next();
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
