import type { Context } from '../../command/context.ts';
import { isForProgram } from '../../command/perform.ts';
import { Failure } from '../../failure.ts';
import { onePage } from '../../output/one-page.ts';
import type { Result } from '../../output/result.ts';
import { failureLine } from '../../text/failure-sentence.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import type { GoodFile } from '../../working-copy/folder.ts';
import { cannotCreate } from './conflict.ts';
import type { SentUpdates } from './push-send.ts';
import { type StatusRow, sumOf } from './words.ts';

type PushOutcome = SentUpdates & { readonly dir: string; readonly withoutTemplate: readonly GoodFile[] };

/** The result of a push: one row per template, and the overall outcome. */
export function pushResult(outcome: PushOutcome, context: Context): Result {
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
  return {
    kind: 'list',
    pages: onePage(rows),
    id: 'templateId',
    columns: [
      { field: 'file', header: 'FILE', keep: 'whole' },
      { field: 'status', header: 'STATUS' },
      { field: 'updated', header: 'FIELDS' },
      { field: 'error', header: 'ERROR' },
    ],
    fields: ['templateId', 'file', 'status', 'updated', 'error'],
    noun: 'templates',
    empty: 'Up to date.',
    ending: async () => endingOf(rows, outcome, context),
  };
}

function endingOf(rows: readonly StatusRow[], { stopped, dir }: PushOutcome, context: Context): Failure | undefined {
  const sentence = sumOf(rows);
  const missed = rows.filter(({ status }) => status !== 'updated');
  if (missed.length === 0) {
    if (rows.length > 0 && !isForProgram(context)) context.notice(sentence);
    return undefined;
  }
  const hint = missed.every(({ status }) => status === 'no-template')
    ? cannotCreate
    : `See what is left: iiot templates diff ${quoteForShell(dir)}`;
  if (!stopped) return new Failure('partial', sentence, { hint });
  const { hint: own, ...facts } = stopped.facts;
  return new Failure(stopped.kind, `${stopped.message} ${sentence}`, {
    ...facts,
    hint: [own, hint].filter(Boolean).join('. '),
  });
}
