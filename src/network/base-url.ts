import { usage } from '../failure.ts';

/**
 * A base URL in its canonical form, the only one that is compared: scheme, host and port in lower case, a path prefix kept, no trailing slash.
 * @throws a usage failure if it is not an http(s) address, or contains a user, a password, a query or a fragment
 */
export function readBaseUrl(text: string, from: string): string {
  const hint = 'Give an address such as https://platform.example';
  if (!URL.canParse(text)) throw usage(`${from} takes the address of a platform.`, hint);
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw usage(`${from} takes an address that starts with https://.`, hint);
  }
  if (url.username !== '' || url.password !== '') {
    throw usage(`${from} cannot contain a user or a password.`, 'Log in with: iiot login');
  }
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text))
    throw usage(`${from} cannot contain a query or a fragment.`, hint);
  if (url.port === '0') throw usage(`${from} cannot have port 0.`, hint);
  return url.origin + url.pathname.replace(/\/+$/, '');
}
