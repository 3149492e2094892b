import { expect, it } from 'vitest';
import {
  type Attempt,
  beginDoubtful,
  type doubtfulPlatform,
  type Fault,
  faults,
  historyOf,
} from '../support/doubtful.ts';
import { wordsOf } from '../support/words.ts';

type Platform = Awaited<ReturnType<typeof doubtfulPlatform>>;

/** What follows the name of a change, and how the platform itself knows that it was applied. */
type Change = readonly [line: string, isApplied: (state: Platform['state']) => boolean];

const isSent: Change[1] = ({ applied }) => applied.length > 0;
const changes = {
  'devices custom-info set': ['press-1 line=3', isSent],
  'policies update': ['22222222-2222-4222-8222-222222222222 --delay 5', isSent],
  'channels update': ['channel_1 --disabled', isSent],
  'templates update': ['template_1 --subject new', ({ template }) => template.subject === 'new'],
  'orgs delete': ["11111111-1111-4111-8111-111111111111 --org-name 'Line 3'", (state) => !state.organization],
  'batches create': [
    "--name n --cron '0 0 2 * * ?' --enabled --no-run-on-startup",
    ({ batches }) => batches.length > 0,
  ],
  'credentials create': ['--name a --scope read', ({ credentials }) => credentials.some(({ name }) => name === 'a')],
  'credentials delete': ['credential_old --yes', ({ credentials }) => !credentials.some(({ name }) => name === 'old')],
} satisfies Record<string, Change>;
type Name = keyof typeof changes;

/** Runs a change against a platform with such responses, and gives what it told and what became of it. */
async function run(name: Name, fault: Fault, plan: readonly Attempt[], isLasting: boolean) {
  const { platform, state, someone } = await beginDoubtful(plan, isLasting);
  try {
    const [line, isApplied] = changes[name];
    const ended = await someone.iiot(wordsOf(`${name} ${line} -o json --retries 2`));
    const ofHistory = name.replace('custom-info', 'customInfo').replaceAll(' ', '.');
    const own = (await historyOf(someone)).find(({ operation }) => operation === ofHistory);
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

/** Whether each attempt is applied, and whether the last one stays. */
const patterns: readonly (readonly [string, readonly boolean[], boolean])[] = [
  ['always', [true], true],
  ['once, applied', [true], false],
  ['once, not applied', [false], false],
  ['twice, and only the first is applied', [true, false], false],
  ['twice, and only the second is applied', [false, true], false],
  ['always, but only the first is applied', [true, false], true],
];

it.each(patterns)(
  'no change is reported wrongly if a fault comes %s',
  { timeout: minutes },
  async (_, plan, isLasting) => {
    const planOf = (fault: Fault) => plan.map((applies) => ({ fault, applies }));
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
