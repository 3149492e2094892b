import { openConfirmation } from '../../command/confirm.ts';
import type { Context } from '../../command/context.ts';
import { dryRunResult } from '../../command/dry-run.ts';
import { isForProgram, withNote } from '../../command/perform.ts';
import { baseUrl } from '../../command/target.ts';
import { updateTemplate } from '../../contract/templates.ts';
import { toRequest } from '../../contract/wire.ts';
import { Failure } from '../../failure.ts';
import type { Result, ScreenOptions } from '../../output/result.ts';
import { cutText, prepareWidths } from '../../output/text-width.ts';
import { failureLine } from '../../text/failure-sentence.ts';
import { compact } from '../../text/json-write.ts';
import type { JsonRecord } from '../../text/record.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import { visible } from '../../text/visible.ts';
import type { GoodFile } from '../../working-copy/folder.ts';
import { openPatch } from '../../working-copy/patch.ts';
import { writeRecord } from '../../working-copy/record.ts';
import { changedSince, differences, fieldsNamed, type PulledTemplate } from '../../working-copy/template.ts';
import { replacedBy } from '../update.ts';
import { cannotCreate, compare, conflictFailure, conflictsIn } from './compare.ts';
import { type FolderInput, openWorkingCopy, selectedFiles, selectionOf, type WorkingCopy, wrongIn } from './folder.ts';
import { matched, openOutgoing } from './matching.ts';
import { pulledAfterUpdate, type SentUpdates, sendAll, type Update } from './push-send.ts';
import { countOf, rowsResult, type StatusRow, sumOf } from './rows.ts';
import { storedTemplates } from './stored.ts';

/** Checks every file, compares it with the platform, asks for confirmation, and then sends what differs. */
export async function runPush(input: FolderInput, context: Context): Promise<Result> {
  const { dir, templates, force = false } = input;
  const base = baseUrl(context);
  const folder = await openWorkingCopy(input, context);
  const selection = selectionOf(templates, folder, new Set());
  const outgoing = await openOutgoing(folder, input, context);
  const local = matched(outgoing, selection, undefined, context.options.dryRun);
  const wrong = wrongIn(local, selection, context);
  if (wrong) throw wrong;
  if (context.options.dryRun) return dryRun(local, selectedFiles(local, selection), base, context);
  // Without a possible confirmation it ends here, before anything is sent.
  await openConfirmation(agreement(`the templates in ${dir}`, folder.orgId), context);
  const stored = await storedTemplates(folder.orgId, context);
  const copy = matched(outgoing, selection, stored);
  const signal = context.world.interrupt;
  const pairs = await compare(new Set(copy.good.keys()), { copy, files: copy.good, stored, selection, signal });
  const conflicts = conflictsIn(pairs);
  if (conflicts.length > 0 && !force) {
    const isBehind = conflicts.every(({ status }) => status === 'behind');
    const hint = isBehind
      ? 'Pull first, or overwrite the platform with push --force'
      : "Keep the platform's version with pull --force, or yours with push --force";
    throw conflictFailure(conflicts, copy, hint);
  }
  const both = pairs.flatMap((pair) => (pair.status === 'no-file' || pair.status === 'no-template' ? [] : [pair]));
  const updates = both
    .filter(({ status }) => status !== 'same')
    .map(({ file, stored }) => ({ file, stored, names: differences(file.template, stored) }));
  await askFor(updates, copy, context);
  // What is the same on both sides is recorded too, in case the record differs.
  const settled = both
    .filter(({ status }) => status === 'same')
    .map(({ templateId, file, stored }) => [templateId, pulledAfterUpdate(file, stored)] as const);
  const all = await sendAll(updates, copy.orgId, context, (done) => remember(copy, new Map([...settled, ...done])));
  for (const { file, otherwise = [] } of all.sent) {
    const pull = `Take its version: iiot templates pull ${quoteForShell(dir)} ${quoteForShell(file.name)}`;
    const next = copy.isMatched ? `See it: iiot templates diff ${copy.words}` : pull;
    const note = `the platform stored ${otherwise.join(', ')} differently from what was sent. ${next}`;
    if (otherwise.length > 0) context.notice(`${visible(file.name)}: ${note}`);
  }
  const withoutTemplate = pairs.flatMap((pair) => (pair.status === 'no-template' ? [pair.file] : []));
  const result = pushResult({ ...all, words: copy.words, withoutTemplate }, context);
  return all.sent.some(({ status }) => status === 'updated') ? withNote(`templates in ${dir}`, result) : result;
}

/** Records what is now the same on both sides. Writes only if that has changed, because a checkout may be read-only. */
function remember({ dir, record }: WorkingCopy, settled: ReadonlyMap<string, PulledTemplate>): void {
  if (settled.size > 0) writeRecord(dir, { ...record, templates: new Map([...record.templates, ...settled]) });
}

async function askFor(updates: readonly Update[], copy: WorkingCopy, context: Context): Promise<void> {
  if (updates.length === 0) return;
  const ask = await openConfirmation(agreement(countOf(updates.length), copy.orgId), context);
  const patch = copy.isMatched ? await openPatch(copy.frontMatter) : undefined;
  const print = ask ? context.warn : isForProgram(context) ? () => undefined : context.notice;
  for (const { file, stored, names } of updates) {
    print(`${visible(file.name)}: ${names.join(', ')}`);
    const isFirst = !copy.record.templates.has(stored.templateId);
    if (isFirst) for (const line of patch?.(stored, file).trimEnd().split('\n') ?? []) print(line);
  }
  await ask?.();
}

function agreement(about: string, orgId: string) {
  return { action: `Update ${about} of organization ${orgId}`, asks: '' };
}

/** The dry run. It sends nothing, not even reads, so it shows what was changed since the pull. */
async function dryRun(copy: WorkingCopy, files: readonly GoodFile[], base: string, context: Context): Promise<Result> {
  const changes = files.flatMap(({ name, template }) => {
    const { templateId } = template;
    const names = changedSince(template, copy.record.templates.get(templateId));
    return names.length === 0 ? [] : [{ name, templateId, body: fieldsNamed(template, names) }];
  });
  if (!isForProgram(context)) {
    context.notice(`A dry run does not read the platform. Compare with it: iiot templates diff ${copy.words}`);
  }
  const sentence = `No file was changed since ${copy.isMatched ? 'the last push' : 'the pull'}.`;
  if (changes.length === 0) return { kind: 'done', value: [], sentence };
  const steps = changes.map(({ templateId, body }) => ({
    request: toRequest(updateTemplate, { orgId: copy.orgId, templateId, body }),
    replaces: replacedBy(updateTemplate, body),
  }));
  const requests = await dryRunResult(steps, base, context.world.platform);
  const { verbose, debug } = context.options;
  return verbose || debug ? requests : { ...requests, screen: await changesScreen(changes) };
}

/** What would change, a line for each field, without the old values, of which the record of the pull has only hashes. */
async function changesScreen(
  changes: readonly { name: string; templateId: string; body: JsonRecord }[],
): Promise<(options: ScreenOptions) => string> {
  const lines = changes.flatMap(({ name, templateId, body }) => [
    visible(`${name} (${templateId})`),
    ...Object.entries(body).map(
      ([field, value]) => `  ${field}: ${visible(typeof value === 'string' ? value : compact(value))}`,
    ),
  ]);
  await prepareWidths(lines);
  const sum = `${countOf(changes.length)} would be updated. --verbose shows the requests.\n`;
  return ({ columns }) => [...lines.map((line) => cutText(line, columns)), sum].join('\n');
}

type PushOutcome = SentUpdates & { readonly words: string; readonly withoutTemplate: readonly GoodFile[] };

/** The result of a push: one row per template, and the overall outcome. */
function pushResult(outcome: PushOutcome, context: Context): Result {
  const rows = [
    ...outcome.sent.map(({ file, names, status, failure }) => ({
      templateId: file.template.templateId,
      file: file.name,
      status,
      updated: names,
      error: failure ? failureLine(failure) : null,
    })),
    ...outcome.withoutTemplate.map(({ name, template }) => ({
      templateId: template.templateId,
      file: name,
      status: 'no-template' as const,
      updated: [],
      error: 'It is not on the platform, and a push cannot create it',
    })),
  ];
  const columns = [
    { field: 'file', header: 'FILE', keep: 'whole' } as const,
    { field: 'status', header: 'STATUS' },
    { field: 'updated', header: 'FIELDS' },
    { field: 'error', header: 'ERROR' },
  ];
  return rowsResult(rows, columns, ['updated', 'error'], { ending: async () => endingOf(rows, outcome, context) });
}

function endingOf(rows: readonly StatusRow[], { stopped, words }: PushOutcome, context: Context): Failure | undefined {
  const sentence = sumOf(rows);
  const missed = rows.filter(({ status }) => status !== 'updated');
  if (missed.length === 0) {
    if (rows.length > 0 && !isForProgram(context)) context.notice(sentence);
    return undefined;
  }
  const hint = missed.every(({ status }) => status === 'no-template')
    ? cannotCreate
    : `See what is left: iiot templates diff ${words}`;
  if (!stopped) return new Failure('partial', sentence, { hint });
  const { hint: own, ...facts } = stopped.facts;
  return new Failure(stopped.kind, `${stopped.message} ${sentence}`, {
    ...facts,
    hint: [own, hint].filter(Boolean).join('. '),
  });
}
