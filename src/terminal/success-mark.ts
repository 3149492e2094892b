import { paintFor } from '../output/paint.ts';
import { wantsColor } from '../output/sink.ts';
import type { Environment } from '../text/environment.ts';
import { isPlain, type Output } from './streams.ts';

type MarkWorld = { readonly stderr: Output; readonly env: Environment };

/** A green ✓ before a message of success; omitted for screen readers. */
export async function successMark({ stderr, env }: MarkWorld, noColor: boolean): Promise<string> {
  if (stderr.isTTY !== true || isPlain(env)) return '';
  return `${(await paintFor(wantsColor(true, env, noColor))).good('✓')} `;
}
