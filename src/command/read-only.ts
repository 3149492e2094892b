import { Failure } from '../failure.ts';
import type { Settings } from './settings.ts';

/** Holds a change back before anything is sent. @param what "iiot orgs delete" @throws Failure 'read_only' unless changes are allowed */
export function refuseChange(
  what: string,
  { readOnly }: Settings,
  hint = 'See what it would send with --dry-run',
): void {
  if (readOnly === undefined) return;
  throw new Failure('read_only', `${what} changes the platform, which is read-only here (${readOnly}).`, { hint });
}
