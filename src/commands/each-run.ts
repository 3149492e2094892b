/** Runs a command for each organization or profile, and joins the results. */
import type { InnerLine, InnerParts } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import type { DryRun } from '../command/dry-run.ts';
import type { GlobalInput } from '../command/global-options.ts';
import { isForProgram, isPlainTable, withNote } from '../command/perform.ts';
import { refuseChange } from '../command/read-only.ts';
import { formatOf, type Settings } from '../command/settings.ts';
import { requireLogin } from '../command/target.ts';
import { type Carried, carryOut, nextStep, type Work } from '../command/work.ts';
import { Failure, usage } from '../failure.ts';
import { everyColumn, valueAt } from '../output/columns.ts';
import { onePage, readAhead } from '../output/pages.ts';
import type { Column, ListResult, Page, Result } from '../output/result.ts';
import type { Output } from '../terminal/streams.ts';
import { errorFields, failureLine } from '../text/failure-sentence.ts';
import { onceEach } from '../text/once.ts';
import { isLongNumber, isRecord } from '../text/record.ts';
import { optionForShell } from '../text/shell-lines.ts';
import { visible } from '../text/visible.ts';

export const nouns = { org: 'organizations', profile: 'profiles' } as const;

/** An organization or a profile, with the options and settings with which the command runs for it. */
export type Target = { readonly name: string; readonly options: GlobalInput; readonly settings: Settings };

export type EachRun = {
  readonly inner: InnerLine;
  readonly kind: keyof typeof nouns;
  readonly targets: readonly Target[];
  readonly concurrency: number;
  /** Writes the command line again, for some of the targets. */
  readonly line: (names: readonly string[]) => string;
  readonly context: Context;
};

/** A page of one target's result. */
type Piece = Page & {
  readonly name: string;
  readonly result: Result;
  /** How many items the platform has after this page; NaN if there are more, but nobody knows how many. */
  readonly rest: number;
};

/** Runs the command for every target. A command that changes something runs as a dry run for all of them first. */
export async function runForEach(run: EachRun): Promise<Result> {
  const { inner, context } = run;
  const { dryRun } = context.options;
  const silent = { quiet: true } as const;
  if (inner.command.changes === undefined) return joinResults(startEach(run, {}), run);
  const rehearsed = startEach(run, { dryRun: true, ...(!dryRun && silent) });
  if (dryRun) return joinResults(rehearsed, run);
  const changes: string[][] = [];
  for await (const { name, items } of rehearsed.pieces)
    for (const { request, notes } of items as readonly DryRun[]) // of a dry run
      if (request.method !== 'GET') changes.push(notes.map((note) => `${name}: ${note}`));
  const failure = reportFailures(await rehearsed.over, run, 'Nothing was sent: ');
  if (failure) throw failure;
  if (changes.length > 0) checkAgreement(run);
  if (!isForProgram(context)) for (const line of changes.flat()) context.notice(line);
  // The dry run has printed the notices of each change.
  const result = await joinResults(startEach(run, changes.length > 0 ? silent : {}), run, changes.length > 0);
  return changes.length > 0 ? withNote(`iiot ${inner.command.name}`, result) : result;
}

/** @throws read_only if a target is, usage if a confirmation is missing, unauthenticated for a target without a login */
function checkAgreement({ inner, kind, targets, context }: EachRun): void {
  for (const { settings } of targets) refuseChange(`iiot ${inner.command.name}`, settings);
  const { confirmProfile: confirmed = [], yes } = context.options;
  const locked = targets.filter(
    ({ settings: { stored, profile } }) => stored.protected && !confirmed.includes(profile.value),
  );
  const missing = [...new Set(locked.map(({ settings }) => optionForShell('confirm-profile', settings.profile.value)))];
  if (!yes) missing.push('--yes');
  const subject = locked.length > 0 ? 'protected profiles' : `${targets.length} ${nouns[kind]}`;
  if (missing.length > 0)
    throw usage(
      `Changes for ${subject} need confirmation.`,
      `Confirm with ${missing.join(' ')}; see the requests with --dry-run`,
    );
  for (const { settings } of targets) requireLogin({ ...context, settings });
}

/** The pages of all targets, in order, and how the targets ended. */
type Running = {
  readonly pieces: AsyncIterableIterator<Piece>;
  readonly over: Promise<Carried<Target> & { readonly exit: number }>;
};

/** Starts `concurrency` targets at a time. The pages come in the order of the targets: each waits until those before it have ended. */
function startEach(run: EachRun, extraOptions: GlobalInput): Running {
  const { inner, kind, targets, concurrency, context } = run;
  const { readable, writable } = new TransformStream<Piece, Piece>();
  const writer = writable.getWriter();
  const isUnread = () => writer.desiredSize === null; // the reader has cancelled it
  let last: Promise<unknown> = Promise.resolve(); // settles once all targets that have begun have ended
  let exit = 0;
  const warn = onceEach(context.warn);
  const work: Work<Target> = {
    ...nextSteps(run),
    subjects: targets,
    async act(target) {
      if (isUnread() && inner.command.changes === undefined) return;
      const earlier = last;
      const ended = runOne(target, run, extraOptions, warn, async (result) => {
        for await (const piece of readAhead(readPieces(target.name, result, kind))) {
          await earlier;
          // Resolves once the piece is read, and rejects if the reader is gone.
          await writer.write(piece).catch(() => undefined);
          if (isUnread()) return;
        }
      });
      last = ended.catch(() => undefined).then(() => earlier);
      const exitCode = await ended;
      exit = Math.max(exit, exitCode); // read after the await, because other targets change it
    },
    wayOf: ({ name, settings: { resolved } }) => ({
      platform: `platform ${resolved.baseUrl?.value}`,
      login: kind === 'org' ? 'login' : `login ${name}`,
    }),
  };
  const over = carryOut(work, concurrency, context).then((carried) => ({ ...carried, exit }));
  const close = () => writer.close().catch(() => undefined);
  over.then(close, close);
  return { pieces: readable.values(), over };
}

/** Runs the command for one target, and prints its messages with the target's name before each line. @returns the exit code */
async function runOne(
  { name, options }: Target,
  { inner, kind, context }: EachRun,
  extraOptions: GlobalInput,
  warn: Context['warn'],
  take: InnerParts['take'],
): Promise<number> {
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
  // All organizations are of one platform, and of one login.
  const shared = kind === 'org' ? { session: context.session, network: context.network } : {};
  try {
    return await inner.run({ ...options, ...extraOptions }, world, { take, warn, ...shared });
  } catch (error) {
    throw error instanceof Failure ? error : new Failure('internal', 'This is a bug in iiot.', { cause: error });
  }
}

/** Reads a target's result page by page, and adds the target's name to each item. */
async function* readPieces(name: string, whole: Result, kind: EachRun['kind']): AsyncGenerator<Piece> {
  // Pages remember every ID that they have read, so they are not kept.
  const result = whole.kind === 'list' ? { ...whole, pages: onePage([]) } : whole;
  let count = 0;
  for await (const { items, total, more } of pagesOfResult(whole)) {
    count += items.length;
    const rest = more === false ? 0 : Math.max(0, (total ?? (more ? Number.NaN : 0)) - count);
    yield { name, result, items: items.map((item) => itemWithName(nameFields[kind], name, item)), rest };
  }
}

function pagesOfResult(result: Result): AsyncIterable<Page> {
  if (result.kind === 'list') return result.pages;
  return onePage(result.kind === 'text' ? [{ text: String(result.text) }] : [result.value].flat());
}

const nameFields = { org: 'orgId', profile: 'profile' } as const;

/** Joins the results into one list, in the order of the targets. A table or CSV needs all of them for its columns. @throws Failure if no target gave any */
async function joinResults({ pieces, over }: Running, run: EachRun, isChanged = false): Promise<Result> {
  const { kind, context } = run;
  const { value: first } = await pieces.next();
  const failure = first ? undefined : reportFailures(await over, run);
  if (failure) throw failure;
  const sample = first?.result;
  const { columns, id = 'id', fields, noun = 'results', empty = 'No results.' } = (sample ?? {}) as Partial<ListResult>; // other kinds have some of these
  const field = nameFields[kind];
  const isWhole = ['table', 'csv'].includes(formatOf(context.options, context.settings));
  const allPages = withTotal(first, pieces);
  const pages: (Page & Partial<Piece>)[] = [];
  if (isWhole) for await (const page of allPages) pages.push(page);
  // A plain table shows one line per change instead, if every result has a sentence.
  const lines = pages.flatMap(({ result, name }) =>
    result && 'sentence' in result && result.sentence ? [{ [field]: name, result: `✓ ${result.sentence}` }] : [],
  );
  const done = isChanged && isPlainTable(context) && lines.length === pages.length - 1 ? lines : undefined;
  const nameColumn: Column = { field, header: kind.toUpperCase(), keep: 'whole' };
  const firstColumns = done ? [nameColumn, resultColumn] : [nameColumn];
  const isPartial = isWhole && (await over).outcomes.some(({ status }) => status !== 'done');
  const items = done ?? pages.flatMap((page) => page.items);
  const { total, more } = pages.at(-1) ?? {};
  const results = [...new Set(pages.map((page) => page.result))];
  return {
    kind: 'list',
    pages: isWhole ? onePage(items, total, more) : allPages,
    id,
    of: field,
    noun,
    empty: (count) => {
      const sentence = typeof empty === 'string' ? empty : empty(count);
      return isPartial ? `Where it did not fail: ${sentence}` : sentence;
    },
    seen: results.reduce((sum, each) => sum + ((each?.kind === 'list' && each.seen) || 0), 0),
    columns: columns?.length && !done ? [...firstColumns, ...columns] : everyColumn(firstColumns, items),
    ...(sample?.kind === 'record' && sample.screen && !done && { screen: screenOfRecords(pages, field) }),
    ...(sample?.kind === 'list' && { limited: sample.limited }),
    ...(fields && { fields: [field, ...fields] }),
    ...(sample?.jsonByDefault && { jsonByDefault: true }),
    ending: () => over.then((end) => reportFailures(end, run) ?? { exit: end.exit }),
  };
}

/** Yields all pages, then an empty one with the total. */
async function* withTotal(first: Piece | undefined, others: Running['pieces']): AsyncGenerator<Page & Partial<Piece>> {
  const rests = new Map<string, number>();
  let count = 0;
  try {
    for (let piece = first; piece; { value: piece } = await others.next()) {
      count += piece.items.length;
      rests.set(piece.name, piece.rest);
      yield piece;
    }
    const total = [...rests.values()].reduce((sum, rest) => sum + rest, count);
    yield { items: [], total: total || undefined, more: total !== count };
  } finally {
    await others.return?.();
  }
}

const resultColumn: Column = { field: 'result', header: 'RESULT', keep: 'long' };

/** At a terminal, each target's name stands above the lines of its record. */
function screenOfRecords(pages: readonly Partial<Piece>[], field: string): ListResult['screen'] {
  return (item, options) => {
    const { name = '', result } = pages.find((each) => each.name === valueAt(item, field)) ?? {};
    return `${options.paint.heading(visible(name))}\n${result?.kind === 'record' ? result.screen?.(options) : ''}`;
  };
}

/** Adds the target's name to an item as the first field, in place of a field with the same name. */
function itemWithName(kind: string, name: string, item: unknown): object {
  if (item instanceof Map) return new Map([[kind, name], ...item, [kind, name]]);
  return { [kind]: name, ...(isRecord(item) && !isLongNumber(item) ? item : { value: item }), [kind]: name };
}

/** The hints for targets that are left to run, and for those where a change may have been made. */
function nextSteps({ line }: EachRun): Pick<Work<Target>, 'again' | 'look'> {
  const namesOf = (parts: readonly Target[]) => parts.map(({ name }) => name);
  return {
    again: (left) => `For these alone: ${line(namesOf(left))}`,
    look: (unknown) => `Check what happened to ${namesOf(unknown).join(', ')}`,
  };
}

/** Prints a line for each target that failed, and returns one failure for all; for a program, the lines are its details. @param nothingSent begins its sentence */
function reportFailures({ outcomes, stopped }: Carried<Target>, run: EachRun, nothingSent = ''): Failure | undefined {
  const { kind, context } = run;
  const missed = outcomes.filter(({ status }) => status !== 'done');
  const errors = missed.flatMap(({ error }) => error ?? []);
  const untried = new Failure(stopped?.kind ?? 'interrupted', 'was not tried');
  const details = missed.flatMap(({ of: { name }, status, error }) => {
    if (isForProgram(context)) return [{ [nameFields[kind]]: name, ...errorFields(error ?? untried), outcome: status }];
    if (error) context.warn(`${name}: ${failureLine(error)}`);
    return [];
  });
  const share = (count: number) => `${count} of ${outcomes.length} ${nouns[kind]}`;
  const { aborted, reason } = context.world.interrupt;
  if (aborted && missed.length > 0)
    return reason.with({ details, hint: nothingSent || `${share(outcomes.length - missed.length)} were done` });
  const [first] = errors;
  if (!first) return undefined;
  const isAll = missed.length === outcomes.length;
  const counts = Object.entries(outcomeWords).flatMap(([status, word]) => {
    const matching = missed.filter((each) => each.status === status);
    return matching.length > 0 ? [`${share(matching.length)} ${word}`] : [];
  });
  const isUnknown = outcomes.length > 1 && missed.some(({ status }) => status === 'unknown');
  const isOne = isAll && !isUnknown && errors.every((error) => error.kind === first.kind);
  const commonKind = nothingSent ? 'usage' : 'partial';
  const isClear = nothingSent || (isAll && missed.every(({ status }) => status !== 'unknown'));
  const hint = isClear ? first.facts.hint : nextStep(outcomes, nextSteps(run));
  return new Failure(isOne ? first.kind : commonKind, `${nothingSent}${counts.join(', ')}.`, { hint, details });
}

const outcomeWords = { failed: 'failed', unknown: 'of unknown outcome', not_sent: 'not tried' } as const;
