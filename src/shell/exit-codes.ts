import type { Command } from '../command/command.ts';
import { type FailureKind, foundExit, kindOfStatus, kinds } from '../failure.ts';

/** One way a command can end: the exit code, the `error.code` of its JSON error (null if there is no error), and when it happens. */
export type ExitCode = { readonly code: number; readonly error: string | null; readonly when: string };

const done: ExitCode = { code: 0, error: null, when: 'done' };

/** Every exit code (docs/contract.md, "Exit codes and errors"). */
export function everyExitCode(): readonly ExitCode[] {
  const failures = Object.keys(kinds).map((kind) => exitCode(kind as FailureKind)); // keys() widens the kinds
  return [done, ...failures, ...foundCode('no error: differences were found')].sort(byCode);
}

/**
 * The exit codes that a command can end with, in order. If it calls the platform, statuses that the interface documents for its operation are
 * described in the interface's words.
 */
export function exitCodesOf({
  operation,
  changes,
  ends = {},
  finds,
}: Pick<Command, 'operation' | 'changes' | 'ends' | 'finds'>): readonly ExitCode[] {
  const always: readonly FailureKind[] = [
    'internal',
    'io',
    'usage',
    'interrupted',
    ...(changes ? (['read_only'] as const) : []),
  ];
  const words = new Map(Object.entries(ends) as [FailureKind, string][]); // entries() widens the keys
  const codes = (all: Iterable<FailureKind>) =>
    [done, ...[...all].map((kind) => exitCode(kind, words.get(kind))), ...foundCode(finds)].sort(byCode);
  if (!operation) return codes([...always, ...words.keys()]);
  for (const [status, says] of Object.entries(operation.responses)) {
    const kind = operation.failures?.[Number(status)] ?? kindOfStatus(Number(status));
    if (Number(status) >= 400 && !(kind in ends)) words.set(kind, says);
  }
  const remote: readonly FailureKind[] = ['unauthenticated', 'forbidden', 'rejected', 'unavailable'];
  return codes(new Set([...always, ...remote, ...words.keys()]));
}

function exitCode(kind: FailureKind, says?: string): ExitCode {
  const { exit, means } = kinds[kind];
  return { code: exit, error: kind, when: says ?? means };
}

function foundCode(when: string | undefined): readonly ExitCode[] {
  return when === undefined ? [] : [{ code: foundExit, error: null, when }];
}

function byCode(one: ExitCode, other: ExitCode): number {
  return one.code - other.code;
}
