/** Saved lists of users: what `orgs users list --snapshot` writes, and `orgs users diff` compares with. */
import { Readable } from 'node:stream';
import type { Context } from '../command/context.ts';
import { resolvePlace, wayTo } from '../command/place.ts';
import { readText } from '../command/read-file.ts';
import { noteTwins } from '../command/twins.ts';
import { isSameId } from '../contract/formats.ts';
import { listUsers } from '../contract/orgs.ts';
import { Failure, foundExit, usage } from '../failure.ts';
import { statusAt } from '../files/open-regular.ts';
import { writePrivately } from '../files/private-file.ts';
import { onePage } from '../output/pages.ts';
import type { Result } from '../output/result.ts';
import { type Place, placeWords, readPlace, sameTenant } from '../place.ts';
import type { Cells } from '../rows/csv.ts';
import { groupDigits } from '../text/group-digits.ts';
import { valueIn } from '../text/json.ts';
import { compact, pretty } from '../text/json-write.ts';
import { isRecord, type JsonRecord, memberOf, readRecord, textOf } from '../text/record.ts';
import { optionForShell, removeCommand } from '../text/shell-lines.ts';
import { type ListInput, limitOf, readItems, readWhole, withProgress } from './list.ts';

type Filters = { readonly orgId: string; readonly [name: string]: string | undefined };

/** Saves all users in a file (mode 0600), with the organization, the filters and the time. @returns the page to show @throws usage if the file is something else */
export async function saveUsers(path: string, filters: Filters, input: ListInput, context: Context) {
  if (path === '-') throw usage('--snapshot takes the path of a file.', 'To print the list: -o json');
  const { orgId, orgRole: role, name } = filters;
  const head = { place: await resolvePlace(context, orgId), filters: { role, name } };
  const earlier = statusAt(path)?.size ? readSnapshot(await readText(path, '--snapshot', context, 'tool'), path) : head;
  if (!earlier || !isSameOrg(earlier.place, head.place) || compact(earlier.filters) !== compact(head.filters))
    throw usage(
      `${path} already exists and is not a snapshot of these users.`,
      `Choose another name, or remove it first: ${removeCommand(path)}`,
    );
  const users = await readWhole(() => readUsers(filters, context));
  const time = new Date(context.world.now() - context.clock.ahead()).toISOString();
  const { org: organization, ...platform } = head.place;
  const saved = { version, organization, platform, filters: head.filters, time, users };
  writePrivately(path, `${pretty(saved)}\n`);
  context.notice(`Saved ${countUsers(users.length)} of organization ${orgId} in ${path}.`);
  const { skipCount: skip = 0 } = input;
  const end = skip + (limitOf(input, context) ?? users.length);
  return onePage(users.slice(skip, end), users.length, end < users.length);
}

const version = 1;

type Snapshot = {
  readonly place: Place;
  readonly filters: JsonRecord;
  readonly time: string;
  readonly users: unknown[];
};

/** Reads a snapshot; undefined for any other text. @throws usage for a snapshot of another version */
function readSnapshot(text: string, source: string): Snapshot | undefined {
  const { version: written = version, organization: org, platform, filters, time, users } = readRecord(text) ?? {};
  const place = isRecord(platform) ? readPlace({ ...platform, org }) : undefined;
  if (!place?.org) return undefined;
  if (written !== version) throw usage(`${source} was written by another version of iiot.`, 'Update iiot');
  return isRecord(filters) && Array.isArray(users) ? { place, filters, time: String(time), users } : undefined;
}

/** An organization's ID is unique, so a tenant that is not known makes no difference. */
function isSameOrg(one: Place, other: Place): boolean {
  return isSameId(one.org ?? '', other.org ?? '') && sameTenant(one, other) !== 'other';
}

function refuseOtherPlace(source: string, saved: Place, here: Place, context: Context): void {
  if (isSameOrg(saved, here)) return;
  const isFar = sameTenant(saved, here) === 'other';
  const words = ({ base, tenant, tenantId, org }: Place, beside: Place) =>
    `organization ${org}${isFar ? ` at ${placeWords({ base, tenant, tenantId }, beside)}` : ''}`;
  const way = isFar ? `${wayTo(saved, context) ?? 'log in there'}, and ` : '';
  const hint = `To compare with it, ${way}add ${optionForShell('org', saved.org ?? '')}`;
  throw usage(`${source} is a snapshot of ${words(saved, here)}, and not of ${words(here, saved)}.`, hint);
}

/** Lists who was added or removed, or got another role, since a file was saved. @throws usage if the file is not a list of this organization's users */
export async function compareUsers(path: string, { orgId, orgRole }: Filters, context: Context): Promise<Result> {
  const source = path === '-' ? 'standard input' : path;
  const refuse = (sentence: string) => usage(`${source}: ${sentence}`, saveHint);
  if (/\.(xls[xmb]?|ods)$/i.test(path)) throw refuse('workbooks are not read.');
  const text = (await readText(path, 'The saved list', context, 'tool')).trimStart();
  const snapshot = readSnapshot(text, source);
  if (snapshot) refuseOtherPlace(source, snapshot.place, await resolvePlace(context, orgId), context);
  const [name, savedRole] = ['name', 'role'].map((each) => snapshot && textOf(snapshot.filters, each));
  const role = orgRole ?? savedRole;
  if (savedRole !== undefined && savedRole !== role)
    throw usage(
      `${source} has only users with the role ${savedRole}.`,
      `Leave out ${optionForShell('role', role ?? '')}`,
    );
  const saved = snapshot?.users ?? selectOwnRecords(await readSavedList(text, source), orgId, refuse, context);
  const before = indexById(saved, refuse);
  const hasAny = (field: string) => [...before.values()].some((user) => memberOf(user, field) !== undefined);
  if (hasAny('change')) throw refuse('it is a list of differences, and not of users.');
  if (before.size > 0 && !hasAny('orgRole')) throw refuse('no user in it has an orgRole, so roles cannot be compared.');
  const users = await readWhole(() => readUsers({ orgId, name }, context));
  const after = indexById(users, (sentence) => new Failure('unavailable', `The list of users: ${sentence}`));
  if (!snapshot && before.size > 0 && after.size > 0 && ![...before.keys()].some((id) => after.has(id)))
    throw refuse(`none of its users is in organization ${orgId}. Was it saved for another one?`);
  const isMeant = (...roles: readonly unknown[]) => role === undefined || roles.includes(role);
  const rows = differences(before, after).filter((row) => isMeant(row.orgRole, row.previousOrgRole));
  const changedIds = rows.map(({ userId }) => userId);
  noteTwins('ID', changedIds, context);
  if (!snapshot) noteUnknownPlace(saved, source, context);
  const [onlyRole, ...otherRoles] = new Set([...before.values()].map(roleOf));
  const added = rows.filter((row) => row.change === 'added' && row.orgRole !== onlyRole);
  if (onlyRole !== undefined && otherRoles.length === 0 && added.length > 1) noteOnlyRole(onlyRole, source, context);
  const since = snapshot ? `, saved ${snapshot.time}` : '';
  const sentence = `${groupDigits(rows.length)} ${rows.length === 1 ? 'difference' : 'differences'} from ${source}${since}.`;
  return {
    kind: 'list',
    pages: onePage(rows),
    id: 'userId',
    noun: 'differences',
    empty: (count) =>
      `Nothing has changed${snapshot ? ` since ${snapshot.time}` : ''}: the IDs and roles of ${countUsers(count)} are the same.`,
    seen: [...before.values()].filter((user) => isMeant(roleOf(user))).length,
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

/** Notes that a list, other than a snapshot, does not say whose users it has. */
function noteUnknownPlace(saved: readonly unknown[], source: string, { notice }: Context): void {
  const isNamed = saved.some((user) => isRecord(user) && (memberOf(user, 'orgId') ?? memberOf(user, 'profile')));
  if (isNamed) notice(`Note: ${source} does not say which platform's users it has.`);
  else notice(`Note: ${source} does not say whose users it has. ${saveHint}`);
}

function noteOnlyRole(role: unknown, source: string, { notice }: Context): void {
  const option = optionForShell('role', String(role));
  notice(`Every user in ${source} has the role ${role}. If saved with --role, add ${option}.`);
}

function countUsers(count: number): string {
  return `${groupDigits(count)} ${count === 1 ? 'user' : 'users'}`;
}

async function readUsers(filters: Filters, context: Context): Promise<readonly unknown[]> {
  const users: unknown[] = [];
  const pages = await readItems(listUsers, filters, { id: 'userId', records: true }, context);
  for await (const { items } of withProgress(pages, 'users', context)) users.push(...items);
  return users;
}

const saveHint = 'Save a snapshot: iiot orgs users list --snapshot FILE';

/** Reads a list that `iiot orgs users list` has written as JSON, NDJSON or csv. @throws usage for anything else */
async function readSavedList(text: string, source: string): Promise<readonly unknown[]> {
  const list = await parseList(text, source);
  if (Array.isArray(list) && list.every(isRecord)) return list;
  throw usage(`${source} is not a list of users as JSON, NDJSON or csv.`, saveHint);
}

async function parseList(text: string, source: string): Promise<unknown> {
  if (text.startsWith('[')) return valueIn(text);
  if (text.startsWith('{')) return text.trimEnd().split('\n').map(valueIn);
  // A header with a column for the user's ID.
  return /^[^\n:]*userid[^\n:]*(?:\n|$)/i.test(text) ? readCsvList(text, source) : undefined;
}

async function readCsvList(text: string, source: string): Promise<unknown[]> {
  const { csvRows } = await import('../rows/csv.ts');
  const records: unknown[] = [];
  for await (const rows of csvRows(Readable.from([text]), source, { required: 'userId' })) {
    for (const row of rows) {
      if ('problem' in row) throw usage(`${source}: line ${row.line} ${row.problem}.`, saveHint);
      const { columns, cells } = row.value as Cells; // the CSV reader returns cells
      records.push(Object.fromEntries(columns.map((column, at) => [column, cells[at] || null])));
    }
  }
  return records;
}

/** Selects the records of this organization or profile from a list that `iiot each` has saved. @throws usage if there are none */
function selectOwnRecords(
  records: readonly unknown[],
  orgId: string,
  refuse: (sentence: string) => Failure,
  { settings }: Context,
): readonly unknown[] {
  const select = (all: readonly unknown[], field: string, noun: string, isHere: (value: string) => boolean) => {
    const placeIn = (each: unknown) => (isRecord(each) ? memberOf(each, field) : undefined);
    const matching = all.filter((each) => typeof placeIn(each) !== 'string' || isHere(String(placeIn(each))));
    if (matching.length > 0 || all.length === 0) return matching;
    throw refuse(`it has users of ${noun} ${[...new Set(all.map(placeIn))].join(', ')}, and none of this one.`);
  };
  const ofOrganization = select(records, 'orgId', 'organization', (id) => isSameId(id, orgId));
  return select(ofOrganization, 'profile', 'profile', (name) => name === settings.profile.value);
}

/** @param failure makes the failure to throw for a user without an ID, or one that is in the list twice */
function indexById(users: readonly unknown[], failure: (sentence: string) => Failure): ReadonlyMap<string, JsonRecord> {
  const byId = new Map<string, JsonRecord>();
  for (const each of users) {
    const id = isRecord(each) ? (memberOf(each, 'userId') ?? memberOf(each, 'id')) : undefined;
    if (!isRecord(each) || (typeof id !== 'string' && typeof id !== 'number'))
      throw failure('a user has no ID, and cannot be compared.');
    if (byId.has(String(id))) throw failure(`user ${id} is in it twice. Is it a list of several organizations?`);
    byId.set(String(id), each);
  }
  return byId;
}

function roleOf(user: JsonRecord | undefined): unknown {
  return (user && memberOf(user, 'orgRole')) ?? null;
}

function differences(before: ReadonlyMap<string, JsonRecord>, after: ReadonlyMap<string, JsonRecord>) {
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((id) => {
    const [old, current] = [before.get(id), after.get(id)];
    if (old && current && compact(roleOf(old)) === compact(roleOf(current))) return [];
    const change = old ? (current ? 'role_changed' : 'removed') : 'added';
    const name = memberOf(current ?? old ?? {}, 'name') ?? null;
    return [{ change, userId: id, name, orgRole: roleOf(current), previousOrgRole: roleOf(old) }];
  });
}
