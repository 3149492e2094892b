/** Access to JSON objects with inconsistent naming: accessToken, access_token and AccessToken are the same name. */

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON object in a text, or undefined. Never throws, because the parser's own message would quote the text. */
export function readRecord(text: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A member by name: an exact match, otherwise ignoring case, `_` and `-`. */
export function memberOf(record: JsonRecord, name: string): unknown {
  if (Object.hasOwn(record, name)) return record[name];
  const bareName = bare(name);
  const key = Object.keys(record).find((each) => bare(each) === bareName);
  return key === undefined ? undefined : record[key];
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

function bare(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}
