import { type LabelColor, paintFor } from '../output/paint.ts';
import { wantsColor } from '../output/sink.ts';
import { isNobodys, sameTenant } from '../place.ts';
import { visible } from '../text/visible.ts';
import type { Context } from './context.ts';
import { placeOf, placeOfProfile } from './place.ts';

/** `text` is as it is shown: "[PRODUCTION]". */
export type Label = { readonly name: string; readonly text: string; readonly paint: LabelColor | 'heading' };

/** What stands before questions. Undefined in another place than the profile's, where it would deceive. */
export async function labelOf(context: Context): Promise<Label | undefined> {
  const { stored, profile } = context.settings;
  const { color, label = color && profile.value, baseUrl } = stored;
  const { IIOT_TOKEN, IIOT_CLIENT_ID } = context.world.env;
  if (!label || !baseUrl) return undefined;
  const own = IIOT_TOKEN || IIOT_CLIENT_ID ? placeOfProfile(profile.value, context) : undefined;
  const isProven = !own || isNobodys(own) || sameTenant(own, await placeOf(context)) === 'same';
  if (!isProven) return undefined;
  return { name: label, text: visible(`[${label}]`), paint: color ?? 'heading' };
}

/** The same for stderr, also in its color. */
export async function labelOnScreen(context: Context) {
  const { world, options } = context;
  const label = await labelOf(context);
  if (!label) return undefined;
  const paint = await paintFor(wantsColor(world.stderr.isTTY === true, world.env, options.noColor === true));
  return { text: label.text, painted: paint[label.paint](label.text) };
}
