import { Failure } from '../failure.ts';
import type { Settings } from './settings.ts';

/** Refuses a change before anything is sent, unless changes are allowed. @param change "iiot orgs delete" @throws Failure 'read_only' */
export function refuseChange(
  change: string,
  { readOnly }: Settings,
  hint = 'See what it would send with --dry-run',
): void {
  if (readOnly === undefined) return;
  throw new Failure('read_only', `${change} changes the platform, which is read-only here (${readOnly}).`, { hint });
}
