import type { FailureDetail } from '../failure.ts';
import { isLoopback } from '../network/base-url.ts';
import type { ResponseHeaders } from '../network/fetch.ts';

/** Names of the cookies of a response: those that were kept, those that break the rules, and those for which there was no room. */
export type TakenCookies = Readonly<Record<'kept' | 'dropped' | 'beyond', readonly string[]>>;

const mostCookies = 180;
const mostBytes = 65_536;

/**
 * Keeps the cookies of one login in memory, according to RFC 6265 with three differences. Cookies are sent only to the scheme, host and port of `base`.
 * An Expires is compared with the Date of its response, because it is a time of the platform's clock. A cookie without a path is also sent to paths for
 * which no other cookie has its name: "The client must keep cookies across all five requests", and their paths do not begin alike.
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
    // RFC 6265, 5.3, 5: a cookie for a public suffix, such as a name of one label, is valid for that host alone.
    if (cookie && cookie.cdomain() === host && !/^__host-/i.test(cookie.key)) cookie.domain = null;
    return cookie;
  }

  async function keep(url: string, key: string, line: string, date: number): Promise<keyof TakenCookies> {
    const all = await store.getAllCookies();
    const others = all.filter((each) => each.key !== key);
    const bytes = others.reduce((sum, { key, value }) => sum + key.length + value.length + 3, line.length);
    if (others.length >= mostCookies || bytes > mostBytes) return 'beyond';
    const kept = await jar.setCookie(parse(line, date) ?? line, url, { ignoreError: true });
    const copy = parse(line, date);
    if (copy && (copy.path === null || copy.TTL() <= 0)) {
      copy.path = '/';
      await withoutPath.setCookie(copy, url, { ignoreError: true });
    }
    return kept !== undefined && kept.value !== '' && kept.TTL() > 0 ? 'kept' : 'dropped';
  }

  return {
    /** The cookies that were dropped so far, with the reasons. */
    dropped,
    /** Gives the Cookie header for a request; undefined without cookies to send, and for every other origin. */
    async header(url: string): Promise<string | undefined> {
      if (new URL(url).origin !== base.origin) return undefined;
      const matching = await jar.getCookies(urlForJar(url));
      const names = new Set(matching.map(({ key }) => key));
      const others = await withoutPath.getCookies(urlForJar(url));
      const all = [...matching, ...others.filter(({ key }) => !names.has(key))];
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
        const found = await keep(urlForJar(url), cookie.key, line, date);
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

// A connection to localhost counts as https (W3C, Secure Contexts), and browsers keep Secure cookies for it.
function urlForJar(url: string): string {
  const at = new URL(url);
  if (isLoopback(at)) at.protocol = 'https:';
  // tough-cookie decodes the path of a URL, but not that of a cookie, which platforms write as it is in the URL.
  at.pathname = at.pathname.replaceAll('%', '%25');
  return at.href;
}

/** Whether a cookie is among these names, in any case. ASP.NET splits large cookies into several: name, nameC1, … */
export function includesCookie(cookies: readonly string[], name: string): boolean {
  const prefix = name.toLowerCase();
  return cookies.some((each) => {
    const found = each.toLowerCase();
    return found.startsWith(prefix) && /^(c\d+)?$/.test(found.slice(prefix.length));
  });
}
