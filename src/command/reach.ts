/** Where a command acts, and which of the options of all commands it takes. */
import { isSameId } from '../contract/formats.ts';
import type { FailureDetail } from '../failure.ts';
import type { JsonRecord } from '../text/record.ts';
import type { Command, Reach } from './command.ts';
import { type GlobalInput, globalOptions } from './global-options.ts';
import type { Option } from './option.ts';

const reaches: readonly Reach[] = ['machine', 'profile', 'platform', 'organization'];

/** The options that say where a command acts: the reach that they need, and what a command without it does not do. */
const places = {
  profile: { needs: 'profile', not: 'use a profile' },
  baseUrl: { needs: 'platform', not: 'talk to a platform' },
  org: { needs: 'organization', not: 'act in an organization' },
} as const;

/** The options that say how a result looks. */
const shapes: readonly string[] = ['output', 'json', 'columns', 'jq', 'forSpreadsheet'];

/** The global options that a command takes: those that say where it acts only if it acts there and no argument says so. */
export function globalOptionsOf(command: Command): readonly Option[] {
  return globalOptions.filter(({ name }) => {
    const [, argument] = argumentFor(command, name) ?? [];
    if (command.without.formats && shapes.includes(name)) return false;
    return !isPlace(name) || (usesPlace(command, name) && (!argument || argument.optional));
  });
}

/** Options that a command would ignore although they seem to say what it acts on or prints; one that repeats the argument is accepted. */
export function ignoredOptions(command: Command, input: JsonRecord, options: GlobalInput): readonly FailureDetail[] {
  return globalOptions.flatMap(({ name, long }): FailureDetail[] => {
    if (command.without.formats && shapes.includes(name) && name in options)
      return [{ option: `--${long}`, message: `has no effect: iiot ${command.name} has one output; leave it out` }];
    const typed = isPlace(name) ? options[name] : undefined;
    if (!isPlace(name) || typed === undefined) return [];
    const [argument = '', { value = argument } = {}] = argumentFor(command, name) ?? [];
    const given = input[argument];
    if (typeof given === 'string' && !isSameId(given, typed))
      return [{ option: `--${long}`, message: `names ${typed}, but <${value}> is ${given}; give one of them` }];
    if (usesPlace(command, name)) return [];
    const several = `${name}s`;
    const isMeant = Object.hasOwn(command.flags, several) && input[several] === undefined;
    const instead = isMeant ? `did you mean --${several}` : 'leave it out';
    const message = `has no effect: iiot ${command.name} does not ${places[name].not}; ${instead}`;
    return [{ option: `--${long}`, message }];
  });
}

/** The argument that says the same as an option, if the command has one. */
export function argumentFor({ arguments: args }: Command, option: string) {
  return Object.entries(args).find(([, { insteadOf }]) => insteadOf === option);
}

function isPlace(name: string): name is keyof typeof places {
  return Object.hasOwn(places, name);
}

/** Whether what an option names matters to a command. */
export function usesPlace({ reach, operation }: Command, place: keyof typeof places): boolean {
  const own = reach ?? (operation === undefined ? 'profile' : operation.params.orgId ? 'organization' : 'platform');
  return reaches.indexOf(own) >= reaches.indexOf(places[place].needs);
}
