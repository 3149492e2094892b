import type { Command } from '../command/command.ts';
import type { Argument, Flag } from '../command/option.ts';
import { profileKeys } from '../command/profile-keys.ts';
import { userSortFields } from '../contract/orgs.ts';
import { allColumns } from '../output/result.ts';
import { wordsOf } from './option-facts.ts';

/**
 * The possible values of an option or argument. `list`: one or more of the words, or of the fields that the command has shown here, separated by commas; `pairs`: KEY=VALUE, first the key and then its
 * value; `command`: any command of the machine.
 */
export type Values =
  | { readonly kind: 'none' | 'file' | 'command' }
  | { readonly kind: 'words' | 'pairs'; readonly words: readonly string[] }
  | { readonly kind: 'list'; readonly words: readonly string[]; readonly command: string }
  | { readonly kind: 'live'; readonly what: LiveKind };

/** Kinds of values that only this machine or the platform knows. */
export type LiveKind =
  | 'profiles'
  | 'organizations'
  | 'templates'
  | 'template-names'
  | 'template-files'
  | 'channels'
  | 'credentials'
  | 'policies'
  | 'devices'
  | 'zones'
  | 'paths'
  | 'requests'
  | 'columns';

/** The words that a schema lists. */
export function wordsValues(schema: Flag | Argument): Values | undefined {
  const words = wordsOf(schema);
  return words && { kind: 'words', words };
}

const live = (what: LiveKind): Values => ({ kind: 'live', what });

/** Values by the name of an argument or option, in any command. */
const byName: Readonly<Record<string, Values>> = {
  profile: live('profiles'),
  protectedProfile: live('profiles'),
  saveProfile: live('profiles'),
  org: live('organizations'),
  orgId: live('organizations'),
  templateId: live('templates'),
  templates: live('template-files'),
  channelId: live('channels'),
  channelIds: live('channels'),
  clientCredentialId: live('credentials'),
  alertPolicyId: live('policies'),
  deviceId: live('devices'),
  deviceIds: live('devices'),
  tz: live('zones'),
};

/** Values for one command only, by "COMMAND: name". */
const byPlace: Readonly<Record<string, Values>> = {
  'templates list: name': live('template-names'),
  'profiles show: name': live('profiles'),
  'profiles set: name': live('profiles'),
  'profiles use: name': live('profiles'),
  'profiles delete: name': live('profiles'),
  'profiles set: pairs': { kind: 'pairs', words: profilePairs() },
  'orgs users list: sorting': {
    kind: 'words',
    words: userSortFields.flatMap((field) => [field, `${field}:desc`]),
  },
  'api: method': live('requests'),
  'api: path': live('paths'),
  'sandbox exec: command': { kind: 'command' },
};

function profilePairs(): readonly string[] {
  return Object.entries(profileKeys).flatMap(([key, schema]) => {
    const values = schema.type === 'boolean' ? ['true', 'false'] : (schema.enum ?? ['']);
    return values.map((value) => `${key}=${value}`);
  });
}

/** Values that the schema does not list. Undefined if the schema is complete. */
export function specialValues(name: string, command?: Command): Values | undefined {
  if (!command) return byName[name];
  const file = /^(FILE|DIR)\b|\|FILE$/.test(command.arguments[name]?.value ?? '');
  return byPlace[`${command.name}: ${name}`] ?? byName[name] ?? (file ? { kind: 'file' } : undefined);
}

/** The fields that --columns accepts: those of the command's response, and those that the platform has beside them. */
export function columnValues({ name, operation, result }: Command): Values | undefined {
  const answer = result ?? operation?.responseSchema;
  const item = answer?.type === 'array' ? answer.items : answer;
  if (item?.type !== 'object' || !item.properties) return undefined;
  return { kind: 'list', words: [...Object.keys(item.properties), allColumns], command: name };
}
