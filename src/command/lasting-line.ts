/** Lines to copy that act in the same place later, whatever the variables and the profile in use are by then. */
import { quoteForShell } from '../text/shell-lines.ts';
import type { Context } from './context.ts';
import type { GlobalInput } from './global-options.ts';
import { orderWords, whereWords } from './line.ts';

/** The options that say where a command acts, typed or not. @param org the organization, for a line that acts in it */
export function lastingOptions({ options, settings }: Context, org?: string): GlobalInput {
  const { resolved, stored, profile, isStored, isProfileNamed } = settings;
  const names = ['baseUrl', 'org', 'caFile', 'clientCert', 'clientKey'] as const;
  const others = names.flatMap((name) => {
    const { value, from } = resolved[name] ?? {};
    return value === undefined || from === `profile ${profile.value}` || value === stored[name] ? [] : [[name, value]];
  });
  const { org: given, ...where } = Object.fromEntries(others);
  return {
    ...options,
    ...((isStored || isProfileNamed) && { profile: profile.value }),
    ...where,
    org: org === undefined ? undefined : given,
  };
}

/** Adds arguments, and the options that say where, to a line. @param org the organization, for a line that acts in it @param args without quotes */
export function lastingLine(line: string, context: Context, org?: string, args: readonly string[] = []): string {
  const words = args.map((word) => quoteForShell(word));
  return [line, ...orderWords(words, whereWords(lastingOptions(context, org)))].join(' ');
}
