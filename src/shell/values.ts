import type { Command, LiveKind } from '../command/command.ts';
import type { Argument, Flag } from '../command/option.ts';
import { allColumns } from '../output/result.ts';
import { wordsOf } from './option-facts.ts';
import { idKinds } from './seen.ts';

/**
 * The possible values of an option or argument. `list`: one or more of the words, or of the fields that the command has shown here, separated by commas; `pairs`: KEY=VALUE, first the key and then its
 * value; `command`: any command of the machine.
 */
export type Values =
  | { readonly kind: 'none' | 'file' | 'command' }
  | { readonly kind: 'words' | 'pairs'; readonly words: readonly string[] }
  | { readonly kind: 'list'; readonly words: readonly string[]; readonly command: string }
  | { readonly kind: 'live'; readonly what: LiveKind };

/** The words that a schema lists. */
export function wordsValues(schema: Flag | Argument): Values | undefined {
  const words = wordsOf(schema);
  return words && { kind: 'words', words };
}

/** What an argument or option of this name stands for, in any command. */
const kindsByName: Readonly<Record<string, LiveKind>> = {
  ...idKinds,
  profile: 'profiles',
  protectedProfile: 'profiles',
  saveProfile: 'profiles',
  org: 'organizations',
  templates: 'template-files',
  channelIds: 'channels',
  deviceIds: 'devices',
  tz: 'zones',
};

/** Values that the schema does not list. Undefined if the schema is complete. */
export function specialValues(name: string, command?: Command): Values | undefined {
  const { value = '', behindDashes } = command?.arguments[name] ?? {};
  if (behindDashes) return { kind: 'command' };
  const what = command?.completes?.[name] ?? kindsByName[name];
  if (typeof what === 'string') return { kind: 'live', what };
  if (what) return { kind: value === 'KEY=VALUE' ? 'pairs' : 'words', words: what };
  return /^(FILE|DIR)\b|\|FILE$/.test(value) ? { kind: 'file' } : undefined;
}

/** The fields that --columns accepts: those of the command's response, and those that the platform has beside them. */
export function columnValues({ name, operation, result }: Command): Values | undefined {
  const answer = result ?? operation?.responseSchema;
  const item = answer?.type === 'array' ? answer.items : answer;
  if (item?.type !== 'object' || !item.properties) return undefined;
  return { kind: 'list', words: [...Object.keys(item.properties), allColumns], command: name };
}
