/** Where the tools act. Someone may change the profile while they are served. */
import type { Context } from '../command/context.ts';
import { placeOf } from '../command/place.ts';
import { readSettings } from '../command/settings.ts';
import { usage } from '../failure.ts';
import { type Place, placeWords, sameLogin } from '../place.ts';

/** The context with the settings that the profile has now. @throws Failure if they cannot be used */
export function refreshSettings(context: Context): Context {
  const { options, settings, store, world } = context;
  const profile = settings.profile.value;
  return { ...context, settings: readSettings({ ...options, profile }, world.env, () => store.readConfig()) };
}

/** Where the tools act now. @throws Failure if no platform is set */
export async function readToolPlace(context: Context): Promise<Place> {
  const refreshed = refreshSettings(context);
  return placeOf(refreshed, refreshed.settings.resolved.org?.value);
}

/** @param agreed where the tools acted when they were offered, or when the person agreed @throws usage if that is another place than now */
export async function refuseMovedProfile(agreed: Place | undefined, context: Context): Promise<void> {
  if (!agreed) return;
  const current = await readToolPlace(context);
  const isSameOrg = agreed.org === undefined || agreed.org === current.org;
  if (sameLogin(agreed, current) !== 'other' && isSameOrg) return;
  const before = placeWords(agreed, current) + organizationWords(agreed.org);
  const after = placeWords(current, agreed) + organizationWords(current.org);
  const sentence = `Profile ${context.settings.profile.value} was at ${before} when the tools were offered; now it is at ${after}.`;
  throw usage(sentence, 'The person may start iiot mcp again');
}

export function organizationWords(org: string | undefined): string {
  return org === undefined ? '' : `, organization ${org}`;
}
