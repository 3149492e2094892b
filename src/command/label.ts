import { type LabelColor, paintFor } from '../output/paint.ts';
import { wantsColor } from '../output/sink.ts';
import { originOf } from '../store/config.ts';
import { visible } from '../text/visible.ts';
import type { Context } from './context.ts';
import type { Settings } from './settings.ts';

/** `text` is as it is shown: "[PRODUCTION]". */
export type Label = { readonly name: string; readonly text: string; readonly paint: LabelColor | 'heading' };

/** What stands before questions. Undefined on another platform than the profile's, where it would deceive. */
export function labelOf({ stored, resolved, profile }: Settings): Label | undefined {
  const { color, label = color && profile.value, baseUrl } = stored;
  if (!label || !baseUrl || originOf(baseUrl) !== originOf(resolved.baseUrl?.value ?? '')) return undefined;
  return { name: label, text: visible(`[${label}]`), paint: color ?? 'heading' };
}

/** The same for stderr, also in its color. */
export async function labelOnScreen({ settings, world, options }: Pick<Context, 'settings' | 'world' | 'options'>) {
  const label = labelOf(settings);
  if (!label) return undefined;
  const paint = await paintFor(wantsColor(world.stderr.isTTY === true, world.env, options.noColor === true));
  return { text: label.text, painted: paint[label.paint](label.text) };
}
