import { join } from 'node:path';
import type { Context } from '../../command/context.ts';
import { isForProgram } from '../../command/perform.ts';
import { createFolder } from '../../files/make-folder.ts';
import { removeLeftovers, syncFolder, writeWhole } from '../../files/private-file.ts';
import type { Result } from '../../output/result.ts';
import { openProgress } from '../../terminal/spinner.ts';
import { handleSignals } from '../../text/abort.ts';
import { comparableName } from '../../text/alike.ts';
import { fileNameOf, kindOf } from '../../working-copy/file-name.ts';
import { isGood, type TemplateFile } from '../../working-copy/folder.ts';
import { openFrontMatter } from '../../working-copy/front-matter.ts';
import { recordAt, writeRecord } from '../../working-copy/record.ts';
import { hashesOf, pullSyncStatus, type TemplateDocument } from '../../working-copy/template.ts';
import { compareFiles, conflictFailure, conflictsIn, type Pair } from './compare.ts';
import { type FolderInput, openWorkingCopy, readSelection, type WorkingCopy, wrongFiles } from './folder.ts';
import { rowsResult, type StatusRow, sumOf } from './rows.ts';
import { readStoredTemplates, type StoredTemplates } from './stored.ts';

/** Writes the templates that have changed on the platform into files. If the file has changed too, it stays as it is, unless `force` is set. */
export async function runPull({ dir, templates, force = false }: FolderInput, context: Context): Promise<Result> {
  const copy = await openWorkingCopy({ dir, templates, force }, context, 'new');
  const stored = await readStoredTemplates(copy.orgId, context);
  const selection = readSelection(templates, copy, new Set(stored.keys()));
  const signal = context.world.interrupt;
  const files = new Map<string, TemplateFile>([...brokenFiles(copy), ...copy.good]);
  const ids = new Set([...stored.keys(), ...copy.good.keys()]);
  const pairs = await compareFiles(ids, { copy, files, stored, selection, signal }, pullSyncStatus);
  const plan = await planPull(pairs, copy, stored, { force, signal });
  // Files that are wrong, except those that are written or reported as conflicts.
  const named = new Set([...plan.texts.keys(), ...plan.conflicts.map(({ file }) => file.name)]);
  for (const { file, why } of wrongFiles(copy, selection)) {
    if (!named.has(file.name)) context.warn(`${file.name}: ${why}. It stays as it is.`);
  }
  await writePlan(dir, plan, context);
  return resultOf(copy, plan, context);
}
type PullRow = StatusRow & { readonly templateId: string; readonly file: string };

/** The files that a pull will write, decided before anything is written. `texts` are by file name. */
type PullPlan = Awaited<ReturnType<typeof planPull>>;

async function planPull(
  pairs: readonly Pair<TemplateFile>[],
  copy: WorkingCopy,
  stored: StoredTemplates,
  { force, signal }: { readonly force: boolean; readonly signal: AbortSignal },
) {
  const texts = new Map<string, string>();
  const rows: PullRow[] = [];
  const isKnown = (id: string) => stored.has(id) || copy.good.has(id);
  const templates = new Map([...copy.record.templates].filter(([id]) => isKnown(id)));
  const nameFor = namesFor(copy, stored);
  for (const pair of pairs) {
    await handleSignals(signal);
    const { templateId } = pair;
    const file = pair.status === 'no_file' ? nameFor(pair.stored) : pair.file.name;
    const move = moveOf(pair, force);
    if (move !== 'same') rows.push({ templateId, file, status: move });
    if (pair.status === 'no_template' || move === 'conflict' || move === 'kept') continue;
    templates.set(templateId, { file, hashes: hashesOf(pair.stored) });
    if (move !== 'same') texts.set(file, await textFor(pair));
  }
  const record = { ...recordAt(copy.record, copy.here), templates };
  const conflicts = force ? [] : conflictsIn(pairs).filter(({ status }) => status === 'conflict');
  return { texts, rows, conflicts, unchanged: pairs.length - rows.length, record };
}

async function textFor(pair: Exclude<Pair<TemplateFile>, { status: 'no_template' }>): Promise<string> {
  const frontMatter = await openFrontMatter();
  return pair.status === 'no_file' ? frontMatter.write(pair.stored) : frontMatter.rewrite(pair.file.text, pair.stored);
}

function moveOf({ status }: Pair<TemplateFile>, force: boolean) {
  if (status === 'no_file') return 'created';
  if (status === 'same' || status === 'no_template') return status;
  if (status === 'behind' || force) return 'updated';
  return status === 'changed' ? 'kept' : 'conflict';
}

/** The files into which templates were pulled, but which contain none now, by the IDs of those templates. */
function brokenFiles({ record, files }: WorkingCopy): readonly (readonly [string, TemplateFile])[] {
  const broken = new Map(files.filter((file) => !isGood(file)).map((file) => [file.name, file]));
  return [...record.templates].flatMap(([id, { file: name }]) => {
    const file = broken.get(name);
    return file ? [[id, file] as const] : [];
  });
}

/** Returns what names new files. IDs that differ only in case all get a hash, in whatever order they come. */
function namesFor({ files }: WorkingCopy, stored: StoredTemplates): (template: TemplateDocument) => string {
  const taken = new Set(files.map(({ name }) => comparableName(name)));
  const counts = new Map<string, number>();
  for (const id of stored.keys()) counts.set(comparableName(id), (counts.get(comparableName(id)) ?? 0) + 1);
  return ({ templateId, fields, content }) => {
    const isAmbiguous = (counts.get(comparableName(templateId)) ?? 0) > 1;
    const named = { templateId, name: fields.get('name'), isAmbiguous };
    const name = fileNameOf(named, kindOf(content), (each) => taken.has(comparableName(each)));
    taken.add(comparableName(name));
    return name;
  };
}

/** Writes the files, and the record last: if it is missing or old, files that equal their templates are still recognized. */
async function writePlan(dir: string, { texts, record }: PullPlan, context: Context): Promise<void> {
  const { world } = context;
  createFolder(dir);
  const progress = openProgress(context, world.monotonic);
  for (const [at, [name, text]] of [...texts].entries()) {
    await handleSignals(world.interrupt);
    writeWhole(join(dir, name), text);
    progress.update({ total: texts.size, done: at + 1, failed: 0 });
  }
  progress.finish();
  writeRecord(dir, record);
  removeLeftovers(dir, world.now());
  syncFolder(dir);
}

function resultOf(copy: WorkingCopy, { rows, conflicts, unchanged }: PullPlan, context: Context): Result {
  const columns = [{ field: 'file', header: 'FILE', keep: 'whole' } as const, { field: 'status', header: 'STATUS' }];
  return rowsResult(rows, columns, [], {
    ending: async () => {
      if (rows.length > 0 && !isForProgram(context)) context.notice(sumOf(rows, unchanged));
      return conflicts.length > 0 ? conflictFailure(conflicts, copy, "--force takes the platform's") : undefined;
    },
  });
}
