import { setTimeout } from 'node:timers/promises';
import { once } from '../text/once.ts';
import { readBytes } from './body.ts';
import { chooseFault, type Fault, type FaultRule } from './faults.ts';
import { type EmbeddedPlatform, type ErrorForm, Refusal, refusalResponse } from './handler.ts';
import { accountRoutes } from './identity/account-routes.ts';
import { createIdentity, type Identity } from './identity/identity.ts';
import { createSecrets } from './identity/secrets.ts';
import { operationRoutes } from './operation-routes.ts';
import type { ObservedRequest, SandboxOutcome } from './outcome.ts';
import { pageRoutes } from './pages.ts';
import { createRouter, pathOf } from './router.ts';
import { seededRandom, seedWorld, type WorldSize } from './world/seed.ts';
import { createClock, type SandboxClock, type SandboxWorld } from './world/world.ts';

export type PlatformOptions = WorldSize & {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The same seed gives the same world and the same random choice of faults; 1 by default. */
  readonly seed?: number;
  /** Signs tokens and makes secrets; by default derived from the seed, and so reproducible as well. */
  readonly key?: Uint8Array;
  readonly world?: SandboxWorld;
  readonly identity?: Identity;
  /** How far the clock has been moved before, in milliseconds. */
  readonly moved?: number;
  readonly faults?: readonly FaultRule[];
  /** Milliseconds before each response. */
  readonly latency?: number;
  readonly batchBody?: 'dto' | 'input';
  /** `abp` by default. */
  readonly errors?: ErrorForm | undefined;
  /** For how many milliseconds after its use a refresh token can be used again; by default not at all. */
  readonly refreshLeeway?: number | undefined;
  /** Called with each request and its response, once it is over. */
  readonly observe?: (observed: ObservedRequest) => void;
  /** Called after each request that may have changed the world, a login or the clock. */
  readonly onChange?: () => void;
};

/** A platform in memory. Loads nothing before its first request. */
export function createPlatform(options: PlatformOptions): EmbeddedPlatform {
  const seed = options.seed ?? 1;
  const platform: EmbeddedPlatform = {
    world: options.world ?? seedWorld(seed, options),
    identity: options.identity ?? createIdentity(),
    clock: createClock(options.now, options.moved),
    secrets: createSecrets(options.key ?? `seed ${seed}`),
    batchBody: options.batchBody ?? 'dto',
    refreshLeeway: options.refreshLeeway ?? 0,
    changes: [],
    log: { count: 0, latest: [] },
    respond: (request) => respond(request),
  };
  const respond = createResponder(platform, options);
  return platform;
}

function createResponder(platform: EmbeddedPlatform, options: PlatformOptions): EmbeddedPlatform['respond'] {
  const { seed = 1, faults = [], errors = 'abp', observe } = options;
  const pages = pageRoutes(platform, faults);
  const pagePaths = new Set(pages.map((page) => page.path));
  const routes = [...operationRoutes(platform), ...accountRoutes(platform), ...pages];
  const marks = openMarks(platform.clock);
  const router = once(() => createRouter({ routes, marks, errors }));
  const carryOut = async (request: Request) => {
    const response = await (await router())(request);
    if (request.method !== 'GET' && response.status < 400) options.onChange?.();
    return response;
  };
  const respondWith = async (fault: Fault | undefined, request: Request): Promise<SandboxOutcome> => {
    if (!fault) return carryOut(request);
    if (fault.kind === 'status') return faultResponse(fault, marks(request), errors);
    if (fault.kind === 'reset-after') await carryOut(request);
    return fault.kind === 'hang' ? 'hang' : 'reset';
  };
  const random = seededRandom(seed ^ 0x5eed);
  return async (incoming) => {
    const path = pathOf(incoming);
    if (pagePaths.has(path)) return carryOut(incoming);
    const at = platform.clock.now();
    const { request, copy } = observe ? await readTwice(incoming) : { request: incoming, copy: incoming };
    if (options.latency) await setTimeout(options.latency);
    const rule = chooseFault(faults, random, request.method, path);
    const outcome = await respondWith(rule?.fault, request);
    const end = typeof outcome === 'string' ? outcome : outcome.status;
    const entry = { at: new Date(at).toISOString(), method: request.method, path, outcome: end };
    platform.log.count += 1;
    platform.log.latest.unshift(rule ? { ...entry, fault: rule.text } : entry);
    platform.log.latest.splice(50);
    const observable = observe && typeof outcome !== 'string' ? outcome.clone() : outcome;
    observe?.({ at, milliseconds: platform.clock.now() - at, request: copy, outcome: observable });
    return outcome;
  };
}

/** Returns a function that makes the headers of every response: the request's ID, the date by the platform's clock, and the caller's correlation ID. */
function openMarks(clock: SandboxClock) {
  let count = 0;
  return (request: Request): Record<string, string> => {
    const id = `request-${String(++count).padStart(6, '0')}`;
    const correlationId = request.headers.get('x-correlation-id') ?? '';
    return {
      'x-request-id': id,
      'x-correlation-id': /^[\w.:-]{1,100}$/.test(correlationId) ? correlationId : id,
      date: new Date(clock.now()).toUTCString(),
      server: 'iiot-sandbox',
    };
  };
}

function faultResponse(
  { status, retryAfter }: Extract<Fault, { kind: 'status' }>,
  marks: Readonly<Record<string, string>>,
  errors: ErrorForm,
): Response {
  const message = `A fault of the sandbox: ${status}, as --fault asks for.`;
  const headers = { ...marks, ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) };
  const { body, text } = refusalResponse(new Refusal(status, 'Sandbox:Fault', message), errors);
  if (!text) return Response.json(body, { status, headers });
  return new Response(text.content, { status, headers: { ...headers, 'content-type': text.type } });
}

/** Reads a request once and returns two copies, to carry out and to observe. Rejects if the caller leaves halfway, when a clone would wait for ever. */
async function readTwice(request: Request): Promise<{ readonly request: Request; readonly copy: Request }> {
  const { method, url, headers } = request;
  if (method === 'GET' || method === 'HEAD') return { request, copy: new Request(url, { method, headers }) };
  const bytes = await readBytes(request).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined;
    throw error;
  });
  const again = new Headers(headers);
  // The handler refuses a body that is too large to store by its length.
  again.set('content-length', String(bytes ? bytes.byteLength : Number.MAX_SAFE_INTEGER));
  const make = () =>
    new Request(url, { method, headers: again, ...(bytes?.byteLength && { body: Buffer.from(bytes) }) });
  return { request: make(), copy: make() };
}
