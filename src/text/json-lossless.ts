import { ExactNumber } from './json-write.ts';

/** How deep a response may be nested; those of the interface have some five levels. */
const deepest = 200;

/**
 * Reads JSON without loss: integers beyond 2^53 become BigInt, other numbers that a double cannot represent become ExactNumber. A byte order mark is
 * allowed (RFC 8259 8.1).
 * Returns undefined for an empty text.
 * @param outline of the text, if it is already known
 * @throws SyntaxError whose message may quote the text and must never be shown; also for a text that is nested deeper than any response, and for a
 * duplicate key in one object, because one of its values would be lost
 */
export async function parseLossless(text: string, outline: Outline = outlineOf(text)): Promise<unknown> {
  const plain = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (plain.trim() === '') return undefined;
  if (outline.deepest > deepest) throw new SyntaxError('nested too deep');
  const value: unknown = JSON.parse(plain);
  if (outline.members !== membersOf(value)) throw new SyntaxError('a key stands twice');
  if (!outline.long) return value;
  const { isSafeNumber, parse } = await import('lossless-json');
  return parse(plain, undefined, (digits) => {
    if (/^-?\d+$/.test(digits)) return Number.isSafeInteger(Number(digits)) ? Number(digits) : BigInt(digits);
    return isSafeNumber(digits, { approx: true }) ? Number(digits) : new ExactNumber(digits);
  });
}

/** Whether a text begins as a JSON object or list but is incomplete. */
export function endsEarly(text: string, outline: Outline = outlineOf(text)): boolean {
  return outline.open && /^\ufeff?\s*[[{]/.test(text);
}

/** What can be learned from the brackets, quotes, colons and digits of a JSON text alone. */
export type Outline = {
  /** Whether a bracket or quote is not closed. */
  readonly open: boolean;
  readonly deepest: number;
  /** The number of object keys. */
  readonly members: number;
  /** Whether a number may have more digits than JSON.parse keeps. */
  readonly long: boolean;
};

const quote = 0x22;
const backslash = 0x5c;

/** Skips strings, because inspecting each of their characters takes several times as long. */
export function outlineOf(text: string): Outline {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  let digits = 0;
  let long = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) {
      digits += 1;
      if (digits === 16) long = true;
      continue;
    }
    if (code === quote) {
      at = endOfString(text, at);
      if (at < 0) return { open: true, deepest, members, long };
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
    else if (code === 0x3a) members += 1;
    else if (digits > 0 && (code === 0x65 || code === 0x45)) long = true;
    digits = 0;
  }
  return { open: depth > 0, deepest, members, long };
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
