/** Looking into JSON objects whose names are spelled as their writer likes: accessToken, access_token and AccessToken are one name. */

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON object that a text is, or undefined. Never throws: the parser's own message would quote the text. */
export function readRecord(text: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A member by its name: exactly, else in any case and with or without `_` and `-`. */
export function memberOf(record: JsonRecord, name: string): unknown {
  if (Object.hasOwn(record, name)) return record[name];
  const wanted = bare(name);
  const key = Object.keys(record).find((each) => bare(each) === wanted);
  return key === undefined ? undefined : record[key];
}

/** A member that is a text of more than blanks, or undefined. */
export function textOf(record: JsonRecord, name: string): string | undefined {
  const value = memberOf(record, name);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** The fields of a JSON object, or of a Map that stands for one where order and odd keys matter. */
export function fieldsOf(value: object): Map<string, unknown> {
  return value instanceof Map ? value : new Map(Object.entries(value));
}

function bare(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}
