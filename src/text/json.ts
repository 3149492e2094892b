/** Reads JSON. Messages do not quote the text, which may contain secrets, but may name a key. */

import { ignoreError } from './ignore-error.ts';
import { codePointOf, unfit } from './utf8.ts';

/** A number that a double cannot represent exactly: 1e999, or one with more decimal digits than a double keeps. It is written as it was read. */
export class ExactNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toString(): string {
    return this.digits;
  }

  /** The digits as text, for writers that do not know this class. */
  toJSON(): string {
    return this.digits;
  }
}

/** The value of a JSON text, with or without a byte order mark. Undefined if the text is not JSON. */
export function valueIn(text: string): unknown {
  return ignoreError(() => JSON.parse(withoutMark(text)));
}

/**
 * Reads JSON of a settings file, with or without a byte order mark. Objects have no prototype, so keys such as `constructor` or `__proto__` are not
 * special. `wrong` is a clause: "it is not valid JSON at byte 12, line 2".
 */
export function parseSafely(text: string): { readonly value: unknown } | { readonly wrong: string } {
  const plain = withoutMark(text);
  if (plain.trim() === '') return { wrong: 'it is empty' };
  try {
    return { value: withoutPrototypes(JSON.parse(plain)) };
  } catch {
    const read = parseOrdered(plain);
    const at = 'problem' in read ? read.at : 0;
    const byte = Buffer.byteLength(plain.slice(0, at));
    return { wrong: `it is not valid JSON at byte ${byte}, line ${lineAt(plain, at)}` };
  }
}

function withoutPrototypes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) withoutPrototypes(inner);
  return Array.isArray(value) ? value : Object.setPrototypeOf(value, null);
}

function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** The line of a position in a text, counted from 1. */
export function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

/** How deep a response may be nested. Responses of the interface have some five levels. */
const deepestResponse = 200;

/**
 * Reads JSON without loss: integers beyond 2^53 become BigInt, other numbers that a double cannot represent become ExactNumber. A byte order mark is
 * allowed (RFC 8259 8.1). Returns undefined for an empty text.
 * @param outline of the text, if it is already known
 * @throws SyntaxError, whose message may quote the text and must never be shown, also for a text that is nested too deep, and for a key that occurs twice
 * in an object, because one of its values would be lost
 */
export async function parseLossless(text: string, outline: Outline = outlineOf(text)): Promise<unknown> {
  const plain = withoutMark(text);
  if (plain.trim() === '') return undefined;
  if (outline.deepest > deepestResponse) throw new SyntaxError('nested too deep');
  const value: unknown = JSON.parse(plain);
  if (outline.members !== membersOf(value)) throw new SyntaxError('a key appears twice');
  if (!outline.long) return value;
  const { isSafeNumber, parse } = await import('lossless-json');
  return parse(plain, undefined, (digits) => {
    if (/^-?\d+$/.test(digits)) return Number.isSafeInteger(Number(digits)) ? Number(digits) : BigInt(digits);
    return isSafeNumber(digits, { approx: true }) ? Number(digits) : new ExactNumber(digits);
  });
}

/** Why a text has no value: a phrase that continues a sentence about the text, the position, and for a text that is not JSON the fault there. */
type JsonFault = { readonly problem: string; readonly at: number; readonly fault: string | undefined };

/** Reads JSON to be sent. Objects become Maps, which keep the order of keys such as `__proto__` and "10", and long integers become BigInt. */
export function parseOrdered(text: string): { readonly value: unknown } | JsonFault {
  const reader = new OrderedReader(text);
  try {
    return { value: reader.parse() };
  } catch (error) {
    if (reader.fault) return reader.fault;
    throw error;
  }
}

/** ASP.NET accepts 32 to 64 levels. */
const deepestInput = 64;

/** The next token: a string, closed or not, a punctuation mark, or characters that should be a number or a word. Empty at the end. */
const token = /[ \t\r\n]*("[^"\\]*(?:\\.[^"\\]*)*"?|[[\]{}:,]|[^\s[\]{}:,"]*)/sy;
/** A string up to its first invalid character. */
const goodText = /^"(?:[^\\\0-\x1f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/;
/** The faults of tokens that are no values, by how a token begins. */
const notValues: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:['`\u2018-\u201f]|True|False|None)/,
    'JSON has double quotes, true, false and null; Python writes it with json.dumps',
  ],
  [/^[+-]?(?:nan|inf)/i, 'JSON has neither NaN nor Infinity: write null or a number'],
  [/^"/, 'the text that begins here does not end'],
  [/^/, 'it is neither a text in double quotes nor a number, true, false or null'],
];
const plainString = /^"[ !#-[\]-\uffff]*"$/;

class OrderedReader {
  fault: JsonFault | undefined;
  private readonly text: string;
  private token = '';
  private end = 0;
  private depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  parse(): unknown {
    this.nextToken();
    const value = this.readValue();
    if (this.nextToken() !== '' || this.end < this.text.length) throw this.markNotJson('it should have ended before');
    return value;
  }

  private nextToken(): string {
    token.lastIndex = this.end;
    this.token = token.exec(this.text)?.[1] ?? '';
    this.end = token.lastIndex;
    return this.token;
  }

  private readValue(): unknown {
    if (this.token === '{') return this.readObject();
    if (this.token === '[') return this.readArray();
    const value = this.readScalar();
    return typeof value === 'number' ? this.readNumber(value) : value;
  }

  private readObject(): ReadonlyMap<string, unknown> {
    const members = new Map<string, unknown>();
    this.readSequence('}', () => {
      const key = this.readScalar();
      if (typeof key !== 'string') throw this.markNotJson('a name must be in double quotes');
      if (members.has(key)) throw this.markFault(`has the key ${JSON.stringify(key)} twice in one object`);
      if (this.nextToken() !== ':') throw this.markNotJson('a colon is missing');
      this.nextToken();
      members.set(key, this.readValue());
    });
    return members;
  }

  private readArray(): readonly unknown[] {
    const items: unknown[] = [];
    this.readSequence(']', () => items.push(this.readValue()));
    return items;
  }

  private readSequence(close: string, read: () => void): void {
    this.depth += 1;
    if (this.depth > deepestInput)
      throw this.markFault(`is nested more than ${deepestInput} levels deep, which no platform reads`);
    if (this.nextToken() !== close) {
      for (read(); this.nextToken() === ','; read())
        if (this.nextToken() === close) throw this.markNotJson('remove the comma before it');
      if (this.token !== close) throw this.markNotJson(`a comma or ${close} is missing`);
    }
    this.depth -= 1;
  }

  private readScalar(): unknown {
    if (plainString.test(this.token)) return this.token.slice(1, -1);
    try {
      return JSON.parse(this.token);
    } catch {
      const good = goodText.exec(this.token)?.[0].length ?? this.token.length;
      const bad = JSON.stringify(this.token.charAt(good)).slice(1, -1);
      throw bad === '' ? this.markNotJson() : this.markNotJson(`in a text this character is ${bad}`, good);
    }
  }

  private readNumber(number: number): number | bigint {
    // JSON.stringify would send it as null.
    if (!Number.isFinite(number)) throw this.markFault('has a number that is too large');
    return Number.isSafeInteger(number) || !/^-?\d+$/.test(this.token) ? number : BigInt(this.token);
  }

  private markNotJson(wrong = notValues.find(([look]) => look.test(this.token))?.[1], after = 0): Error {
    const isOver = this.token === '' && this.end === this.text.length;
    return this.markFault('is not JSON', isOver ? 'it ends too early' : wrong, after);
  }

  /** Notes the fault, and returns an error to throw. @param after characters of the token */
  private markFault(problem: string, fault?: string, after = 0): Error {
    this.fault = { problem, at: this.end - this.token.length + after, fault };
    return new Error(problem);
  }
}

/** Whether a text begins as a JSON object or list but is incomplete. */
export function endsEarly(text: string, outline: Outline = outlineOf(text)): boolean {
  return outline.open && /^\ufeff?\s*[[{]/.test(text);
}

/** Facts that the brackets, quotes, colons and digits of a JSON text tell. */
export type Outline = {
  /** Whether a bracket or quote is not closed. */
  readonly open: boolean;
  readonly deepest: number;
  /** The number of object keys. */
  readonly members: number;
  /** Whether a number may have more digits than a double keeps. */
  readonly long: boolean;
};

const quote = 0x22;
const backslash = 0x5c;

/** Reads the outline of a JSON text. Skips strings, because looking at each of their characters takes several times as long. */
export function outlineOf(text: string): Outline {
  let depth = 0;
  let digits = 0;
  const found = { open: true, deepest: 0, members: 0, long: false };
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) {
      digits += 1;
      if (digits === 16) found.long = true;
      continue;
    }
    if (code === quote) {
      at = endOfString(text, at);
      if (at < 0) return found;
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > found.deepest) found.deepest = depth;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
    else if (code === 0x3a) found.members += 1;
    else if (digits > 0 && (code === 0x65 || code === 0x45)) found.long = true;
    digits = 0;
  }
  found.open = depth > 0;
  return found;
}

/** The end of the string that begins at `start`, or -1. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += membersOf(item);
    return count;
  }
  // Objects from JSON.parse have no inherited members.
  for (const name in value) count += 1 + membersOf((value as Readonly<Record<string, unknown>>)[name]);
  return count;
}

/** Every string in a value as `parseOrdered` returns it, names included. */
export function stringsIn(value: unknown): string[] {
  if (value instanceof Map) return [...value].flat().flatMap(stringsIn);
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return typeof value === 'string' ? [value] : [];
}

/** Names a character in a value's strings that no text has, to follow "has". Undefined if there is none. */
export function unfitIn(value: unknown): string | undefined {
  const found = stringsIn(value).find((text) => unfit.test(text));
  return found && `the character ${codePointOf(unfit.exec(found)?.[0] ?? '')}, which no text should have`;
}
