/** Where platforms put the tenant's id in step 1's redirect. */
const names = new Set(['tenantid', 'tenant_id', '__tenant']);
const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** IdentityServer and Duende: `acr_values=tenant:<GUID>`, maybe beside other values. */
const acrTenant = /(?:^|\s)tenant:([0-9a-f-]{36})(?=\s|$)/i;

/** Other names, which may also be for the tenant's path: they count with a GUID alone. */
const looseNames = new Set(['tenant', 'tid', 'tenant-id']);

type TenantLookup = { readonly tenantId: string } | { readonly missing: 'none' | 'several' };

/**
 * The tenant's id in a redirect: in its query, in the query of a URL inside its query (a return URL, encoded once), in its fragment or its
 * path, under the name tenantId, tenant_id or __tenant, or as the only GUID of the path, of a member tenant or of acr_values. The URL is never requested.
 */
export function findTenant(location: URL): TenantLookup {
  const nested = nestedIn(location);
  const places: (() => readonly string[])[] = [
    () => namedIn(location.searchParams),
    () => nested.flatMap((url) => namedIn(url.searchParams)),
    () => [location, ...nested].flatMap(namedInFragment),
    () => [location, ...nested].flatMap((url) => guidsNamedIn(url.searchParams)),
    () => [location, ...nested].flatMap((url) => namedInPath(url.pathname)),
    () => guidsOf(location.pathname),
    () => [location, ...nested].flatMap((url) => guidsOf(fragmentOf(url).path)),
    () => nested.flatMap((url) => guidsOf(url.pathname)),
  ];
  for (const place of places) {
    const [first, ...others] = new Set(place());
    if (first === undefined) continue;
    return others.length === 0 ? { tenantId: first } : { missing: 'several' };
  }
  return { missing: 'none' };
}

function namedIn(query: URLSearchParams): string[] {
  return [...query].filter(([name, value]) => names.has(name.toLowerCase()) && value !== '').map(([, value]) => value);
}

function guidsNamedIn(query: URLSearchParams): string[] {
  return [...query]
    .map(([name, value]) => (looseNames.has(name.toLowerCase()) ? value : acrTenantIn(name, value)))
    .filter((value) => guid.test(value));
}

function acrTenantIn(name: string, value: string): string {
  return (/^acr_values$/i.test(name) && acrTenant.exec(value)?.[1]) || '';
}

function nestedIn(location: URL): URL[] {
  return [...location.searchParams.values()]
    .filter((value) => /^(\/|https?:)/i.test(value) && URL.canParse(value, location.href))
    .map((value) => new URL(value, location.href));
}

// Single-page applications use "#tenantId=…", "#/login?tenantId=…" and "#/tenant/…".
function fragmentOf({ hash }: URL): { readonly path: string; readonly query: URLSearchParams } {
  const text = hash.slice(1);
  const mark = text.indexOf('?');
  if (mark >= 0) return { path: text.slice(0, mark), query: new URLSearchParams(text.slice(mark + 1)) };
  return text.includes('=') && !text.startsWith('/')
    ? { path: '', query: new URLSearchParams(text) }
    : { path: text, query: new URLSearchParams() };
}

function namedInFragment(url: URL): string[] {
  const { path, query } = fragmentOf(url);
  return [...namedIn(query), ...namedInPath(path)];
}

// "/tenantId/…", "/tenantId=…", and "/tenants/<GUID>".
function namedInPath(path: string): string[] {
  const segments = path.split(/[/;]/).map(decoded);
  return segments.flatMap((segment, index) => {
    const [name = '', ...value] = segment.split('=');
    if (names.has(name.toLowerCase()))
      return [value.join('=') || segments[index + 1] || ''].filter((each) => each !== '');
    const next = segments[index + 1] ?? '';
    return /^tenants?$/i.test(segment) && guid.test(next) ? [next] : [];
  });
}

function guidsOf(path: string): string[] {
  return path
    .split('/')
    .map(decoded)
    .filter((segment) => guid.test(segment));
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
