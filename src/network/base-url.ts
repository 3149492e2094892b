import { usage } from '../failure.ts';
import { ignoreError } from '../text/ignore-error.ts';
import { parseUrl } from '../text/parse-url.ts';

/**
 * Reads a base URL into its canonical form, in which all base URLs are compared: scheme and host in lower case, a path prefix, no trailing slash.
 * @throws a usage failure that begins with `from` if it is not an http(s) address, or contains a user, a password, a query or a fragment
 */
export function readBaseUrl(text: string, from: string): string {
  const hint = 'Give a URL such as https://platform.example';
  if (bareHost.test(text)) {
    const scheme = isLoopback(new URL(`http://${text}`)) ? 'http' : 'https';
    throw usage(`${from} must start with https://, as in ${scheme}://${text}.`);
  }
  const url = parseUrl(text);
  if (!url) throw usage(`${from} must be a URL such as https://platform.example.`);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw usage(`${from} must start with https://, as in https://platform.example.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw usage(`${from} cannot contain a user or a password.`, 'Log in with: iiot login');
  }
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text))
    throw usage(`${from} cannot contain a query or a fragment.`, hint);
  if (url.port === '0') throw usage(`${from} cannot have port 0.`, hint);
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** Matches a host without a scheme that cannot be a token or a password, so that a message may repeat it. */
const bareHost = /^([a-z0-9-]{1,40}(\.[a-z0-9-]{1,40})+|localhost)(:\d{1,5})?(\/[a-z0-9/-]*)?$/i;

/** Whether a URL's host, in lower case, is this machine: localhost and its subdomains (RFC 6761), 127.0.0.0/8 and ::1. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** Whether anybody on the way can read what is sent to a URL: plain http that leaves this machine. */
export function isOpenToAll(url: URL): boolean {
  return url.protocol === 'http:' && !isLoopback(url);
}

/** The warning before a secret is sent to a URL that is open to all. */
export function notEncrypted({ origin }: URL, secret: string): string {
  return `The connection to ${origin} is not encrypted: anyone on the network can read the ${secret}.`;
}

/** A URL's host as the system expects it: an IPv6 address without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Decodes percent-encoding. Returns a text with broken encoding unchanged. */
export function decoded(encoded: string): string {
  return ignoreError(() => decodeURIComponent(encoded)) ?? encoded;
}

/** The origin of a URL; undefined for a name such as `platform` or `urn:platform`. */
export function originOf(url: string | undefined): string | undefined {
  const { origin } = (url !== undefined && parseUrl(url)) || {};
  return origin === 'null' ? undefined : origin;
}
