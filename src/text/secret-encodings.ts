/**
 * How a secret may appear in a text from elsewhere: plain, in hex, in base64 at any offset of a longer value, broken over lines, or with escapes of JSON,
 * URLs and HTML in any combination, and escaped repeatedly: JSON inside JSON inside JSON.
 */

/** A part of a text: from `start` up to but not including `end`. */
type Span = { readonly start: number; readonly end: number };

/** The strings to search for in the bytes of a text (UTF-8, represented as latin1), before and after each level of unescaping. */
export type SecretEncodings = {
  readonly exact: readonly string[];
  /** To search for where white space is left out. */
  readonly joined: readonly string[];
};

/** Shorter strings would match ordinary words. */
const shortest = 8;

export function secretEncodings(secret: string): SecretEncodings {
  const inForm = new URLSearchParams([['', secret]]).toString().slice(1);
  const written = [secret, JSON.stringify(secret).slice(1, -1), inForm];
  const encoded = [...written.map((form) => Buffer.from(form)), Buffer.from(secret, 'utf16le')].flatMap(encodingsOf);
  const exact = [...[...written, secret.replaceAll(' ', '+')].map(utf8), ...encoded, ...misread(secret)];
  const joined = exact.map((form) => form.replace(space, '')).filter(({ length }) => length >= shortest);
  return { exact: [...new Set(exact)], joined: [...new Set(joined)] };
}

/** A secret may hold what looks like an escape, such as %20. Where the text around it is unescaped, so is that. */
function misread(secret: string): string[] {
  return readings(secret)
    .map(({ bytes }) => bytes)
    .slice(1)
    .filter(({ length }) => length >= shortest);
}

/** The bytes in hex and in base64, alone and in the middle of longer data, in both alphabets. */
function encodingsOf(bytes: Buffer): string[] {
  const hex = bytes.toString('hex');
  const middles = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    // Only the characters that do not depend on neighbouring bytes.
    return text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
  });
  const long = [hex, hex.toUpperCase(), ...middles].filter(({ length }) => length >= shortest);
  const found = [bytes.toString('base64').replaceAll('=', ''), ...long];
  return found.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
}

/** The positions of all secrets in a text, in any encoding; sorted by their start. */
export function findSecrets(text: string, secrets: readonly SecretEncodings[]): Span[] {
  if (secrets.length === 0) return [];
  const [exact, joined] = [secrets.flatMap((secret) => secret.exact), secrets.flatMap((secret) => secret.joined)];
  const spans = readings(text).flatMap(({ bytes, at }) =>
    [...occurrences(bytes, exact), ...broken(bytes, joined)].map(({ start, end }) => ({
      start: at[start] ?? 0,
      end: at[end] ?? text.length,
    })),
  );
  return spans.sort((one, other) => one.start - other.start);
}

function occurrences(bytes: string, forms: readonly string[]): Span[] {
  const spans: Span[] = [];
  for (const form of forms) {
    for (let start = bytes.indexOf(form); start >= 0; start = bytes.indexOf(form, start + 1)) {
      spans.push({ start, end: start + form.length });
    }
  }
  return spans;
}

/** What is found only where white space is left out. "password" is not the secret "pass word". */
function broken(bytes: string, forms: readonly string[]): Span[] {
  const { bytes: closed, at } = reread(bytes, space, () => '');
  if (closed === bytes) return [];
  return occurrences(closed, forms).flatMap(({ start, end }) => {
    const span = { start: at[start] ?? 0, end: (at[end - 1] ?? 0) + 1 };
    return span.end - span.start > end - start ? [span] : [];
  });
}

/** Bytes as latin1 text, and where each of them, and their end, stands in the original text. */
type Reading = { readonly bytes: string; readonly at: readonly number[] };

/** A platform that quotes a proxy that quotes a service escapes three times; each level costs a pass over the text. */
const mostPasses = 8;

/** The bytes of a text, then with one level of escapes removed, then with two. */
function readings(text: string): Reading[] {
  const found = [reread(text, beyondAscii, utf8)];
  for (let last = found[0]; last && found.length <= mostPasses; last = found.at(-1)) {
    const { at } = last;
    const less = reread(last.bytes, escapes, unescaped);
    if (less.bytes === last.bytes) break;
    found.push({ bytes: less.bytes, at: less.at.map((place) => at[place] ?? 0) });
  }
  return found;
}

/** A text with each match replaced by what `read` makes of it and its groups. */
function reread(text: string, matches: RegExp, read: (...groups: string[]) => string): Reading {
  const at: number[] = [];
  let bytes = '';
  let done = 0;
  const take = (end: number, meant: string) => {
    for (let index = 0; index < meant.length; index += 1) at.push(Math.min(done + index, end - 1));
    bytes += meant;
    done = end;
  };
  for (const match of text.matchAll(matches)) {
    take(match.index, text.slice(done, match.index));
    take(match.index + match[0].length, read(...match));
  }
  take(text.length, text.slice(done));
  at.push(text.length);
  return { bytes, at };
}

const beyondAscii = /[^\0-\x7f]/gu;
/** Also the `=` with which quoted-printable breaks a line. */
const space = /[\t-\r ]+|=(?=\r?\n)/g;
const escapes =
  /(?:%|\\x)([0-9a-f]{2})|((?:[%\\]ud[89ab][0-9a-f]{2})?[%\\]u[0-9a-f]{4})|\\(["'\\/bfnrt])|&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi;
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const short: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

function unescaped(_: string, byte = '', units = '', letter = '', hex = '', decimal = '', entity = ''): string {
  if (byte) return String.fromCharCode(Number.parseInt(byte, 16));
  if (units) return utf8(units.replace(/.u(....)/gi, (_, unit) => String.fromCharCode(Number.parseInt(unit, 16))));
  if (letter) return short[letter.toLowerCase()] ?? letter;
  if (entity) return named[entity.toLowerCase()] ?? '';
  const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
  return utf8(code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code));
}

function utf8(text: string): string {
  return Buffer.from(text).toString('latin1');
}
