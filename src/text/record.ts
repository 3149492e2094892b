/** Access to JSON objects with inconsistent naming: accessToken, access_token and AccessToken are the same name. */
import { plainName } from './alike.ts';
import { valueIn } from './json.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function isRecord(value: unknown): value is JsonRecord {
  return isHolder(value) && !Array.isArray(value);
}

/** Whether a value is a number that keeps all its digits, such as an ExactNumber: an object that is neither plain nor without a prototype. */
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

/** The key of a record for a name: the name itself, otherwise one that differs only in case, width, blanks, `_` and `-`. */
export function keyIn(record: object, name: string): string | undefined {
  if (Object.hasOwn(record, name)) return name;
  const plain = plainName(name);
  return Object.keys(record).find((each) => each.length >= plain.length && plainName(each) === plain);
}

/** A member that is a text and not blank; undefined if it is neither. */
export function textOf(record: JsonRecord, name: string): string | undefined {
  const value = memberOf(record, name);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** The fields of a JSON object, or of a Map in its place, which keeps the order of keys and unusual ones. */
export function fieldsOf(value: object): Map<string, unknown> {
  return value instanceof Map ? value : new Map(Object.entries(value));
}
