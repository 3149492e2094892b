import type { Readable, Writable } from 'node:stream';
import { paintFor } from '../output/paint.ts';
import { wantsColor } from '../output/sink.ts';
import { type Environment, isOn } from '../text/environment.ts';

/** Standard input as used here: a stream that may be a terminal. */
export type Input = Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };

/** Standard error as used here; at a terminal one of Node's streams. `columns` is undefined or 0 if the terminal does not report its width. */
export type Output = {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string | Uint8Array, done?: (fault?: Error | null) => void): boolean;
  on(event: 'error', listener: (fault: NodeJS.ErrnoException) => void): unknown;
};

/** What a package's prompt is given: what is typed, what it draws on, and the signal that ends it. */
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
