/** The request of an `iiot api` command: its method, and its path on the platform. */
import { sourceOfOrg } from '../command/body.ts';
import type { Context } from '../command/context.ts';
import { organization } from '../command/target.ts';
import { isSameId } from '../contract/formats.ts';
import { segmentProblem } from '../contract/wire.ts';
import { usage } from '../failure.ts';
import type { Mask } from '../text/mask.ts';

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof methods)[number];

type Typed = { readonly [K in 'method' | 'path' | 'httpMethod']?: string | undefined };

const example = 'For example: iiot api /api/v1/orgs/{orgId}/users';

/** "PUT /x", "/x -X PUT" or "/x": GET by default. @throws usage for two methods, no path, or another method */
export function requestLine({ method: first, path: second, httpMethod }: Typed): { method: Method; path: string } {
  const isPathAlone = second === undefined && methodNamed(first) === undefined;
  const [word, path] = isPathAlone ? [undefined, first] : [first, second];
  if (word !== undefined && httpMethod !== undefined)
    throw usage(`The method is given twice: ${word.slice(0, 20)} and -X.`, 'Give it once');
  const given = word ?? httpMethod ?? 'GET';
  const method = methodNamed(given);
  if (!method) throw usage(`METHOD must be one of ${methods.join(', ')}.`, example);
  if (!path) throw usage('iiot api needs a path.', example);
  return { method, path };
}

function methodNamed(word: string | undefined): Method | undefined {
  return methods.find((each) => each === word?.toUpperCase());
}

/**
 * The path with {orgId} replaced by the current organization.
 * @throws usage for another placeholder, for an organization that cannot be a path segment, and for an --org that the path does not use
 */
export function withOrganization(path: string, context: Context): string {
  const [unknown] = /\{(?!orgId\})[^{}/]*\}/.exec(path.replace(/[?#].*/s, '')) ?? [];
  if (unknown) {
    const literal = 'Write the value itself; for a brace in the path write %7B or %7D';
    throw usage(`${unknown} in the path is not filled in: only {orgId} is.`, literal);
  }
  if (path.includes('{orgId}')) {
    const orgId = organization(context);
    const problem = segmentProblem(orgId);
    if (problem) throw usage(`${sourceOfOrg(context) ?? '--org'} ${problem}.`);
    return path.replaceAll('{orgId}', encodeURIComponent(orgId));
  }
  const { org } = context.options;
  const [, named = ''] = /\/orgs\/([^/?#]+)/.exec(path) ?? [];
  if (org === undefined || [org, encodeURIComponent(org.trim())].some((each) => isSameId(named, each))) return path;
  const why = named === '' ? 'has no effect: the path has no {orgId}' : `names ${org}, but the path names ${named}`;
  throw usage(`--org ${why}.`, named === '' ? example : 'Give one of them, or {orgId} in the path');
}

/**
 * The path below the base URL and its query, from any accepted spelling.
 * @throws usage if it leaves the platform's origin, or the path of its base URL
 */
export function targetOf(
  word: string,
  base: string,
  mask: Mask,
): { path: string; query: (readonly [string, string])[] } {
  // A password with an unescaped slash ends the host early, and would stand in the path.
  const shown = mask.url(word).replace(/\/\/.*@/s, '//***@');
  const elsewhere = usage(
    `${shown.slice(0, 200)} is not on ${new URL(base).origin}, and nothing is sent elsewhere.`,
    'Give a path that starts with a single /',
  );
  if (/^[\s]|^\/\/|[\\\0-\x1f]/.test(word)) throw elsewhere;
  const absolute = /^[a-z][a-z0-9+.-]*:/i.test(word);
  const text = absolute ? word : `${base}/${word.replace(/^\//, '')}`;
  if (!URL.canParse(text)) throw elsewhere;
  const url = new URL(text);
  const prefix = new URL(base).pathname.replace(/\/$/, '');
  const inside = url.pathname === prefix || url.pathname.startsWith(`${prefix}/`);
  if (url.origin !== new URL(base).origin || url.username !== '' || url.password !== '' || !inside) throw elsewhere;
  return { path: url.pathname.slice(prefix.length), query: [...url.searchParams] };
}
