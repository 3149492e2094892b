import type { Readable, Writable } from 'node:stream';
import { paintFor } from '../output/paint.ts';
import { type Output, wantsColor } from '../output/sink.ts';
import { type Environment, isOn } from '../text/environment.ts';

export type { Output };

/** Standard input as used here: a stream that may be a terminal. */
export type Input = Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };

/** The streams of a package's prompt, and the signal that ends it. */
export type PromptStreams = {
  readonly input: Input;
  readonly output: Writable & Pick<Output, 'columns'>;
  readonly signal: AbortSignal;
};

/** Whether lines must never redraw: with ACCESSIBLE (screen readers), in the log of a job (CI), or at a terminal that cannot (TERM=dumb). */
export function isPlain(env: Environment): boolean {
  return isOn(env.ACCESSIBLE) || isOn(env.CI) || env.TERM === 'dumb';
}

/** A green ✓ before a message of success; omitted for screen readers. */
export async function successMark(
  { stderr, env }: { readonly stderr: Output; readonly env: Environment },
  noColor: boolean,
): Promise<string> {
  if (stderr.isTTY !== true || isPlain(env)) return '';
  return `${(await paintFor(wantsColor(true, env, noColor))).good('✓')} `;
}
