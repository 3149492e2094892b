import { command } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { Failure } from '../../failure.ts';
import { writeWhole } from '../../files/private-file.ts';
import { wrapWords } from '../../output/text-width.ts';
import { thingsToTry } from '../../sandbox/world/things-to-try.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import { type IsolatedRun, withIsolation } from './isolation.ts';

/** A sentence, a command without `iiot` whose words are separated by spaces, and further words, which may contain spaces. */
type TourStep = readonly [says: string, line: string, ...words: readonly string[]];

const { client } = thingsToTry;
const [admin] = thingsToTry.accounts;
const [policy] = thingsToTry.policies;
const [, line7] = thingsToTry.organizations;
const nightly = '0 0 2 ? * MON-FRI';
const fromInput = '--password-stdin';

const fleet = { name: 'fleet.csv', text: 'deviceId,line,owner\npress-0001,3,Night shift\npress-0002,4,\n' };

/** The commands of the tour, in an order in which each has what it needs. The tour can pause between two groups. */
const tourGroups: readonly (readonly TourStep[])[] = [
  [
    [
      'Log in as a person. Here the password comes from standard input; at a terminal you are asked for it.',
      `login --account ${admin.account} ${fromInput}`,
    ],
    ['Show who is logged in. --check asks the platform, too.', 'login status --check'],
    ['The login is saved in a profile.', 'profiles list'],
    ['Check the setup and the connection.', 'doctor'],
  ],
  [
    ['List the first five users of the organization.', 'orgs users list --limit 5'],
    ['Count its admins with jq, which is built in.', 'orgs users list --role admin --jq length'],
  ],
  [
    [
      "Change a device's custom information. A dry run first: it sends nothing.",
      'devices custom-info set press-0001 line=3',
      ...['owner=Night shift', '--dry-run'],
    ],
    ['Now for real.', 'devices custom-info set press-0001 line=3', 'owner=Night shift'],
    [
      `Do the same for many devices, from a file: ${fleet.name} has two rows.`,
      `devices custom-info import ${fleet.name} --yes`,
    ],
  ],
  [
    ['Change an alert policy. Only the given fields change.', `policies update ${policy.id} --delay 5m`],
    ['List notification templates for email.', 'templates list --channel-type email --limit 3'],
    ['Give one of them a new subject.', 'templates update template_001 --subject', ...['Line 3 is hot', '-o', 'json']],
    ['Turn a channel off.', 'channels update channel_email --disabled -o json'],
  ],
  [
    ['Explain a Quartz cron expression.', 'batches cron', nightly],
    [
      'Create a batch with it.',
      'batches create --name',
      ...['Nightly report', '--cron', nightly, '--enabled', '--no-run-on-startup'],
    ],
  ],
  [
    ['List client credentials, which machines log in with.', 'credentials list'],
    [
      'Create one. Its secret is shown once; here it goes into a file that only you can read.',
      'credentials create --name',
      ...['Line 3', '--expires', '90d', '--secret-file', 'line-3.secret'],
    ],
    [
      'Replace an old one. Its successor is tried before the old one is deleted.',
      `credentials rotate ${client.clientCredentialId} --secret-file machine.secret --yes`,
    ],
  ],
  [
    ['Call any operation of the platform by its path.', 'api /api/v1/oauth2/client-credentials --jq length'],
    ['List what was changed from this machine.', 'history'],
    ['Renew the login. This also happens automatically.', 'login refresh'],
    ['Delete an organization. Its name must be given, too.', `orgs delete ${line7.id} --org-name`, line7.name],
    ['Log out.', 'logout'],
  ],
];

export const tour = command({
  name: 'sandbox tour',
  without: { agents: 'starts other programs', formats: true },
  reach: 'machine',
  summary: 'See every group of commands at work',
  description:
    'Starts an embedded platform, shows and runs commands of every group against it, and stops it. It uses a separate folder and leaves nothing ' +
    'behind. At a terminal it pauses between the groups: Enter continues, Ctrl-C stops it.',
  flags: { noPause: { type: 'boolean', description: 'Do not pause between the groups' } },
  examples: {
    'iiot sandbox tour': 'At your own pace',
    'iiot sandbox tour --no-pause': 'Without a pause, in a minute',
  },
  async run({ noPause }, context) {
    const pause = noPause ? undefined : await openPause(context);
    const { openSandbox } = await import('./open.ts');
    const sandbox = await openSandbox({}, context);
    const act = async (inside: IsolatedRun) => {
      writeWhole(`${inside.folder}/${fleet.name}`, fleet.text);
      for (const [number, steps] of tourGroups.entries()) {
        if (number > 0) await pause?.();
        for (const step of steps) await play(step, inside, context);
      }
    };
    // The machine's variables would take precedence over the person's login that the tour shows.
    await withIsolation(sandbox.url, context.world, act, true).finally(sandbox.close);
    context.warn('That was the tour. Log in to your own platform with: iiot login --base-url URL');
    return undefined;
  },
});

/** Returns a function that waits for Enter; undefined without a terminal. */
async function openPause({ world, person }: Context): Promise<(() => Promise<void>) | undefined> {
  const { canAnswer, pause } = await person();
  return canAnswer && world.stdout.isTTY === true ? () => pause('Press Enter to continue') : undefined;
}

async function play([says, line, ...more]: TourStep, { run }: IsolatedRun, { world, warn }: Context): Promise<void> {
  const words = [...line.split(' '), ...more];
  for (const part of wrapWords(says, (world.stderr.columns || Number.POSITIVE_INFINITY) - 2)) warn(`# ${part}`);
  warn(`$ iiot ${words.map((word) => quoteForShell(word)).join(' ')}`);
  const exit = await run(['iiot', ...words], words.includes(fromInput) ? { input: `${admin.password}\n` } : {});
  if (world.interrupt.aborted) throw world.interrupt.reason;
  if (exit !== 0) throw new Failure('internal', `The tour stopped at: iiot ${words.join(' ')} (exit code ${exit}).`);
  warn('');
}
