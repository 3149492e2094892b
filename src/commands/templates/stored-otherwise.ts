import { type JsonRecord, memberOf } from '../../text/record.ts';
import { recordOf } from '../update.ts';

/**
 * The texts that the platform has stored otherwise than they were sent, by its response to an update: it may trim them, or change line ends. The
 * next comparison would take that for somebody else's change.
 */
export function storedOtherwise(value: unknown, templateId: string, body: JsonRecord): readonly string[] {
  const record = recordOf(value, 'templateId', templateId);
  if (!record || (memberOf(record, 'templateId') ?? memberOf(record, 'id')) !== templateId) return [];
  return Object.keys(body).filter((name) => {
    const [sent, stored] = [body[name], memberOf(record, name)];
    return typeof sent === 'string' && typeof stored === 'string' && stored !== sent;
  });
}
