import type { Context } from '../../command/context.ts';
import { foundExit } from '../../failure.ts';
import { cellText } from '../../output/columns.ts';
import { onePage } from '../../output/one-page.ts';
import type { Paint } from '../../output/paint.ts';
import type { Result, Verdict } from '../../output/result.ts';
import { pause } from '../../text/abort.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import { visible } from '../../text/visible.ts';
import { type SyncStatus, syncStatus } from '../../working-copy/compare.ts';
import { openPatch } from '../../working-copy/patch.ts';
import { differences, type TemplateDocument } from '../../working-copy/template.ts';
import { cannotCreate, conflictWords } from './conflict.ts';
import { goodFiles, openWorkingCopy, type Selection, selectionOf, type WorkingCopy } from './folder.ts';
import { wrongIn } from './push-check.ts';
import { storedTemplates } from './stored.ts';

type DiffInput = { readonly dir: string; readonly templates: readonly string[] };

type DiffRow = {
  readonly templateId: string;
  readonly file: string | null;
  readonly status: Exclude<SyncStatus, 'same'> | 'no-template' | 'no-file';
  readonly fields: readonly string[];
  readonly diff: string;
};

export async function runDiff({ dir, templates }: DiffInput, context: Context): Promise<Result> {
  const copy = await openWorkingCopy(dir, context);
  const stored = await storedTemplates(copy.orgId, context);
  const selection = selectionOf(templates, copy, new Set(stored.keys()));
  const rows = await diffRows(copy, stored, selection, context);
  const files = goodFiles(copy).filter(({ name, template }) => selection.has(template.templateId, name));
  const wrong = wrongIn(copy, files, selection, context);
  if (wrong && rows.length === 0) throw wrong;
  return {
    kind: 'list',
    pages: onePage(rows),
    id: 'templateId',
    columns: ['templateId', 'file', 'status', 'fields'].map((field) => ({ field, header: headers[field] ?? field })),
    fields: ['templateId', 'file', 'status', 'fields', 'diff'],
    noun: 'templates',
    empty: 'Up to date.',
    lines: (item, { paint }) => shown(item as DiffRow, paint), // the rows above
    ending: async () => wrong ?? differing(rows, dir),
  };
}

const headers: Readonly<Record<string, string>> = {
  templateId: 'TEMPLATE ID',
  file: 'FILE',
  status: 'STATUS',
  fields: 'FIELDS',
};

/** One row per template that differs: first in the order of the files, then those without a file. */
async function diffRows(
  copy: WorkingCopy,
  stored: ReadonlyMap<string, TemplateDocument>,
  selection: Selection,
  context: Context,
): Promise<readonly DiffRow[]> {
  const patch = await openPatch(copy.frontMatter);
  const rows: DiffRow[] = [];
  for (const file of goodFiles(copy)) {
    await pause(context.world.interrupt);
    const { templateId } = file.template;
    if (!selection.has(templateId, file.name)) continue;
    const there = stored.get(templateId);
    if (!there) {
      rows.push({ templateId, file: file.name, status: 'no-template', fields: [], diff: '' });
      continue;
    }
    const pulled = copy.record.templates.get(templateId);
    const status = syncStatus(file.template, there, pulled);
    if (status === 'same') continue;
    if (status !== 'changed') {
      context.notice(`${conflictWords({ file, stored: there, standing: status, pulled: pulled !== undefined })}.`);
    }
    const fields = differences(file.template, there);
    rows.push({ templateId, file: file.name, status, fields, diff: patch(there, file.template, file.name) });
  }
  const known = new Set(goodFiles(copy).map(({ template }) => template.templateId));
  const others = [...stored.keys()].filter((id) => !known.has(id) && selection.has(id));
  return [
    ...rows,
    ...others.map((templateId) => ({ templateId, file: null, status: 'no-file' as const, fields: [], diff: '' })),
  ];
}

function shown({ templateId, file, status, diff }: DiffRow, paint: Paint): string {
  if (status === 'no-template') return `${visible(cellText(file))}: no template ${visible(templateId)} on the platform`;
  if (status === 'no-file') return `${visible(templateId)}: no file in the folder`;
  const lines = diff.replace(/\n$/, '').split('\n');
  return lines.map((line, at) => painted(visible(line.replaceAll('\r', '\\r'), 'keep'), at < 2, paint)).join('\n');
}

function painted(line: string, isHead: boolean, paint: Paint): string {
  if (isHead) return paint.heading(line);
  if (line.startsWith('@@')) return paint.id(line);
  if (line.startsWith('+')) return paint.good(line);
  return line.startsWith('-') ? paint.bad(line) : line;
}

/** A template without a file does not count as a difference, because a push ignores it. */
function differing(rows: readonly DiffRow[], dir: string): Verdict | undefined {
  const different = rows.filter(({ status }) => status !== 'no-file');
  if (different.length === 0) return undefined;
  const what = different.length === 1 ? '1 template differs' : `${different.length} templates differ`;
  return { exit: foundExit, sentence: `${what} from the platform.`, hint: nextStep(different, dir) };
}

function nextStep(different: readonly DiffRow[], dir: string): string {
  const others = different.filter(({ status }) => status !== 'no-template');
  if (others.length === 0) return cannotCreate;
  return others.every(({ status }) => status === 'changed')
    ? `Update ${others.length === 1 ? 'it' : 'them'} with: iiot templates push ${quoteForShell(dir)}`
    : `Pull first: iiot templates pull ${quoteForShell(dir)}`;
}
