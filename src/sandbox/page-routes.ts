import { check } from '../contract/check.ts';
import { openapi } from '../contract/openapi.ts';
import { parseBody, readBytes } from './body.ts';
import type { FaultRule } from './faults.ts';
import type { EmbeddedPlatform } from './handler.ts';
import { homePage } from './home-page.ts';
import { refusalResponse } from './operation-routes.ts';
import { abpError, invalid, Refusal, type RouteResponse } from './route-response.ts';
import { type RoutedRequest, requestOrigin, type SandboxRoute } from './router.ts';
import { serialize } from './world/state.ts';

/** Pages of the sandbox beside the platform, without faults, latency and logging. */
export function pageRoutes(platform: EmbeddedPlatform, faults: readonly FaultRule[]): SandboxRoute[] {
  return [
    { method: 'GET', path: '/', handle: ({ request }) => homePage(platform, faults, requestOrigin(request)) },
    { method: 'GET', path: '/openapi.json', handle: () => ({ status: 200, body: openapi() }) },
    { method: 'GET', path: '/sandbox/state', handle: () => state(platform) },
    { method: 'POST', path: '/sandbox/clock', handle: (incoming) => moveClock(platform, incoming) },
  ];
}

function state(platform: EmbeddedPlatform): RouteResponse {
  return { status: 200, text: { type: 'application/json; charset=utf-8', content: serialize(platform) } };
}

// A hundred years: all times remain valid dates.
const furthest = 100 * 365 * 86_400_000;

const clockBody = {
  type: 'object',
  description: 'How far to move the clock',
  required: ['add'],
  properties: {
    add: { type: 'integer', minimum: -furthest, maximum: furthest, description: 'Milliseconds, below zero for back' },
  },
} as const;

/** Accepts only JSON: a page of another origin needs permission (CORS) to send that, and never gets it. */
async function moveClock({ clock }: EmbeddedPlatform, { request }: RoutedRequest): Promise<RouteResponse> {
  try {
    const body = parseBody('application/json', request.headers.get('content-type'), await readBytes(request));
    const { problems } = check(clockBody, body);
    if (problems.length > 0) throw invalid(problems);
    const { add } = body as { add: number }; // checked above
    if (Math.abs(clock.moved() + add) > furthest) throw invalid([{ field: 'add', message: 'moves the clock too far' }]);
    clock.move(add);
    return { status: 200, body: { now: new Date(clock.now()).toISOString(), moved: clock.moved() } };
  } catch (error) {
    if (error instanceof Refusal) return refusalResponse(error, abpError);
    throw error;
  }
}
