import { command } from '../command/command.ts';
import { readTime } from '../command/time.ts';
import { onePage } from '../output/pages.ts';
import { readHistory } from '../store/history.ts';
import { limitOf, listFlags } from './list.ts';

const fields = {
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

const history = command({
  name: 'history',
  alone: 'it shows the changes of all profiles',
  summary: 'Show what this machine has changed',
  description:
    'Shows the changes made from this machine with this configuration folder, newest first: when, with which profile, as whom, what was ' +
    'changed, the names of the fields that were set, and how the platform answered. It holds no values and no secrets. About the newest five thousand are kept. The profile key history=false ' +
    'switches it off. Reads only, and sends nothing.',
  flags: {
    since: {
      type: 'string',
      value: 'DURATION|TIME',
      description: 'Only changes since a time, or within a duration such as 7d',
    },
    ...listFlags,
  },
  result: {
    type: 'array',
    description: 'The changes, the newest first',
    items: { type: 'object', description: 'A change', properties: Object.fromEntries(described) },
  },
  examples: [
    { line: 'iiot history --since 7d', says: 'Who did that?' },
    {
      line: `iiot history --all --jq 'map(select(.outcome != "done"))'`,
      says: 'What failed, or may have been applied',
    },
  ],
  async run(input, { store, world, warn }) {
    const limit = limitOf(input);
    const since = input.since === undefined ? undefined : readTime(input.since, '--since', world.now(), -1);
    const { entries, unreadable } = readHistory(store.folder);
    const selected = since === undefined ? entries : entries.filter(({ at }) => Date.parse(at) >= since);
    if (unreadable > 0) warn(`${unreadable} ${unreadable === 1 ? 'line' : 'lines'} of the history cannot be read.`);
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
      ],
    };
  },
});

export const commands = [history];
