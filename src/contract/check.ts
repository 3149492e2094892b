import { fieldsOf, isRecord } from '../text/record.ts';
import { formatProblem } from './formats.ts';
import type { IntegerSchema, NullableStringSchema, ObjectSchema, Schema, StringSchema } from './schema.ts';

/** A message that continues a sentence about the field or its option: "takes …". `other` is the field at its end: "is required with subject". */
export type FieldProblem = { readonly field: string; readonly message: string; readonly other?: string };

/** Problems are values that the interface is known to reject; warnings are values that some platforms may reject. */
export type Findings = { readonly problems: readonly FieldProblem[]; readonly warnings: readonly FieldProblem[] };

/** Checks a value for the client, and for the sandbox's 400. Findings have the platform's names of fields ("notification.channelIds[0]"). */
export function check(schema: Schema, value: unknown, field = ''): Findings {
  const problems: FieldProblem[] = [];
  const warnings: FieldProblem[] = [];
  visit(schema, value, { field, problems, warnings });
  return { problems, warnings };
}

/** The field of the visited value, and the findings so far. */
type Visit = { readonly field: string; readonly problems: FieldProblem[]; readonly warnings: FieldProblem[] };

function visit(schema: Schema, value: unknown, at: Visit): void {
  const { field } = at;
  const refuse = (message: string) => at.problems.push({ field, message });
  const doubt = (message: string) => at.warnings.push({ field, message });
  switch (schema.type) {
    case undefined:
      return;
    case 'boolean':
      if (typeof value !== 'boolean') refuse('takes true or false');
      return;
    case 'integer':
      if (!isWithin(schema, value)) refuse(`takes ${rangeInWords(schema)}`);
      else if (Number(value) > largestInt32) doubt(`is above ${largestInt32}, which the platform may not accept`);
      return;
    case 'array':
      if (!Array.isArray(value)) refuse('takes a list');
      else
        for (const [index, item] of value.entries()) visit(schema.items, item, { ...at, field: `${field}[${index}]` });
      return;
    case 'object':
      if (!isRecord(value)) refuse('takes an object');
      else visitObject(schema, fieldsOf(value), at);
      return;
    default:
      if (value === null && schema.type !== 'string') return;
      if (typeof value === 'string') visitString(schema, value, refuse, doubt);
      else refuse(schema.type === 'string' ? 'takes a string' : 'takes a string or null');
  }
}

/** The interface calls whole numbers int or integer, which has 32 bits in .NET. */
const largestInt32 = 2_147_483_647;

type Say = (message: string) => void;

function visitString(schema: StringSchema | NullableStringSchema, value: string, refuse: Say, doubt: Say): void {
  const { enum: words, maxLength, format } = schema as StringSchema; // one that may be null has fewer of these
  if (words && !words.includes(value)) refuse(`takes one of ${words.join(', ')}`);
  if (maxLength && value.length > maxLength) checkLength(maxLength, value, refuse, doubt);
  if (!format) return;
  const { refusal, warnings } = formatProblem(format, value);
  if (refusal) refuse(refusal);
  for (const message of warnings) doubt(message);
}

/** Refuses a text with too many code points. One with too many UTF-16 units, which .NET counts as characters, is only doubtful. */
function checkLength(maximum: number, value: string, refuse: Say, doubt: Say): void {
  const count = [...value].length;
  if (count > maximum) refuse(`takes at most ${maximum} characters, but has ${count}`);
  else
    doubt(
      `has ${count} characters but ${value.length} UTF-16 units, which the platform may count; it takes ${maximum}`,
    );
}

function isWithin(schema: IntegerSchema, value: unknown): boolean {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return false;
  return value >= (schema.minimum ?? -Infinity) && value <= (schema.maximum ?? Infinity);
}

function rangeInWords({ minimum, maximum }: IntegerSchema): string {
  if (minimum !== undefined && maximum !== undefined) return `a whole number from ${minimum} to ${maximum}`;
  return minimum === undefined ? 'a whole number' : `a whole number, ${minimum} or more`;
}

function visitObject(schema: ObjectSchema, fields: ReadonlyMap<string, unknown>, at: Visit): void {
  const inside = (name: string) => (at.field ? `${at.field}.${name}` : name);
  const refuse = (field: string, message: string) => at.problems.push({ field, message });
  const refuseWith = (message: string, name: string, other: string) =>
    at.problems.push({ field: inside(name), message: `${message} ${other}`, other: inside(other) });
  for (const name of schema.required ?? []) if (!fields.has(name)) refuse(inside(name), 'is required');
  if (fields.size < (schema.minProperties ?? 0)) refuse(at.field, 'needs at least one field');
  for (const [name, others] of Object.entries(schema.dependentRequired ?? {})) {
    for (const other of others) if (fields.has(name) && !fields.has(other)) refuseWith('is required with', other, name);
  }
  for (const { required } of schema.not?.anyOf ?? []) {
    const [one, other] = required;
    if (fields.has(one) && fields.has(other)) refuseWith('cannot be given together with', other, one);
  }
  const { properties = {} } = schema;
  for (const [name, inner] of fields) {
    const known = Object.hasOwn(properties, name) ? properties[name] : schema.additionalProperties;
    if (known) visit(known, inner, { ...at, field: inside(name) });
  }
}
