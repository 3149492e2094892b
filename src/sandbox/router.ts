import type { ServedReply } from './reply.ts';

/** A request that found its route: path parameters decoded once, cookies by name. */
export type Incoming = {
  readonly request: Request;
  readonly parameters: Readonly<Record<string, string>>;
  readonly cookies: Readonly<Record<string, string>>;
};

export type ServedRoute = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Parameters in braces, each one segment. */
  readonly path: string;
  readonly answer: (incoming: Incoming) => ServedReply | Promise<ServedReply>;
};

export type Router = (request: Request) => Response | Promise<Response>;

type RouterParts = {
  readonly routes: readonly ServedRoute[];
  /** Answers what no route takes; `allow` names the methods of a path that is there. */
  readonly missing: (request: Request, allow: readonly string[]) => ServedReply;
  /** Headers that every answer carries. */
  readonly marks: (request: Request) => Readonly<Record<string, string>>;
};

/** Routes over hono, which only this file knows. */
export async function createRouter({ routes, missing, marks }: RouterParts): Promise<Router> {
  const { Hono } = await import('hono');
  const { generateCookie, getCookie } = await import('hono/cookie');

  const toResponse = ({ status, body, text, headers, cookies = [] }: ServedReply, request: Request): Response => {
    const all: [string, string][] = Object.entries({ ...marks(request), ...headers });
    for (const { name, value } of cookies) {
      all.push(['set-cookie', generateCookie(name, value, { httpOnly: true, sameSite: 'Lax' })]);
    }
    if (text) all.push(['content-type', text.type]);
    else if (body !== undefined) all.push(['content-type', 'application/json; charset=utf-8']);
    const content = text?.content ?? (body === undefined ? null : JSON.stringify(body));
    return new Response(content, { status, headers: all });
  };

  // Hono would decode the path before it splits it, and "%2F" is part of an id here.
  const app = new Hono({ getPath: (request) => pathOf(request) });
  for (const { method, path, answer } of routes) {
    app.on(method, honoPath(path), async (context) => {
      const request = context.req.raw;
      const incoming = { request, parameters: context.req.param(), cookies: getCookie(context) };
      return toResponse(await answer(incoming), request);
    });
  }
  for (const path of new Set(routes.map((route) => route.path))) {
    const allow = new Set(routes.filter((route) => route.path === path).map((route) => route.method));
    app.all(honoPath(path), ({ req: { raw } }) => toResponse(missing(raw, [...allow]), raw));
  }
  // What is not a refusal is a fault of ours: it keeps its stack, and whoever called sees it.
  app.onError((error) => {
    throw error;
  });
  app.notFound(({ req: { raw } }) => toResponse(missing(raw, []), raw));
  return (request) => app.fetch(request);
}

function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** The path as it is in the request line, without what follows it. Cheaper than a URL, and asked for several times a request. */
export function pathOf({ url }: Request): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const query = url.indexOf('?', start);
  const end = query === -1 ? url.indexOf('#', start) : query;
  return url.slice(start, end === -1 ? undefined : end);
}

export function queryOf({ url }: Request): URLSearchParams {
  const start = url.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : url.slice(start + 1));
}

/** Scheme, host and port. */
export function requestOrigin({ url }: Request): string {
  return url.slice(0, url.indexOf('/', url.indexOf('://') + 3));
}
