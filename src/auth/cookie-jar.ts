import type { FailureDetail } from '../failure.ts';
import { isLoopback } from '../network/base-url.ts';
import type { ResponseHeaders } from '../network/fetch.ts';

/** Names of cookies: those that were kept, those that the rules forbid, and those for which there was no room. */
export type TakenCookies = Readonly<Record<'kept' | 'dropped' | 'beyond', readonly string[]>>;

const most = 180;
const mostBytes = 65_536;

/**
 * The cookies of one login, in memory. A jar according to RFC 6265, but also bound to scheme, host and port, unlike the RFC's cookies. Drops cookies that break the rules, and
 * those beyond 180 or 64 KiB in total. A cookie without a path also goes to addresses that no other cookie of its name matches: "The client
 * must keep cookies across all five requests", whose paths have nothing in common.
 * An Expires is a time of the platform's clock, and judged by the Date of its response.
 * @param remember called with every value, so that it can be masked
 */
export async function openCookieJar(base: URL, remember: (secret: string) => void) {
  const { canonicalDomain, Cookie, CookieJar, MemoryCookieStore } = await import('tough-cookie');
  const host = canonicalDomain(base.hostname);
  const store = new MemoryCookieStore();
  const rules = { rejectPublicSuffixes: true, allowSpecialUseDomain: true };
  const jar = new CookieJar(store, rules);
  const withoutPath = new CookieJar(new MemoryCookieStore(), rules);
  const dropped = new Map<string, FailureDetail>();

  function parse(line: string, date: number) {
    const cookie = Cookie.parse(line);
    const { expires, maxAge } = cookie ?? {};
    if (expires instanceof Date && maxAge === null && !Number.isNaN(date))
      cookie?.setMaxAge((expires.getTime() - date) / 1000);
    // RFC 6265, 5.3, 5: such a cookie is for this host alone, though the host may be a public suffix, such as a name of one label.
    if (cookie && cookie.cdomain() === host && !/^__host-/i.test(cookie.key)) cookie.domain = null;
    return cookie;
  }

  async function keep(url: string, key: string, line: string, date: number): Promise<keyof TakenCookies> {
    const all = await store.getAllCookies();
    const others = all.filter((each) => each.key !== key);
    const bytes = others.reduce((sum, each) => sum + each.key.length + each.value.length + 3, line.length);
    if (others.length >= most || bytes > mostBytes) return 'beyond';
    const kept = await jar.setCookie(parse(line, date) ?? line, url, { ignoreError: true });
    const everywhere = parse(line, date);
    if (everywhere && (everywhere.path === null || everywhere.TTL() <= 0)) {
      everywhere.path = '/';
      await withoutPath.setCookie(everywhere, url, { ignoreError: true });
    }
    return kept !== undefined && kept.value !== '' && kept.TTL() > 0 ? 'kept' : 'dropped';
  }

  return {
    /** Those that were dropped so far, and why. */
    dropped,
    /** The Cookie header for a request; undefined without cookies to send, and for every other origin. */
    async header(url: string): Promise<string | undefined> {
      if (new URL(url).origin !== base.origin) return undefined;
      const own = await jar.getCookies(trusted(url));
      const names = new Set(own.map(({ key }) => key));
      const others = await withoutPath.getCookies(trusted(url));
      const all = [...own, ...others.filter(({ key }) => !names.has(key))];
      return all.map((cookie) => cookie.cookieString()).join('; ') || undefined;
    },
    /** Stores the cookies of a response. */
    async take(url: string, headers: ResponseHeaders): Promise<TakenCookies> {
      const taken = { kept: [] as string[], dropped: [] as string[], beyond: [] as string[] };
      const date = Date.parse(headers.get('date') ?? '');
      for (const line of headers.getSetCookie()) {
        const cookie = line.length <= mostBytes ? parse(line, date) : undefined;
        if (!cookie?.key) continue;
        // Values as short as "en" or "true" also occur in ordinary sentences, which must stay readable.
        if (cookie.value.length >= 8) remember(cookie.value);
        const found = await keep(trusted(url), cookie.key, line, date);
        if (found !== 'kept' && (cookie.value === '' || cookie.TTL() <= 0)) continue;
        taken[found].push(cookie.key);
        const why =
          cookie.domain === null ? 'needs https, or is not what its prefix promises' : `is for ${cookie.domain}`;
        if (found === 'dropped')
          dropped.set(cookie.key, { message: `The cookie ${cookie.key} is not kept: it ${why}` });
      }
      return taken;
    },
  };
}

// A connection to localhost is as safe as https (W3C, Secure Contexts), and browsers keep Secure cookies for it.
function trusted(url: string): string {
  const at = new URL(url);
  if (isLoopback(at)) at.protocol = 'https:';
  // tough-cookie decodes the path of a URL, but not that of a cookie, which platforms write as it is in the URL.
  at.pathname = at.pathname.replaceAll('%', '%25');
  return at.href;
}

/** Whether one of the names is that cookie, in any case, whole or in the chunks that ASP.NET splits large cookies into (name, nameC1, …). */
export function includesCookie(cookies: readonly string[], name: string): boolean {
  const prefix = name.toLowerCase();
  return cookies.some((each) => {
    const found = each.toLowerCase();
    return found.startsWith(prefix) && /^(c\d+)?$/.test(found.slice(prefix.length));
  });
}
