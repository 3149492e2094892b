import { ExactNumber } from './json.ts';
import { fieldsOf, isLongNumber, isRecord } from './record.ts';

// Characters that JSON allows and that are not safe to show: DEL, C1, bidirectional controls, line separators, BOM, and invisible characters that can
// hide text (soft hyphen, zero width space, word joiner and similar, tags). Joiners that emoji and scripts need are kept.
const unsafe = /[\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/**
 * A value as JSON on one line. Takes values of a JSON parser, and a BigInt or a Map, which stand for a long integer and an object. Keys keep their order
 * and names, even `__proto__`. Undefined members are left out.
 */
export function compact(value: unknown): string {
  return isPlain(value) ? escapeUnsafe(JSON.stringify(value)) : render(value, undefined);
}

export function compactLines(values: readonly unknown[]): string {
  return values.map((value) => `${compact(value)}\n`).join('');
}

/** A value as JSON on several lines, indented by two spaces per level. */
export function pretty(value: unknown): string {
  return isPlain(value) ? escapeUnsafe(JSON.stringify(value, undefined, 2)) : render(value, '');
}

/** Whether a value is one that JSON.parse returns, which JSON.stringify writes many times faster than `render`. */
function isPlain(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return true;
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.every(isPlain);
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const name in value) if (!isPlain((value as Readonly<Record<string, unknown>>)[name])) return false;
  return true;
}

/** Escapes the characters of JSON that a terminal, a line reader or a person could misread. @param escaped gives the escape in another language */
export function escapeUnsafe(json: string, escaped: (character: string) => string = escapedInJson): string {
  return json.replace(unsafe, escaped);
}

export function escapedInJson(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** A value as JSON for a parser that accepts only valid Unicode: lone surrogates become U+FFFD. */
export function wellFormed(value: unknown): string {
  return render(value, undefined, (text) => JSON.stringify(text.replace(/[\ud800-\udfff]/gu, '\ufffd')));
}

type Quote = (text: string) => string;
const quoteSafely: Quote = (text) => escapeUnsafe(JSON.stringify(text));

function render(value: unknown, indent: string | undefined, quote: Quote = quoteSafely): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'bigint' || value instanceof ExactNumber) return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const deeper = indent === undefined ? undefined : `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => render(item, deeper, quote));
    return enclose('[', items, ']', indent);
  }
  const colon = indent === undefined ? ':' : ': ';
  const members = [...fieldsOf(value)].filter(([, member]) => member !== undefined);
  const written = members.map(([name, member]) => quote(name) + colon + render(member, deeper, quote));
  return enclose('{', written, '}', indent);
}

function enclose(open: string, members: readonly string[], close: string, indent: string | undefined): string {
  if (members.length === 0) return open + close;
  if (indent === undefined) return open + members.join(',') + close;
  return `${open}\n${indent}  ${members.join(`,\n${indent}  `)}\n${indent}${close}`;
}

/** A value as JSON for the body of a request. In a Map, keys such as `__proto__` or "10" are not special. A BigInt keeps its digits. */
export function jsonText(value: unknown): string {
  return render(value, undefined, JSON.stringify);
}

/** A text that is the same for equal values. The order of members does not count, nor whether a value is an object or a Map. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!(value instanceof Map) && (!isRecord(value) || isLongNumber(value))) return jsonText(value);
  const sorted = [...fieldsOf(value)].sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${sorted.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(',')}}`;
}
