/**
 * How a secret may appear in a text from elsewhere: plain, in base64 at any offset of a longer value, or with escapes of JSON, URLs and HTML in any
 * combination, and escaped repeatedly: JSON inside JSON inside JSON.
 */

/** A part of a text: from `start` up to but not including `end`. */
type Span = { readonly start: number; readonly end: number };

/** The strings to search for in the bytes of a text (UTF-8, represented as latin1), before and after each level of unescaping. */
export type SecretEncodings = readonly string[];

export function secretEncodings(secret: string): SecretEncodings {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inForm = new URLSearchParams([['', secret]]).toString().slice(1);
  const written = [secret, inJson, inForm, secret.replaceAll(' ', '+')];
  const encoded = [secret, inJson, inForm].flatMap((form) => base64Of(Buffer.from(form)));
  return [...new Set([...written.map((form) => Buffer.from(form).toString('latin1')), ...encoded, ...misread(secret)])];
}

/** A secret may hold what looks like an escape, such as %20. Where the text around it is unescaped, so is that. */
function misread(secret: string): string[] {
  const forms: string[] = [];
  let reading = undone(bytesOf(secret));
  for (let pass = 0; reading && pass < mostPasses; pass += 1) {
    // Shorter strings would match ordinary words.
    if (reading.bytes.length >= 8) forms.push(reading.bytes);
    reading = undone(reading);
  }
  return forms;
}

/** The base64 of the bytes, alone and in the middle of longer data, in both alphabets. */
function base64Of(bytes: Buffer): string[] {
  const middles = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    // Only the characters that do not depend on neighbouring bytes.
    return text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
  });
  const whole = bytes.toString('base64').replace(/=+$/, '');
  // Shorter strings would match ordinary words.
  const found = [whole, ...middles.filter((middle) => middle.length >= 8)];
  return found.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
}

/** A platform that quotes a proxy that quotes a service escapes three times; each level costs a pass over the text. */
const mostPasses = 8;

/** The positions of all secrets in a text, in any encoding; sorted, and merged if they touch. */
export function findSecrets(text: string, secrets: readonly SecretEncodings[]): Span[] {
  if (secrets.length === 0) return [];
  const spans: Span[] = [];
  let reading: Reading | undefined = bytesOf(text);
  for (let pass = 0; reading && pass <= mostPasses; pass += 1) {
    const { bytes, starts, ends }: Reading = reading;
    for (const secret of secrets) {
      for (const { start, end } of secret.flatMap((form) => occurrences(bytes, form)))
        spans.push({ start: starts[start] ?? 0, end: ends[end - 1] ?? text.length });
    }
    reading = undone(reading);
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

/** Bytes as latin1 text, and for each byte its start and end in the original text. */
type Reading = { readonly bytes: string; readonly starts: readonly number[]; readonly ends: readonly number[] };

function bytesOf(text: string): Reading {
  const bytes = Buffer.from(text).toString('latin1');
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  for (const character of text) {
    const end = at + character.length;
    for (let count = Buffer.byteLength(character); count > 0; count -= 1) {
      starts.push(at);
      ends.push(end);
    }
    at = end;
  }
  return { bytes, starts, ends };
}

const short: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const escapes =
  /%(?<percent>[0-9a-f]{2})|(?<units>(?:\\u[0-9a-f]{4})+)|\\x(?<byte>[0-9a-f]{2})|\\(?<short>["'\\/bfnrt])|&#x(?<hex>[0-9a-f]{1,6});|&#(?<decimal>\d{1,7});|&(?<entity>amp|lt|gt|quot|apos);/gi;

/** The reading with one level of escapes removed; undefined if there are none. */
function undone({ bytes, starts, ends }: Reading): Reading | undefined {
  const less = { bytes: [] as string[], starts: [] as number[], ends: [] as number[] };
  let done = 0;
  const copyUpTo = (end: number) => {
    less.bytes.push(bytes.slice(done, end));
    for (let at = done; at < end; at += 1) {
      less.starts.push(starts[at] ?? 0);
      less.ends.push(ends[at] ?? 0);
    }
  };
  for (const match of bytes.matchAll(escapes)) {
    copyUpTo(match.index);
    done = match.index + match[0].length;
    const bytes = unescaped(match.groups ?? {}).toString('latin1');
    less.bytes.push(bytes);
    for (let count = bytes.length; count > 0; count -= 1) {
      less.starts.push(starts[match.index] ?? 0);
      less.ends.push(ends[done - 1] ?? 0);
    }
  }
  if (done === 0) return undefined;
  copyUpTo(bytes.length);
  return { ...less, bytes: less.bytes.join('') };
}

function unescaped(groups: Readonly<Record<string, string | undefined>>): Buffer {
  const { percent, units, byte, hex, decimal, entity = '' } = groups;
  if (percent ?? byte) return Buffer.from(percent ?? byte ?? '', 'hex');
  if (units) {
    return Buffer.from(
      units.replace(/\\u(....)/gi, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16))),
    );
  }
  if (groups.short) return Buffer.from(short[groups.short.toLowerCase()] ?? groups.short);
  if (hex) return character(Number.parseInt(hex, 16));
  return decimal ? character(Number(decimal)) : Buffer.from(entities[entity.toLowerCase()] ?? '');
}

function character(code: number): Buffer {
  return Buffer.from(code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code));
}
