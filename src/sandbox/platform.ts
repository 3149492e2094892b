import { setTimeout } from 'node:timers/promises';
import { accountRoutes } from './account-routes.ts';
import { type Clock, createClock } from './clock.ts';
import { chooseFault, type FaultRule } from './faults.ts';
import type { State } from './handler.ts';
import { createIdentity, type Identity } from './identity.ts';
import { createLog, type Log } from './log.ts';
import { type Observed, readAhead } from './observed.ts';
import { operationRoutes, refusalReply } from './operation-routes.ts';
import { asFetch, type Outcome, withFault } from './outcome.ts';
import { pageRoutes } from './page-routes.ts';
import { seeded } from './random.ts';
import { abpError, Refusal, type Reply } from './reply.ts';
import { createRouter, pathOf, type Router } from './router.ts';
import { createSecrets } from './secrets.ts';
import { seedWorld, type WorldSize } from './seed.ts';
import type { World } from './world.ts';

export type PlatformOptions = WorldSize & {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The same seed gives the same world and the same dice for faults; 1 unless told. */
  readonly seed?: number;
  /** Signs tokens and makes secrets; drawn from the seed unless told, and then as reproducible as the rest. */
  readonly key?: Uint8Array;
  /** A world to go on with, instead of a seeded one. */
  readonly world?: World;
  /** Logins to go on with. */
  readonly identity?: Identity;
  /** How far the clock was moved before, in milliseconds. */
  readonly moved?: number;
  readonly faults?: readonly FaultRule[];
  /** Milliseconds before each answer. */
  readonly latency?: number;
  readonly batchBody?: 'dto' | 'input';
  /** Told about each request and its answer, once it is over. */
  readonly observe?: (observed: Observed) => void;
  /** Told after each request that may have changed the world, a login or the clock. */
  readonly changed?: () => void;
};

/** The embedded platform. */
export type Platform = State & {
  readonly log: Log;
  answer(request: Request): Promise<Outcome>;
  /** The same as a fetch: a cut connection rejects, and a silent one waits until the request is aborted. */
  fetch(request: Request): Promise<Response>;
};

/** A platform in memory. Nothing is loaded before its first request. */
export function createPlatform(options: PlatformOptions): Platform {
  const seed = options.seed ?? 1;
  const state: State = {
    world: options.world ?? seedWorld(seed, options),
    identity: options.identity ?? createIdentity(),
    clock: createClock(options.now, options.moved),
    secrets: createSecrets(options.key ?? `seed ${seed}`),
    batchBody: options.batchBody ?? 'dto',
  };
  const platform: Platform = {
    ...state,
    log: createLog(),
    answer: (request) => answer(request),
    fetch: async (request) => asFetch(await answer(request), request),
  };
  const answer = answering(platform, options);
  return platform;
}

function answering(platform: Platform, options: PlatformOptions): Platform['answer'] {
  const pages = pageRoutes(platform, options.faults ?? []);
  const pagePaths = new Set(pages.map((page) => page.path));
  const routes = [...operationRoutes(platform), ...accountRoutes(platform), ...pages];
  const marks = marking(platform.clock);
  let loading: Promise<Router> | undefined;
  const carryOut = async (request: Request) => {
    loading ??= createRouter({ routes, missing, marks });
    const response = await (await loading)(request);
    if (request.method !== 'GET' && response.status < 400) options.changed?.();
    return response;
  };
  const random = seeded((options.seed ?? 1) ^ 0x5eed);
  const { observe } = options;
  return async (incoming) => {
    const path = pathOf(incoming);
    if (pagePaths.has(path)) return carryOut(incoming);
    const at = platform.clock.now();
    const { request, copy } = observe ? await readAhead(incoming) : { request: incoming, copy: incoming };
    if (options.latency) await setTimeout(options.latency);
    const rule = chooseFault(options.faults ?? [], random, request.method, path);
    const outcome = await withFault(rule?.fault, request, carryOut, marks);
    const end = typeof outcome === 'string' ? outcome : outcome.status;
    const entry = { at: new Date(at).toISOString(), method: request.method, path, outcome: end };
    platform.log.add(rule ? { ...entry, fault: rule.text } : entry);
    const answer = observe && typeof outcome !== 'string' ? outcome.clone() : outcome;
    observe?.({ at, milliseconds: platform.clock.now() - at, request: copy, answer });
    return outcome;
  };
}

/** Every answer names its request, says when it was made by the platform's own clock, and repeats the caller's correlation id. */
function marking(clock: Clock) {
  let count = 0;
  return (request: Request): Record<string, string> => {
    const id = `request-${String(++count).padStart(6, '0')}`;
    const asked = request.headers.get('x-correlation-id') ?? '';
    return {
      'x-request-id': id,
      'x-correlation-id': /^[\w.:-]{1,100}$/.test(asked) ? asked : id,
      date: new Date(clock.now()).toUTCString(),
    };
  };
}

function missing(request: Request, allow: readonly string[]): Reply {
  const refusal =
    allow.length > 0
      ? new Refusal(405, 'MethodNotAllowed', `${request.method} is not a method of this address.`, {
          headers: { allow: allow.join(', ') },
        })
      : new Refusal(404, 'RouteNotFound', `There is nothing at ${pathOf(request)}.`);
  return refusalReply(refusal, abpError);
}
