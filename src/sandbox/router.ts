import { type ErrorForm, Refusal, type RouteResponse, refusalResponse } from './handler.ts';

/** A request that matches a route, with its path parameters, decoded once, and cookies by name. */
export type RoutedRequest = {
  readonly request: Request;
  readonly parameters: Readonly<Record<string, string>>;
  readonly cookies: Readonly<Record<string, string>>;
};

export type SandboxRoute = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Each parameter in braces is one segment. */
  readonly path: string;
  readonly handle: (incoming: RoutedRequest) => RouteResponse | Promise<RouteResponse>;
  /** The form of the route's refusals, if it is not the platform's own. */
  readonly errors?: 'oauth' | undefined;
};

type RouterParts = {
  readonly routes: readonly SandboxRoute[];
  readonly marks: (request: Request) => Readonly<Record<string, string>>;
  readonly errors: ErrorForm;
};

type Router = (request: Request) => Response | Promise<Response>;

/** Routes requests with hono, which only this file uses. */
export async function createRouter({ routes, marks, errors: form }: RouterParts): Promise<Router> {
  const { Hono } = await import('hono');
  const { generateCookie, getCookie } = await import('hono/cookie');

  const toResponse = ({ status, body, text, headers, cookies = [] }: RouteResponse, request: Request): Response => {
    const all: [string, string][] = Object.entries({ ...marks(request), ...headers });
    for (const { name, value } of cookies) {
      all.push(['set-cookie', generateCookie(name, value, { httpOnly: true, sameSite: 'Lax' })]);
    }
    if (text) all.push(['content-type', text.type]);
    else if (body !== undefined) all.push(['content-type', 'application/json; charset=utf-8']);
    const content = text?.content ?? (body === undefined ? null : JSON.stringify(body));
    return new Response(content, { status, headers: all });
  };

  // Hono would decode the path before splitting it, but "%2F" is part of an ID here.
  const app = new Hono({ getPath: (request) => pathOf(request) });
  for (const { method, path, handle, errors } of routes) {
    app.on(method, honoPath(path), async (context) => {
      const request = context.req.raw;
      const incoming = { request, parameters: context.req.param(), cookies: getCookie(context) };
      return toResponse(await answerRefusals(() => handle(incoming), errors ?? form), request);
    });
  }
  for (const path of new Set(routes.map((route) => route.path))) {
    const allow = new Set(routes.filter((route) => route.path === path).map((route) => route.method));
    app.all(honoPath(path), ({ req: { raw } }) => toResponse(noRouteResponse(raw, [...allow], form), raw));
  }
  // Anything but a refusal is a bug: it keeps its stack and is passed to the caller.
  app.onError((error) => {
    throw error;
  });
  app.notFound(({ req: { raw } }) => toResponse(noRouteResponse(raw, [], form), raw));
  return (request: Request) => app.fetch(request);
}

async function answerRefusals(respond: () => RouteResponse | Promise<RouteResponse>, form: ErrorForm | 'oauth') {
  try {
    return await respond();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refusalResponse(error, form);
  }
}

/** The response to a request without a route. @param allow the methods of a path that exists */
function noRouteResponse(request: Request, allow: readonly string[], form: ErrorForm): RouteResponse {
  if (allow.length === 0)
    return refusalResponse(new Refusal(404, 'RouteNotFound', `There is nothing at ${pathOf(request)}.`), form);
  const message = `${request.method} is not a method of this address.`;
  return refusalResponse(new Refusal(405, 'MethodNotAllowed', message, { headers: { allow: allow.join(', ') } }), form);
}

function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** The path as in the request line, without the query. Every request needs it several times, so it is not read by the slower URL. */
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

export function requestOrigin({ url }: Request): string {
  return url.slice(0, url.indexOf('/', url.indexOf('://') + 3));
}
