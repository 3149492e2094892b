import { isEmptyText } from '../../command/body.ts';
import { openConfirmation } from '../../command/confirm.ts';
import type { Context } from '../../command/context.ts';
import { dryRunResult } from '../../command/dry-run.ts';
import { isForProgram, withNote } from '../../command/perform.ts';
import { type ChangeResponse, sendRecorded } from '../../command/record.ts';
import { baseUrl } from '../../command/target.ts';
import { type Carried, carryOut, endOfWork, isForAllIn, nextStep, type Work } from '../../command/work.ts';
import { updateTemplate } from '../../contract/templates.ts';
import { toRequest } from '../../contract/wire.ts';
import { Failure } from '../../failure.ts';
import type { Result, ScreenOptions } from '../../output/result.ts';
import { cutText, prepareWidths } from '../../output/text-width.ts';
import { errorFields } from '../../text/failure-sentence.ts';
import { compact } from '../../text/json-write.ts';
import type { JsonRecord } from '../../text/record.ts';
import { visible } from '../../text/visible.ts';
import type { GoodFile } from '../../working-copy/folder.ts';
import { openPatch } from '../../working-copy/patch.ts';
import { recordAt, writePushed, writeRecord } from '../../working-copy/record.ts';
import {
  changeable,
  changedSince,
  differences,
  fieldsNamed,
  hashesOf,
  type PulledTemplate,
  pushRecord,
  type TemplateDocument,
} from '../../working-copy/template.ts';
import { neverCloses } from '../../working-copy/variables.ts';
import { replacedFields } from '../update.ts';
import { type Both, compareFiles, conflictFailure, conflictsIn, noTemplateHint } from './compare.ts';
import {
  checkSelected,
  type FolderInput,
  joinFirst,
  openWorkingCopy,
  otherPlaceFailure,
  readSelection,
  selectedFiles,
  type WorkingCopy,
} from './folder.ts';
import { lookForUpdate } from './look.ts';
import { matchFiles, openOutgoing } from './matching.ts';
import { countOf, rowsResult, sumOf } from './rows.ts';
import { readStoredTemplates } from './stored.ts';

/** Checks and compares every file, asks, and updates the templates that differ. @param show gets all files that have a template, before a conflict ends the push */
export async function runPush(
  input: FolderInput,
  context: Context,
  show?: (pairs: readonly Both<GoodFile>[]) => void,
): Promise<Result> {
  const { dir, templates, force = false } = input;
  baseUrl(context);
  const folder = await openWorkingCopy(input, context);
  const selection = readSelection(templates, folder, new Set());
  const outgoing = await openOutgoing(folder, input, context);
  const local = matchFiles(outgoing, selection, context, undefined, context.options.dryRun);
  const wrong = checkSelected(local, selection, context, 'Correct the files; nothing was sent');
  if (wrong) throw wrong;
  if (context.options.dryRun) return rehearsePush(local, selectedFiles(local, selection), context);
  if (folder.foreign !== undefined && !force && (context.options.yes || !(await context.person()).canAnswer))
    throw otherPlaceFailure(folder, 'push them here with --force', context);
  // If a confirmation is needed and nobody can give it, this throws before anything is sent.
  await openConfirmation(agreement(`the templates in ${dir}`, folder), context);
  const stored = await readStoredTemplates(folder.orgId, context);
  const copy = matchFiles(outgoing, selection, context, stored);
  const signal = context.world.interrupt;
  const pairs = await compareFiles(new Set(copy.good.keys()), { copy, files: copy.good, stored, selection, signal });
  const both = pairs.flatMap((pair) => (pair.status === 'no_file' || pair.status === 'no_template' ? [] : [pair]));
  show?.(both);
  const conflicts = conflictsIn(pairs);
  if (conflicts.length > 0 && !force) {
    const isBehind = conflicts.every(({ status }) => status === 'behind');
    const hint = isBehind
      ? 'Pull first, or overwrite the platform with push --force'
      : "Keep the platform's version with pull --force, or yours with push --force";
    throw conflictFailure(conflicts, copy, hint);
  }
  const updates = both
    .filter(({ status }) => status !== 'same')
    .map(({ file, stored }) => ({ file, stored, names: differences(file.template, stored) }));
  // Templates that already equal their files are recorded too, in case the record differs.
  const settled = both
    .filter(({ status }) => status === 'same')
    .map(({ templateId, file, stored }) => [templateId, pulledAfterUpdate(file, stored)] as const);
  const work = {
    subjects: updates,
    agreement: { ...agreement(countOf(updates.length), copy, updates), announce: await describeUpdates(updates, copy) },
    again: (left: readonly Update[], isAll: boolean) =>
      `See what is left: ${copy.line('diff', isAll ? undefined : filesOf(left))}`,
    look: (unknown: readonly Update[]) => {
      const names = filesOf(unknown).map((name) => visible(name));
      return `Check what happened to ${names.join(', ')}: ${copy.line('diff', filesOf(unknown))}`;
    },
  };
  const note = (update: Update, fields: readonly string[]) => {
    const toPull = `Take its version: ${copy.line('pull', [update.file.name])}`;
    const next = copy.destination === 'origin' ? toPull : `See it: ${copy.line('diff')}`;
    const differs = `the platform stored ${fields.join(', ')} differently from what was sent. ${next}`;
    context.notice(`${visible(update.file.name)}: ${differs}`);
  };
  const keep = (done: Pulled) => recordPush(copy, new Map(settled), done, force);
  const carried = await sendAll(work, copy.orgId, context, keep, note);
  const withoutTemplate = pairs.flatMap((pair) => (pair.status === 'no_template' ? [pair.file] : []));
  const result = pushResult(carried, work, withoutTemplate, context);
  return carried.outcomes.some(({ status }) => status === 'done') ? withNote(`templates in ${dir}`, result) : result;
}

type Pulled = ReadonlyMap<string, PulledTemplate>;

/** Records the templates that now equal their files. Writes only what has changed, because a checkout may be read-only. */
function recordPush({ dir, record, here, pushed }: WorkingCopy, same: Pulled, done: Pulled, force: boolean): void {
  // A recorded place stays if nothing was sent and the user did not use --force.
  const isSettled = done.size > 0 || force || record.place === undefined;
  const newRecord = isSettled ? recordAt(record, here) : record;
  if (same.size + done.size > 0)
    writeRecord(dir, { ...newRecord, templates: new Map([...record.templates, ...same, ...done]) });
  const pushes = [...done].map(([id, now]) => [id, pushRecord(now, record.templates.get(id), pushed.get(id))] as const);
  if (done.size > 0) writePushed(dir, { ...newRecord, templates: new Map([...pushed, ...pushes]) });
}

/** Says which fields each update changes. For the first push of a template to another place, it adds the diff. */
async function describeUpdates(updates: readonly Update[], copy: WorkingCopy): Promise<readonly string[]> {
  const patch = copy.destination !== 'origin' && updates.length > 0 ? await openPatch() : undefined;
  return updates.flatMap(({ file, stored, names }) => {
    const isFirst = !copy.record.templates.has(stored.templateId);
    const lines = isFirst ? patch?.(stored, file).trimEnd().split('\n') : undefined;
    return [`${visible(file.name)}: ${names.join(', ')}`, ...(lines ?? [])];
  });
}

function agreement(about: string, { orgId, foreign }: WorkingCopy, updates: readonly Update[] = []) {
  const texts = updates.flatMap(({ file, names }) =>
    Object.entries(fieldsNamed(file.template, names)).map(([name, text]) => ({ at: `${name} of ${file.name}`, text })),
  );
  const namesWhere = (is: (text: string) => boolean) =>
    joinFirst(texts.filter(({ text }) => typeof text === 'string' && is(text)).map(({ at }) => at));
  const [open, empty] = [namesWhere(neverCloses), namesWhere(isEmptyText)];
  const doubts = [foreign && `Their files ${foreign}.`, open && `A {{ never closes in ${open}.`];
  if (empty) doubts.push(`This empties ${empty}.`);
  return { action: `Update ${about} of organization ${orgId}`, asks: doubts.filter(Boolean).join(' ') };
}

/** The dry run of a push. It does not read the platform either, so it shows what was changed since the pull. */
async function rehearsePush(copy: WorkingCopy, files: readonly GoodFile[], context: Context): Promise<Result> {
  const changes = files.flatMap(({ name, template }) => {
    const { templateId } = template;
    const names = changedSince(template, copy.record.templates.get(templateId));
    return names.length === 0 ? [] : [{ name, templateId, body: fieldsNamed(template, names) }];
  });
  if (!isForProgram(context)) {
    context.notice(`A dry run does not read the platform. Compare with it: ${copy.line('diff')}`);
  }
  const sentence = `No file was changed since ${copy.destination === 'origin' ? 'the pull' : 'the last push'}.`;
  if (changes.length === 0) return { kind: 'done', value: [], sentence };
  const steps = changes.map(({ templateId, body }) => ({
    request: toRequest(updateTemplate, { orgId: copy.orgId, templateId, body }),
    replaces: replacedFields(updateTemplate, body),
  }));
  const requests = await dryRunResult(steps, baseUrl(context), context.world.platform);
  const { verbose, debug } = context.options;
  const list = { ...requests, value: [requests.value].flat() };
  return verbose || debug ? list : { ...list, screen: await changesScreen(changes) };
}

/** Shows the changes, a line for each field. The old values are not known, because the record of the pull has only hashes. */
async function changesScreen(changes: readonly { name: string; templateId: string; body: JsonRecord }[]) {
  const lines = changes.flatMap(({ name, templateId, body }) => [
    visible(`${name} (${templateId})`),
    ...Object.entries(body).map(
      ([field, value]) => `  ${field}: ${visible(typeof value === 'string' ? value : compact(value))}`,
    ),
  ]);
  await prepareWidths(lines);
  const sum = `${countOf(changes.length)} would be updated. --verbose shows the requests.\n`;
  return ({ columns }: ScreenOptions) => [...lines.map((line) => cutText(line, columns)), sum].join('\n');
}

const filesOf = (updates: readonly Update[]) => updates.map(({ file }) => file.name);

function pushResult(
  { outcomes, stopped }: Carried<Update>,
  work: Pick<Work<Update>, 'again' | 'look'>,
  withoutTemplate: readonly GoodFile[],
  context: Context,
): Result {
  const error = new Failure('not_found', 'It is not on the platform, and a push cannot create it');
  const others = withoutTemplate.map((file) => ({ of: { file, names: [] }, status: 'no_template' as const, error }));
  const rows = [...outcomes, ...others].map(({ of: { file, names }, status, error, ...told }) => ({
    templateId: file.template.templateId,
    file: file.name,
    status,
    updated: names,
    error: error ? errorFields(error) : null,
    ...('result' in told && told.result),
  }));
  const columns = [
    { field: 'file', header: 'FILE', keep: 'whole' } as const,
    { field: 'status', header: 'STATUS' },
    { field: 'updated', header: 'FIELDS' },
    { field: 'error.message', header: 'ERROR' },
  ];
  const ending = async () => {
    const sentence = sumOf(rows);
    if (rows.some(({ status }) => status !== 'done'))
      return endOfWork(sentence, stopped, nextStep(outcomes, work) || noTemplateHint);
    if (rows.length > 0 && !isForProgram(context)) context.notice(sentence);
    return undefined;
  };
  return rowsResult(rows, columns, ['updated', 'error'], { ending });
}

type Update = { readonly file: GoodFile; readonly stored: TemplateDocument; readonly names: readonly string[] };

/** The shortest time between two saves of the progress, in milliseconds. */
const saveInterval = 1000;

/** Sends one update after the other. @param keep records the progress, at intervals and at the end @param onStoredDifferently gets fields that the platform stored differently */
async function sendAll(
  work: Omit<Work<Update>, 'act' | 'isForAll'>,
  orgId: string,
  context: Context,
  keep: (done: ReadonlyMap<string, PulledTemplate>) => void,
  onStoredDifferently: (update: Update, fields: readonly string[]) => void,
): Promise<Carried<Update>> {
  const done = new Map<string, PulledTemplate>();
  let savedAt = context.world.monotonic();
  const act = async (update: Update) => {
    // The progress is saved before the next update, so that nothing more is sent if that fails.
    if (context.world.monotonic() - savedAt > saveInterval) {
      keep(done);
      savedAt = context.world.monotonic();
    }
    const { otherwise: fields = [], looked } = await sendOne(update, orgId, context);
    done.set(update.stored.templateId, pulledAfterUpdate(update.file, update.stored));
    if (fields.length > 0) onStoredDifferently(update, fields);
    return looked && { looked };
  };
  const carried = await carryOut({ ...work, act, isForAll: isForAllIn(orgId) }, 1, context);
  keep(done);
  return carried;
}

async function sendOne({ file, stored, names }: Update, orgId: string, context: Context): Promise<ChangeResponse> {
  const { templateId } = stored;
  const body = fieldsNamed(file.template, names);
  const request = toRequest(updateTemplate, { orgId, templateId, body });
  const change = { subject: { type: 'template', id: templateId }, orgId };
  const look = lookForUpdate({ orgId, id: templateId, body });
  return sendRecorded(updateTemplate, request, change, context, { look });
}

/** The record of a template that now equals its file. */
function pulledAfterUpdate({ name, template }: GoodFile, stored: TemplateDocument): PulledTemplate {
  // Fields that only the platform writes are recorded with their values in the file.
  const platformFields = [...stored.fields].filter(([field]) => changeable.includes(field));
  const updated = { ...template, fields: new Map([...platformFields, ...template.fields]) };
  return { file: name, hashes: hashesOf(updated) };
}
