/**
 * How a secret may be written in a text that others made: plainly, in base64 at any place of a longer whole, or with escapes of JSON, URLs
 * and HTML in any mixture.
 */

/** A stretch of a text: from `start` up to and without `end`. */
export type Span = { readonly start: number; readonly end: number };

export type Spellings = {
  /** To be found in a text as it is. */
  readonly plain: readonly string[];
  /** The UTF-8 bytes as a latin1 text, to be found in a text whose escapes are undone. */
  readonly bytes: string;
};

export function spellingsOf(secret: string): Spellings {
  const bytes = Buffer.from(secret);
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  const plain = [secret, JSON.stringify(secret).slice(1, -1), form, ...base64Of(bytes)];
  return { plain: [...new Set(plain)], bytes: bytes.toString('latin1') };
}

/** Base64 of the bytes, by themselves and as the middle of something longer, in both alphabets. */
function base64Of(bytes: Buffer): string[] {
  const middles = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    // The characters that no neighbour has a part in.
    return text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
  });
  const whole = bytes.toString('base64').replace(/=+$/, '');
  // What is shorter would be found in ordinary words.
  const found = [whole, ...middles.filter((middle) => middle.length >= 8)];
  return found.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
}

/** Where any of the secrets stands in a text, in whatever spelling; in order, not touching each other. */
export function findSpellings(text: string, secrets: readonly Spellings[]): Span[] {
  const spans = secrets.flatMap(({ plain }) => plain.flatMap((form) => occurrences(text, form)));
  if (/[%\\&]/.test(text)) {
    const { bytes, starts, ends } = undone(text);
    for (const secret of secrets) {
      for (const { start, end } of occurrences(bytes, secret.bytes)) {
        spans.push({ start: starts[start] ?? 0, end: ends[end - 1] ?? text.length });
      }
    }
  }
  return merged(spans);
}

function occurrences(text: string, form: string): Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
    spans.push({ start: at, end: at + form.length });
  }
  return spans;
}

function merged(spans: readonly Span[]): Span[] {
  const whole: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = whole.at(-1);
    if (last && span.start <= last.end) whole[whole.length - 1] = { ...last, end: Math.max(last.end, span.end) };
    else whole.push(span);
  }
  return whole;
}

const short: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const parts =
  /%(?<percent>[0-9a-f]{2})|(?<units>(?:\\u[0-9a-f]{4})+)|\\(?<short>["\\/bfnrt])|&#x(?<hex>[0-9a-f]{1,6});|&#(?<decimal>\d{1,7});|&(?<entity>amp|lt|gt|quot|apos);|[^%\\&]+|./gisu;

/** The text without its escapes, as UTF-8 bytes, and where in the text each byte begins and ends. */
function undone(text: string): { bytes: string; starts: number[]; ends: number[] } {
  const bytes: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const add = (part: Buffer, start: number, end: number) => {
    bytes.push(part.toString('latin1'));
    for (let count = 0; count < part.length; count += 1) {
      starts.push(start);
      ends.push(end);
    }
  };
  for (const match of text.matchAll(parts)) {
    const [whole] = match;
    const meant = unescaped(match.groups ?? {});
    if (meant) add(meant, match.index, match.index + whole.length);
    else {
      let at = match.index;
      for (const character of whole) {
        add(Buffer.from(character), at, at + character.length);
        at += character.length;
      }
    }
  }
  return { bytes: bytes.join(''), starts, ends };
}

function unescaped(groups: Readonly<Record<string, string | undefined>>): Buffer | undefined {
  const { percent, units, hex, decimal, entity } = groups;
  if (percent) return Buffer.from(percent, 'hex');
  if (units) {
    return Buffer.from(
      String.fromCharCode(
        ...units
          .slice(2)
          .split(/\\u/i)
          .map((unit) => Number.parseInt(unit, 16)),
      ),
    );
  }
  if (groups.short) return Buffer.from(short[groups.short.toLowerCase()] ?? groups.short);
  if (hex) return character(Number.parseInt(hex, 16));
  if (decimal) return character(Number(decimal));
  return entity ? Buffer.from(entities[entity.toLowerCase()] ?? '') : undefined;
}

function character(code: number): Buffer {
  return Buffer.from(code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code));
}
