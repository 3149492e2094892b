import type { Context } from '../command/context.ts';
import { readText } from '../command/read-file.ts';
import { listUsers } from '../contract/orgs.ts';
import { Failure, foundExit, usage } from '../failure.ts';
import { onePage } from '../output/pages.ts';
import type { Result } from '../output/result.ts';
import { valueIn } from '../text/json.ts';
import { compact } from '../text/json-write.ts';
import { isRecord, type JsonRecord, memberOf } from '../text/record.ts';
import { readItems, withProgress } from './list.ts';

/** Who was added to an organization, was removed from it, or has another role, since its users were saved in the file `snapshot`. */
export async function compareUsers(
  snapshot: string,
  filters: { readonly orgId: string },
  context: Context,
): Promise<Result> {
  const source = snapshot === '-' ? 'standard input' : snapshot;
  const then = byId(await readSnapshot(snapshot, source, context), (sentence) => usage(`${source}: ${sentence}`));
  const users: unknown[] = [];
  const request = { id: 'userId', records: true, whole: true } as const;
  const pages = await readItems(listUsers, filters, request, context);
  for await (const { items } of withProgress(pages, 'users', context)) users.push(...items);
  const now = byId(users, (sentence) => new Failure('unavailable', `The list of users: ${sentence}`));
  if (then.size > 0 && now.size > 0 && ![...then.keys()].some((id) => now.has(id)))
    context.notice(`Nobody of ${source} is in organization ${filters.orgId}: is it of another one?`);
  if (then.size === 50 && now.size > 50) context.notice(`${source} has 50 users: was it saved with --all?`);
  const rows = differences(then, now);
  const sentence = `${rows.length} ${rows.length === 1 ? 'difference' : 'differences'} from ${source}.`;
  return {
    kind: 'list',
    pages: onePage(rows),
    id: 'userId',
    noun: 'differences',
    empty: 'Nothing has changed.',
    columns: [
      { field: 'change', header: 'CHANGE', keep: 'whole' },
      { field: 'userId', header: 'USER ID', keep: 'whole' },
      { field: 'name', header: 'NAME' },
      { field: 'orgRole', header: 'ROLE' },
      { field: 'before', header: 'BEFORE' },
    ],
    ending: async () => (rows.length === 0 ? undefined : { exit: foundExit, sentence }),
  };
}

async function readSnapshot(path: string, source: string, context: Context): Promise<readonly unknown[]> {
  const list = valueIn(await readText(path, 'The saved list', context));
  if (Array.isArray(list)) return list;
  throw usage(`${source} is not a JSON list of users.`, 'Save one: iiot orgs users list --all -o json > snapshot.json');
}

/** @param failure for a user without an ID, who cannot be compared */
function byId(users: readonly unknown[], failure: (sentence: string) => Failure): ReadonlyMap<string, JsonRecord> {
  return new Map(
    users.map((each) => {
      const id = isRecord(each) ? (memberOf(each, 'userId') ?? memberOf(each, 'id')) : undefined;
      if (!isRecord(each) || (typeof id !== 'string' && typeof id !== 'number'))
        throw failure('a user has no ID, and cannot be compared.');
      return [String(id), each];
    }),
  );
}

function differences(then: ReadonlyMap<string, JsonRecord>, now: ReadonlyMap<string, JsonRecord>) {
  const roleOf = (each: JsonRecord | undefined) => (each && memberOf(each, 'orgRole')) ?? null;
  return [...new Set([...now.keys(), ...then.keys()])].flatMap((id) => {
    const [was, is] = [then.get(id), now.get(id)];
    if (was && is && compact(roleOf(was)) === compact(roleOf(is))) return [];
    const change = !was ? 'added' : !is ? 'removed' : 'role-changed';
    const name = memberOf(is ?? was ?? {}, 'name') ?? null;
    return [{ change, userId: id, name, orgRole: roleOf(is), before: roleOf(was) }];
  });
}
