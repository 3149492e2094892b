import type { Context } from '../../command/context.ts';
import { type ChangeResponse, sendRecorded } from '../../command/record.ts';
import { type Carried, carryOut, isForAllIn, type Work } from '../../command/work.ts';
import { updateTemplate } from '../../contract/templates.ts';
import { toRequest } from '../../contract/wire.ts';
import type { GoodFile } from '../../working-copy/folder.ts';
import {
  changeable,
  fieldsNamed,
  hashesOf,
  type PulledTemplate,
  type TemplateDocument,
} from '../../working-copy/template.ts';
import { lookForUpdate } from './look.ts';

/** An update to be sent. */
export type Update = { readonly file: GoodFile; readonly stored: TemplateDocument; readonly names: readonly string[] };

/** The shortest time between two saves of the progress, in milliseconds. */
const atMost = 1000;

/**
 * Sends the updates one after the other, and writes each into the history. Calls `keep` with the progress from time to time, and at the end.
 * @param onOtherwise called with the fields of an update that the platform has stored otherwise than they were sent
 */
export async function sendAll(
  work: Omit<Work<Update>, 'act' | 'isForAll'>,
  orgId: string,
  context: Context,
  keep: (done: ReadonlyMap<string, PulledTemplate>) => void,
  onOtherwise: (update: Update, fields: readonly string[]) => void,
): Promise<Carried<Update>> {
  const done = new Map<string, PulledTemplate>();
  let kept = context.world.monotonic();
  const act = async (update: Update) => {
    // Before it is sent: where the progress cannot be kept, no more is.
    if (context.world.monotonic() - kept > atMost) {
      keep(done);
      kept = context.world.monotonic();
    }
    const { otherwise: fields = [], looked } = await sendOne(update, orgId, context);
    done.set(update.stored.templateId, pulledAfterUpdate(update.file, update.stored));
    if (fields.length > 0) onOtherwise(update, fields);
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

/** The record of a template whose file now equals the stored fields. */
export function pulledAfterUpdate({ name, template }: GoodFile, stored: TemplateDocument): PulledTemplate {
  // Fields that only the platform writes are recorded as they are in the file.
  const left = [...stored.fields].filter(([field]) => changeable.includes(field));
  const now = { ...template, fields: new Map([...left, ...template.fields]) };
  return { file: name, hashes: hashesOf(now) };
}
