import { join } from 'node:path';
import type { Context } from '../../command/context.ts';
import { isForProgram } from '../../command/perform.ts';
import { baseUrl } from '../../command/target.ts';
import type { Failure } from '../../failure.ts';
import { fileFailure } from '../../files/file-failure.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { settleFolder, writeWhole } from '../../files/private-file.ts';
import { onePage } from '../../output/one-page.ts';
import type { Result } from '../../output/result.ts';
import { pause } from '../../text/abort.ts';
import { writeRecord } from '../../working-copy/record.ts';
import { conflictFailure } from './conflict.ts';
import { openWorkingCopy, type Selection, selectionOf, type WorkingCopy, wrongFiles } from './folder.ts';
import { type Plan, planPull } from './pull-plan.ts';
import { storedTemplates } from './stored.ts';
import { sumOf } from './words.ts';

type PullInput = {
  readonly dir: string;
  readonly templates: readonly string[];
  readonly force?: boolean | undefined;
};

/** Writes what has changed on the platform, file by file. */
export async function runPull({ dir, templates, force = false }: PullInput, context: Context): Promise<Result> {
  baseUrl(context);
  const copy = await openWorkingCopy(dir, context, 'new');
  const stored = await storedTemplates(copy.orgId, context);
  const selection = selectionOf(templates, copy, new Set(stored.keys()));
  const plan = await planPull(copy, stored, selection, { force, signal: context.world.interrupt });
  warnOfProblems(copy, plan, selection, context);
  await write(dir, plan, context);
  return resultOf(dir, plan, context);
}

/** Reports files without a template, except those that are reported as conflicts. */
function warnOfProblems(copy: WorkingCopy, { texts, conflicts }: Plan, selection: Selection, context: Context): void {
  const named = new Set([...texts.keys(), ...conflicts.map(({ file }) => file.name)]);
  for (const { file, why } of wrongFiles(copy, selection)) {
    if (selection.has('', file.name) && !named.has(file.name)) context.warn(`${file.name}: ${why}. It stays as it is.`);
  }
}

/** Writes the record last: if it is missing or old, files that equal the platform's are still recognized. */
async function write(dir: string, { texts, record }: Plan, { world }: Context): Promise<void> {
  try {
    makeFolder(dir);
  } catch (error) {
    throw fileFailure('create', dir, error);
  }
  for (const [name, text] of texts) {
    await pause(world.interrupt);
    writeWhole(join(dir, name), text);
  }
  writeRecord(dir, record);
  settleFolder(dir, world.now());
}

function resultOf(dir: string, { rows, conflicts, unchanged }: Plan, context: Context): Result {
  const hint = "--force takes the platform's";
  const failure: Failure | undefined = conflicts.length > 0 ? conflictFailure(conflicts, dir, hint) : undefined;
  return {
    kind: 'list',
    pages: onePage(rows),
    id: 'templateId',
    columns: [
      { field: 'file', header: 'FILE', keep: 'whole' },
      { field: 'status', header: 'STATUS' },
    ],
    fields: ['templateId', 'file', 'status'],
    noun: 'templates',
    empty: 'Up to date.',
    ending: async () => {
      if (rows.length > 0 && !isForProgram(context)) context.notice(sumOf(rows, unchanged));
      return failure;
    },
  };
}
