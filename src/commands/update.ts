import { checkRequest, emptyHint, emptyProblem, isEmptyText, readBody, refuseNothing } from '../command/body.ts';
import { type Command, command } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { replacesSchema } from '../command/dry-run-schema.ts';
import type { Lookup } from '../command/look.ts';
import { emptyOf, fieldOf, type Option, optionsOf } from '../command/option.ts';
import type { Change, Replacement } from '../command/perform.ts';
import { readText } from '../command/read-file.ts';
import { organization } from '../command/target.ts';
import type { Operation } from '../contract/operation.ts';
import type { Schema } from '../contract/schema.ts';
import { list, object, text } from '../contract/shared.ts';
import { type Failure, refusedInput, usage } from '../failure.ts';
import { cellText, everyColumn, valueAt } from '../output/columns.ts';
import type { Column, Result } from '../output/result.ts';
import { destinationsIn } from '../text/hosts.ts';
import { compact } from '../text/json-write.ts';
import { fieldsOf, isRecord, type JsonRecord, memberOf } from '../text/record.ts';
import { withoutSecrets } from '../text/secret-names.ts';
import { argumentForShell } from '../text/shell-lines.ts';
import { unwrapEnvelope } from '../text/wrapper.ts';

/** A field of the body that consists of several parts, and those that are not given. */
export type PartlyGiven = {
  readonly field: string;
  readonly missing: readonly string[];
  /** Whether the user has to confirm: the field was typed, and important parts are missing. */
  readonly asks: boolean;
  /** Set if the interface does not say whether the platform replaces or merges the field. */
  readonly mayMerge?: true;
  /** Values from a file that say where alarms go. */
  readonly goesTo?: unknown;
};

export type UpdateFacts = { readonly id: string; readonly orgId: string; readonly body: object };

/** The parts of an update command that differ between resources. */
type UpdateDefinition = Pick<Command, 'flags' | 'examples' | 'rows'> & {
  readonly operation: Operation;
  readonly noun: string;
  readonly description?: string;
  /** Adds to the body what the command's own options give. */
  readonly complete?: (body: object, input: JsonRecord, context: Context) => Promise<object>;
  readonly part?: (body: object, input: JsonRecord) => PartlyGiven;
  /** Notes on the typed values, printed before they are sent. */
  readonly notes?: (input: JsonRecord) => readonly string[];
  /** Whether the stored record holds secrets, which only formats for programs show. */
  readonly hidesSecrets?: boolean;
  readonly preview?: (facts: UpdateFacts, context: Context) => Promise<readonly string[]>;
  readonly look?: (facts: UpdateFacts) => Lookup;
  readonly explain: (failure: Failure, facts: UpdateFacts) => Failure;
  readonly hasEditor?: true;
};

/** Makes the command that updates the given fields of a resource. A flag with `sets` reads the field's text from a file, or empties the field. */
export function updateCommand(definition: UpdateDefinition): Command {
  const { complete, part: partOf, notes, hidesSecrets, preview, look, explain, hasEditor, ...shared } = definition;
  const { operation, noun } = shared;
  const [field, parameter] = Object.entries(operation.params).find(([name]) => name !== 'orgId') ?? [''];
  const update: Command = command({
    ...shared,
    name: operation.id.replace('.', ' '),
    changes: { undoable: false },
    result: updateSchema(field, operation),
    arguments: { [field]: text(parameter?.description ?? '') },
    async run(input: JsonRecord, context): Promise<Change | Result> {
      const [orgId, id] = [organization(context), String(input[field])];
      const typedBody = await readBody(update, input, context, () => readSetFields(update, input, context));
      const body = (await complete?.(typedBody, input, context)) ?? typedBody;
      if (fieldsOf(body).size === 0) {
        const mayEdit = hasEditor === true && (await context.person()).canAnswer;
        const line = `${update.name.replace('update', 'edit')} ${argumentForShell(id)}`;
        refuseNothing(update, body, mayEdit ? `; or in an editor: iiot ${line}` : '');
      }
      checkRequest(update, operation, { orgId, [field]: id, body }, context);
      for (const note of notes?.(input) ?? []) context.notice(note);
      const facts = { id, orgId, body };
      const part = partOf?.(body, input);
      const isReplaced = part?.asks && !part.mayMerge;
      const about = `${noun} ${id}`;
      return {
        kind: 'change',
        operation,
        input: { orgId, [field]: id, body },
        subject: { type: noun.replace(' ', '_'), id },
        action: isReplaced ? `Replace the ${wholeOf(operation, part.field)} of ${about}` : `Update ${about}`,
        asks: part?.asks ? '' : undefined,
        replaces: replacedFields(operation, body),
        replacing: replacements(operation, body, part),
        announce: replacementNotes(operation, body, part),
        preview: preview && (() => preview(facts, context)),
        look: look?.(facts),
        explain: (failure) => explain(failure, facts),
        result: ({ value }) => updatedResult(value, { operation, noun, hidesSecrets }, field, facts),
      };
    },
  });
  return update;
}

function updatedResult(
  value: unknown,
  { operation, noun, hidesSecrets }: Pick<UpdateDefinition, 'operation' | 'noun' | 'hidesSecrets'>,
  field: string,
  { id, body }: UpdateFacts,
): Result {
  const record = recordOf(value, field, id);
  if (record)
    return {
      ...changedRecord(record, { field, operation, what: `Updated ${noun}` }),
      about: id,
      ...(hidesSecrets && { asText: withoutSecrets(record) }),
    };
  const done = { [field]: id, updated: [...fieldsOf(body).keys()], replaces: replacedFields(operation, body) };
  return { kind: 'done', value: done, sentence: `Updated ${noun} ${id}`, id: field };
}

/** Reads the fields that flags with `sets` give: texts from files, and empty values. @throws usage for two flags that set the same field */
async function readSetFields(command: Command, input: JsonRecord, context: Context): Promise<JsonRecord> {
  const givenOptions = optionsOf(command).filter(({ name }) => input[name] !== undefined && input[name] !== false);
  const fields: Record<string, unknown> = {};
  for (const option of givenOptions) {
    const { sets, type } = option.schema;
    if (sets === undefined) continue;
    const [one, other] = givenOptions.filter(({ name, schema }) => (schema.sets ?? name) === sets);
    if (other) throw usage(`--${one?.long} and --${other.long} cannot be combined.`, 'Give one of them');
    if (type === 'boolean') fields[sets] = emptyOf(fieldOf(command, option));
    else fields[sets] = await readContent(String(input[option.name]), command, option, context);
  }
  return fields;
}

/** Reads a text to send. @throws usage for an empty one, and for a file of `templates pull`, whose front matter would be sent as part of it */
async function readContent(path: string, command: Command, from: Option, context: Context): Promise<string> {
  const content = await readText(path, `--${from.long}`, context);
  const file = `--${from.long} ${path === '-' ? 'standard input' : path}`;
  if (isEmptyText(content)) throw refusedInput([emptyProblem(command, from)], emptyHint(command, [from]), () => file);
  if (!/^\ufeff?---[ \t]*\r?\n(?:(?!---)[^\n]*\n)*?templateId[ \t]*:/.test(content)) return content;
  const hint = 'Send files of iiot templates pull with iiot templates push, or give only what is below the second ---';
  throw usage(`${file} begins with front matter, which would be sent as part of the text.`, hint);
}

type ChangedWords = { readonly field: string; readonly operation: Operation; readonly what: string };

/** The result for a stored record. A terminal shows what was done, then the ID, the name, the operation's fields, the others, and last the organization. */
export function changedRecord(value: JsonRecord, { field, operation, what }: ChangedWords) {
  const properties = operation.body?.properties ?? {};
  const name = Object.keys(properties).find((key) => /^name$/i.test(properties[key]?.flag ?? key)) ?? 'name';
  const id = valueAt(value, field) === undefined ? 'id' : field;
  const ranks = new Map(Object.entries({ [id.toLowerCase()]: 0, [name.toLowerCase()]: 1, orgid: 3 }));
  const rank = (column: Column) => ranks.get(column.field.toLowerCase()) ?? 2;
  const shown = everyColumn(fieldColumns(properties), [value]).toSorted((a, b) => rank(a) - rank(b));
  const title = cellText(valueAt(value, name)) || cellText(valueAt(value, id));
  return { kind: 'record', value, id: field, sentence: `${what} ${title}`, shown } as const;
}

function fieldColumns(properties: Readonly<Record<string, Schema>>): readonly Column[] {
  return Object.entries(properties).map(([name, schema]) => {
    // Some fields begin with a capital where they are sent; names are read in any case.
    const field = name.charAt(0).toLowerCase() + name.slice(1);
    return {
      field,
      header: field,
      shows: schema.type === 'integer' ? schema.unit : undefined,
      members: schema.type === 'object' ? fieldColumns(schema.properties ?? {}) : [],
    };
  });
}

/** The schema of an update's result. The interface does not show a stored record, so its fields may have any type. */
function updateSchema(field: string, { body }: Operation): Schema {
  const stored = Object.entries(body?.properties ?? {}).map(([name, { description }]) => [name, { description }]);
  return object('The record if the platform returns it, otherwise its ID and what was updated', {
    [field]: text('Identifier'),
    updated: list('What was updated', text('Field, as the platform calls it')),
    replaces: replacesSchema,
    ...Object.fromEntries(stored),
  });
}

/** Finds the record in a response that may wrap it (`{"data": {…}}`): the one with this `id`, if it is given, because inner objects may have an ID too. */
export function recordOf(value: unknown, field: string, id?: string): JsonRecord | undefined {
  if (!isRecord(value)) return undefined;
  const holders = [value, ...Object.values(value)].filter(isRecord);
  const holderOf = (name: string) => holders.find((each) => memberOf(each, name) !== undefined);
  const idOf = (record: JsonRecord) => memberOf(record, field) ?? memberOf(record, 'id');
  const requested = id === undefined ? undefined : holders.find((each) => idOf(each) === id);
  const record = requested ?? holderOf(field) ?? holderOf('id') ?? unwrapEnvelope(value);
  return isRecord(record) && Object.keys(record).length > 0 ? record : undefined;
}

/** Names the fields of a body that replace a stored list, configuration, notification or text as a whole. */
export function replacedFields(operation: Operation, body: object): readonly string[] {
  return [...fieldsOf(body).keys()].filter((name) => wholeOf(operation, name) !== undefined);
}

function wholeOf({ body }: Operation, name: string): string | undefined {
  return body?.properties?.[name]?.whole;
}

const andList = (words: readonly string[]) => new Intl.ListFormat('en-GB').format(words);

/** Describes what a change replaces, except texts and settings that are complete: there the request says it all. */
function replacements(operation: Operation, body: object, part?: PartlyGiven): readonly Replacement[] {
  return replacedFields(operation, body).flatMap((name) => {
    const { missing, asks, mayMerge = false } = part?.field === name ? part : { missing: [] };
    const value = fieldsOf(body).get(name);
    if (typeof value === 'string' || (mayMerge && missing.length === 0)) return [];
    const names = andList(missing);
    const lost = `the ${names} stored now ${mayMerge ? 'may be' : 'are'} removed, and cannot be read from the platform.`;
    const subject = `the whole ${wholeOf(operation, name)}`;
    return [{ what: subject, mayMerge, ...(asks && { by: value }), ...(names !== '' && { lost }) }];
  });
}

/** The sentences to print before a change: what it replaces, and where alarms will go if a file says so. */
export function replacementNotes(operation: Operation, body: object, part?: PartlyGiven): readonly string[] {
  const replaced = replacements(operation, body, part).flatMap(({ what, mayMerge, by, lost }) => {
    const first = `This ${mayMerge ? 'may replace' : 'replaces'} ${what}${by === undefined ? '' : ` with ${compact(by)}`}.`;
    return lost === undefined ? [first] : [first, `T${lost.slice(1)}`];
  });
  const hosts = andList(destinationsIn(part?.goesTo));
  return hosts === '' ? replaced : [...replaced, `Alarms will go to ${hosts}.`];
}
