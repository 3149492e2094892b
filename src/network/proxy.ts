import { usage } from '../failure.ts';
import type { Environment } from '../text/environment.ts';
import { isLoopback } from './loopback.ts';

export type ProxyServer = {
  readonly url: URL;
  /** Host and port, safe to show. */
  readonly name: string;
  /** Value of Proxy-Authorization, if the proxy's address has a user. */
  readonly authorization?: string;
};

/**
 * The proxy for an address: from HTTPS_PROXY or HTTP_PROXY, the lower-case variable first, unless NO_PROXY lists the host or it is this machine
 * ("Loopback is never proxied").
 * @throws usage if the variable cannot be used
 */
export function proxyFor(target: URL, env: Environment): ProxyServer | undefined {
  const lower = target.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const variable = env[lower] ? lower : lower.toUpperCase();
  const value = env[variable]?.trim();
  if (!value || isLoopback(target)) return undefined;
  if (isExempt(target, env.no_proxy || env.NO_PROXY || '')) return undefined;
  return readProxy(value, variable);
}

/** Only its name; undefined if there is no proxy, or if the variable cannot be used, which the request itself will report. */
export function proxyNameFor(url: string, env: Environment): string | undefined {
  try {
    return proxyFor(new URL(url), env)?.name;
  } catch {
    return undefined;
  }
}

/** User names and passwords in the proxy variables, for masking. */
export function proxySecrets(env: Environment): string[] {
  return ['https_proxy', 'http_proxy', 'HTTPS_PROXY', 'HTTP_PROXY'].flatMap((variable) => {
    const url = parsed(env[variable]?.trim() ?? '');
    if (!url?.password) return [];
    return [url.password, plain(url.password), credentials(url)];
  });
}

/** What people forget in an address with a password. */
export const percentEncoding = 'with @ : / # % in the password as %40 %3A %2F %23 %25';

function readProxy(value: string, variable: string): ProxyServer {
  const url = parsed(value);
  // An unescaped / or # in the password ends the host early, and the @ becomes part of what follows.
  const isCut = url !== undefined && `${url.pathname}${url.search}${url.hash}`.includes('@');
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '' || isCut) {
    const hint = value.includes('@') ? `http://USER:PASSWORD@HOST:PORT, ${percentEncoding}` : 'http://HOST:PORT';
    throw usage(`${variable} does not hold the address of an HTTP proxy.`, `It looks like ${hint}`);
  }
  const name = `${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`;
  return { url, name, ...(url.username !== '' && { authorization: `Basic ${credentials(url)}` }) };
}

/** Like curl, treats an address without a scheme as http. */
function parsed(value: string): URL | undefined {
  const whole = value.includes('://') ? value : `http://${value}`;
  return URL.canParse(whole) ? new URL(whole) : undefined;
}

function credentials({ username, password }: URL): string {
  return Buffer.from(`${plain(username)}:${plain(password)}`).toString('base64');
}

function plain(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/**
 * Whether NO_PROXY lists the host. Entries are separated by commas or spaces: `*`, a host with its subdomains (`example.com`, `.example.com`,
 * `*.example.com`), an address, or a network (`10.0.0.0/8`), each with or without a port.
 */
export function isExempt({ hostname, port, protocol }: URL, noProxy: string): boolean {
  const host = bare(hostname);
  const ownPort = port || (protocol === 'https:' ? '443' : '80');
  return noProxy.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true;
    const [, name = '', wantedPort] = /^(\[[^\]]*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(entry) ?? [];
    if (wantedPort !== undefined && wantedPort !== ownPort) return false;
    return covers(bare(name), host);
  });
}

function bare(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

function covers(entry: string, host: string): boolean {
  const domain = entry.replace(/^\*?\./, '');
  if (domain === '') return false;
  if (domain.includes('/')) return inNetwork(host, domain);
  return host === domain || (host.endsWith(`.${domain}`) && !/^[\d.]+$/.test(host));
}

/** IPv4 only, the one kind of network that is supported in NO_PROXY. */
function inNetwork(host: string, network: string): boolean {
  const [base = '', bits = ''] = network.split('/');
  const [left, right] = [numberOf(host), numberOf(base)];
  if (left === undefined || right === undefined || !/^([12]?\d|3[0-2])$/.test(bits)) return false;
  const size = 2 ** (32 - Number(bits));
  return Math.floor(left / size) === Math.floor(right / size);
}

function numberOf(address: string): number | undefined {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) return undefined;
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}
