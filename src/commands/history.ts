import { command } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { readTime } from '../command/time.ts';
import type { Schema } from '../contract/schema.ts';
import { usage } from '../failure.ts';
import { onePage } from '../output/pages.ts';
import { readHistory } from '../store/history.ts';
import { globPattern } from '../text/glob.ts';
import { limitOf, listFlags } from './list.ts';

const fields = {
  number: 'Counted from the newest of all, for iiot history show',
  at: 'When, in UTC',
  profile: 'Profile in use',
  as: 'Account or client ID; null if it was not known',
  baseUrl: 'Platform',
  orgId: 'Organization; null for what belongs to none',
  operation: 'Operation',
  about: 'What was changed',
  fields: 'Names of the fields or keys that it set, never their values; "…" stands for more than twenty',
  outcome: 'One of done, failed, unknown (it may have been applied) and partial',
  status: "Status of the platform's response",
  error: 'Kind of failure, as error.code',
  requestId: "The platform's ID of the request",
} as const;

/** "channels.update" says that "channel_email" is a channel. */
const nounOfOperation = /^(alert policy|batch|channel|client credential|device|organization|template) (?=.)/;

const described = Object.entries(fields).map(([name, description]) => [name, { description }] as const);
const change: Schema = { type: 'object', description: 'A change', properties: Object.fromEntries(described) };
const outcomes = ['done', 'failed', 'unknown', 'partial'] as const;

const history = command({
  name: 'history',
  alone: 'it shows the changes of all profiles',
  summary: 'Show what this machine has changed',
  description:
    'Shows the changes made from this machine with this configuration folder, newest first: when, with which profile, as whom, what was ' +
    'changed, the names of the fields that were set, and how the platform answered. It holds no values and no secrets. About the newest five thousand are kept. The profile key history=false ' +
    'switches it off. With --profile, only the changes with that profile are shown. Reads only, and sends nothing.',
  flags: {
    since: {
      type: 'string',
      value: 'DURATION|TIME',
      description: 'Only changes since a time or a date (in UTC), or within a duration such as 7d',
    },
    operation: { type: 'string', value: 'GLOB', description: "Only these operations, such as 'credentials.*'" },
    outcome: { type: 'string', enum: outcomes, description: 'Only changes that ended so' },
    ...listFlags,
  },
  result: { type: 'array', description: 'The changes, the newest first', items: change },
  examples: [
    { line: 'iiot history --since 7d', says: 'Who did that?' },
    {
      line: `iiot history --all --jq 'map(select(.outcome != "done"))'`,
      says: 'What failed, or may have been applied',
    },
  ],
  async run({ since: word, operation = '**', outcome, ...input }, context) {
    const limit = limitOf(input);
    const { world, notice, options } = context;
    const since = word === undefined ? undefined : readTime(word, '--since', world.now(), -1, notice);
    const pattern = globPattern(operation);
    const selected = numbered(context).filter(
      (entry) =>
        (since === undefined || Date.parse(entry.at) >= since) &&
        (options.profile === undefined || entry.profile === options.profile) &&
        (outcome === undefined || entry.outcome === outcome) &&
        pattern.test(entry.operation),
    );
    return {
      kind: 'list',
      pages: onePage(selected.slice(0, limit), selected.length),
      id: 'requestId',
      noun: 'changes',
      empty: 'No changes found.',
      fields: Object.keys(fields),
      columns: [
        { field: 'at', header: 'AT', keep: 'whole', shows: 'time' },
        { field: 'profile', header: 'PROFILE', dropOrder: 3 },
        { field: 'as', header: 'AS', dropOrder: 2 },
        { field: 'operation', header: 'OPERATION', keep: 'whole' },
        { field: 'about', header: 'ABOUT', keep: 'long', omits: nounOfOperation },
        { field: 'outcome', header: 'OUTCOME', keep: 'whole' },
        { field: 'status', header: 'STATUS', dropOrder: 1 },
        { field: 'fields', header: 'FIELDS', dropOrder: 4 },
        { field: 'number', header: 'N', keep: 'whole' },
      ],
    };
  },
});

/** The newest is 1. */
function numbered({ store, warn }: Context) {
  const { entries, unreadable } = readHistory(store.folder);
  if (unreadable > 0) warn(`${unreadable} ${unreadable === 1 ? 'line' : 'lines'} of the history cannot be read.`);
  return entries.map((entry, index) => ({ ...entry, number: index + 1 }));
}

const show = command({
  name: 'history show',
  summary: 'Show everything of one change',
  description:
    'Shows everything that the history has of one change: N counts from the newest, 1, as in iiot history. It has the names of the fields that ' +
    'were set, never their values. Reads only, and sends nothing.',
  arguments: {
    number: { type: 'integer', minimum: 1, value: 'N', description: 'Number of the change in iiot history' },
  },
  result: change,
  examples: [
    { line: 'iiot history show 1', says: 'The latest change' },
    { line: 'iiot history show 1 --jq .requestId', says: 'What the operator of the platform asks for' },
  ],
  async run({ number }, context) {
    const entries = numbered(context);
    const found = entries.find((entry) => String(entry.number) === number);
    const count = entries.length === 1 ? '1 change' : `${entries.length} changes`;
    if (!found) throw usage(`There is no change ${number}: the history has ${count}.`, 'See iiot history --all');
    return { kind: 'record', value: found, id: 'requestId' };
  },
});

export const commands = [history, show];
