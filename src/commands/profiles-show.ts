import { command } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { isForProgram } from '../command/perform.ts';
import { settingNames, unknownProfile } from '../command/settings.ts';
import { boolean, list, object, record, text, textOrNull } from '../contract/shared.ts';
import { asFailure } from '../failure.ts';
import { onePage } from '../output/pages.ts';
import { profileFields } from '../store/config.ts';
import type { Credentials } from '../store/credentials.ts';

export const name = text('Profile', { value: 'NAME', insteadOf: 'profile' });

const profile = record('A profile', {
  name: text('Name'),
  current: boolean('Whether it is the one in use'),
  baseUrl: textOrNull('Address of its platform'),
  org: textOrNull('Its organization'),
  protected: boolean('Whether it asks before every change'),
  readOnly: boolean('Whether it refuses every change'),
  label: textOrNull('What is shown with every question'),
  tenant: textOrNull('Its tenant'),
  account: textOrNull('The account that logs in'),
  flow: textOrNull('How it is logged in, user or m2m; null if it is not'),
});

export const listProfiles = command({
  name: 'profiles list',
  without: { each: 'it lists all profiles' },
  summary: 'List the profiles',
  description:
    'Lists the profiles of this machine: the platform of each, and which one is in use. Secrets are not shown.',
  examples: {
    'iiot profiles list': 'All of them',
    'iiot profiles list -o id': 'Names for a script',
  },
  result: list('The profiles', profile),
  async run(_, context) {
    const { store, settings } = context;
    const { profiles } = store.readConfig();
    const logins = readLoginsIfPossible(context);
    const items = Object.entries(profiles).map(([each, profile]) => ({
      name: each,
      current: each === settings.profile.value,
      baseUrl: profile.baseUrl ?? null,
      org: profile.org ?? null,
      protected: profile.protected ?? false,
      readOnly: profile.readOnly ?? false,
      label: profile.label ?? null,
      tenant: profile.tenant ?? null,
      account: profile.account ?? null,
      flow: logins[each]?.flow ?? null,
    }));
    return {
      kind: 'list',
      pages: onePage(items),
      id: 'name',
      noun: 'profiles',
      empty: 'There are no profiles yet. Start with: iiot login',
      columns: [
        { field: 'name', header: 'NAME', keep: 'whole' },
        { field: 'current', header: 'IN USE', shows: 'mark' },
        { field: 'baseUrl', header: 'BASE URL', keep: 'long' },
        { field: 'org', header: 'ORG', keep: 'whole', dropOrder: 1 },
        { field: 'protected', header: 'PROTECTED', shows: 'yes' },
        { field: 'readOnly', header: 'READ-ONLY', shows: 'yes' },
        { field: 'label', header: 'LABEL', dropOrder: 2 },
        { field: 'tenant', header: 'TENANT', dropOrder: 4 },
        { field: 'account', header: 'ACCOUNT', dropOrder: 3 },
        { field: 'flow', header: 'LOGIN', dropOrder: 5 },
      ],
    };
  },
});

/** Reads the logins by profile. If their file cannot be read, it warns, and the profiles are shown without them. */
function readLoginsIfPossible({ store, warn }: Context): Credentials['logins'] {
  try {
    return store.readLogins();
  } catch (error) {
    warn(asFailure(error).message);
    return {};
  }
}

const shownKeys = [...Object.keys(profileFields), 'flow'];

export const show = command({
  name: 'profiles show',
  shell: { completes: { name: 'profiles' } },
  reach: 'organization',
  summary: 'Show a profile, and where each value comes from',
  description:
    'Shows what a command would use: options win over variables, variables over the profile. For secrets, it shows only whether they are set.',
  arguments: { name: { ...name, optional: true } },
  flags: { origin: boolean('Show where each value comes from') },
  examples: {
    'iiot profiles show --origin': 'Why is that platform used?',
    'iiot profiles show robot -o json': 'Another profile',
  },
  result: object(
    'Its values, and where each comes from; null where there is none',
    {
      name: text('Name'),
      ...Object.fromEntries(shownKeys.map((key) => [key, { description: `Value of ${key}` }])),
      origins: record(
        'Where each comes from',
        Object.fromEntries(shownKeys.map((key) => [key, textOrNull(`Of ${key}`)])),
      ),
    },
    { required: ['name', 'origins', ...shownKeys] },
  ),
  async run(input, context) {
    const { store, settings } = context;
    if (input.name === undefined && settings.missing) throw settings.missing;
    const shown = input.name ?? settings.profile.value;
    const config = store.readConfig();
    const stored = config.profiles[shown];
    if (input.name !== undefined && !stored) throw unknownProfile(shown, config);
    const login = store.readLogin(shown);
    const { profile, resolved, readOnly } = settings;
    // Another profile is shown as stored: the options and variables of this command do not apply to it.
    const values = Object.entries(stored ?? {})
      .filter(([key]) => Object.hasOwn(profileFields, key))
      .map(([key, value]) => ({ key, value, from: `profile ${shown}` }));
    const guard = shown === profile.value && readOnly ? [{ key: 'readOnly', value: true, from: readOnly }] : [];
    const origins: readonly Origin[] = [
      ...(shown === profile.value
        ? Object.entries(resolved).map(([key, each]) => ({ key, ...each }))
        : values.flatMap((each) => (storedOnly.includes(each.key) ? [] : [{ ...each, value: String(each.value) }]))),
      ...storedOnly.flatMap((key) => values.filter((each) => each.key === key && key !== guard[0]?.key)),
      ...guard,
      { key: 'flow', value: login?.flow ?? null, from: login ? 'credentials.json' : 'nobody is logged in' },
    ];
    if (input.origin && !isForProgram(context) && context.options.jq === undefined)
      return {
        kind: 'list',
        pages: onePage(origins),
        id: 'key',
        noun: 'values',
        empty: 'Nothing is set.',
        columns: [
          { field: 'key', header: 'KEY', keep: 'whole' },
          { field: 'value', header: 'VALUE', keep: 'long' },
          { field: 'from', header: 'FROM', keep: 'long' },
        ],
      };
    const originOf = new Map(origins.map((each) => [each.key, each]));
    return {
      kind: 'record',
      value: {
        name: shown,
        ...Object.fromEntries(shownKeys.map((key) => [key, originOf.get(key)?.value ?? null])),
        origins: Object.fromEntries(shownKeys.map((key) => [key, originOf.get(key)?.from ?? null])),
      },
      asText: { name: shown, ...Object.fromEntries(origins.map(({ key, value }) => [key, typedText(value)])) },
      id: 'name',
    };
  },
});

/** A value as `profiles set` takes it: a list is JSON there. */
const typedText = (value: unknown) => (Array.isArray(value) ? JSON.stringify(value) : value);

/** Keys that neither an option nor a variable replaces, in the order shown. */
const storedOnly = Object.keys(profileFields).filter((key) => !settingNames.some((name) => name === key));

type Origin = { readonly key: string; readonly value: unknown; readonly from: string };
