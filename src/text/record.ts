/** Access to JSON objects with inconsistent naming: accessToken, access_token and AccessToken are the same name. */
import { plainName } from './alike.ts';
import { valueIn } from './json.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

/** An object or a list. */
export function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function isRecord(value: unknown): value is JsonRecord {
  return isHolder(value) && !Array.isArray(value);
}

/** Whether it is a number that keeps all its digits: an object of a class that JSON does not have. */
export function isLongNumber(value: unknown): boolean {
  return isRecord(value) && ![Object.prototype, null].includes(Object.getPrototypeOf(value));
}

export function readRecord(text: string): JsonRecord | undefined {
  const value = valueIn(text);
  return isRecord(value) ? value : undefined;
}

/** A member by name, as {@link keyIn} finds it. */
export function memberOf(record: JsonRecord, name: string): unknown {
  const key = keyIn(record, name);
  return key === undefined ? undefined : record[key];
}

/** The own name of a member: an exact match, otherwise ignoring case, width, blanks, `_` and `-`. */
export function keyIn(record: object, name: string): string | undefined {
  if (Object.hasOwn(record, name)) return name;
  const plain = plainName(name);
  return Object.keys(record).find((each) => each.length >= plain.length && plainName(each) === plain);
}

/** A member with a text that is not blank, or undefined. */
export function textOf(record: JsonRecord, name: string): string | undefined {
  const value = memberOf(record, name);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** The fields of a JSON object, or of a Map that replaces one to keep order and unusual keys. */
export function fieldsOf(value: object): Map<string, unknown> {
  return value instanceof Map ? value : new Map(Object.entries(value));
}
