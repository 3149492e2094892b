/** A command, run for each organization or profile, and one result of all. */

import type { InnerLine } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import type { Step } from '../command/dry-run.ts';
import type { GlobalInput } from '../command/global-options.ts';
import { isForProgram, isPlainTable, withNote } from '../command/perform.ts';
import { refuseChange } from '../command/read-only.ts';
import { formatOf, type Settings } from '../command/settings.ts';
import { requireLogin } from '../command/target.ts';
import { type Carried, carryOut, nextStep, type Status, type Work } from '../command/work.ts';
import { Failure, usage } from '../failure.ts';
import { everyColumn, valueAt } from '../output/columns.ts';
import { onePage } from '../output/pages.ts';
import type { Column, ListResult, Page, Result } from '../output/result.ts';
import type { Output } from '../terminal/streams.ts';
import { errorOfOne, failureLine } from '../text/failure-sentence.ts';
import { isLongNumber, isRecord } from '../text/record.ts';
import { visible } from '../text/visible.ts';
import { openReportStream, type ReportStream } from '../work/report-stream.ts';

export const nouns = { org: 'organizations', profile: 'profiles' } as const;

/** An organization or a profile, with the options and settings of the command there. */
export type Target = { readonly name: string; readonly options: GlobalInput; readonly settings: Settings };

export type Run = {
  readonly inner: InnerLine;
  readonly kind: keyof typeof nouns;
  readonly targets: readonly Target[];
  readonly concurrency: number;
  /** The line of this command for some of them. */
  readonly line: (names: readonly string[]) => string;
  readonly context: Context;
};

/** What comes of one of them, maybe only a part of it. */
type Part = Target & {
  /** The pages of its items that the reader has not taken: one, as the next is not read before. */
  readonly pages: ReportStream<readonly unknown[]>;
  /** Resolves when it has a result, or has ended without one. */
  readonly begun: Promise<void>;
  readonly begin: () => void;
  result?: Result;
  count: number;
  /** How many the platform has, if that is more. */
  total: number;
  exit: number;
  /** Set once nobody reads any more. */
  isUnread?: true;
};

/** All of them, being run. */
type Running = { readonly parts: readonly Part[]; readonly over: Promise<Carried<Part>> };

/** Reads at once; what changes something is rehearsed for all first. */
export async function runForEach(run: Run): Promise<Result> {
  const { inner, context } = run;
  const { dryRun } = context.options;
  const silent = { quiet: true } as const;
  if (inner.command.changes === undefined) return joined(start(run, {}), run);
  const rehearsed = start(run, { dryRun: true, ...(!dryRun && silent) });
  if (dryRun) return joined(rehearsed, run);
  const changes = (await Promise.all(rehearsed.parts.map(changesIn))).flat();
  const failure = failureIn(await rehearsed.over, run, 'Nothing was sent: ');
  if (failure) throw failure;
  if (changes.length > 0) agree(run);
  if (!isForProgram(context)) for (const line of changes.flat()) context.notice(line);
  // What each would say of its change has been said.
  const result = await joined(start(run, changes.length > 0 ? silent : {}), run, changes.length > 0);
  return changes.length > 0 ? withNote(`iiot ${inner.command.name}`, result) : result;
}

/** What a rehearsal says of each request that changes something. */
async function changesIn({ name, pages }: Part) {
  const steps: Step[] = [];
  for await (const items of pages.read()) steps.push(...(items.flat() as readonly Step[])); // of a dry run
  const changes = steps.filter(({ request }) => request.method !== 'GET');
  return changes.map(({ notes }) => notes.map((note) => `${name}: ${note}`));
}

/** @throws read_only if one of them is, usage for what the user has not agreed to, unauthenticated where there is no login */
function agree({ inner, kind, targets, context }: Run): void {
  for (const { settings } of targets) refuseChange(`iiot ${inner.command.name}`, settings);
  const { confirmProfile: named = [], yes } = context.options;
  const closed = targets.filter(
    ({ settings: { stored, profile } }) => stored.protected && !named.includes(profile.value),
  );
  const missing = [...new Set(closed.map(({ settings }) => `--confirm-profile ${settings.profile.value}`))];
  if (!yes) missing.push('--yes');
  const what = closed.length > 0 ? 'protected profiles' : `${targets.length} ${nouns[kind]}`;
  if (missing.length > 0)
    throw usage(
      `Changes for ${what} need confirmation.`,
      `Confirm with ${missing.join(' ')}; see the requests with --dry-run`,
    );
  for (const { settings } of targets) requireLogin({ ...context, settings });
}

function start(run: Run, more: GlobalInput): Running {
  const { targets, concurrency, context, kind } = run;
  const parts = targets.map((target): Part => {
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    return { ...target, pages: openReportStream(1), begun, begin, count: 0, total: 0, exit: 0 };
  });
  const end = ({ begin, pages }: Part) => {
    begin();
    pages.end();
  };
  const work: Work<Part> = {
    ...nextLines(run),
    subjects: parts,
    act: async (part) => {
      const isIdle = part.isUnread && run.inner.command.changes === undefined;
      if (!isIdle) await runOne(part, run, more).finally(() => end(part));
    },
    wayOf: ({ name, settings: { resolved } }) => ({
      platform: `platform ${resolved.baseUrl?.value}`,
      login: kind === 'org' ? 'login' : `login ${name}`,
    }),
  };
  const over = carryOut(work, concurrency, context).finally(() => parts.forEach(end));
  over.catch(() => undefined); // awaited later
  return { parts, over };
}

const noPages = onePage([]);

async function runOne(part: Part, { inner, kind, context }: Run, more: GlobalInput): Promise<void> {
  const { name, options, pages } = part;
  const take = async (result: Result): Promise<undefined> => {
    const put = (items: readonly unknown[]) => {
      // Not before: reading the first page may fail. And without the pages, which remember each ID that they gave.
      part.result = result.kind === 'list' ? { ...result, pages: noPages } : result;
      part.begin();
      part.count += items.length;
      pages.push(items);
    };
    if (result.kind === 'text') put([{ text: String(result.text) }]);
    else if (result.kind !== 'list') put([result.value].flat());
    else
      for await (const page of result.pages) {
        await pages.backpressure();
        put(page.items);
        part.total = page.more === false ? 0 : (page.total ?? (page.more ? Number.NaN : 0));
      }
    // So that no more of them than are run at a time have something to be read.
    await pages.backpressure();
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
  // All organizations are of one platform, and of one login.
  const shared = kind === 'org' ? { session: context.session, network: context.network } : {};
  try {
    part.exit = await inner.run({ ...options, ...more }, world, { take, warn: context.warn, ...shared });
  } catch (error) {
    throw error instanceof Failure ? error : new Failure('internal', 'This is a bug in iiot.', { cause: error });
  }
}

/** The field of each row that names its target. */
const fieldOf = { org: 'orgId', profile: 'profile' } as const;

/** One list of all, in the order of the targets: page by page, except where columns need the whole. @throws Failure if nothing came of any */
async function joined({ parts, over }: Running, run: Run, isChanged = false): Promise<Result> {
  const { kind, context } = run;
  let first: Result | undefined;
  for (const part of parts) {
    await part.begun;
    first ??= part.result;
    if (first) break;
  }
  const failure = first ? undefined : failureIn(await over, run);
  if (failure) throw failure;
  const { columns, id = 'id', fields, noun = 'results', empty = 'No results.' } = (first ?? {}) as Partial<ListResult>; // or of one with some of these
  const field = fieldOf[kind];
  const own: Column = { field, header: kind.toUpperCase(), keep: 'whole' };
  const isWhole = ['table', 'csv'].includes(formatOf(context.options, context.settings));
  const pages: Page[] = [];
  if (isWhole) for await (const page of pagesOf(parts, field)) pages.push(page);
  const done = isChanged && isPlainTable(context) ? doneBy(parts, field) : undefined;
  const items = done ?? pages.flatMap((page) => page.items);
  const { total, more } = pages.at(-1) ?? {};
  return {
    kind: 'list',
    pages: isWhole ? onePage(items, total, more) : pagesOf(parts, field),
    id,
    of: field,
    noun,
    empty,
    columns: columns?.length && !done ? [own, ...columns] : everyColumn(done ? [own, result] : [own], items),
    ...(first?.kind === 'record' && first.screen && !done && { screen: screenOf(parts, field) }),
    ...(fields && { fields: [field, ...fields] }),
    ...(first?.jsonByDefault && { jsonByDefault: true }),
    ending: async () => failureIn(await over, run) ?? { exit: Math.max(0, ...parts.map(({ exit }) => exit)) },
  };
}

async function* pagesOf(parts: readonly Part[], field: string): AsyncGenerator<Page> {
  try {
    for (const { name, pages } of parts)
      for await (const several of pages.read())
        for (const items of several) yield { items: items.map((item) => rowOf(field, name, item)) };
    const count = parts.reduce((sum, part) => sum + part.count, 0);
    const total = parts.reduce((sum, part) => sum + Math.max(part.total, part.count), 0);
    yield { items: [], total: total || undefined, more: total !== count };
  } finally {
    for (const part of parts) {
      part.isUnread = true;
      part.pages.leave();
    }
  }
}

const result: Column = { field: 'result', header: 'RESULT', keep: 'long' };

/** A line for each change that was made, if all of them say what they did. */
function doneBy(parts: readonly Part[], field: string): readonly object[] | undefined {
  const made = parts.flatMap(({ name, result }) => (result ? [{ name, result }] : []));
  const lines = made.flatMap(({ name, result }) =>
    'sentence' in result && result.sentence ? [{ [field]: name, result: `✓ ${result.sentence}` }] : [],
  );
  return lines.length === made.length ? lines : undefined;
}

/** What a terminal shows of each: its name, and the lines of its record. */
function screenOf(parts: readonly Part[], kind: string): ListResult['screen'] {
  return (item, options) => {
    const { name, result } = parts.find((each) => each.name === valueAt(item, kind)) ?? {};
    return `${options.paint.heading(visible(name ?? ''))}\n${result?.kind === 'record' ? result.screen?.(options) : ''}`;
  };
}

/** The item with the name as its first field. */
function rowOf(kind: string, name: string, item: unknown): object {
  if (item instanceof Map) return new Map([[kind, name], ...item, [kind, name]]);
  return { [kind]: name, ...(isRecord(item) && !isLongNumber(item) ? item : { value: item }), [kind]: name };
}

/** What to do next: the outcomes of changes that may have been made have to be looked up. */
function nextLines({ line }: Run): Pick<Work<Part>, 'again' | 'look'> {
  const namesOf = (parts: readonly Part[]) => parts.map(({ name }) => name);
  return {
    again: (left) => `For these alone: ${line(namesOf(left))}`,
    look: (unknown) => `Check what happened to ${namesOf(unknown).join(', ')}`,
  };
}

/** The failure if not all have ended well, after a line for each; for a program they are its details. @param nothingSent begins its sentence */
function failureIn({ outcomes, stopped }: Carried<Part>, run: Run, nothingSent = ''): Failure | undefined {
  const { kind, context } = run;
  const missed = outcomes.filter(({ status }) => status !== 'done');
  const details = missed.flatMap(({ subject: { name }, status, error }) => {
    if (!isForProgram(context)) {
      if (error) context.warn(`${name}: ${failureLine(error)}`);
      return [];
    }
    const untried = new Failure(stopped?.kind ?? 'interrupted', 'was not tried');
    return [{ [fieldOf[kind]]: name, ...errorOfOne(error ?? untried), outcome: status }];
  });
  const share = (count: number) => `${count} of ${outcomes.length} ${nouns[kind]}`;
  const { aborted, reason } = context.world.interrupt;
  if (aborted && missed.length > 0)
    return reason.with({ details, hint: nothingSent || `${share(outcomes.length - missed.length)} were done` });
  const errors = missed.flatMap(({ error }) => (error ? [error] : []));
  const [first] = errors;
  if (!first) return undefined;
  const isOne = missed.length === outcomes.length && errors.every((error) => error.kind === first.kind);
  const numberOf = (status: Status) => missed.filter((each) => each.status === status).length;
  const parts = Object.entries(words)
    .map(([status, word]) => [numberOf(status as Status), word] as const) // entries() widens the keys
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${share(count)} ${word}`);
  const own = isOne ? first.kind : nothingSent ? 'usage' : 'partial';
  const isClear = nothingSent || (missed.length === outcomes.length && numberOf('unknown') === 0);
  const hint = isClear ? first.facts.hint : nextStep(outcomes, nextLines(run));
  return new Failure(own, `${nothingSent}${parts.join(', ')}.`, { hint, details });
}

const words = { failed: 'failed', unknown: 'of unknown outcome', not_sent: 'not tried' } as const;
