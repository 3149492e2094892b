/** Recognizes secrets by the names of their fields. `mask.ts` recognizes secrets by their values. */
import { fieldsOf, isLongNumber, isRecord } from './record.ts';

export const hidden = '***';

/** Whether a secret was hidden in a text. */
export function hasGap(text: string): boolean {
  return text.includes(hidden);
}

/** How names of secrets end, in any case: those of the platform, and of other services, such as the password of a mail server. */
const ending =
  /(?:pass(?:word|phrase|code|wd)s?|pwds?|secrets?|tokens?|(?:api|access|private|shared|secret|signing)[_-]?keys?|access[_-]?key[_-]?ids?|connection[_-]?strings?|webhook[_-]?urls?|authorization|cookies?)$/i;
/** Short words that name a secret only as the last word of a name: `userPin`, not `spin`. */
const lastWord = /(?:(?:^|[^a-z])(?:pass|pin|bearer)s?|(?:^|[^A-Z])(?:PASS|PIN|BEARER)S?|(?:Pass|Pin|Bearer)s?)$/;

/** Whole names of secrets in a login. Elsewhere they are ordinary: the state of a device, the code of an error. */
const ofLogins = /^(?:code|state|(?:client_)?assertion)$/i;

/** Whether a member, a field or a header with this name may be a secret. */
export function soundsSecret(name: string): boolean {
  return ending.test(name) || lastWord.test(name);
}

/** Whether a name in the form or the query of a login may be that of a secret. */
export function soundsSecretInLogin(name: string): boolean {
  return soundsSecret(name) || ofLogins.test(name);
}

/** Whether a member may hold a secret: its name suggests one, and its value is neither a boolean, null nor empty. */
export function isSecretMember(name: string, value: unknown): boolean {
  return value !== '' && value !== null && typeof value !== 'boolean' && soundsSecret(name);
}

/** A JSON value with `***` for members whose names suggest a secret, at any depth. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isRecord(value) || (isLongNumber(value) && !(value instanceof Map))) return value;
  const shown = [...fieldsOf(value)].map(
    ([name, inner]) => [name, isSecretMember(name, inner) ? hidden : withoutSecrets(inner)] as const,
  );
  return value instanceof Map ? new Map(shown) : Object.fromEntries(shown);
}

/** Whether the value of a header may be shown: of a request, if its name is known to be harmless; of a response, unless its name suggests a secret. */
export function isHarmlessHeader(name: string, of: 'request' | 'response' = 'request'): boolean {
  return of === 'request' ? harmlessHeaders.test(name) : !secretHeaders.test(name);
}

/** Request headers that never contain secrets. Any other header sent with `api --header` may be a key. */
const harmlessHeaders =
  /^(accept|accept-charset|accept-encoding|accept-language|cache-control|connection|content-encoding|content-language|content-length|content-type|date|expect|from|host|idempotency-key|if-match|if-modified-since|if-none-match|if-unmodified-since|origin|pragma|prefer|range|referer|traceparent|user-agent|x-correlation-id|x-request-id)$/i;
/** Response headers that may contain a key. A challenge only says how to log in, so it is excluded. */
const secretHeaders =
  /^(?!www-authenticate$|proxy-authenticate$).*(auth|cookie|credential|key|passw|secret|session|token)/i;
