// Legal in JSON and yet not safe to show: DEL, C1, bidirectional controls, line separators, BOM. All below U+10000.
const unsafe = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const loneSurrogate = /\p{Cs}/gu;

/**
 * A value as JSON on one line. Takes what a JSON parser gives, BigInt for long whole numbers (printed as digits), Map for
 * dictionaries; own keys keep their order and their names (`__proto__` too); undefined is left out.
 */
export function compact(value: unknown): string {
  return render(value, undefined);
}

/** The same over several lines, two spaces a level; `lead` is the indentation that the value itself stands at. */
export function pretty(value: unknown, lead = ''): string {
  return render(value, lead);
}

/** JSON text with the characters escaped that a terminal or a line reader could act on. It stays the same value. */
export function harmless(json: string): string {
  return json.replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A value for a parser that takes nothing but Unicode: surrogates without their other half become U+FFFD. */
export function wellFormed(value: unknown): string {
  return render(value, undefined, (text) => JSON.stringify(text.replace(loneSurrogate, '\ufffd')));
}

/** Names and values of an object or a Map, those that are undefined left out. */
export function membersOf(holder: object): [string, unknown][] {
  const members: [string, unknown][] = holder instanceof Map ? [...holder] : Object.entries(holder);
  return members.filter(([, value]) => value !== undefined);
}

type Quote = (text: string) => string;
const quoteHarmless: Quote = (text) => harmless(JSON.stringify(text));

function render(value: unknown, lead: string | undefined, quote: Quote = quoteHarmless): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const deeper = lead === undefined ? undefined : `${lead}  `;
  if (Array.isArray(value)) {
    return enclose(
      '[',
      value.map((item) => render(item, deeper, quote)),
      ']',
      lead,
    );
  }
  const colon = lead === undefined ? ':' : ': ';
  const members = membersOf(value).map(([name, member]) => quote(name) + colon + render(member, deeper, quote));
  return enclose('{', members, '}', lead);
}

function enclose(open: string, members: readonly string[], close: string, lead: string | undefined): string {
  if (members.length === 0) return open + close;
  if (lead === undefined) return open + members.join(',') + close;
  return `${open}\n${lead}  ${members.join(`,\n${lead}  `)}\n${lead}${close}`;
}
