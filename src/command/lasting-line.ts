/** Lines to copy that outlive this process: they act in the same place, whatever the variables and the profile in use are then. */
import { quoteForShell } from '../text/shell-lines.ts';
import type { Context } from './context.ts';
import type { GlobalInput } from './global-options.ts';
import { ordered, whereWords } from './line.ts';

/** The options that say where, typed or not. @param org of what belongs to one */
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

/** @param org of what belongs to one @param args of the line, not quoted */
export function lasting(line: string, context: Context, org?: string, args: readonly string[] = []): string {
  const words = args.map((word) => quoteForShell(word));
  return [line, ...ordered(words, whereWords(lastingOptions(context, org)))].join(' ');
}
