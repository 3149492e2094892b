import { command, type InnerLine, refusals } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { lineOf } from '../command/line.ts';
import { kebab } from '../command/option.ts';
import { placeOfProfile } from '../command/place.ts';
import { globalOptionsOf } from '../command/reach.ts';
import { readText } from '../command/read-file.ts';
import { readSettings, unknownProfile } from '../command/settings.ts';
import { listMarks } from '../command/word.ts';
import { isGuid, isSameId } from '../contract/formats.ts';
import { integer, list, object, text } from '../contract/shared.ts';
import { usage } from '../failure.ts';
import { sameTenant } from '../place.ts';
import { globPattern } from '../text/glob.ts';
import { type EachRun, nouns, runForEach, type Target } from './each-run.ts';

const each = command({
  name: 'each',
  without: { agents: 'runs other commands, also with other profiles', each: 'it runs a command for many itself' },
  shell: {
    ends: {
      ...refusals,
      read_only: 'changes are refused here; nothing was sent',
      channel_validation_failed: 'all of them failed: the platform could not validate the channel',
      partial: 'some of them failed',
      conflict: 'all of them failed with a conflict',
      found: 'none failed, and at least one found something',
    },
    completes: { orgs: 'organizations', profiles: 'profiles' },
  },
  reach: 'platform',
  summary: 'Run a command for many organizations or profiles',
  description:
    'Runs an iiot command for each organization or profile, and prints one result in the given order, with a first field "orgId" or "profile". ' +
    'Failures are reported on stderr and do not stop the others. Options of each go before --, options of the command after it, and ' +
    'options of every command on either side. A change needs --yes, and --confirm-profile for each protected profile; a dry run for all ' +
    'comes first: if one would be refused, nothing is sent. Each runs once, reads no standard input and does not prompt. If all fail in ' +
    'the same way, the exit code is theirs.',
  arguments: { command: text('Command to run', { value: 'COMMAND', repeated: true, behindDashes: 'iiot' }) },
  flags: {
    orgs: { ...list('Organizations, by ID', text('Organization')), value: 'A,B' },
    orgsFile: text('File with an organization ID on each line', { value: 'FILE' }),
    profiles: { ...list("Profiles, by name or as 'plant-*'", text('Profile')), value: 'GLOB' },
    concurrency: integer('Runs at a time', { value: 'N', minimum: 1, maximum: 64, default: 4 }),
  },
  result: list(
    'The results, or their items, one after the other',
    object('The fields of a result or an item, after one of these', {
      orgId: text('Organization'),
      profile: text('Profile'),
    }),
  ),
  examples: {
    'iiot each --orgs-file orgs.txt -- orgs users list --role admin -o csv': 'All administrators',
    "iiot each --profiles 'plant-*' -- devices custom-info set press-0001 line=3 --dry-run":
      'See the requests; write --yes in place of --dry-run to send them',
  },
  async run({ command: inner, concurrency, ...lists }, context) {
    const givenLists = Object.values(lists).filter((list) => list !== undefined);
    if (givenLists.length !== 1) throw usage('Give one of --orgs, --orgs-file and --profiles.', 'See iiot each --help');
    const kind = lists.profiles ? 'profile' : 'org';
    refuseInner(kind, inner, context);
    const names = await readNames(lists, context);
    const distinct = names.filter((name, at) => names.findIndex((other) => isSameId(name, other)) === at);
    const targets = distinct.map((name): Target => {
      const options = { ...context.options, [kind]: name };
      const settings = readSettings(options, context.world.env, () => context.store.readConfig());
      return { name, options, settings };
    });
    if (kind === 'profile' && inner.command.changes) noteSamePlaces(distinct, context);
    const line = (some: readonly string[]): string => {
      const again = { command: inner, [`${kind}s`]: [some.join(',')], concurrency };
      return lineOf(each, again, context.options);
    };
    return runForEach({ inner, kind, targets, concurrency: concurrency ?? 4, line, context });
  },
});

/** @throws usage for a command that `each` does not run, and for an option or variable that would give all of them the same place */
function refuseInner(kind: EachRun['kind'], { command: inner, input }: InnerLine, context: Context): void {
  const line = `iiot ${inner.name}`;
  if (inner.without.each) throw usage(`iiot each does not run ${line}: ${inner.without.each}.`);
  if ('rows' in input) throw usage(`iiot each does not run ${line} with --rows.`, 'Run it once for each file of rows');
  if ('snapshotFile' in input) throw usage(`iiot each does not run ${line} with --snapshot.`, 'Run it once for each');
  if (!globalOptionsOf(inner).some(({ name }) => name === kind))
    throw usage(`${line} does not depend on ${nouns[kind]}.`, `Run it once: ${line}`);
  const { options, world } = context;
  const isProfile = kind === 'profile';
  const typed = (isProfile ? sharedOptions : (['org'] as const)).find((name) => options[name] !== undefined);
  const word = typed ? `--${kebab(typed)}` : isProfile && sharedVariables.find((name) => world.env[name]);
  if (word)
    throw usage(`${word} would be the same for all ${nouns[kind]}.`, `${typed ? 'Leave out' : 'Unset'} ${word}`);
}

/** Says which profiles are for the same place, because a change is then made there several times. */
function noteSamePlaces(names: readonly string[], context: Context): void {
  const places = names.flatMap((name) => placeOfProfile(name, context) ?? []);
  const twinsOf = (place: (typeof places)[number]) =>
    places.filter((each) => sameTenant(each, place) === 'same' && each.org === place.org);
  for (const place of places) {
    const twins = twinsOf(place);
    if (twins.length < 2 || twins[0] !== place) continue;
    const profiles = twins.map(({ profile }) => profile).join(', ');
    context.notice(`Note: profiles ${profiles} are for the same place, where it is done ${twins.length} times.`);
  }
}

const sharedOptions = ['profile', 'baseUrl', 'org'] as const;
const sharedVariables = ['IIOT_TOKEN', 'IIOT_CLIENT_ID', 'IIOT_BASE_URL', 'IIOT_ORG'] as const;

type Lists = {
  readonly orgs?: readonly string[] | undefined;
  readonly orgsFile?: string | undefined;
  readonly profiles?: readonly string[] | undefined;
};

async function readNames({ orgs, orgsFile, profiles = [] }: Lists, context: Context): Promise<readonly string[]> {
  if (orgsFile !== undefined) {
    const lines = (await readText(orgsFile, '--orgs-file', context)).split('\n').map((line) => line.trim());
    const isEntry = (line: string) => line !== '' && !line.startsWith('#');
    const names = lines.filter(isEntry);
    const wrong = [...lines.entries()].filter(([, line]) => isEntry(line) && !isGuid(line) && /[\s,;"'/]/.test(line));
    const places = wrong.slice(0, 20).map(([at, line]) => `line ${at + 1} (${JSON.stringify(line.slice(0, 80))})`);
    if (places.length > 0)
      throw usage(
        `${orgsFile} has no organization ID on ${places.join(', ')}.`,
        'Write one ID per line; blank lines, and those that begin with #, are skipped',
      );
    if (names.length === 0) throw usage(`--orgs-file ${orgsFile} names no organization.`);
    return names;
  }
  const parts = (orgs ?? profiles).flatMap((word) => word.split(listMarks).map((part) => part.trim()));
  if (parts.includes('')) throw usage('--orgs and --profiles take names, separated by commas.');
  if (orgs) return parts;
  const config = context.store.readConfig();
  const profileNames = Object.keys(config.profiles);
  return parts.flatMap((glob) => {
    const found = profileNames.filter((name) => globPattern(glob).test(name));
    if (found.length === 0) throw unknownProfile(glob, config, '--profiles');
    return found;
  });
}

export const commands = [each];
