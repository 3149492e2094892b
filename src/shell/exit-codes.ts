import { type Command, refusals } from '../command/command.ts';
import { type FailureKind, foundExit, kindOfStatus, kinds } from '../failure.ts';

/** One way a command can end: the exit code, the `error.code` of its JSON error (null without an error), and when it happens. */
export type ExitCode = { readonly code: number; readonly error: string | null; readonly when: string };

const done: ExitCode = { code: 0, error: null, when: 'done' };
const signals: readonly ExitCode[] = [
  { code: 129, error: 'interrupted', when: 'the terminal was closed (SIGHUP)' },
  { code: 143, error: 'interrupted', when: 'stopped by SIGTERM' },
];

/** Every exit code (docs/contract.md, "Exit codes and errors"). */
export function everyExitCode(): readonly ExitCode[] {
  const failures = Object.keys(kinds).map((kind) => exitCode(kind as FailureKind)); // keys() widens the kinds
  const found = { code: foundExit, error: null, when: 'no error: something differs, or is listed with --exit-status' };
  return [done, ...failures, ...signals, found].sort((one, other) => one.code - other.code);
}

/** The exit codes of a command, in order. A command with requests can get any refusal. Documented statuses have the interface's descriptions. */
export function exitCodesOf(command: Pick<Command, 'operation' | 'changes' | 'rows' | 'shell'>): readonly ExitCode[] {
  const { operation, changes, rows, shell } = command;
  const always = ['internal', 'io', 'usage', 'interrupted', changes && 'read_only', rows && 'partial'].filter(Boolean);
  const { found, ...own } = shell.ends ?? {};
  const documented = Object.entries(operation?.responses ?? {}).flatMap(([word, says]) => {
    const status = Number(word);
    return status < 400 ? [] : [[operation?.failures?.[status] ?? kindOfStatus(status), says]];
  });
  const words = { ...(operation && refusals), ...Object.fromEntries(documented), ...own };
  const all = new Set([...always, ...Object.keys(words)] as FailureKind[]); // keys() widens the kinds
  const ends = [...all].map((kind) => exitCode(kind, words[kind]));
  if (found !== undefined) ends.push({ code: foundExit, error: null, when: found });
  return [done, ...ends, ...signals].sort((one, other) => one.code - other.code);
}

function exitCode(kind: FailureKind, says?: string): ExitCode {
  const { exit, means } = kinds[kind];
  return { code: exit, error: kind, when: says ?? means };
}
