/** Where a command acts, and which of the options of all commands it takes. */
import { isSameId } from '../contract/formats.ts';
import type { FailureDetail } from '../failure.ts';
import type { JsonRecord } from '../text/record.ts';
import type { Command, Reach } from './command.ts';
import { type GlobalInput, globalOptions } from './global-options.ts';
import type { Option } from './option.ts';

const reachOrder: readonly Reach[] = ['machine', 'profile', 'platform', 'organization'];

/** The options that say where a command acts: the reach that each needs, and what a command without that does not do. */
const placeOptions = {
  profile: { needs: 'profile', lacks: 'use a profile' },
  baseUrl: { needs: 'platform', lacks: 'talk to a platform' },
  org: { needs: 'organization', lacks: 'act in an organization' },
} as const;

/** The options that say how a result looks. */
const formatOptions: readonly string[] = ['output', 'json', 'columns', 'jq', 'forSpreadsheet'];

/** The global options that a command takes: an option that says where it acts only if it acts there, and no required argument says where. */
export function globalOptionsOf(command: Command): readonly Option[] {
  return globalOptions.filter(({ name }) => {
    const [, argument] = argumentFor(command, name) ?? [];
    if (command.without.formats && formatOptions.includes(name)) return false;
    return !isPlace(name) || (usesPlace(command, name) && (!argument || argument.optional));
  });
}

/** Options that would have no effect, or that contradict an argument; one that repeats the argument is accepted. */
export function ignoredOptions(command: Command, input: JsonRecord, options: GlobalInput): readonly FailureDetail[] {
  return globalOptions.flatMap(({ name, long }): FailureDetail[] => {
    if (command.without.formats && formatOptions.includes(name) && name in options)
      return [{ option: `--${long}`, message: `has no effect: iiot ${command.name} has one output; leave it out` }];
    const optionValue = isPlace(name) ? options[name] : undefined;
    if (!isPlace(name) || optionValue === undefined) return [];
    const [argument = '', { value = argument } = {}] = argumentFor(command, name) ?? [];
    const given = input[argument];
    if (typeof given === 'string' && !isSameId(given, optionValue))
      return [{ option: `--${long}`, message: `names ${optionValue}, but <${value}> is ${given}; give one of them` }];
    if (usesPlace(command, name)) return [];
    const plural = `${name}s`;
    const isMeant = Object.hasOwn(command.flags, plural) && input[plural] === undefined;
    const instead = isMeant ? `did you mean --${plural}` : 'leave it out';
    const message = `has no effect: iiot ${command.name} does not ${placeOptions[name].lacks}; ${instead}`;
    return [{ option: `--${long}`, message }];
  });
}

/** The argument that says the same as an option, if the command has one. */
export function argumentFor({ arguments: args }: Command, option: string) {
  return Object.entries(args).find(([, { insteadOf }]) => insteadOf === option);
}

function isPlace(name: string): name is keyof typeof placeOptions {
  return Object.hasOwn(placeOptions, name);
}

/** Whether what an option names matters to a command. */
export function usesPlace({ reach, operation }: Command, place: keyof typeof placeOptions): boolean {
  const commandReach =
    reach ?? (operation === undefined ? 'profile' : operation.params.orgId ? 'organization' : 'platform');
  return reachOrder.indexOf(commandReach) >= reachOrder.indexOf(placeOptions[place].needs);
}
