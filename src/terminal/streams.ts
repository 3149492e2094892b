import type { Readable } from 'node:stream';

/** Standard input as this room needs it: a stream that may be a terminal. */
export type Input = Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };

/**
 * Standard error as this room needs it; one of Node's streams where it is a terminal. `columns` is absent, or 0, where the terminal does
 * not know.
 */
export type Output = {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string | Uint8Array, done?: (fault?: Error | null) => void): boolean;
  on(event: 'error', listener: (fault: NodeJS.ErrnoException) => void): unknown;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that switches something on: set, and neither empty, `0` nor `false`. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value.toLowerCase());
}

/** Lines must never redraw: ACCESSIBLE (screen readers), or a terminal that cannot (TERM=dumb). */
export function isPlain(env: Environment): boolean {
  return isOn(env.ACCESSIBLE) || env.TERM === 'dumb';
}
