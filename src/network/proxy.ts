import { BlockList } from 'node:net';
import { usage } from '../failure.ts';
import type { Environment } from '../text/environment.ts';
import { ignoreError } from '../text/ignore-error.ts';
import { parseUrl } from '../text/parse-url.ts';
import { decoded, isLoopback } from './base-url.ts';

export type ProxyServer = {
  readonly url: URL;
  /** Host and port, for SOCKS with the scheme. Safe to show. */
  readonly name: string;
  /** The variable with its address. */
  readonly variable: string;
  /** The value of Proxy-Authorization, if the proxy's address has a user. */
  readonly authorization?: string;
};

/** The proxy for an address by HTTPS_PROXY or HTTP_PROXY, ALL_PROXY and NO_PROXY, of which lower-case names count first. @throws usage if one cannot be used */
export function proxyFor(target: URL, env: Environment): ProxyServer | undefined {
  const own = target.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  for (const variable of [own, own.toUpperCase(), 'all_proxy', 'ALL_PROXY']) {
    const value = env[variable]?.trim();
    if (!value) continue;
    // "Loopback is never proxied."
    const isDirect = isLoopback(target) || isExempt(target, env.no_proxy || env.NO_PROXY || '');
    return isDirect ? undefined : readProxy(value, variable);
  }
  return undefined;
}

/** The passwords in the proxy variables in all forms in which they are sent, for masking. */
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

/** Whether this machine resolves names and not the proxy, as curl does for `socks5://`, but not for `socks5h://`. */
export function resolvesHere({ url }: ProxyServer): boolean {
  return url.protocol === 'socks5:';
}

function readProxy(value: string, variable: string): ProxyServer {
  const url = proxyUrl(value);
  // With an unescaped / or # in the password, the host ends too early, and the @ is in the rest.
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

/** The port of a URL; by default that of its scheme. */
export function portOf({ port, protocol }: URL): number {
  return Number(port) || (ports[protocol] ?? 0);
}

/** Whether user or password are too long for SOCKS, which has one byte for the length of each. */
function isTooLong(url: URL): boolean {
  return isSocks({ url }) && [url.username, url.password].some((each) => Buffer.byteLength(decoded(each)) > 255);
}

/** Like curl, treats an address without a scheme as http. */
function proxyUrl(value: string): URL | undefined {
  return parseUrl(value.includes('://') ? value : `http://${value}`);
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

/** Whether a host is in a network, such as 10.0.0.0/8. NO_PROXY can have networks of IPv4 only. */
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

/** The known schemes in the value of Proxy-Authenticate. The rest of the value is ignored, because it may repeat secrets that were sent. */
export function proxySchemes(challenge: string): readonly string[] {
  return schemes.filter((scheme) => new RegExp(`(^|,)\\s*${scheme}(?![\\w-]|\\s*=)`, 'i').test(challenge));
}

/** A reminder for addresses with a password. */
const percentEncoding = 'with @ : / # % in the password as %40 %3A %2F %23 %25';

/** Says that a proxy refuses the login. @param offered the schemes of the proxy @param scheme that of the proxy's address */
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
