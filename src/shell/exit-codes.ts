import type { Command } from '../command/command.ts';
import { type Kind, kindOfStatus, kinds } from '../failure.ts';

/** One way in which a command may end: the exit code, the `error.code` of its JSON error (null for success), and when. */
export type ExitCode = { readonly code: number; readonly error: string | null; readonly when: string };

const done: ExitCode = { code: 0, error: null, when: 'done' };

/** Every exit code there is (docs/contract.md, "Exit codes and errors"). */
export function everyExitCode(): readonly ExitCode[] {
  return [done, ...Object.keys(kinds).map((kind) => exitCode(kind as Kind))]; // keys() widens the kinds
}

/**
 * The exit codes that a command may end with, in order. Where it calls the platform, a status that the interface names for
 * its operation is told in the interface's words.
 */
export function exitCodesOf({ operation, ends = {} }: Pick<Command, 'operation' | 'ends'>): readonly ExitCode[] {
  const always: readonly Kind[] = ['internal', 'usage', 'interrupted'];
  const words = new Map(Object.entries(ends) as [Kind, string][]); // entries() widens the keys
  if (!operation)
    return [done, ...[...always, ...words.keys()].map((kind) => exitCode(kind, words.get(kind)))].sort(byCode);
  for (const [status, says] of Object.entries(operation.responses)) {
    const kind = kindFor(Number(status), operation.id);
    if (Number(status) >= 400 && !(kind in ends)) words.set(kind, says);
  }
  const remote: readonly Kind[] = ['unauthenticated', 'forbidden', 'rejected', 'unavailable'];
  const all = new Set<Kind>([...always, ...remote, ...words.keys()]);
  return [done, ...[...all].map((kind) => exitCode(kind, words.get(kind)))].sort(byCode);
}

/** The interface gives a 503 of its own meaning to the update of a channel, and to nothing else. */
function kindFor(status: number, operation: string): Kind {
  return status === 503 && operation === 'channels.update' ? 'channel_validation_failed' : kindOfStatus(status);
}

function exitCode(kind: Kind, says?: string): ExitCode {
  const { exit, means } = kinds[kind];
  return { code: exit, error: kind, when: says ?? means };
}

function byCode(one: ExitCode, other: ExitCode): number {
  return one.code - other.code;
}
