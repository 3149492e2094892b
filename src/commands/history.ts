import { command } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { isPlainTable } from '../command/perform.ts';
import { readTime } from '../command/time.ts';
import { isSameId } from '../contract/formats.ts';
import type { Schema } from '../contract/schema.ts';
import { usage } from '../failure.ts';
import { onePage } from '../output/pages.ts';
import type { Column } from '../output/result.ts';
import { globPattern } from '../text/glob.ts';
import { limitOf, listFlags } from './list.ts';

const text = { type: 'string' } as const;
const textOrNull = { type: ['string', 'null'] } as const;
const facts = {
  id: text,
  at: text,
  profile: text,
  account: textOrNull,
  baseUrl: text,
  tenant: textOrNull,
  tenantId: textOrNull,
  flow: textOrNull,
  orgId: textOrNull,
  operation: text,
  subject: {
    type: 'object',
    required: ['type', 'id'],
    properties: { type: { ...text, description: 'Such as template' }, id: { ...text, description: 'ID' } },
  },
  rows: {
    type: ['object', 'null'],
    required: ['done', 'total'],
    properties: {
      done: { type: 'integer', description: 'Done' },
      total: { type: 'integer', description: 'In all' },
    },
  },
  fields: { type: 'array', items: { ...text, description: 'Name' } },
  outcome: text,
  status: { type: ['integer', 'null'] },
  error: {
    type: ['object', 'null'],
    required: ['code', 'status'],
    properties: {
      code: { ...text, description: 'As error.code' },
      status: { type: ['integer', 'null'], description: 'HTTP status' },
    },
  },
  requestId: textOrNull,
  sha256: textOrNull,
  ids: { type: ['array', 'null'], items: { ...text, description: 'ID' } },
} as const;

const fields = {
  id: 'ID of the change, which stays the same, for iiot history show',
  at: 'When, in UTC',
  profile: 'Profile in use',
  account: 'Account or client ID; null if it was not known',
  baseUrl: 'Platform',
  tenant: 'Tenant, as in the URL; null if it was not known',
  tenantId: 'Its ID; null if it was not known',
  flow: 'How it was logged in: token, user or m2m',
  orgId: 'Organization; null for what belongs to none',
  operation: 'Operation',
  subject: 'What was changed: its type, and its ID, or its name where it has no ID yet; for a run of rows, their file',
  fields: 'Names of the fields or keys that it set, never their values; "…" means more than twenty',
  outcome: 'One of done, failed, unknown (it may have been applied) and partial',
  status: "Status of the platform's response",
  error: 'Kind of failure, as error.code',
  requestId: "The platform's ID of the request",
  rows: 'For a run of rows: how many are done, of how many',
  sha256: 'The fingerprint of their file',
  ids: 'The IDs of the rows that were changed or may have been, the first 1,000',
} as const;

const described = Object.entries(fields).map(([name, description]) => [
  name,
  { ...facts[name as keyof typeof facts], description } as Schema, // both have the same names
]);
const change: Schema = {
  type: 'object',
  description: 'A change',
  required: Object.keys(fields),
  properties: Object.fromEntries(described),
};
const outcomes = ['done', 'failed', 'unknown', 'partial'] as const;

const history = command({
  name: 'history',
  without: { each: 'it shows the changes of all profiles' },
  summary: 'Show what this machine has changed',
  description:
    'Shows the changes made from this machine with this configuration folder, newest first: when, with which profile, as whom, what was ' +
    'changed, the names of the fields that were set, and how the platform answered. It holds no values or secrets, and keeps about the newest 5,000 changes. The profile key history=false ' +
    'switches it off. With --profile, only the changes with that profile are shown. Reads only, and sends nothing.',
  flags: {
    since: {
      type: 'string',
      value: 'DURATION|TIME',
      description: 'Only changes since a time or a date (in UTC), or within a duration such as 7d',
    },
    operation: { type: 'string', value: 'GLOB', description: "Only these operations, such as 'credentials.*'" },
    outcome: { type: 'string', enum: outcomes, description: 'Only changes with this outcome' },
    ...listFlags,
  },
  result: { type: 'array', description: 'The changes, the newest first', items: change },
  examples: [
    { line: 'iiot history --since 7d', says: 'Who did that?' },
    {
      line: `iiot history --jq 'map(select(.outcome != "done"))'`,
      says: 'What failed, or may have been applied',
    },
  ],
  async run({ since: word, operation = '**', outcome, ...input }, context) {
    const limit = limitOf(input, context);
    const { world, notice, options } = context;
    const since = word === undefined ? undefined : readTime(word, '--since', world.now(), -1, notice);
    const pattern = globPattern(operation);
    const selected = (await entriesOf(context)).filter(
      (entry) =>
        (since === undefined || Date.parse(entry.at) >= since) &&
        (options.profile === undefined || entry.profile === options.profile) &&
        (outcome === undefined || entry.outcome === outcome) &&
        pattern.test(entry.operation),
    );
    const shown = selected.slice(0, limit);
    const isScreen = world.stdout.isTTY === true && isPlainTable(context);
    const items = isScreen ? shown.map((entry) => withoutOwnPlace(entry, context)) : shown;
    // What was changed and how comes after when, where and the outcome.
    const isNarrow = isScreen && (items.some(({ orgId }) => orgId !== null) || (world.stdout.columns ?? 80) < 80);
    return {
      kind: 'list',
      pages: onePage(items, selected.length),
      id: 'id',
      noun: 'changes',
      empty: 'No changes found.',
      fields: Object.keys(fields),
      columns: [
        { field: 'id', header: 'ID', keep: 'whole' },
        { field: 'at', header: 'AT', keep: 'whole', shows: 'time' },
        { field: 'profile', header: 'PROFILE', keep: 'whole' },
        ...differing(isScreen ? shown : []),
        { field: 'orgId', header: 'ORG', keep: 'whole' },
        { field: 'account', header: 'AS', dropOrder: 2 },
        { field: 'operation', header: 'OPERATION', keep: 'whole', ...(isNarrow && { dropOrder: 5 }) },
        { field: 'subject.id', header: 'SUBJECT', keep: 'long' },
        { field: 'fields', header: 'FIELDS', dropOrder: 4 },
        { field: 'status', header: 'STATUS', dropOrder: 1 },
        { field: 'outcome', header: 'OUTCOME', keep: 'whole' },
      ],
    };
  },
});

/** What a person has to be told only where the changes differ in it. */
function differing(entries: readonly Entry[]): readonly Column[] {
  const columns = [
    { field: 'tenant', header: 'TENANT', keep: 'whole' },
    { field: 'tenantId', header: 'TENANT ID', dropOrder: 3 },
    { field: 'flow', header: 'FLOW', dropOrder: 3 },
  ] as const;
  return columns.filter(({ field }) => new Set(entries.map((entry) => entry[field])).size > 1);
}

type Entry = Awaited<ReturnType<typeof entriesOf>>[number];

/** A person need not be told the profile in use, nor the organization that a profile has. */
function withoutOwnPlace(entry: Entry, { store, settings }: Context) {
  const inUse = entry.profile === settings.profile.value;
  const own = store.readConfig().profiles[entry.profile]?.org ?? (inUse ? settings.resolved.org?.value : undefined);
  const isOwn = entry.orgId === null || (own !== undefined && isSameId(entry.orgId, own));
  const profile = inUse ? null : entry.profile;
  return { ...entry, profile, orgId: isOwn ? null : entry.orgId };
}

async function entriesOf({ store, warn }: Context) {
  const { readHistory } = await import('../store/history.ts');
  const { entries, unreadable } = await readHistory(store.folder);
  if (unreadable > 0) warn(`${unreadable} ${unreadable === 1 ? 'line' : 'lines'} of the history cannot be read.`);
  return entries;
}

const show = command({
  name: 'history show',
  summary: 'Show everything about one change',
  description:
    'Shows everything that the history has about one change. It has the names of the fields that were set, never their values; for a run of rows it ' +
    'has the file, its fingerprint and the IDs of up to 1,000 rows that were changed. Reads only, and sends nothing.',
  arguments: {
    change: {
      type: 'string',
      optional: true,
      value: 'ID',
      description: 'ID of the change in iiot history; by default the newest',
    },
  },
  shell: { completes: { change: 'changes' } },
  result: change,
  examples: [
    { line: 'iiot history show', says: 'The latest change' },
    { line: 'iiot history show --jq .requestId', says: 'The request ID, to report a problem' },
  ],
  async run({ change: word }, context) {
    const found = (await entriesOf(context)).find(({ id }) => word === undefined || id === word);
    if (!found)
      throw usage(word === undefined ? 'There are no changes.' : `There is no change ${word}.`, 'See iiot history');
    return { kind: 'record', value: found, id: 'id' };
  },
});

export const commands = [history, show];
