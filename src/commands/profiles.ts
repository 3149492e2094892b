import { wrongPlaceFailure } from '../auth/login-place.ts';
import { busyFailure, command } from '../command/command.ts';
import { ask, guardProfile } from '../command/confirm.ts';
import { isForProgram } from '../command/perform.ts';
import { readProfileValues } from '../command/profile-keys.ts';
import { unknownProfile } from '../command/settings.ts';
import type { Schema } from '../contract/schema.ts';
import { boolean, record, text } from '../contract/shared.ts';
import { usage } from '../failure.ts';
import type { Result } from '../output/result.ts';
import { changedProfile, checkProfileName, type Profile, profileFields } from '../store/config.ts';
import { capitalized } from '../text/capitalized.ts';
import type { JsonRecord } from '../text/record.ts';
import { listProfiles, name, show } from './profiles-show.ts';

function doneResult(name: string, value: object, sentence: string): Result {
  return { kind: 'done', value: { name, ...value }, sentence, id: 'name' };
}

/** The result of `profiles set`, `use`, `rename` and `delete`: the name, and what was done. */
function profileSchema(description: string, done: Schemas): Schema {
  return record(description, { name: text('Name'), ...done });
}

type Schemas = Readonly<Record<string, Schema>>;

/** The values of a profile: null where there is none. */
const values: Schemas = Object.fromEntries(
  Object.entries(profileFields).map(([key, { description }]) => [key, { description }]),
);
const noValues = Object.fromEntries(Object.keys(values).map((key) => [key, null]));

const typedByPerson = 'the person decides which platform is used';

/** Every key with its text in help, and its values if only some are possible. */
const keys = Object.entries(profileFields).map(([key, schema]) => {
  const values = schema.type === 'boolean' ? ['true', 'false'] : 'enum' in schema ? schema.enum : undefined;
  const choices = values && ` (${values.join(schema.type === 'boolean' ? ' or ' : ', ')})`;
  return { key, values, explained: `${schema.description}${choices ?? ''}` };
});

const set = command({
  name: 'profiles set',
  without: { agents: typedByPerson },
  shell: {
    ends: busyFailure,
    keys: Object.fromEntries(keys.map(({ key, explained }) => [key, explained])),
    completes: {
      name: 'profiles',
      pairs: keys.flatMap(({ key, values = [''] }) => values.map((each) => `${key}=${each}`)),
    },
  },
  summary: 'Set values of a profile',
  description:
    'Sets values of a profile, and creates the profile if there is none. KEY= unsets a value. A secretCommand is run only on the machine where ' +
    'you have set it.',
  arguments: { name, pairs: text('Key and value', { value: 'KEY=VALUE', optional: true, repeated: true }) },
  examples: {
    'iiot profiles set default org=11111111-1111-4111-8111-111111111111': 'Use this organization without --org',
    'iiot profiles set plant protected=true': 'Ask before every change',
    'iiot profiles set plant label=PRODUCTION color=red': 'Show in every question where you are',
  },
  result: profileSchema('The profile as it is now, with null for what is not set', values),
  async run(input, context) {
    const { store } = context;
    checkProfileName(input.name);
    const { pairs = [] } = input;
    if (pairs.length === 0) throw usage('iiot profiles set needs KEY=VALUE.', 'See iiot profiles set --help');
    const changes = readProfileValues(pairs);
    if (context.options.readOnly)
      throw usage(
        '--read-only applies only to this command.',
        `To keep it: iiot profiles set ${input.name} readOnly=true`,
      );
    const { [input.name]: before } = store.readConfig().profiles;
    const isBound = (changes.baseUrl ?? before?.baseUrl) !== undefined;
    // A secretCommand runs only for the platform that it was set for.
    if (changes.secretCommand !== undefined && !isBound) {
      const hint = 'Give baseUrl=URL in the same command';
      throw usage('A secretCommand belongs to a platform, but this profile has none.', hint);
    }
    const say = await guardProfile(input.name, `Set ${pairs.join(' ')}`, { values: changes }, context);
    if (changes.secretCommand !== undefined) await store.allowCommand(changedProfile(before, changes));
    const { profiles } = await store.changeConfig((config) => {
      const { [input.name]: before, ...others } = config.profiles;
      return { ...config, profiles: { ...others, [input.name]: changedProfile(before, changes) } };
    });
    say();
    const login = store.readLogin(input.name);
    const elsewhere = login && wrongPlaceFailure(login, loginSettings(input.name, profiles[input.name]));
    if (elsewhere) context.warn(`${elsewhere.message} ${elsewhere.facts.hint}`);
    const shown = Object.entries(profiles[input.name] ?? {}).filter(([key]) => Object.hasOwn(noValues, key));
    return doneResult(input.name, { ...noValues, ...Object.fromEntries(shown) }, sentenceFor(input.name, changes));
  },
});

function loginSettings(profile: string, { baseUrl: base, tenant, account }: Profile = {}) {
  return { profile, base, tenant: tenant ? { value: tenant, from: `profile ${profile}` } : undefined, account };
}

/** "Set org and unset output of profile plant; it is no longer protected". Switches are shown with their values. */
function sentenceFor(name: string, changes: JsonRecord): string {
  const { protected: isProtected, ...others } = changes;
  const keys = (verb: string, wanted: (value: unknown) => boolean) => {
    const matching = Object.entries(others).filter(([, value]) => wanted(value));
    const words = matching.map(([key, value]) => (typeof value === 'boolean' ? `${key}=${value}` : key));
    return words.length === 0 ? [] : [`${verb} ${words.join(', ')}`];
  };
  const done = [...keys('set', (value) => value !== undefined), ...keys('unset', (value) => value === undefined)];
  const protection = `is ${isProtected === true ? 'now' : 'no longer'} protected`;
  if (done.length === 0) return `Profile ${name} ${protection}`;
  const sentence = `${capitalized(done.join(' and '))} of profile ${name}`;
  return Object.hasOwn(changes, 'protected') ? `${sentence}; it ${protection}` : sentence;
}

const use = command({
  name: 'profiles use',
  without: { agents: typedByPerson },
  shell: { ends: busyFailure, completes: { name: 'profiles' } },
  summary: 'Choose the profile to use from now on',
  description: 'Makes a profile the one that commands use unless --profile or IIOT_PROFILE names another.',
  arguments: { name },
  examples: {
    'iiot profiles use plant': 'From now on',
    'iiot profiles use default': 'Switch back',
  },
  result: profileSchema('The profile in use', { current: boolean('True') }),
  async run(input, context) {
    const { store, world, warn, notice } = context;
    checkProfileName(input.name);
    let before = input.name;
    await store.changeConfig((config) => {
      before = config.current;
      // The profile `default` always exists, even if nothing is set in it.
      if (input.name !== 'default' && !Object.hasOwn(config.profiles, input.name))
        throw unknownProfile(input.name, config);
      return { ...config, current: input.name };
    });
    const { IIOT_PROFILE: named } = world.env;
    if (named && named !== input.name)
      warn(`In this shell, IIOT_PROFILE still makes commands use profile ${named}. To end that: unset IIOT_PROFILE`);
    if (before !== input.name && !isForProgram(context))
      notice(
        `Scripts and other sessions of this account that name no profile use ${input.name} now. Where people share the account, set IIOT_PROFILE in each session.`,
      );
    return doneResult(input.name, { current: true }, `Using profile ${input.name}`);
  },
});

const remove = command({
  name: 'profiles delete',
  without: { agents: typedByPerson },
  shell: { ends: busyFailure, completes: { name: 'profiles' } },
  summary: 'Delete a profile and its login',
  description:
    'Removes a profile and its tokens and secrets from this machine. The platform is not notified. This cannot be undone.',
  arguments: { name },
  examples: {
    'iiot profiles delete robot': 'Asks first if it has a login',
    'iiot profiles delete robot --yes': 'From a script',
  },
  result: profileSchema('What was deleted', { deleted: boolean('True') }),
  async run(input, context) {
    const { store, options } = context;
    checkProfileName(input.name);
    const config = store.readConfig();
    const login = store.readLogin(input.name);
    if (!Object.hasOwn(config.profiles, input.name) && !login) throw unknownProfile(input.name, config);
    await guardProfile(input.name, 'Delete it', { isRemoved: true }, context);
    if (login && !options.yes) {
      const person = await context.person();
      if (!person.canAnswer)
        throw usage(`Profile ${input.name} has a login; cannot prompt: ${person.obstacle}.`, 'Confirm with --yes');
      await ask(`Delete profile ${input.name} and its login?`, context);
    }
    await store.forgetLogin(input.name);
    await store.changeConfig((config) => {
      const { [input.name]: _gone, ...others } = config.profiles;
      return { ...config, current: config.current === input.name ? 'default' : config.current, profiles: others };
    });
    return doneResult(input.name, { deleted: true }, `Deleted profile ${input.name}`);
  },
});

const rename = command({
  name: 'profiles rename',
  without: { agents: typedByPerson },
  shell: { ends: busyFailure, completes: { name: 'profiles' } },
  summary: 'Give a profile another name',
  description:
    'Gives a profile another name. It keeps its values and its login, and stays in use if it was. Change the name yourself in ' +
    'IIOT_PROFILE and in scripts; what is running goes on, and the history keeps the old name.',
  arguments: { name, newName: text('New name', { value: 'NEW' }) },
  examples: {
    'iiot profiles rename plant plant-berlin': 'Make room for another plant',
    'iiot profiles rename default plant': 'Name what the first login set up',
  },
  result: profileSchema('The profile', { previousName: text('Its old name') }),
  async run({ name: old, newName }, context) {
    const { store, world } = context;
    for (const each of [old, newName]) checkProfileName(each);
    const config = store.readConfig();
    const login = store.readLogin(old);
    const otherLogin = store.readLogin(newName);
    if (!Object.hasOwn(config.profiles, old) && !login) throw unknownProfile(old, config);
    // A login without a profile is left over from a renaming that was killed. It is used if the old name has no login.
    if (Object.hasOwn(config.profiles, newName) || (otherLogin && login))
      throw usage(`Profile "${newName}" already exists.`, `Choose another name, or: iiot profiles delete ${newName}`);
    await guardProfile(old, `Rename it to ${newName}`, { isRemoved: true }, context);
    // A login that is being renewed must keep its name until then.
    await store.withLock(old, () => store.renameLogin(old, newName), { wait: renewalTime, signal: world.interrupt });
    const nameOf = (each: string) => (each === old ? newName : each);
    await store.changeConfig((config) => ({
      ...config,
      current: nameOf(config.current),
      profiles: Object.fromEntries(Object.entries(config.profiles).map(([each, profile]) => [nameOf(each), profile])),
    }));
    if (!isForProgram(context))
      context.notice(`Scripts and IIOT_PROFILE that name ${old} find no profile any more; what is running goes on.`);
    return doneResult(newName, { previousName: old }, `Renamed profile ${old} to ${newName}`);
  },
});

/** How long another process may take to renew the login, in milliseconds. */
const renewalTime = 90_000;

export const commands = [listProfiles, show, set, use, rename, remove];
