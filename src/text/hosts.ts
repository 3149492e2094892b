/** Finds the hosts that a change sends data to, so that a person can agree to them. Hosts are shown, secrets are not. */

import { fieldsOf, isRecord } from './record.ts';
import { isSecretMember } from './secret-names.ts';

// A URL up to the end of its host, so that a URL in the query of another one is found as well.
const urlToHost = /(?:https?:[\\/]*|mailto:|[a-z][a-z0-9+.-]{0,30}:[\\/]{2,})[^/\\?#\s"'<>,;]+/gi;
/** "HostName=hub.example;SharedAccessKey=…" */
const hostPair = /\b(?:host(?:name)?|server|endpoint|address|data source)\s*=\s*(?:tcp:)?([^;,\s/\\]+)/gi;
const looksLikeHost = /^(?:[^@]*@)?[\w-]{1,63}(?:\.[\w-]{1,63})+(?::\d+)?$/;

const namesUrl = /ur[il]s?$/i;
const namesHost = /(?:ur[il]|host|hostname|server|domain|endpoint|relay|smtp)s?$/i;
const namesPerson = /(?:^(?:to|b?cc)|recipient|mail|address)(?:es|s)?$/i;

/** A JSON text with `***` for values whose names suggest a secret, after the hosts of their URLs: `https://hooks.example/***`. */
export function jsonWithHosts(json: string): string {
  return JSON.stringify(JSON.parse(json), (name, value) => {
    if (!isSecretMember(name, value)) return value;
    const hosts = [...new Set(textsIn(value).flatMap((text) => hostsIn(text, name)))];
    return hosts.map((host) => `${host}/***`).join(' ') || '***';
  });
}

/** A text without the users and passwords of its URLs. */
export function withoutUsers(text: string): string {
  return text.replace(/(?<![/\\])([/\\]{2,})[^/\\?#\s"']*@/g, '$1***@');
}

/** The hosts, with the scheme of URLs, and the recipients in a configuration or notification, each once. */
export function destinationsIn(value: unknown): readonly string[] {
  return [...new Set(destinationsOf(value, ''))];
}

function destinationsOf(value: unknown, name: string): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => destinationsOf(each, name));
  if (isRecord(value)) return [...fieldsOf(value)].flatMap(([inner, each]) => destinationsOf(each, inner));
  if (typeof value !== 'string' || value === '') return [];
  const hosts = hostsIn(value, name);
  if (hosts.length > 0 || isSecretMember(name, value)) return hosts;
  if (namesHost.test(name)) return [value.replace(/^.*@/s, '')];
  return namesPerson.test(name) ? [value] : [];
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** @param name of the member: a URL may lack its scheme */
function hostsIn(written: string, name: string): string[] {
  // Tabs and line breaks anywhere in a URL are left out (WHATWG URL, 4.4), but may also end one.
  const text = written.replace(/[\t\r\n]/g, '');
  const found = [written, text, ...urlsWithoutUsers(text)].flatMap((each) => each.match(urlToHost) ?? []).map(hostOf);
  const pairs = [...text.matchAll(hostPair)].map(([, host = '']) => hostOf(host));
  if (found.length > 0 || pairs.length > 0 || !namesUrl.test(name)) return [...found, ...pairs];
  const bare = text.replace(/^[\\/]+/, '').replace(/[/\\?#].*/s, '');
  return looksLikeHost.test(bare) ? [hostOf(`https://${bare}`).replace('https://', '')] : [];
}

/** URLs without what may be their user: a part that looks like a host may be a user, which only a slash, "?" or "#" ends, and for some programs a backslash. */
function urlsWithoutUsers(text: string): string[] {
  const authorities = text.matchAll(/(https?:[\\/]*|[a-z][a-z0-9+.-]{0,30}:[\\/]{2,})(?=([^/?#]{0,2000}@))/gi);
  return [...authorities].map(({ index, 1: scheme = '', 2: users = '' }) => {
    const host = index + scheme.length + users.length;
    return scheme + text.slice(host, host + 300);
  });
}

/** The host of a URL as programs that connect read it: without a user, in lower case, with look-alikes of other scripts in ASCII. */
function hostOf(url: string): string {
  const { protocol, host = '' } = URL.canParse(url) ? new URL(url) : { protocol: '' };
  return host === '' ? url.replace(/^([a-z]*:[\\/]*)?(?:.*@)?([^:]*).*$/is, '$1$2') : `${protocol}//${host}`;
}
