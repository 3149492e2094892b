import { command } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { isPlainTable } from '../command/perform.ts';
import { readTime } from '../command/time.ts';
import { isSameId } from '../contract/formats.ts';
import type { ArraySchema, IntegerSchema, ObjectSchema, Schema } from '../contract/schema.ts';
import { integer, list, record, text, textOrNull } from '../contract/shared.ts';
import { usage } from '../failure.ts';
import { onePage } from '../output/pages.ts';
import type { Column } from '../output/result.ts';
import { type HistoryEntry, mostIds, outcomes } from '../store/history-entry.ts';
import { globPattern } from '../text/glob.ts';
import { groupDigits } from '../text/group-digits.ts';
import { optionForShell } from '../text/shell-lines.ts';
import { isLimited, limitOf, listFlags } from './list.ts';

function nullable(schema: ArraySchema | IntegerSchema | ObjectSchema): Schema {
  return { ...schema, type: [schema.type, 'null'] } as unknown as Schema; // the contract has only texts that may be null
}

const change = record('A change', {
  id: text('ID of the change, which stays the same, for iiot history show'),
  at: text('When, in UTC'),
  profile: text('Profile in use'),
  account: textOrNull('Account or client ID; null if it was not known'),
  osUser: textOrNull('Who ran it: the user of the operating system'),
  sudoUser: textOrNull('Who called sudo'),
  host: textOrNull('Machine'),
  baseUrl: text('Platform'),
  tenant: textOrNull('Tenant, as in the URL; null if it was not known'),
  tenantId: textOrNull('Its ID; null if it was not known'),
  flow: textOrNull('How it was logged in: token, user or m2m'),
  orgId: textOrNull('Organization; null for what belongs to none'),
  operation: text('Operation'),
  subject: record(
    'What was changed: its type, and its ID, or its name where it has no ID yet; for a run of rows, their file',
    { type: text('Such as template'), id: text('ID') },
  ),
  fields: list(
    'Names of the fields or keys that it sent, never their values: the first 100, and then how many more',
    text('Name'),
  ),
  outcome: text(
    'One of done, failed, unknown (it may have been applied); for a run of rows also partial (not all are done), running, and interrupted (it was killed)',
  ),
  status: nullable(integer("Status of the platform's response")),
  error: nullable(
    record('Kind of failure, as error.code', { code: text('As error.code'), status: nullable(integer('HTTP status')) }),
  ),
  requestId: textOrNull("The platform's ID of the request"),
  looked: nullable(
    record('Of an outcome that no response told: where it was looked up, and when', {
      at: text('When, in UTC'),
      where: text('Such as the list of templates'),
    }),
  ),
  rows: nullable(
    record('For a run of rows: what became of them, as far as it is known', {
      done: nullable(integer('Done')),
      failed: nullable(integer('Failed')),
      skipped: nullable(integer('Done by an earlier run')),
      notSent: nullable(integer('Not sent')),
      unknown: nullable(integer('Of unknown outcome')),
      total: integer('In all'),
    }),
  ),
  sha256: textOrNull('The fingerprint of their file'),
  ids: nullable(list('The IDs of the rows that were changed or may have been, the first 1,000', text('ID'))),
});
const history = command({
  name: 'history',
  without: { each: 'it shows the changes of all profiles' },
  summary: 'Show what this machine has changed',
  description:
    'Shows the changes made from this machine with this configuration folder, newest first: when, with which profile, as whom, what was ' +
    'changed, the names of the fields that were set, and how the platform answered. It holds no values or secrets, and keeps the newest 5,000 changes, or more. The profile key history=false ' +
    'switches it off. With --profile, only the changes with that profile are shown. Reads only, and sends nothing.',
  flags: {
    since: text('Only changes since a time or a date (in UTC), or within a duration such as 7d', {
      value: 'DURATION|TIME',
    }),
    operation: text("Only these operations, such as 'credentials.*'", { value: 'GLOB' }),
    outcome: text('Only changes with this outcome', { enum: outcomes }),
    subject: text('Only changes of this ID, alone or in a run of rows', { value: 'ID' }),
    ...listFlags,
  },
  result: list('The changes, the newest first', change),
  examples: {
    'iiot history --since 7d': 'Who did that?',
    'iiot history --jq \'map(select(.outcome != "done"))\'': 'What failed, or may have been applied',
    'iiot history --subject press-0001': 'What was done to this device?',
  },
  async run({ since: word, operation = '**', outcome, subject, ...input }, context) {
    const limit = limitOf(input, context);
    const { world, notice, options, settings, store } = context;
    const since = word === undefined ? undefined : readTime(word, '--since', world.now(), -1, notice);
    const pattern = globPattern(operation);
    const entries = await readEntries(context);
    const entriesOfSubject = subject === undefined ? undefined : await findEntriesAbout(subject, entries, context);
    const selected = entries.filter(
      (entry) =>
        (since === undefined || Date.parse(entry.at) >= since) &&
        (options.profile === undefined || entry.profile === options.profile) &&
        (outcome === undefined || entry.outcome === outcome) &&
        pattern.test(entry.operation) &&
        (entriesOfSubject === undefined || entriesOfSubject.has(entry)),
    );
    const isProfileKnown = options.profile === undefined || entries.some(({ profile }) => profile === options.profile);
    if (settings.missing && !isProfileKnown) throw settings.missing;
    const oldest = entries.at(-1)?.at;
    if (since !== undefined && oldest !== undefined && since < Date.parse(oldest))
      notice(`The history begins at ${oldest}.`);
    const { loadIds } = await import('../store/history.ts');
    const shown = selected.slice(0, limit).map((entry) => loadIds(store.folder, entry));
    const isScreen = world.stdout.isTTY === true && isPlainTable(context);
    const items = isScreen ? shown.map((entry) => screenEntry(entry, context)) : shown;
    return {
      kind: 'list',
      pages: onePage(items, selected.length),
      id: 'id',
      noun: 'changes',
      empty: 'No changes found.',
      limited: isLimited(input),
      fields: change.required,
      columns: [
        { field: 'id', header: 'ID', keep: 'whole' },
        { field: 'at', header: 'AT', keep: 'whole', shows: 'time' },
        { field: 'profile', header: 'PROFILE', keep: 'whole', dropOrder: neverDropped },
        ...differingColumns(isScreen ? shown : []),
        { field: 'orgId', header: 'ORG', keep: 'whole' },
        { field: 'account', header: 'AS', dropOrder: 2 },
        { field: 'operation', header: 'OPERATION', keep: 'whole', dropOrder: neverDropped },
        { field: 'subject.id', header: 'SUBJECT', keep: 'long', dropOrder: neverDropped },
        { field: 'fields', header: 'FIELDS', dropOrder: 4 },
        { field: 'status', header: 'STATUS', dropOrder: 1 },
        { field: 'outcome', header: 'OUTCOME', keep: 'whole', dropOrder: neverDropped },
        ...(isScreen ? [{ field: 'rows', header: 'ROWS', keep: 'whole', dropOrder: 5 } as const] : []),
      ],
    };
  },
});

const neverDropped = Number.POSITIVE_INFINITY;

/** Columns that a terminal shows only if the changes differ in them. */
function differingColumns(entries: readonly Entry[]): readonly Column[] {
  const columns = [
    { field: 'tenant', header: 'TENANT', keep: 'whole' },
    { field: 'tenantId', header: 'TENANT ID', dropOrder: 3 },
    { field: 'flow', header: 'FLOW', dropOrder: 3 },
  ] as const;
  return columns.filter(({ field }) => new Set(entries.map((entry) => entry[field])).size > 1);
}

type Entry = HistoryEntry & { readonly id: string };

/** Shortens an entry for a terminal: no organization if it is the profile's own, the first digits of another, and how many rows are done. */
function screenEntry(entry: Entry, { store, settings }: Context) {
  const orgInUse = entry.profile === settings.profile.value ? settings.resolved.org?.value : undefined;
  const profileOrg = store.readConfig().profiles[entry.profile]?.org ?? orgInUse;
  const isOwn = entry.orgId === null || (profileOrg !== undefined && isSameId(entry.orgId, profileOrg));
  const { rows } = entry;
  return {
    ...entry,
    orgId: isOwn ? null : entry.orgId?.replace(/^(.{8}).{2,}$/, '$1…'),
    rows: rows && `${rows.done === null ? '?' : groupDigits(rows.done)} of ${groupDigits(rows.total)}`,
  };
}

/** Finds the changes of an ID. The history does not name every row of a long run, so it also says how many runs may have changed it too. */
async function findEntriesAbout(id: string, entries: readonly Entry[], { notice, store }: Context) {
  const { loadIds } = await import('../store/history.ts');
  const isCut = ({ rows, ids }: Entry) => rows !== null && (rows.done ?? 0) + (rows.unknown ?? 0) > (ids?.length ?? 0);
  const found = new Set<Entry>();
  let cut = 0;
  for (const entry of entries) {
    const whole = loadIds(store.folder, entry);
    if (isSameId(whole.subject.id, id) || whole.ids?.some((each) => isSameId(each, id)) === true) found.add(entry);
    else if (isCut(whole)) cut += 1;
  }
  const runs = cut === 1 ? 'One run' : `${cut} runs`;
  if (cut > 0) notice(`${runs} may have it too: of a run, the history names the first ${groupDigits(mostIds)} rows.`);
  return found;
}

/** Reads all changes, and the runs that are still running or were killed, the latest first. */
async function readEntries({ store, warn, world }: Context): Promise<readonly Entry[]> {
  const { readHistory } = await import('../store/history.ts');
  const { readOpenRuns } = await import('../store/history-runs.ts');
  const { entries, unreadable } = await readHistory(store.folder);
  if (unreadable > 0) warn(`${unreadable} ${unreadable === 1 ? 'line' : 'lines'} of the history cannot be read.`);
  const withRuns = [...entries];
  for (const open of readOpenRuns(store.folder, world.now())) {
    if (entries.some(({ id }) => id === open.begun.id)) continue;
    const { entryOfOpenRun } = await import('./rows/open-run.ts');
    const index = withRuns.findIndex((entry) => entry.at <= open.begun.at);
    withRuns.splice(index < 0 ? withRuns.length : index, 0, entryOfOpenRun(open, world));
  }
  return withRuns;
}

const show = command({
  name: 'history show',
  summary: 'Show everything about one change',
  description:
    'Shows everything that the history has about one change. It has the names of the fields that were set, never their values; for a run of rows it ' +
    'has the file, its fingerprint and the IDs of up to 1,000 rows that were changed. Reads only, and sends nothing.',
  arguments: {
    change: text('ID of the change in iiot history; by default the newest', { optional: true, value: 'ID' }),
  },
  shell: { completes: { change: 'changes' } },
  result: change,
  examples: {
    'iiot history show': 'The latest change',
    'iiot history show --jq .requestId': 'The request ID, to report a problem',
  },
  async run({ change: word }, context) {
    const found = (await readEntries(context)).find(({ id }) => word === undefined || id === word);
    if (!found && word === undefined) throw usage('There are no changes.', 'See iiot history');
    const hint = `Changes of an ID: iiot history ${optionForShell('subject', word ?? '')}`;
    if (!found) throw usage(`The history has no change ${word}.`, hint);
    const { loadIds } = await import('../store/history.ts');
    return { kind: 'record', value: loadIds(context.store.folder, found), id: 'id' };
  },
});

export const commands = [history, show];
