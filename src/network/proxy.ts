import { BlockList } from 'node:net';
import { usage } from '../failure.ts';
import type { Environment } from '../text/environment.ts';
import { ignoreError } from '../text/ignore-error.ts';
import { decoded, isLoopback } from './base-url.ts';

export type ProxyServer = {
  readonly url: URL;
  /** Host and port, for SOCKS with the scheme; safe to show. */
  readonly name: string;
  /** The variable that names it. */
  readonly variable: string;
  /** Value of Proxy-Authorization, if the proxy's address has a user. */
  readonly authorization?: string;
};

/**
 * The proxy for an address: from HTTPS_PROXY or HTTP_PROXY, else from ALL_PROXY, the lower-case variable first, unless NO_PROXY lists the host or it
 * is this machine ("Loopback is never proxied").
 * @throws usage if the variable cannot be used
 */
export function proxyFor(target: URL, env: Environment): ProxyServer | undefined {
  const own = target.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  for (const variable of [own, own.toUpperCase(), 'all_proxy', 'ALL_PROXY']) {
    const value = env[variable]?.trim();
    if (!value) continue;
    const isDirect = isLoopback(target) || isExempt(target, env.no_proxy || env.NO_PROXY || '');
    return isDirect ? undefined : readProxy(value, variable);
  }
  return undefined;
}

/** User names and passwords in the proxy variables, for masking. */
export function proxySecrets(env: Environment): string[] {
  const lower = ['https_proxy', 'http_proxy', 'all_proxy'];
  return [...lower, ...lower.map((variable) => variable.toUpperCase())].flatMap((variable) => {
    const url = proxyUrl(env[variable]?.trim() ?? '');
    if (!url?.password) return [];
    return [url.password, decoded(url.password), credentials(url)];
  });
}

export function isSocks({ url }: Pick<ProxyServer, 'url'>): boolean {
  return url.protocol.startsWith('socks');
}

/** Whether this machine resolves the names and not the proxy: `socks5://` in place of `socks5h://`, as with curl. */
export function resolvesHere({ url }: ProxyServer): boolean {
  return url.protocol === 'socks5:';
}

function readProxy(value: string, variable: string): ProxyServer {
  const url = proxyUrl(value);
  // An unescaped / or # in the password ends the host early, and the @ becomes part of what follows.
  const isCut = url !== undefined && `${url.pathname}${url.search}${url.hash}`.includes('@');
  const [, otherSocks] = /^(socks(?!5h?:)\w*):/.exec(url?.protocol ?? '') ?? [];
  if (otherSocks)
    throw usage(
      `${variable} begins with ${otherSocks}://, but iiot speaks SOCKS5.`,
      'If the proxy speaks it as well: socks5h://HOST:PORT',
    );
  if (!url || !(url.protocol in ports) || url.hostname === '' || isCut || isTooLong(url)) {
    const hint = value.includes('@') ? `http://USER:PASSWORD@HOST:PORT, ${percentEncoding}` : 'http://HOST:PORT';
    throw usage(
      `${variable} is not the address of a proxy.`,
      `It looks like ${hint}; for SOCKS, it begins with socks5h://`,
    );
  }
  const host = `${url.hostname}:${portOf(url)}`;
  if (isSocks({ url })) return { url, variable, name: `${url.protocol}//${host}` };
  return { url, variable, name: host, authorization: url.username ? `Basic ${credentials(url)}` : undefined };
}

const ports: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'socks5:': 1080, 'socks5h:': 1080 };

/** The port of a URL, also where it is the one that goes without saying. */
export function portOf({ port, protocol }: URL): number {
  return Number(port) || (ports[protocol] ?? 0);
}

/** SOCKS counts the bytes of user and password in one byte each. */
function isTooLong(url: URL): boolean {
  return isSocks({ url }) && [url.username, url.password].some((each) => Buffer.byteLength(decoded(each)) > 255);
}

/** Like curl, treats an address without a scheme as http. */
function proxyUrl(value: string): URL | undefined {
  const whole = value.includes('://') ? value : `http://${value}`;
  return URL.canParse(whole) ? new URL(whole) : undefined;
}

function credentials({ username, password }: URL): string {
  return Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64');
}

/**
 * Whether NO_PROXY lists the host. Entries are separated by commas or spaces: `*`, a host with its subdomains (`example.com`, `.example.com`,
 * `*.example.com`), an address, or a network (`10.0.0.0/8`), each with or without a port.
 */
export function isExempt(target: URL, noProxy: string): boolean {
  const host = plainHost(target.hostname);
  return noProxy.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true;
    const [, name = '', wantedPort] = /^(\[[^\]]*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(entry) ?? [];
    if (wantedPort !== undefined && wantedPort !== String(portOf(target))) return false;
    return covers(plainHost(name), host);
  });
}

function plainHost(host: string): string {
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
  const list = new BlockList();
  if (!/^\d+$/.test(bits)) return false;
  const isInside = ignoreError(() => {
    list.addSubnet(base, Number(bits));
    return list.check(host);
  });
  return isInside === true;
}

const schemes = ['Basic', 'Digest', 'NTLM', 'Negotiate', 'Kerberos', 'Bearer'] as const;

/** The schemes in the value of Proxy-Authenticate, by their own names: the rest may repeat what the proxy was sent. */
export function proxySchemes(challenge: string): readonly string[] {
  return schemes.filter((scheme) => new RegExp(`(^|,)\\s*${scheme}(?![\\w-]|\\s*=)`, 'i').test(challenge));
}

/** What people forget in an address with a password. */
const percentEncoding = 'with @ : / # % in the password as %40 %3A %2F %23 %25';

/** @param scheme of the proxy's address */
export function proxyLoginWords(
  offered: readonly string[],
  variable: string,
  scheme = 'http',
): readonly [reason: string, hint: string] {
  if (offered.length > 0 && !offered.includes('Basic')) {
    const hint = `Run a relay on this machine that logs in there, such as cntlm or px, and put its address into ${variable}`;
    return [`it asks for a login with ${offered.join(' or ')}, but iiot knows only Basic`, hint];
  }
  const hint = `Put user and password into ${variable}: ${scheme}://USER:PASSWORD@HOST:PORT, ${percentEncoding}`;
  return ['it asks for other credentials', hint];
}
