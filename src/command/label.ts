import { type LabelColor, paintFor } from '../output/paint.ts';
import { wantsColor } from '../output/sink.ts';
import { isAnonymous, sameTenant } from '../place.ts';
import { visible } from '../text/visible.ts';
import type { Context } from './context.ts';
import { placeOf, placeOfProfile } from './place.ts';

/** The label of a profile. `text` is the label as it is shown: "[PRODUCTION]". */
export type Label = { readonly name: string; readonly text: string; readonly paint: LabelColor | 'heading' };

/** The label of the profile in use, shown before questions; undefined if the command acts in another place than the profile. */
export async function labelOf(context: Context): Promise<Label | undefined> {
  const { stored, profile } = context.settings;
  const { color, label = color && profile.value, baseUrl } = stored;
  const { IIOT_TOKEN, IIOT_CLIENT_ID } = context.world.env;
  if (!label || !baseUrl) return undefined;
  const own = IIOT_TOKEN || IIOT_CLIENT_ID ? placeOfProfile(profile.value, context) : undefined;
  const isProven = !own || isAnonymous(own) || sameTenant(own, await placeOf(context)) === 'same';
  if (!isProven) return undefined;
  return { name: label, text: visible(`[${label}]`), paint: color ?? 'heading' };
}

/** The label as it is shown on stderr, plain and in its color. */
export async function labelOnScreen(
  context: Context,
): Promise<{ readonly text: string; readonly painted: string } | undefined> {
  const { world, options } = context;
  const label = await labelOf(context);
  if (!label) return undefined;
  const paint = await paintFor(wantsColor(world.stderr.isTTY === true, world.env, options.noColor === true));
  return { text: label.text, painted: paint[label.paint](label.text) };
}
