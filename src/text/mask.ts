/** Hides secrets by their values: those that this process knows, and texts that look like a token. `secret-names.ts` recognizes secrets by names. */
import { entities } from './html.ts';
import { once } from './once.ts';
import { hidden, isHarmlessHeader } from './secret-names.ts';

// A scheme and a token. Not a challenge, which has parameters in the place of the token.
const authorization =
  /\b(Bearer|Basic)\s+(?!(?:realm|scope|charset|error|error_description|error_uri|authorization_uri|resource_metadata)\s*=)[A-Za-z0-9._~+/=-]{16,}/gi;

/**
 * Recognizes tokens that this process has never seen: base64 of `{"`, a dot, and more of it. Looks for the dot first, once for each run of characters:
 * a long text full of "eyJ" without a dot would take minutes.
 */
const jwt = /(?<![\w-])(?=[\w-]+\.[\w-]{8})((?:[\w-]*?-)?)eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3}/g;

/** The length of the longest escape of one character, such as `&#x00041;`, or of an escape of it. */
const longestEscape = 16;

/** A word as in sentences of this program, or a status. */
const plainWord = /^([A-Za-z]{3,14}|\d{3})$/;

export type Mask = ReturnType<typeof createMask>;

/** Hides secrets in everything that users, logs or scripts can see. `harmless` lists the query parameters whose values may be shown. */
export function createMask(harmless: ReadonlySet<string>) {
  // The forms are computed when there is a text to search: most runs never show one.
  const known = new Map<string, () => SecretForms>();
  const hideIn = (raw: string, secrets: readonly string[], most = raw.length) => {
    const forms = secrets.flatMap((secret) => known.get(secret)?.() ?? []);
    const longest = Math.max(0, ...secrets.map(({ length }) => length));
    // Long enough to contain the whole of a secret that the cut goes through.
    const near = raw.slice(0, most + longest * longestEscape);
    return hideKnown(near, most, forms).replace(authorization, `$1 ${hidden}`).replace(jwt, `$1${hidden}`);
  };
  /**
   * A text without the secrets that this process knows, and without tokens after "Bearer" or "Basic".
   * @param most characters, after which the text is cut. It must not be cut earlier, because a part of a secret is not recognized.
   */
  const text = (raw: string, most?: number) => hideIn(raw, [...known.keys()], most);
  return {
    remember(secret: string) {
      // Shorter values would also match parts of ordinary words.
      if (secret.length >= 3 && !known.has(secret))
        known.set(
          secret,
          once(() => formsOf(secret)),
        );
    },
    text,
    /** Masks a sentence of this tool, except for secrets that are an ordinary word, such as "password": hiding the word would show that it is the secret. */
    sentence: (raw: string) =>
      hideIn(
        raw,
        [...known.keys()].filter((secret) => !plainWord.test(secret)),
      ),
    /** The URL without its user, and without the values of query parameters that are not known to be harmless. */
    url: (url: string) => text(hideQuery(url, harmless)),
    header: (name: string, value: string, of: 'request' | 'response') =>
      isHarmlessHeader(name, of) ? text(hideQuery(value, harmless)) : hidden,
  };
}

/** Stands for one hidden character, so that all others keep their positions. No text has it. */
const filler = '\uffff';
const jsonString = /"(?:[^"\\]|\\.)*(?:"|\\?$)/gs;

/** Hides secrets in their usual spellings. A secret with other escapes or line breaks is hidden with its JSON string, or else with the whole text. */
function hideKnown(text: string, most: number, secrets: readonly SecretForms[]): string {
  const written = secrets.flatMap((secret) => secret.written).sort((one, other) => other.length - one.length);
  const holdsSecret = (part: string) =>
    readings(utf8(part)).some((bytes) => {
      const closed = bytes.replace(space, '');
      // "password" is not the secret "pass word".
      const isBroken = (form: string) => closed.split(form).length > bytes.split(form).length;
      return secrets.some(({ read, joined }) => read.some((form) => bytes.includes(form)) || joined.some(isBroken));
    });
  const fill = (part: string) => filler.repeat(part.length);
  let shown = written.reduce((rest, form) => rest.replaceAll(form, fill), text);
  if (holdsSecret(shown))
    shown = shown.replace(jsonString, (part) => (holdsSecret(part) ? `"${fill(part.slice(2))}"` : part));
  return (holdsSecret(shown) ? filler : shown.slice(0, most)).replace(/\uffff+/g, hidden);
}

function hideQuery(url: string, harmless: ReadonlySet<string>): string {
  const withoutUser = url.replace(/(?<![/\\])([/\\]{2,})[^/\\?#\s]*@/g, `$1${hidden}@`);
  return withoutUser.replace(/([?&#;])([^=&#?;\s]+)=([^&#\s]*)/g, (whole, mark: string, name: string) =>
    harmless.has(name) ? whole : `${mark}${name}=${hidden}`,
  );
}

/** How a secret may appear in a text from elsewhere. */
type SecretForms = {
  /** Plain, with the escapes of JSON, URLs and HTML, in hex, and in base64 at any offset of a longer value. */
  readonly written: readonly string[];
  /** `written` as bytes (UTF-8, represented as latin1), to search for before and after each level of unescaping. */
  readonly read: readonly string[];
  /** `read` without white space, to search for in texts without white space. */
  readonly joined: readonly string[];
};

/** Shorter strings would match ordinary words. */
const isLong = ({ length }: string) => length >= 8;

function formsOf(secret: string): SecretForms {
  const inForm = new URLSearchParams([['', secret]]).toString().slice(1);
  const inXml = ['amp', 'lt', 'gt', 'quot'].reduce(
    (text, name) => text.replaceAll(entities[name] ?? '', `&${name};`),
    secret,
  );
  const inHtml = inXml.replaceAll("'", '&#39;');
  const escaped = [secret, JSON.stringify(secret).slice(1, -1), inForm, inForm.replaceAll('+', '%20'), inHtml];
  const encoded = [...escaped.map((form) => Buffer.from(form)), Buffer.from(secret, 'utf16le')].flatMap(encodingsOf);
  const written = [...new Set([...escaped, secret.replaceAll(' ', '+'), ...encoded])];
  // A secret may contain an escape, such as %20, which is unescaped together with the text around it.
  const [, ...misread] = readings(utf8(secret));
  const read = [...written.map(utf8), ...misread.filter(isLong)];
  return { written, read, joined: read.map((form) => form.replace(space, '')).filter(isLong) };
}

/** The bytes in hex and in base64, alone and in the middle of longer data, in both alphabets. */
function encodingsOf(bytes: Buffer): string[] {
  const hex = bytes.toString('hex');
  const middles = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    // Leaves out characters that depend on neighbouring bytes.
    return text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
  });
  const long = [hex, hex.toUpperCase(), ...middles].filter(isLong);
  const found = [bytes.toString('base64').replaceAll('=', ''), ...long];
  return found.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
}

/** The largest number of levels of escapes. A platform that quotes a proxy that quotes a service has three; each takes a pass over the text. */
const mostPasses = 8;

/** Bytes as they are, with one level of escapes removed, with two, and so on. */
function readings(bytes: string, levels = mostPasses): string[] {
  const less = bytes.replace(escapes, unescaped);
  return less === bytes || levels === 0 ? [bytes] : [bytes, ...readings(less, levels - 1)];
}

/** White space, and the `=` with which quoted-printable breaks a line. */
const space = /[\t-\r ]+|=(?=\r?\n)/g;
const escapes =
  /(?:%|\\x)([0-9a-f]{2})|((?:[%\\]ud[89ab][0-9a-f]{2})?[%\\]u[0-9a-f]{4})|\\(["'\\/bfnrt])|&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));?/gi;
const shortEscapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

function unescaped(_: string, byte = '', units = '', letter = '', hex = '', decimal = '', entity = ''): string {
  if (byte) return String.fromCharCode(Number.parseInt(byte, 16));
  if (units) return utf8(units.replace(/.u(....)/gi, (_, unit) => String.fromCharCode(Number.parseInt(unit, 16))));
  if (letter) return shortEscapes[letter.toLowerCase()] ?? letter;
  if (entity) return entities[entity.toLowerCase()] ?? '';
  const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
  return utf8(code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code));
}

function utf8(text: string): string {
  return Buffer.from(text).toString('latin1');
}
