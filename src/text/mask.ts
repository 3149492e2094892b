import { findSecrets, type SecretEncodings, secretEncodings } from './secret-encodings.ts';
import { secretNamesIn } from './secret-names.ts';

/** Hides secrets in everything that users, logs or scripts can see. */
export type Mask = {
  /** From now on hides this value everywhere, in any encoding. */
  remember(secret: string): void;
  /**
   * The text without the secrets that this process knows, and without what follows "Bearer" or "Basic".
   * @param most cuts the text after this many characters. Only here: what is left of a secret that was cut before is not recognized.
   */
  text(text: string, most?: number): string;
  /**
   * The same for a sentence of this tool, from whose parts the platform's secrets are hidden already. It keeps a secret that is one plain word, such
   * as "password": hidden in a sentence that everybody knows, it would be told by the gap.
   */
  sentence(text: string): string;
  /** The text of a body, which also hides the values of all names that usually carry secrets; those of a login have more of them. */
  body(text: string, of?: 'login' | 'other', most?: number): string;
  /** The URL without its user, and without the values of query parameters that are not known to be harmless. */
  url(url: string): string;
  /** A header's value for a trace: of a request, shown if its name is known to be harmless; of a response, unless its name suggests a secret. */
  header(name: string, value: string, of: 'request' | 'response'): string;
};

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
const byNames = { login: patterns('login'), other: patterns('other') };

function patterns(of: 'login' | 'other') {
  return {
    // A text may be cut inside a value; then the value extends to the end.
    inJson: new RegExp(
      `("${secretNamesIn(of, '[^"\\\\]')}"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\[^])*(?:"|\\\\?$)|-?\\d[\\d.eE+-]*)`,
      'gi',
    ),
    inForm: new RegExp(`((?:^|[?&\\s"'])${secretNamesIn(of, '[\\w.%[\\]-]')}=)[^&\\s"'<>]+`, 'gi'),
    inInput: new RegExp(`\\bname\\s*=\\s*["']?${secretNamesIn(of, '[\\w.-]')}\\b`, 'i'),
  };
}

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

/** `harmless` lists the query parameters whose values may be shown. */
export function createMask(harmless: ReadonlySet<string>): Mask {
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
  const text = (raw: string, most?: number) => without(raw, [...known], most);
  const mayShow = (name: string, of: 'request' | 'response') =>
    of === 'request' ? isHarmlessHeader(name) : !secretHeaders.test(name);
  return {
    remember(secret) {
      // Shorter values would also match parts of ordinary words.
      if (secret.length >= 3) known.add(secret);
    },
    text,
    sentence: (raw) =>
      without(
        raw,
        [...known].filter((secret) => !plainWord.test(secret)),
      ),
    body: (raw, of = 'other', most) => byName(text(raw, most), of),
    url: (url) => text(hideQuery(url, harmless)),
    header: (name, value, of) => (mayShow(name, of) ? text(hideQuery(value, harmless)) : hidden),
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
  const { inJson, inForm, inInput } = byNames[of];
  return text
    .replace(inJson, `$1"${hidden}"`)
    .replace(inForm, `$1${hidden}`)
    .replace(inputTag, (tag) => (inInput.test(tag) ? tag.replace(value, `$1"${hidden}"`) : tag));
}

function hideUser(url: string): string {
  return url.replace(/(?<![/\\])([/\\]{2,})[^/\\?#\s]*@/g, `$1${hidden}@`);
}

function hideQuery(url: string, harmless: ReadonlySet<string>): string {
  return hideUser(url).replace(/([?&#;])([^=&#?;\s]+)=([^&#\s]*)/g, (whole, mark: string, name: string) =>
    harmless.has(name) ? whole : `${mark}${name}=${hidden}`,
  );
}
