import type { Context } from '../../command/context.ts';
import { foundExit } from '../../failure.ts';
import { cellText } from '../../output/columns.ts';
import type { Paint } from '../../output/paint.ts';
import type { Result, Verdict } from '../../output/result.ts';
import { handleSignals } from '../../text/abort.ts';
import { visible } from '../../text/visible.ts';
import { openPatch } from '../../working-copy/patch.ts';
import { differences } from '../../working-copy/template.ts';
import { compareFiles, conflictsIn, describeConflict, mergeHint, noTemplateHint, type Pair } from './compare.ts';
import { checkSelected, type FolderInput, openWorkingCopy, readSelection, type WorkingCopy } from './folder.ts';
import { matchFiles, openOutgoing } from './matching.ts';
import { countOf, rowsResult } from './rows.ts';
import { readStoredTemplates } from './stored.ts';

type DiffRow = {
  readonly templateId: string;
  readonly file: string | null;
  readonly status: Pair['status'];
  readonly fields: readonly string[];
  readonly diff: string;
};

export async function runDiff(input: FolderInput, context: Context): Promise<Result> {
  const folder = await openWorkingCopy(input, context);
  const outgoing = await openOutgoing(folder, input, context);
  const stored = await readStoredTemplates(folder.orgId, context);
  const selection = readSelection(input.templates, folder, new Set(stored.keys()));
  const copy = matchFiles(outgoing, selection, context, stored);
  const ids = new Set([...copy.good.keys(), ...stored.keys()]);
  const sides = { copy, files: copy.good, stored, selection, signal: context.world.interrupt };
  const pairs = (await compareFiles(ids, sides)).filter(({ status }) => status !== 'same');
  for (const conflict of conflictsIn(pairs)) context.notice(`${describeConflict(conflict, copy)}.`);
  const patch = await openPatch();
  const rows: DiffRow[] = [];
  for (const pair of pairs) {
    await handleSignals(context.world.interrupt);
    const { templateId, status } = pair;
    const file = status === 'no_file' ? null : pair.file.name;
    const isBoth = status !== 'no_file' && status !== 'no_template';
    const fields = isBoth ? differences(pair.file.template, pair.stored) : [];
    rows.push({ templateId, file, status, fields, diff: isBoth ? patch(pair.stored, pair.file) : '' });
  }
  const wrong = checkSelected(copy, selection, context);
  if (wrong && rows.length === 0) throw wrong;
  const columns = [
    { field: 'templateId', header: 'TEMPLATE ID' },
    { field: 'file', header: 'FILE' },
    { field: 'status', header: 'STATUS' },
    { field: 'fields', header: 'FIELDS' },
  ];
  return rowsResult(rows, columns, ['fields', 'diff'], {
    lines: (item, { paint }) => diffText(item as DiffRow, paint), // the rows above
    ending: async () => wrong ?? differenceVerdict(rows, copy),
  });
}

function diffText({ templateId, file, status, diff }: DiffRow, paint: Paint): string {
  if (status === 'no_template') return `${visible(cellText(file))}: no template ${visible(templateId)} on the platform`;
  if (status === 'no_file') return `${visible(templateId)}: no file in the folder`;
  return patchLines(diff, paint).join('\n');
}

export function patchLines(patch: string, paint: Paint): readonly string[] {
  const lines = patch.replace(/\n$/, '').split('\n');
  return lines.map((line, at) => paintLine(visible(line.replaceAll('\r', '\\r'), 'keep'), at < 2, paint));
}

function paintLine(line: string, isHead: boolean, paint: Paint): string {
  if (isHead) return paint.heading(line);
  if (line.startsWith('@@')) return paint.id(line);
  if (line.startsWith('+')) return paint.good(line);
  return line.startsWith('-') ? paint.bad(line) : line;
}

/** The exit code for differences. A template without a file is none, because a push ignores it. */
function differenceVerdict(rows: readonly DiffRow[], copy: WorkingCopy): Verdict | undefined {
  const different = rows.filter(({ status }) => status !== 'no_file');
  if (different.length === 0) return undefined;
  const subject = `${countOf(different.length)} ${different.length === 1 ? 'differs' : 'differ'}`;
  return { exit: foundExit, sentence: `${subject} from the platform.`, hint: nextStepHint(different, copy) };
}

function nextStepHint(different: readonly DiffRow[], { line, destination }: WorkingCopy): string {
  const others = different.filter(({ status }) => status !== 'no_template');
  if (others.length === 0) return noTemplateHint;
  if (others.every(({ status }) => status === 'changed'))
    return `Update ${others.length === 1 ? 'it' : 'them'} with: ${line('push')}`;
  return destination === 'origin' ? `Pull first: ${line('pull')}` : mergeHint;
}
