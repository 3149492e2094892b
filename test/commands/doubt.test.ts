import { expect, it } from 'vitest';
import {
  type Attempt,
  beginDoubtful,
  type doubtfulPlatform,
  type Fault,
  faults,
  historyOf,
} from '../support/doubtful.ts';

type Platform = Awaited<ReturnType<typeof doubtfulPlatform>>;
const org = '11111111-1111-4111-8111-111111111111';
const policy = '22222222-2222-4222-8222-222222222222';

/** A change, and how the platform itself knows that it was applied. */
type Change = { readonly words: readonly string[]; readonly isApplied: (state: Platform['state']) => boolean };

const changes = {
  'devices custom-info set': {
    words: ['devices', 'custom-info', 'set', 'press-1', 'line=3'],
    isApplied: ({ applied }) => applied.length > 0,
  },
  'policies update': {
    words: ['policies', 'update', policy, '--delay', '5'],
    isApplied: ({ applied }) => applied.length > 0,
  },
  'channels update': {
    words: ['channels', 'update', 'channel_1', '--disabled'],
    isApplied: ({ applied }) => applied.length > 0,
  },
  'templates update': {
    words: ['templates', 'update', 'template_1', '--subject', 'new'],
    isApplied: ({ template }) => template.subject === 'new',
  },
  'orgs delete': { words: ['orgs', 'delete', org, '--org-name', 'Line 3'], isApplied: (state) => !state.organization },
  'batches create': {
    words: ['batches', 'create', '--name', 'n', '--cron', '0 0 2 * * ?', '--enabled', '--no-run-on-startup'],
    isApplied: ({ batches }) => batches.length > 0,
  },
  'credentials create': {
    words: ['credentials', 'create', '--name', 'a', '--scope', 'read'],
    isApplied: ({ credentials }) => credentials.some(({ name }) => name === 'a'),
  },
  'credentials delete': {
    words: ['credentials', 'delete', 'credential_old', '--yes'],
    isApplied: ({ credentials }) => !credentials.some(({ name }) => name === 'old'),
  },
} satisfies Record<string, Change>;
type Name = keyof typeof changes;

const operations: Readonly<Record<Name, string>> = {
  'devices custom-info set': 'devices.customInfo.set',
  'policies update': 'policies.update',
  'channels update': 'channels.update',
  'templates update': 'templates.update',
  'orgs delete': 'orgs.delete',
  'batches create': 'batches.create',
  'credentials create': 'credentials.create',
  'credentials delete': 'credentials.delete',
};

/** Runs a change against a platform with such responses, and gives what it told and what became of it. */
async function run(name: Name, fault: Fault, plan: readonly Attempt[], isLasting: boolean) {
  const { platform, state, someone } = await beginDoubtful(plan, isLasting);
  try {
    const { words, isApplied } = changes[name];
    const ended = await someone.iiot([...words, '-o', 'json', '--retries', '2']);
    const own = (await historyOf(someone)).find(({ operation }) => operation === operations[name]);
    return { name, fault, ...ended, state, own, isApplied: isApplied(state) };
  } finally {
    await platform.close();
    someone.leave();
  }
}

const names = Object.keys(changes) as Name[]; // its own names
const everyFault = Object.keys(faults) as Fault[]; // the same

/** All changes with all faults at once: each waits for what may be late. */
const runAll = (planOf: (fault: Fault) => readonly Attempt[], isLasting: boolean) =>
  Promise.all(names.flatMap((name) => everyFault.map((fault) => run(name, fault, planOf(fault), isLasting))));

/**
 * What a change that no attempt has applied comes to, as long as each attempt meets the same: how often it is sent, whether it is looked up, and its
 * outcome in the history. "Repeated requests" of docs/contract.md, fault by fault.
 */
// biome-ignore format: a table
const told: Readonly<Record<Fault, string>> = {
  //                           devices custom-info set | policies update | channels update | templates update | orgs delete      | batches create | credentials create | credentials delete
  'lost':                       '3 unknown               | 1 unknown       | 1 unknown       | 1 looked failed  | 3 looked failed  | 3 unknown      | 3 looked failed    | 3 looked failed',
  '202':                        '1 unknown               | 1 unknown       | 1 unknown       | 1 looked unknown | 1 looked unknown | 1 unknown      | 1 looked unknown   | 1 looked unknown',
  '408':                        '3 unknown               | 1 unknown       | 1 unknown       | 1 looked unknown | 3 looked unknown | 3 unknown      | 3 looked unknown   | 3 looked unknown',
  '429':                        '3 failed                | 3 failed        | 3 failed        | 3 failed         | 3 failed         | 3 failed       | 3 looked failed    | 3 failed',
  '500':                        '3 unknown               | 1 unknown       | 1 unknown       | 1 looked failed  | 3 looked failed  | 3 unknown      | 3 looked failed    | 3 looked failed',
  '502':                        '3 unknown               | 1 unknown       | 1 unknown       | 1 looked failed  | 3 looked failed  | 3 unknown      | 3 looked failed    | 3 looked failed',
  '503 bare':                   '3 unknown               | 3 unknown       | 1 unknown       | 3 looked failed  | 3 looked failed  | 3 unknown      | 3 looked failed    | 3 looked failed',
  '503 with Retry-After':       '3 failed                | 3 failed        | 3 failed        | 3 failed         | 3 failed         | 3 failed       | 3 looked failed    | 3 failed',
  '503 with an error':          '3 unknown               | 1 unknown       | 1 failed        | 1 looked failed  | 3 looked failed  | 3 unknown      | 3 looked failed    | 3 looked failed',
  '504':                        '3 unknown               | 1 unknown       | 1 unknown       | 1 looked unknown | 3 looked unknown | 3 unknown      | 3 looked unknown   | 3 looked unknown',
  'the challenge of a firewall':'1 unknown               | 1 unknown       | 1 unknown       | 1 looked failed  | 1 looked failed  | 1 unknown      | 1 looked failed    | 1 looked failed',
  'a page with 200':            '1 unknown               | 1 unknown       | 1 unknown       | 1 looked failed  | 1 looked failed  | 1 unknown      | 1 looked failed    | 1 looked failed',
  'a page with 204':            '1 unknown               | 1 unknown       | 1 unknown       | 1 looked failed  | 1 looked failed  | 1 unknown      | 1 looked failed    | 1 looked failed',
};

const minutes = 300_000;

it('a change is repeated, looked up and reported as the contract says', { timeout: minutes }, async () => {
  const seen = await runAll((fault) => [{ fault, applies: false }], true);
  const rows = everyFault.map((fault) => [
    fault,
    seen
      .filter((each) => each.fault === fault)
      .map(({ state, exit, own }) => {
        const sent = state.requests.filter((each) => !each.startsWith('GET')).length;
        return `${sent} ${own?.looked ? 'looked ' : ''}${own?.outcome}${exit === 8 ? '' : `, ${exit}`}`;
      }),
  ]);
  const cells = ([fault, row]: [string, string]) => [fault, row.split('|').map((cell) => cell.trim())];
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(Object.entries(told).map(cells)));
});

/** "429 and 503 with Retry-After say that nothing was done"; of a channel's 503 with an error, the interface says so. */
function isVerdict(name: Name, fault: Fault): boolean {
  return (
    ['429', '503 with Retry-After'].includes(fault) || (name === 'channels update' && fault === '503 with an error')
  );
}

const patterns: readonly (readonly [string, (fault: Fault) => readonly Attempt[], boolean])[] = [
  ['always', (fault) => [{ fault, applies: true }], true],
  ['once, applied', (fault) => [{ fault, applies: true }], false],
  ['once, not applied', (fault) => [{ fault, applies: false }], false],
  [
    'twice, and only the first is applied',
    (fault) => [
      { fault, applies: true },
      { fault, applies: false },
    ],
    false,
  ],
  [
    'twice, and only the second is applied',
    (fault) => [
      { fault, applies: false },
      { fault, applies: true },
    ],
    false,
  ],
  [
    'always, but only the first is applied',
    (fault) => [
      { fault, applies: true },
      { fault, applies: false },
    ],
    true,
  ],
];

it.each(patterns)(
  'no change is reported wrongly if a fault comes %s',
  { timeout: minutes },
  async (_, planOf, isLasting) => {
    for (const { name, fault, exit, stdout, stderr, own, isApplied, state } of await runAll(planOf, isLasting)) {
      const what = `${name}, ${fault}: ${exit} ${JSON.stringify(own)}\n${stdout}${stderr}\n${state.requests.join('\n')}`;
      const isVague = isVerdict(name, fault) && name !== 'credentials create';
      if (exit === 0) expect(own?.outcome, what).toBe('done');
      if (own?.outcome === 'done') expect(isApplied, what).toBe(true);
      if (own?.outcome === 'failed' && !isVague) expect(isApplied, what).toBe(false);
      if (name !== 'credentials create') continue;
      const live = state.credentials.filter((each) => each.name === 'a').map((each) => String(each.clientCredentialId));
      expect(live.length, what).toBeLessThanOrEqual(1);
      if (exit === 0) expect(stdout, what).toContain(`secret-of-${live[0]}`);
      for (const id of live) expect(exit === 0 ? stdout : stderr, what).toContain(id);
    }
  },
);
