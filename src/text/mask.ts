import { findSecrets, type SecretEncodings, secretEncodings } from './secret-encodings.ts';
import { secretNamesInMessages } from './secret-names.ts';

/** Hides secrets in anything that a person, a log or a script may see. */
export type Mask = {
  /** From now on this value is hidden everywhere, however it is written. */
  remember(secret: string): void;
  /** The text without the secrets that this process knows, and without what follows "Bearer" or "Basic". */
  text(text: string): string;
  /** A body's text, where also everything is hidden that stands under a name secrets travel under. */
  body(text: string): string;
  /** The URL without secrets: its user, and values of query parameters that are not known to be harmless, are hidden. */
  url(url: string): string;
  /** A header's value as a trace may show it: of a request where its name is known to be harmless, of an answer where it is no secret's. */
  header(name: string, value: string, of: 'request' | 'answer'): string;
};

/** Whether a header of a request may be shown whatever its value is. */
export function isHarmlessHeader(name: string): boolean {
  return harmlessHeaders.test(name);
}

const hidden = '***';

const names = secretNamesInMessages;
/** Headers of requests that say nothing secret. Whatever else a person sends with `api --header` may be a key. */
const harmlessHeaders =
  /^(accept|accept-charset|accept-encoding|accept-language|cache-control|content-encoding|content-language|content-type|date|expect|from|idempotency-key|if-match|if-modified-since|if-none-match|if-unmodified-since|origin|pragma|prefer|range|referer|traceparent|user-agent|x-correlation-id|x-request-id)$/i;
/** Headers of answers that may carry a key; a challenge says how to log in, and carries none. */
const secretHeaders =
  /^(?!www-authenticate$|proxy-authenticate$).*(auth|cookie|credential|key|passw|secret|session|token)/i;
// A text may be cut inside of the value: then the value goes to its end.
const inJson = new RegExp(`("(?:${names})"\\s*:\\s*)"(?:[^"\\\\]|\\\\[^])*(?:"|\\\\?$)`, 'gi');
const inForm = new RegExp(`((?:^|[?&\\s"'])(?:${names})=)[^&\\s"'<>]+`, 'gi');
const quoted = `(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\\s>]+)`;
// A tag is taken whole, and looked at by itself: one pattern for all of it has a hundred ways through a page of such tags.
const inputTag = /<input\b(?:[^>"']|"[^"]*(?:"|$)|'[^']*(?:'|$))*/gi;
const secretName = new RegExp(`\\bname\\s*=\\s*["']?(?:${names})\\b`, 'i');
const value = new RegExp(`(\\bvalue\\s*=\\s*)${quoted}`, 'gi');
const scheme = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{16,}/gi;

/** A token that this process has never seen is known by its look: base64 of `{"`, a dot, and more of it. */
const jwt = /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3}/g;

/** `harmless` names the query parameters whose values may be shown. */
export function createMask(harmless: ReadonlySet<string>): Mask {
  const known = new Set<string>();
  const spelt = new Map<string, SecretEncodings>();
  // Only when there is a text to search: most runs show none.
  const spellings = () =>
    [...known].map((secret) => {
      const found = spelt.get(secret) ?? secretEncodings(secret);
      spelt.set(secret, found);
      return found;
    });
  const text = (raw: string) => byValue(raw, spellings()).replace(scheme, `$1 ${hidden}`).replace(jwt, hidden);
  const mayShow = (name: string, of: 'request' | 'answer') =>
    of === 'request' ? isHarmlessHeader(name) : !secretHeaders.test(name);
  return {
    remember(secret) {
      // A value this short would blank out ordinary words.
      if (secret.length >= 3) known.add(secret);
    },
    text,
    body: (raw) => byName(text(raw)),
    url: (url) => text(hideQuery(url, harmless)),
    header: (name, value, of) => (mayShow(name, of) ? text(hideQuery(value, harmless)) : hidden),
  };
}

function byValue(text: string, secrets: readonly SecretEncodings[]): string {
  let masked = '';
  let done = 0;
  for (const { start, end } of findSecrets(text, secrets)) {
    masked += text.slice(done, start) + hidden;
    done = end;
  }
  return masked + text.slice(done);
}

function byName(text: string): string {
  return text
    .replace(inJson, `$1"${hidden}"`)
    .replace(inForm, `$1${hidden}`)
    .replace(inputTag, (tag) => (secretName.test(tag) ? tag.replace(value, `$1"${hidden}"`) : tag));
}

function hideUser(url: string): string {
  return url.replace(/([/\\]{2,})[^/\\?#\s]*@/g, `$1${hidden}@`);
}

function hideQuery(url: string, harmless: ReadonlySet<string>): string {
  return hideUser(url).replace(/([?&#;])([^=&#?\s]+)=([^&#\s]*)/g, (whole, mark: string, name: string) =>
    harmless.has(name) ? whole : `${mark}${name}=${hidden}`,
  );
}
