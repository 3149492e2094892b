import { Readable } from 'node:stream';
import type { Context } from '../command/context.ts';
import { readText } from '../command/read-file.ts';
import { noteTwins } from '../command/twins.ts';
import { isSameId } from '../contract/formats.ts';
import { listUsers } from '../contract/orgs.ts';
import { Failure, foundExit, usage } from '../failure.ts';
import { onePage } from '../output/pages.ts';
import type { Result } from '../output/result.ts';
import type { Cells } from '../rows/csv.ts';
import { groupDigits } from '../text/group-digits.ts';
import { valueIn } from '../text/json.ts';
import { compact } from '../text/json-write.ts';
import { isRecord, type JsonRecord, memberOf } from '../text/record.ts';
import { readItems, readWhole, withProgress } from './list.ts';

/** Who was added to an organization, was removed from it, or has another role, since its users were saved in the file `snapshot`. */
export async function compareUsers(
  snapshot: string,
  filters: { readonly orgId: string },
  context: Context,
): Promise<Result> {
  const source = snapshot === '-' ? 'standard input' : snapshot;
  const refuse = (sentence: string) => usage(`${source}: ${sentence}`, save);
  const saved = ownRecords(await readSnapshot(snapshot, source, context), filters.orgId, refuse, context);
  const then = byId(saved, refuse);
  const hasAny = (field: string) => [...then.values()].some((user) => memberOf(user, field) !== undefined);
  if (hasAny('change')) throw refuse('it is a list of differences, and not of users.');
  if (then.size > 0 && !hasAny('orgRole')) throw refuse('no user in it has an orgRole, so roles cannot be compared.');
  const users = await readWhole(() => everyUser(filters, context));
  const now = byId(users, (sentence) => new Failure('unavailable', `The list of users: ${sentence}`));
  if (then.size > 0 && now.size > 0 && ![...then.keys()].some((id) => now.has(id)))
    throw refuse(`none of its users is in organization ${filters.orgId}. Was it saved for another one?`);
  const rows = differences(then, now);
  const changed = rows.map(({ userId }) => userId);
  noteTwins('ID', changed, context);
  const [role, ...others] = new Set([...then.values()].map(roleOf));
  if (others.length === 0 && rows.filter(({ change, orgRole }) => change === 'added' && orgRole !== role).length > 1)
    context.notice(
      `Every user in ${source} has the role ${role}. If saved with --role, the added ones may not be new.`,
    );
  const sentence = `${groupDigits(rows.length)} ${rows.length === 1 ? 'difference' : 'differences'} from ${source}.`;
  return {
    kind: 'list',
    pages: onePage(rows),
    id: 'userId',
    noun: 'differences',
    empty: `Nothing has changed: the IDs and roles of ${groupDigits(then.size)} ${then.size === 1 ? 'user' : 'users'} are the same.`,
    columns: [
      { field: 'change', header: 'CHANGE', keep: 'whole' },
      { field: 'userId', header: 'USER ID', keep: 'whole' },
      { field: 'name', header: 'NAME' },
      { field: 'orgRole', header: 'ROLE' },
      { field: 'previousOrgRole', header: 'BEFORE' },
    ],
    ending: async () => (rows.length === 0 ? undefined : { exit: foundExit, sentence }),
  };
}

async function everyUser(filters: { readonly orgId: string }, context: Context): Promise<readonly unknown[]> {
  const users: unknown[] = [];
  const pages = await readItems(listUsers, filters, { id: 'userId', records: true }, context);
  for await (const { items } of withProgress(pages, 'users', context)) users.push(...items);
  return users;
}

const save = 'Save one: iiot orgs users list -o json > snapshot.json';

/** The records of a list that `iiot orgs users list` has written, as JSON, NDJSON or csv. */
async function readSnapshot(path: string, source: string, context: Context): Promise<readonly unknown[]> {
  const text = (await readText(path, 'The saved list', context, 'the tool')).trimStart();
  const list = text.startsWith('[')
    ? valueIn(text)
    : text.startsWith('{')
      ? text.trimEnd().split('\n').map(valueIn)
      : /^[^\n:]*userid[^\n:]*(?:\n|$)/i.test(text)
        ? await recordsOfCsv(text, source)
        : undefined;
  if (Array.isArray(list) && list.every(isRecord)) return list;
  throw usage(`${source} is not a list of users as JSON, NDJSON or csv.`, save);
}

async function recordsOfCsv(text: string, source: string): Promise<unknown[]> {
  const { csvRows } = await import('../rows/csv.ts');
  const records: unknown[] = [];
  for await (const rows of csvRows(Readable.from([text]), source, { required: 'userId' })) {
    for (const row of rows) {
      if ('problem' in row) throw usage(`${source}: line ${row.line} ${row.problem}.`, save);
      const { columns, cells } = row.value as Cells; // the CSV reader returns cells
      records.push(Object.fromEntries(columns.map((column, at) => [column, cells[at] || null])));
    }
  }
  return records;
}

/** Those of this organization, or of this profile, where `each` has saved several. */
function ownRecords(
  records: readonly unknown[],
  orgId: string,
  refuse: (sentence: string) => Failure,
  { settings }: Context,
): readonly unknown[] {
  const places = [
    { field: 'orgId', what: 'organization', isHere: (value: string) => isSameId(value, orgId) },
    { field: 'profile', what: 'profile', isHere: (value: string) => value === settings.profile.value },
  ];
  return places.reduce((left, { field, what, isHere }) => {
    const placeIn = (each: unknown) => (isRecord(each) ? memberOf(each, field) : undefined);
    const own = left.filter((each) => typeof placeIn(each) !== 'string' || isHere(String(placeIn(each))));
    if (own.length > 0 || left.length === 0) return own;
    throw refuse(`it has users of ${what} ${[...new Set(left.map(placeIn))].join(', ')}, and none of this one.`);
  }, records);
}

/** @param failure for a user without an ID, or who is there twice: they cannot be compared */
function byId(users: readonly unknown[], failure: (sentence: string) => Failure): ReadonlyMap<string, JsonRecord> {
  const found = new Map<string, JsonRecord>();
  for (const each of users) {
    const id = isRecord(each) ? (memberOf(each, 'userId') ?? memberOf(each, 'id')) : undefined;
    if (!isRecord(each) || (typeof id !== 'string' && typeof id !== 'number'))
      throw failure('a user has no ID, and cannot be compared.');
    if (found.has(String(id))) throw failure(`user ${id} is in it twice. Is it a list of several organizations?`);
    found.set(String(id), each);
  }
  return found;
}

function roleOf(user: JsonRecord | undefined): unknown {
  return (user && memberOf(user, 'orgRole')) ?? null;
}

function differences(then: ReadonlyMap<string, JsonRecord>, now: ReadonlyMap<string, JsonRecord>) {
  return [...new Set([...now.keys(), ...then.keys()])].flatMap((id) => {
    const [was, is] = [then.get(id), now.get(id)];
    if (was && is && compact(roleOf(was)) === compact(roleOf(is))) return [];
    const change = !was ? 'added' : !is ? 'removed' : 'role_changed';
    const name = memberOf(is ?? was ?? {}, 'name') ?? null;
    return [{ change, userId: id, name, orgRole: roleOf(is), previousOrgRole: roleOf(was) }];
  });
}
