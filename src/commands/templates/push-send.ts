import type { Context } from '../../command/context.ts';
import { outcomeOf, sendRecorded } from '../../command/record.ts';
import { updateTemplate } from '../../contract/templates.ts';
import { toRequest } from '../../contract/wire.ts';
import { Failure } from '../../failure.ts';
import { openProgress } from '../../terminal/spinner.ts';
import { type JsonRecord, memberOf } from '../../text/record.ts';
import type { GoodFile } from '../../working-copy/folder.ts';
import {
  changeable,
  fieldsNamed,
  hashesOf,
  type PulledTemplate,
  type TemplateDocument,
} from '../../working-copy/template.ts';
import { recordOf } from '../update.ts';

/** An update to be sent. */
export type Update = { readonly file: GoodFile; readonly stored: TemplateDocument; readonly names: readonly string[] };

/** An update and its outcome. */
type SentUpdate = Update & {
  readonly status: 'updated' | 'failed' | 'unknown' | 'not-sent';
  readonly failure?: Failure;
  /** The fields that the platform has stored otherwise than they were sent. */
  readonly otherwise?: readonly string[];
};

/** The outcome of all updates; `stopped` is why the rest was not sent. */
export type SentUpdates = { readonly sent: readonly SentUpdate[]; readonly stopped?: Failure | undefined };

/** After this many updates in a row without reaching the platform, the rest is not tried. */
const mostUnreachable = 3;

/** The shortest time between two saves of the progress, in milliseconds. */
const atMost = 1000;

/** Sends the updates one after the other, and writes each into the history. Calls `keep` with the progress from time to time. */
export async function sendAll(
  updates: readonly Update[],
  orgId: string,
  context: Context,
  keep: (done: ReadonlyMap<string, PulledTemplate>) => void,
): Promise<SentUpdates> {
  const progress = openProgress(context, context.world.monotonic);
  const done = new Map<string, PulledTemplate>();
  const sent: SentUpdate[] = [];
  let stopped: Failure | undefined;
  let kept = context.world.monotonic();
  for (const update of updates) {
    const result: SentUpdate = stopped ? { ...update, status: 'not-sent' } : await sendOne(update, orgId, context);
    sent.push(result);
    if (result.status === 'updated') done.set(update.stored.templateId, pulledAfterUpdate(update.file, update.stored));
    progress.update({ total: updates.length, done: done.size, failed: sent.length - done.size });
    if (context.world.monotonic() - kept > atMost) {
      keep(done);
      kept = context.world.monotonic();
    }
    stopped ??= stopping(sent);
  }
  progress.finish();
  keep(done);
  return { sent, stopped };
}

async function sendOne(update: Update, orgId: string, context: Context): Promise<SentUpdate> {
  const { templateId } = update.stored;
  const body = fieldsNamed(update.file.template, update.names);
  const request = toRequest(updateTemplate, { orgId, templateId, body });
  try {
    const change = { about: `template ${templateId}`, orgId };
    const { value } = await sendRecorded(updateTemplate, request, change, context);
    return { ...update, status: 'updated', otherwise: storedOtherwise(value, templateId, body) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...update, status: outcomeOf(error), failure: error };
  }
}

/**
 * The texts that the platform has stored otherwise than they were sent, by its response to an update: it may trim them, or change line ends. The
 * next comparison would take that for somebody else's change.
 */
function storedOtherwise(value: unknown, templateId: string, body: JsonRecord): readonly string[] {
  const record = recordOf(value, 'templateId', templateId);
  if (!record || (memberOf(record, 'templateId') ?? memberOf(record, 'id')) !== templateId) return [];
  return Object.keys(body).filter((name) => {
    const [sent, stored] = [body[name], memberOf(record, name)];
    return typeof sent === 'string' && typeof stored === 'string' && stored !== sent;
  });
}

/** The record of a template whose file now equals the stored fields. */
export function pulledAfterUpdate({ name, template }: GoodFile, stored: TemplateDocument): PulledTemplate {
  // Fields that only the platform writes are recorded as they are in the file.
  const left = [...stored.fields].filter(([field]) => changeable.includes(field));
  const now = { ...template, fields: new Map([...left, ...template.fields]) };
  return { file: name, hashes: hashesOf(now) };
}

/** Why the rest is not sent: it would fail in the same way, or the command was cancelled. */
function stopping(sent: readonly SentUpdate[]): Failure | undefined {
  const last = sent.slice(-mostUnreachable).map(({ failure }) => failure);
  const failure = last.at(-1);
  if (failure?.kind === 'interrupted' || failure?.kind === 'unauthenticated') return failure;
  const isLost = last.length === mostUnreachable && last.every((each) => each?.kind === 'unavailable');
  return isLost ? failure : undefined;
}
