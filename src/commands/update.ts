import { checkRequest, refuseNothing } from '../command/body.ts';
import type { Change } from '../command/change.ts';
import type { Command } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { replacesSchema } from '../command/dry-run-schema.ts';
import { readText } from '../command/read-file.ts';
import { organization } from '../command/target.ts';
import type { Operation } from '../contract/operation.ts';
import type { Schema } from '../contract/schema.ts';
import { usage } from '../failure.ts';
import { everyColumn } from '../output/choose-columns.ts';
import { cellText, valueAt } from '../output/columns.ts';
import type { Column } from '../output/result.ts';
import { compact } from '../text/json-write.ts';
import { fieldsOf, isRecord, type JsonRecord, memberOf } from '../text/record.ts';
import { unwrapEnvelope } from '../text/wrapper.ts';

/** The resource of an update, in words; its ID, and the name of that ID in the path. */
type UpdateSubject = {
  readonly noun: string;
  readonly field: string;
  readonly id: string;
  readonly part?: PartlyGiven;
};

/** A whole in the body, and which of its parts it leaves out. */
export type PartlyGiven = {
  readonly field: string;
  readonly missing: readonly string[];
  /** Whether it has to be agreed to: it was typed, and what matters is missing. */
  readonly asks: boolean;
  /** The interface does not say whether the platform replaces or merges it. */
  readonly mayMerge?: true;
};

/**
 * The change of an update command.
 * @throws usage if `body` is empty, or if the interface does not take it
 */
export function updateChange(
  command: Command,
  operation: Operation,
  { noun, field, id, part }: UpdateSubject,
  body: object,
  context: Context,
): Change {
  refuseNothing(command, body);
  const input = { orgId: organization(context), [field]: id, body };
  checkRequest(command, operation, input, context);
  const about = `${noun} ${id}`;
  const replaces = replacedBy(operation, body);
  return {
    kind: 'change',
    operation,
    input,
    about,
    action:
      part?.asks && !part.mayMerge ? `Replace the ${wholeOf(operation, part.field)} of ${about}` : `Update ${about}`,
    ...(part?.asks && { asks: '' }),
    replaces,
    announce: replacementNotes(operation, body, part),
    result: ({ value }) => {
      const record = recordOf(value, field, id);
      if (record) return { ...changedRecord(record, { field, operation, what: `Updated ${noun}` }), about: id };
      const updated = [...fieldsOf(body).keys()];
      const done = { [field]: id, updated, ...(replaces.length > 0 && { replaces }) };
      return { kind: 'done', value: done, sentence: `Updated ${about}`, id: field };
    },
  };
}

type Changed = { readonly field: string; readonly operation: Operation; readonly what: string };

/** A stored record. A terminal shows what was done, then its ID, its name, what the operation knows, the rest, and last the organization. */
export function changedRecord(value: JsonRecord, { field, operation, what }: Changed) {
  const properties = operation.body?.properties ?? {};
  const name = Object.keys(properties).find((key) => /^name$/i.test(properties[key]?.flag ?? key)) ?? 'name';
  const id = valueAt(value, field) === undefined ? 'id' : field;
  const ranks: Readonly<Record<string, number>> = { [id.toLowerCase()]: 0, [name.toLowerCase()]: 1, orgid: 3 };
  const rank = (column: Column) => ranks[column.field.toLowerCase()] ?? 2;
  const shown = everyColumn(columnsOf(properties), [value]).toSorted((a, b) => rank(a) - rank(b));
  const called = cellText(valueAt(value, name)) || cellText(valueAt(value, id));
  return { kind: 'record', value, id: field, sentence: `${what} ${called}`, shown } as const;
}

function columnsOf(properties: Readonly<Record<string, Schema>>): readonly Column[] {
  return Object.entries(properties).map(([name, schema]) => {
    // Some fields begin with a capital where they are sent; names are read in any case.
    const field = name.charAt(0).toLowerCase() + name.slice(1);
    const shows = schema.type === 'integer' && schema.unit ? { shows: schema.unit } : {};
    return {
      field,
      header: field,
      ...shows,
      members: schema.type === 'object' ? columnsOf(schema.properties ?? {}) : [],
    };
  });
}

/** The schema of its result: the interface does not show a stored record, so its fields may have any type. */
export function updateSchema(field: string, { body }: Operation): Schema {
  const stored = Object.entries(body?.properties ?? {}).map(([name, { description }]) => [name, { description }]);
  const updated = { type: 'string', description: 'Field, as the platform calls it' } as const;
  return {
    type: 'object',
    description: 'The record if the platform returns it, otherwise its ID and what was updated',
    properties: {
      [field]: { type: 'string', description: 'Identifier' },
      updated: { type: 'array', items: updated, description: 'What was updated' },
      replaces: replacesSchema,
      ...Object.fromEntries(stored),
    },
  };
}

/**
 * The record in a response, wrapped (`{"data": {…}}`) or not; undefined where the response has none. If it is to have a certain ID, that decides:
 * a channel's configuration may have a channelId of its own.
 */
export function recordOf(value: unknown, field: string, id?: string): JsonRecord | undefined {
  if (!isRecord(value)) return undefined;
  const holders = [value, ...Object.values(value)].filter(isRecord);
  const named = (name: string) => holders.find((each) => memberOf(each, name) !== undefined);
  const idOf = (record: JsonRecord) => memberOf(record, field) ?? memberOf(record, 'id');
  const requested = id === undefined ? undefined : holders.find((each) => idOf(each) === id);
  const record = requested ?? named(field) ?? named('id') ?? unwrapEnvelope(value);
  return isRecord(record) && Object.keys(record).length > 0 ? record : undefined;
}

type ContentInput = { readonly content?: string | undefined; readonly contentFile?: string | undefined };
/** The text of --content, or of the file of --content-file; undefined where neither was given. */
export async function contentOf({ content, contentFile }: ContentInput, context: Context): Promise<string | undefined> {
  if (contentFile === undefined) return content;
  if (content !== undefined) throw usage('--content and --content-file contradict each other.', 'Give one of them');
  return readText(contentFile, '--content-file', context);
}

/** A list, or the empty one that --clear-…s asks for. */
export function listOrCleared<T>(
  flag: string,
  values: readonly T[] | undefined,
  clear: boolean | undefined,
): readonly T[] | undefined {
  if (!clear) return values;
  if (values !== undefined) throw usage(`--${flag} and --clear-${flag}s contradict each other.`, 'Give one of them');
  return [];
}

/** The fields of a body that replace a whole that is stored: lists, configurations, notifications and texts. */
export function replacedBy(operation: Operation, body: object): readonly string[] {
  return [...fieldsOf(body).keys()].filter((name) => wholeOf(operation, name) !== undefined);
}

function wholeOf({ body }: Operation, name: string): string | undefined {
  return body?.properties?.[name]?.whole;
}

/** What to say before a change that replaces something. A text speaks for itself, and so do settings that are all given. */
export function replacementNotes(operation: Operation, body: object, part?: PartlyGiven): readonly string[] {
  return replacedBy(operation, body).flatMap((name) => {
    const value = fieldsOf(body).get(name);
    const { missing, asks, mayMerge } = part?.field === name ? part : { missing: [] };
    if (typeof value === 'string' || (mayMerge && missing.length === 0)) return [];
    const [replaces, are] = mayMerge ? ['may replace', 'may be'] : ['replaces', 'are'];
    const first = `This ${replaces} the whole ${wholeOf(operation, name)}${asks ? ` with ${compact(value)}` : ''}.`;
    const lost = new Intl.ListFormat('en-GB').format(missing);
    return lost === ''
      ? [first]
      : [first, `The ${lost} stored now ${are} removed, and cannot be read from the platform.`];
  });
}
