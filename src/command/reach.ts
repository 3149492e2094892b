/** Where a command acts, and which of the options of all commands it takes. */
import { isSameId } from '../contract/formats.ts';
import type { FailureDetail } from '../failure.ts';
import type { JsonRecord } from '../text/record.ts';
import type { Command, Reach } from './command.ts';
import { type GlobalInput, globalOptions } from './global-options.ts';
import type { Argument, Option } from './option.ts';

/** From near to far: a command that reaches one place also uses those before it. */
const reachOrder: readonly Reach[] = ['machine', 'profile', 'platform', 'organization'];

/** The options that say where a command acts: the reach that each needs, and what a command of less reach does not do. */
const placeOptions = {
  profile: { needs: 'profile', lacks: 'use a profile' },
  baseUrl: { needs: 'platform', lacks: 'talk to a platform' },
  org: { needs: 'organization', lacks: 'act in an organization' },
} as const;

type PlaceOption = keyof typeof placeOptions;

/** The options that say how a result looks. */
const formatOptionNames: readonly string[] = ['output', 'json', 'columns', 'jq', 'forSpreadsheet'];

/** The global options that a command takes: those for its result, and those for its place that no required argument names. */
export function globalOptionsOf(command: Command): readonly Option[] {
  return globalOptions.filter(({ name }) => {
    if (command.without.formats && formatOptionNames.includes(name)) return false;
    if (!isPlaceOption(name)) return true;
    const [, argument] = argumentFor(command, name) ?? [];
    return usesPlace(command, name) && (!argument || argument.optional);
  });
}

/** A detail for each option that would have no effect, or that contradicts an argument; one that repeats the argument is accepted. */
export function ignoredOptions(command: Command, input: JsonRecord, options: GlobalInput): readonly FailureDetail[] {
  return globalOptions.flatMap(({ name, long }) => {
    const message = isPlaceOption(name)
      ? (contradictionMessage(command, input, name, options[name]) ??
        uselessPlaceMessage(command, input, name, options[name]))
      : uselessFormatMessage(command, name, options);
    return message === undefined ? [] : [{ option: `--${long}`, message }];
  });
}

function uselessFormatMessage(command: Command, option: string, options: GlobalInput): string | undefined {
  if (!command.without.formats || !formatOptionNames.includes(option) || !(option in options)) return undefined;
  return `has no effect: iiot ${command.name} has one output; leave it out`;
}

function contradictionMessage(command: Command, input: JsonRecord, option: PlaceOption, value: string | undefined) {
  const [name = '', argument] = argumentFor(command, option) ?? [];
  const given = input[name];
  if (value === undefined || typeof given !== 'string' || isSameId(given, value)) return undefined;
  return `names ${value}, but <${argument?.value ?? name}> is ${given}; give one of them`;
}

function uselessPlaceMessage(command: Command, input: JsonRecord, option: PlaceOption, value: string | undefined) {
  if (value === undefined || usesPlace(command, option)) return undefined;
  const plural = `${option}s`;
  const mayMeanPlural = Object.hasOwn(command.flags, plural) && input[plural] === undefined;
  const instead = mayMeanPlural ? `did you mean --${plural}` : 'leave it out';
  return `has no effect: iiot ${command.name} does not ${placeOptions[option].lacks}; ${instead}`;
}

/** The argument of a command that takes the place of an option, with its name. */
export function argumentFor({ arguments: args }: Command, option: string): [string, Argument] | undefined {
  return Object.entries(args).find(([, { insteadOf }]) => insteadOf === option);
}

function isPlaceOption(name: string): name is PlaceOption {
  return Object.hasOwn(placeOptions, name);
}

/** Whether a command reaches as far as the place that an option names. */
export function usesPlace(command: Command, option: PlaceOption): boolean {
  return reachOrder.indexOf(reachOf(command)) >= reachOrder.indexOf(placeOptions[option].needs);
}

function reachOf({ reach, operation }: Command): Reach {
  if (reach) return reach;
  if (operation === undefined) return 'profile';
  return operation.params.orgId ? 'organization' : 'platform';
}
