import { fieldsOf } from '../contract/check.ts';
import type { Operation } from '../contract/operation.ts';
import type { Schema } from '../contract/schema.ts';
import type { Reply } from '../http/call.ts';
import { unwrapped } from '../http/envelope.ts';
import { isRecord, memberOf } from '../http/page.ts';
import type { Result } from '../output/result.ts';

/** What a change was about: the field of its id, the id, and a sentence for a person. */
export type Subject = { readonly field: string; readonly id: string; readonly sentence: string };

/** The result of an update: the record where the platform answers with one, else what was changed, in the platform's field names. */
export function updated({ field, id, sentence }: Subject, body: object, reply: Reply): Result {
  const record = recordOf(reply.value, field);
  if (record) return { kind: 'record', value: record, id: field, about: id };
  return { kind: 'done', value: { [field]: id, updated: [...fieldsOf(body).keys()] }, sentence, id: field };
}

/** The schema of that: the interface does not show what a stored record holds, so its fields may be anything. */
export function updateSchema(field: string, { body }: Operation): Schema {
  const stored = Object.entries(body?.properties ?? {}).map(([name, { description }]) => [name, { description }]);
  const updated = { type: 'string', description: 'Field, as the platform calls it' } as const;
  return {
    type: 'object',
    description: 'The record where the platform answers with it, else its id and what was updated',
    properties: {
      [field]: { type: 'string', description: 'Identifier' },
      updated: { type: 'array', items: updated, description: 'What was updated' },
      ...Object.fromEntries(stored),
    },
  };
}

/** The record in an answer, wrapped (`{"data": {…}}`) or not; undefined where the answer has none. */
export function recordOf(value: unknown, field: string): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(value)) return undefined;
  const holders = [value, ...Object.values(value)].filter(isRecord);
  const named = (name: string) => holders.find((each) => memberOf(each, name) !== undefined);
  const record = named(field) ?? named('id') ?? unwrapped(value);
  return isRecord(record) && Object.keys(record).length > 0 ? record : undefined;
}
