/** How deep an answer may nest; those of the interface have some five levels. */
const deepest = 200;

/**
 * Reads JSON without changing what it says: integers beyond 2^53 become BigInt, a byte order mark is allowed (RFC 8259 8.1).
 * Gives undefined for an empty text.
 * @throws SyntaxError whose message may quote the text, never to be shown; also for what nests deeper than any answer would, and for
 * a key that stands twice in one object, of which one would be lost
 */
export async function parseLossless(text: string): Promise<unknown> {
  const plain = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (plain.trim() === '') return undefined;
  const outline = outlineOf(plain);
  if (outline.deepest > deepest) throw new SyntaxError('nested too deep');
  const value: unknown = JSON.parse(plain);
  if (outline.members !== membersOf(value)) throw new SyntaxError('a key stands twice');
  if (!/\d{16}|\d[eE]/.test(plain)) return value;
  const { isSafeNumber, LosslessNumber, parse } = await import('lossless-json');
  return parse(plain, undefined, (digits) => {
    if (/^-?\d+$/.test(digits)) return Number.isSafeInteger(Number(digits)) ? Number(digits) : BigInt(digits);
    return isSafeNumber(digits, { approx: true }) ? Number(digits) : new LosslessNumber(digits);
  });
}

/** Whether a text begins as a JSON object or list and stops in the middle of it. */
export function endsEarly(text: string): boolean {
  return /^\ufeff?\s*[[{]/.test(text) && outlineOf(text).open;
}

type Outline = {
  /** Something that was opened is not closed. */
  readonly open: boolean;
  readonly deepest: number;
  /** How many keys of objects there are. */
  readonly members: number;
};

const quote = 0x22;
const backslash = 0x5c;

/** The brackets, quotes and colons of a JSON text, without reading what is between. */
function outlineOf(text: string): Outline {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
      if (at < 0) return { open: true, deepest, members };
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
    else if (code === 0x3a) members += 1;
  }
  return { open: depth > 0, deepest, members };
}

/** Where the string that begins at `start` ends, or -1. */
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
  const inner = Object.values(value);
  let count = Array.isArray(value) ? 0 : inner.length;
  for (const each of inner) count += membersOf(each);
  return count;
}
