import { entities } from './html.ts';
import { fieldsOf, isLongNumber, isRecord } from './record.ts';

/** What names that carry a secret end with, in any case: here, and wherever something logs in elsewhere, such as the password of a mail server. */
const ending =
  /(?:pass(?:word|phrase|code|wd)s?|pwds?|secrets?|tokens?|(?:api|access|private|shared|secret|signing)[_-]?keys?|access[_-]?key[_-]?ids?|connection[_-]?strings?|webhook[_-]?urls?|authorization|cookies?)$/i;
/** Short ones are the last word of a name: `userPin`, not `spin`. */
const lastWord = /(?:(?:^|[^a-z])(?:pass|pin|bearer)s?|(?:^|[^A-Z])(?:PASS|PIN|BEARER)S?|(?:Pass|Pin|Bearer)s?)$/;

/** Whole names that carry one in a login. Elsewhere they are ordinary: the state of a device, the code of an error. */
const ofLogins = /^(?:code|state|(?:client_)?assertion)$/i;

/** What a trace shows nothing of: whatever a channel needs to reach its service. */
const ofChannels = /^(?:config|commonSettings)$/i;

/** Whether a member, a field or a header with this name may be a secret. */
export function soundsSecret(name: string): boolean {
  return ending.test(name) || lastWord.test(name);
}

/** The same in the form or the query of a login. */
export function soundsSecretInLogin(name: string): boolean {
  return soundsSecret(name) || ofLogins.test(name);
}

/** Whether a member holds what its name suggests: a flag, a null and an empty text hide nothing. */
export function isSecretMember(name: string, value: unknown): boolean {
  return value !== '' && value !== null && typeof value !== 'boolean' && soundsSecret(name);
}

/** A value of JSON with `***` for its members with names of secrets, at any depth. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isRecord(value) || (isLongNumber(value) && !(value instanceof Map))) return value;
  const shown = [...fieldsOf(value)].map(
    ([name, inner]) => [name, isSecretMember(name, inner) ? hidden : withoutSecrets(inner)] as const,
  );
  return value instanceof Map ? new Map(shown) : Object.fromEntries(shown);
}

/** Whether a header of a request may be shown, whatever its value. */
export function isHarmlessHeader(name: string): boolean {
  return harmlessHeaders.test(name);
}

const hidden = '***';

/** Whether a secret was hidden in a text. */
export function hasGap(text: string): boolean {
  return text.includes(hidden);
}

/** Request headers that never contain secrets. Any other header sent with `api --header` may be a key. */
const harmlessHeaders =
  /^(accept|accept-charset|accept-encoding|accept-language|cache-control|content-encoding|content-language|content-type|date|expect|from|idempotency-key|if-match|if-modified-since|if-none-match|if-unmodified-since|origin|pragma|prefer|range|referer|traceparent|user-agent|x-correlation-id|x-request-id)$/i;
/** Response headers that may contain a key. A challenge only says how to log in, so it is excluded. */
const secretHeaders =
  /^(?!www-authenticate$|proxy-authenticate$).*(auth|cookie|credential|key|passw|secret|session|token)/i;
const quoted = `(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\\s>]+)`;
// Matches the whole tag first and inspects it separately: a single pattern would backtrack badly on a page full of such tags.
const inputTag = /<input\b(?:[^>"']|"[^"]*(?:"|$)|'[^']*(?:'|$))*/gi;
const value = new RegExp(`(\\bvalue\\s*=\\s*)${quoted}`, 'gi');
const nameAttribute = /\bname\s*=\s*["']?([\w.-]+)/i;
const inJson = /"([^"\\]*)"\s*:\s*/g;
const inForm = /(?:^|[?&;\s"'])([\w.%[\]-]+)=/g;
// A text may be cut inside a value; then the value extends to the end.
const jsonToken = /"(?:[^"\\]|\\.)*(?:"|\\?$)|-?\d[\d.eE+-]*|[[\]{}]/sy;
const formValue = /[^&\s"'<>]+/y;

// A challenge has parameters in the place of a token.
const scheme =
  /\b(Bearer|Basic)\s+(?!(?:realm|scope|charset|error|error_description|error_uri|authorization_uri|resource_metadata)\s*=)[A-Za-z0-9._~+/=-]{16,}/gi;

/**
 * Recognizes tokens that this process has never seen: base64 of `{"`, a dot, and more of it. Looks for the dot first, once for each run of characters:
 * a long text full of "eyJ" without a dot would take minutes.
 */
const jwt = /(?<![\w-])(?=[\w-]+\.[\w-]{8})((?:[\w-]*?-)?)eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3}/g;

/** An escape such as `&#x00041;` takes this many characters for one of a secret, and escapes of escapes a little more. */
const longestEscape = 16;

/** No word of our sentences is longer, and no status. */
const plainWord = /^([A-Za-z]{3,14}|\d{3})$/;

export type Mask = ReturnType<typeof createMask>;

/** Hides secrets in everything that users, logs or scripts can see. `harmless` lists the query parameters whose values may be shown. */
export function createMask(harmless: ReadonlySet<string>) {
  const known = new Set<string>();
  const spelt = new Map<string, SecretEncodings>();
  // Computed when there is a text to search: most runs never show one.
  const spellings = (secrets: readonly string[]) =>
    secrets.map((secret) => {
      const found = spelt.get(secret) ?? secretEncodings(secret);
      spelt.set(secret, found);
      return found;
    });
  const without = (raw: string, secrets: readonly string[], most = raw.length) => {
    const longest = Math.max(0, ...secrets.map(({ length }) => length));
    // Far enough behind the cut to see the whole of a secret that it goes through.
    const near = raw.slice(0, most + longest * longestEscape);
    return byValue(near, most, spellings(secrets)).replace(scheme, `$1 ${hidden}`).replace(jwt, `$1${hidden}`);
  };
  /**
   * The text without the secrets that this process knows, and without what follows "Bearer" or "Basic".
   * @param most cuts the text after this many characters. Only here: what is left of a secret that was cut before is not recognized.
   */
  const text = (raw: string, most?: number) => without(raw, [...known], most);
  const mayShow = (name: string, of: 'request' | 'response') =>
    of === 'request' ? isHarmlessHeader(name) : !secretHeaders.test(name);
  return {
    /** From now on hides this value everywhere, in any encoding. */
    remember(secret: string) {
      // Shorter values would also match parts of ordinary words.
      if (secret.length >= 3) known.add(secret);
    },
    text,
    /**
     * The same for a sentence of this tool, whose parts are masked already. A secret that is one plain word, such as "password", is kept: anybody
     * can guess what was hidden in a sentence they know.
     */
    sentence: (raw: string) =>
      without(
        raw,
        [...known].filter((secret) => !plainWord.test(secret)),
      ),
    /** The text of a body, which also hides the values of all names that usually carry secrets; those of a login have more of them. */
    body: (raw: string, of: 'login' | 'other' = 'other', most?: number) => byName(text(raw, most), of),
    /** The URL without its user, and without the values of query parameters that are not known to be harmless. */
    url: (url: string) => text(hideQuery(url, harmless)),
    /** A header's value for a trace: of a request, shown if its name is known to be harmless; of a response, unless its name suggests a secret. */
    header: (name: string, value: string, of: 'request' | 'response') =>
      mayShow(name, of) ? text(hideQuery(value, harmless)) : hidden,
  };
}

function byValue(text: string, most: number, secrets: readonly SecretEncodings[]): string {
  let masked = '';
  let done = 0;
  for (const { start, end } of findSecrets(text, secrets)) {
    if (start >= most) break;
    if (masked === '' || start > done) masked += text.slice(done, start) + hidden;
    done = Math.max(done, end);
  }
  return masked + text.slice(done, Math.max(done, most));
}

function byName(text: string, of: 'login' | 'other'): string {
  const isSecret = (name: string) =>
    ofChannels.test(name) || (of === 'login' ? soundsSecretInLogin(name) : soundsSecret(name));
  const withoutJson = hideValues(text, inJson, isSecret, endOfJson, `"${hidden}"`);
  return hideValues(withoutJson, inForm, isSecret, endOfForm, hidden).replace(inputTag, (tag) =>
    isSecret(nameAttribute.exec(tag)?.[1] ?? '') ? tag.replace(value, `$1"${hidden}"`) : tag,
  );
}

/** Replaces what follows the name of a secret. @param endOf returns where the value that begins there ends */
function hideValues(
  text: string,
  names: RegExp,
  isSecret: (name: string) => boolean,
  endOf: (text: string, begin: number) => number,
  instead: string,
): string {
  let shown = '';
  let done = 0;
  for (const match of text.matchAll(names)) {
    const begin = match.index + match[0].length;
    if (match.index < done || !isSecret(match[1] ?? '')) continue;
    const end = endOf(text, begin);
    if (end === begin) continue;
    shown += text.slice(done, begin) + instead;
    done = end;
  }
  return shown + text.slice(done);
}

/** The end of a string, a number, a list or an object; true, false and null hide nothing. */
function endOfJson(text: string, begin: number): number {
  let depth = 0;
  for (let at = begin; at < text.length; ) {
    jsonToken.lastIndex = at;
    const [token = ''] = jsonToken.exec(text) ?? [];
    if (depth === 0 && /^[\]}]?$/.test(token)) return begin;
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') depth -= 1;
    at += token.length || 1;
    if (depth <= 0) return at;
  }
  return text.length;
}

function endOfForm(text: string, begin: number): number {
  formValue.lastIndex = begin;
  return begin + (formValue.exec(text)?.[0].length ?? 0);
}

function hideQuery(url: string, harmless: ReadonlySet<string>): string {
  const withoutUser = url.replace(/(?<![/\\])([/\\]{2,})[^/\\?#\s]*@/g, `$1${hidden}@`);
  return withoutUser.replace(/([?&#;])([^=&#?;\s]+)=([^&#\s]*)/g, (whole, mark: string, name: string) =>
    harmless.has(name) ? whole : `${mark}${name}=${hidden}`,
  );
}

/**
 * How a secret may appear in a text from elsewhere: plain, in hex, in base64 at any offset of a longer value, broken over lines, or with escapes of JSON,
 * URLs and HTML in any combination, and escaped repeatedly: JSON inside JSON inside JSON.
 */

/** A part of a text: from `start` up to but not including `end`. */
type Span = { readonly start: number; readonly end: number };

/** The strings to search for in the bytes of a text (UTF-8, represented as latin1), before and after each level of unescaping. */
type SecretEncodings = {
  readonly exact: readonly string[];
  /** To search for where white space is left out. */
  readonly joined: readonly string[];
};

/** Shorter strings would match ordinary words. */
const isLong = ({ length }: string) => length >= 8;

function secretEncodings(secret: string): SecretEncodings {
  const inForm = new URLSearchParams([['', secret]]).toString().slice(1);
  const written = [secret, JSON.stringify(secret).slice(1, -1), inForm];
  const encoded = [...written.map((form) => Buffer.from(form)), Buffer.from(secret, 'utf16le')].flatMap(encodingsOf);
  // A secret may hold what looks like an escape, such as %20. Where the text around it is unescaped, so is that.
  const [, ...misread] = readings(secret).map(({ bytes }) => bytes);
  const exact = [...[...written, secret.replaceAll(' ', '+')].map(utf8), ...encoded, ...misread.filter(isLong)];
  const joined = exact.map((form) => form.replace(space, '')).filter(isLong);
  return { exact: [...new Set(exact)], joined: [...new Set(joined)] };
}

/** The bytes in hex and in base64, alone and in the middle of longer data, in both alphabets. */
function encodingsOf(bytes: Buffer): string[] {
  const hex = bytes.toString('hex');
  const middles = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    // Only the characters that do not depend on neighbouring bytes.
    return text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
  });
  const long = [hex, hex.toUpperCase(), ...middles].filter(isLong);
  const found = [bytes.toString('base64').replaceAll('=', ''), ...long];
  return found.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
}

/** The positions of all secrets in a text, in any encoding; sorted by their start. */
function findSecrets(text: string, secrets: readonly SecretEncodings[]): Span[] {
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
type LatinText = { readonly bytes: string; readonly at: readonly number[] };

/** A platform that quotes a proxy that quotes a service escapes three times; each level costs a pass over the text. */
const mostPasses = 8;

/** The bytes of a text, then with one level of escapes removed, then with two. */
function readings(text: string): LatinText[] {
  const found = [reread(text, /[^\0-\x7f]/gu, utf8)];
  for (let last = found[0]; last && found.length <= mostPasses; last = found.at(-1)) {
    const { at } = last;
    const less = reread(last.bytes, escapes, unescaped);
    if (less.bytes === last.bytes) break;
    found.push({ bytes: less.bytes, at: less.at.map((place) => at[place] ?? 0) });
  }
  return found;
}

/** A text with each match replaced by what `read` makes of it and its groups. */
function reread(text: string, matches: RegExp, read: (...groups: string[]) => string): LatinText {
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
/** Also the `=` with which quoted-printable breaks a line. */
const space = /[\t-\r ]+|=(?=\r?\n)/g;
const escapes =
  /(?:%|\\x)([0-9a-f]{2})|((?:[%\\]ud[89ab][0-9a-f]{2})?[%\\]u[0-9a-f]{4})|\\(["'\\/bfnrt])|&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi;
const short: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

function unescaped(_: string, byte = '', units = '', letter = '', hex = '', decimal = '', entity = ''): string {
  if (byte) return String.fromCharCode(Number.parseInt(byte, 16));
  if (units) return utf8(units.replace(/.u(....)/gi, (_, unit) => String.fromCharCode(Number.parseInt(unit, 16))));
  if (letter) return short[letter.toLowerCase()] ?? letter;
  if (entity) return entities[entity.toLowerCase()] ?? '';
  const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
  return utf8(code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code));
}

function utf8(text: string): string {
  return Buffer.from(text).toString('latin1');
}
