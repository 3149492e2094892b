/** A command, run for each organization or profile, and one result of all. */
import type { InnerLine } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import type { Step } from '../command/dry-run.ts';
import type { GlobalInput } from '../command/global-options.ts';
import { isForProgram } from '../command/perform.ts';
import { refuseChange } from '../command/read-only.ts';
import type { Settings } from '../command/settings.ts';
import { requireLogin } from '../command/target.ts';
import { Failure, usage } from '../failure.ts';
import { everyColumn, valueAt } from '../output/columns.ts';
import { onePage } from '../output/pages.ts';
import type { Column, ListResult, Result } from '../output/result.ts';
import type { Output } from '../terminal/streams.ts';
import { failureLine } from '../text/failure-sentence.ts';
import { isLongNumber, isRecord } from '../text/record.ts';
import { visible } from '../text/visible.ts';

export const nouns = { org: 'organizations', profile: 'profiles' } as const;

/** An organization or a profile, with the options and settings of the command there. */
export type Target = { readonly name: string; readonly options: GlobalInput; readonly settings: Settings };

export type Run = {
  readonly inner: InnerLine;
  readonly kind: keyof typeof nouns;
  readonly targets: readonly Target[];
  readonly concurrency: number;
  readonly context: Context;
};

/** What came of one of them; of what failed, maybe a part. */
type Outcome = {
  readonly name: string;
  readonly items: unknown[];
  result?: Result;
  /** How many the platform has. */
  total: number;
  exit: number;
  failure?: Failure;
};

/** Reads at once; what changes something is rehearsed for all first. */
export async function runForEach(run: Run): Promise<Result> {
  const { inner, context } = run;
  const { dryRun } = context.options;
  const silent = { quiet: true } as const;
  if (inner.command.changes === undefined) return joined(await runAll(run, {}), run);
  const rehearsed = await runAll(run, { dryRun: true, ...(!dryRun && silent) });
  if (dryRun) return joined(rehearsed, run);
  const failure = failureIn(rehearsed, run, 'Nothing was sent: ');
  if (failure) throw failure;
  const lines = rehearsed.flatMap(changesIn);
  if (lines.length > 0) agree(run);
  if (!isForProgram(context)) for (const line of lines) context.notice(line);
  // What each would say of its change has been said.
  return joined(await runAll(run, lines.length > 0 ? silent : {}), run);
}

/** What a rehearsal says of the requests that change something. */
function changesIn({ name, items }: Outcome): readonly string[] {
  const changes = (items as readonly Step[]).filter(({ request }) => request.method !== 'GET'); // of a dry run
  const lines = changes.flatMap(({ request: { method, url }, notes = [] }) => [`${method} ${url}`, ...notes]);
  return lines.map((line) => `${name}: ${line}`);
}

/** @throws read_only if one of them is, usage for what the user has not agreed to, unauthenticated where there is no login */
function agree({ inner, kind, targets, context }: Run): void {
  for (const { settings } of targets) refuseChange(`iiot ${inner.command.name}`, settings);
  const { protectedProfile: named = [], yes } = context.options;
  const closed = targets.filter(
    ({ settings: { stored, profile } }) => stored.protected && !named.includes(profile.value),
  );
  const missing = [...new Set(closed.map(({ settings }) => `--protected-profile ${settings.profile.value}`))];
  if (!yes) missing.push('--yes');
  const what = closed.length > 0 ? 'protected profiles' : `${targets.length} ${nouns[kind]}`;
  if (missing.length > 0)
    throw usage(
      `To change ${what} you must confirm.`,
      `Confirm with ${missing.join(' ')}; see the requests with --dry-run`,
    );
  for (const { settings } of targets) requireLogin({ ...context, settings });
}

async function runAll(run: Run, more: GlobalInput): Promise<readonly Outcome[]> {
  const { targets, concurrency, context, kind } = run;
  const outcomes: Outcome[] = [];
  const wait = context.waiting.begin(`Running for ${targets.length} ${nouns[kind]}`);
  const left = targets.entries();
  const work = async () => {
    for (const [at, target] of left) {
      if (context.world.interrupt.aborted) return;
      outcomes[at] = await runOne(target, run, more);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work)).finally(wait.end);
  return outcomes.filter(Boolean);
}

async function runOne({ name, options }: Target, { inner, kind, context }: Run, more: GlobalInput): Promise<Outcome> {
  const outcome: Outcome = { name, items: [], total: 0, exit: 0 };
  const take = async (result: Result): Promise<undefined> => {
    if (result.kind === 'text') outcome.items.push({ text: String(result.text) });
    else if (result.kind !== 'list') outcome.items.push(...[result.value].flat());
    else
      for await (const page of result.pages) {
        for (const item of page.items) outcome.items.push(item);
        outcome.total = page.more === false ? 0 : (page.total ?? (page.more ? Number.NaN : 0));
      }
    outcome.result = result;
  };
  const stderr: Output = {
    write(text, done) {
      for (const line of String(text).trimEnd().split('\n')) context.warn(`${name}: ${line}`);
      done?.();
      return true;
    },
    on: () => undefined,
  };
  // Without a terminal nothing prompts. A spread would read `stdin`, and reading it opens standard input.
  const world = Object.create(context.world, { stdout: { value: stderr }, stderr: { value: stderr } });
  const session = kind === 'org' ? context.session : undefined;
  try {
    outcome.exit = await inner.run({ ...options, ...more }, world, { take, ...(session && { session }) });
  } catch (error) {
    const isExpected = error instanceof Failure;
    outcome.failure = isExpected ? error : new Failure('internal', 'This is a bug in iiot.', { cause: error });
  }
  return outcome;
}

/** One list of all, in the order of the targets. @throws Failure if nothing came of any */
function joined(outcomes: readonly Outcome[], run: Run): Result {
  const { kind } = run;
  const failure = failureIn(outcomes, run);
  const first = outcomes.find(({ result }) => result)?.result;
  if (failure && !first) throw failure;
  const { columns, id = 'id', fields, noun = 'results', empty = 'No results.' } = (first ?? {}) as Partial<ListResult>; // or of one with some of these
  const own: Column = { field: kind, header: kind.toUpperCase(), keep: 'whole' };
  const items = outcomes.flatMap(({ name, items: each }) => each.map((item) => rowOf(kind, name, item)));
  const total = outcomes.reduce((sum, each) => sum + Math.max(each.total, each.items.length), 0);
  const exit = Math.max(0, ...outcomes.map((each) => each.exit));
  return {
    kind: 'list',
    pages: onePage(items, total || undefined, total !== items.length),
    id,
    of: kind,
    noun,
    empty,
    columns: columns?.length ? [own, ...columns] : everyColumn([own], items),
    ...(first?.kind === 'record' && first.screen && { screen: screenOf(outcomes, kind) }),
    ...(fields && { fields: [kind, ...fields] }),
    ...(first?.jsonByDefault && { jsonByDefault: true }),
    ending: async () => failure ?? { exit },
  };
}

/** What a terminal shows of each: its name, and the lines of its record. */
function screenOf(outcomes: readonly Outcome[], kind: string): ListResult['screen'] {
  return (item, options) => {
    const { name, result } = outcomes.find((each) => each.name === valueAt(item, kind)) ?? {};
    return `${options.paint.heading(visible(name ?? ''))}\n${result?.kind === 'record' ? result.screen?.(options) : ''}`;
  };
}

/** The item with the name as its first field. */
function rowOf(kind: string, name: string, item: unknown): object {
  if (item instanceof Map) return new Map([[kind, name], ...item, [kind, name]]);
  return { [kind]: name, ...(isRecord(item) && !isLongNumber(item) ? item : { value: item }), [kind]: name };
}

/** The failure if not all have ended well, after a line for each; for a program they are its details. @param nothingSent begins its sentence */
function failureIn(
  outcomes: readonly Outcome[],
  { kind, targets, context }: Run,
  nothingSent = '',
): Failure | undefined {
  const failed = outcomes.flatMap(({ name, failure }) => (failure ? [{ name, failure }] : []));
  const share = (count: number) => `${count} of ${targets.length} ${nouns[kind]}`;
  const lines = failed.map(({ name, failure }) => ({ field: name, message: failureLine(failure) }));
  const details = isForProgram(context) ? lines : [];
  if (details.length === 0) for (const { field, message } of lines) context.warn(`${field}: ${message}`);
  const { aborted, reason } = context.world.interrupt;
  if (aborted && outcomes.length - failed.length < targets.length)
    return reason.with({ details, hint: nothingSent || `${share(outcomes.length - failed.length)} were done` });
  const [first] = failed;
  if (!first) return undefined;
  const isOne = failed.every(({ failure }) => failure.kind === first.failure.kind);
  const isAll = failed.length === targets.length;
  const own = isOne && isAll ? first.failure.kind : nothingSent ? 'usage' : 'partial';
  const hint =
    isAll || nothingSent
      ? first.failure.facts.hint
      : `For these alone: --${kind}s ${failed.map(({ name }) => name).join(',')}`;
  return new Failure(own, `${nothingSent}${share(failed.length)} failed.`, { hint, details });
}
