import { decoded } from '../network/base-url.ts';
import { parseUrl } from '../text/parse-url.ts';

/** The names under which platforms put the tenant's id into the redirect of step 1. */
const names = new Set(['tenantid', 'tenant_id', '__tenant']);
const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Matches the values of IdentityServer and Duende: `acr_values=tenant:<GUID>` or `tenantId:<GUID>`, maybe beside others. */
const acrTenant = /(?:^|\s)tenant(?:_?id)?:([0-9a-f-]{36})(?=\s|$)/i;

/** Names that may also be for the tenant's path, so that they count only with a GUID. */
const looseNames = new Set(['tenant', 'tid', 'tenant-id']);

/**
 * Finds the tenant's id in a redirect, which is never requested. It is looked for in query and path: of the redirect itself, then of the URLs in its
 * query (return URLs, encoded once), then of fragments. A name such as tenantId counts before a GUID under a looser name, and that before any GUID.
 */
export function findTenant(location: URL): { readonly tenantId: string } | { readonly missing: 'none' | 'several' } {
  const nested = [...location.searchParams.values()]
    .filter((value) => /^(\/|https?:)/i.test(value))
    .flatMap((value) => parseUrl(value, location) ?? []);
  const places = [[location], nested, [location, ...nested].map(fragmentOf)];
  for (const idsIn of [namedIn, guidsNamedIn, namedInPath, guidsInPath]) {
    for (const urls of places) {
      const [first, ...others] = new Set(urls.flatMap(idsIn));
      if (first !== undefined) return others.length === 0 ? { tenantId: first } : { missing: 'several' };
    }
  }
  return { missing: 'none' };
}

function namedIn({ searchParams }: URL): string[] {
  return [...searchParams].flatMap(([name, value]) => (names.has(name.toLowerCase()) && value ? [value] : []));
}

function guidsNamedIn({ searchParams }: URL): string[] {
  return [...searchParams]
    .map(([name, value]) =>
      looseNames.has(name.toLowerCase()) ? value : (/^acr_values$/i.test(name) && acrTenant.exec(value)?.[1]) || '',
    )
    .filter((value) => guid.test(value));
}

// Single-page applications use "#tenantId=…", "#/login?tenantId=…" and "#/tenant/…".
function fragmentOf({ hash }: URL): URL {
  const isQuery = /^#[^/?=]*=[^?]*$/.test(hash);
  return new URL(`https://fragment.invalid/${isQuery ? '?' : ''}${hash.slice(1)}`);
}

// "/tenantId/…", "/tenantId=…", and "/tenants/<GUID>".
function namedInPath({ pathname }: URL): string[] {
  const segments = pathname.split(/[/;]/).map(decoded);
  return segments.flatMap((segment, index) => {
    const [name = '', ...value] = segment.split('=');
    const next = segments[index + 1] ?? '';
    if (names.has(name.toLowerCase())) return [value.join('=') || next].filter((each) => each !== '');
    return /^tenants?$/i.test(segment) && guid.test(next) ? [next] : [];
  });
}

function guidsInPath({ pathname }: URL): string[] {
  return pathname
    .split('/')
    .map(decoded)
    .filter((segment) => guid.test(segment));
}
