import type { Dispatcher } from 'undici';
import type { AnswerHeaders, Fetch } from '../fetch.ts';
import { isForwarded, openSocket, type Way } from './connect.ts';
import { ConnectionLost, type LostFacts, lostAt, type Phase } from './connection.ts';
import { headersFor } from './direct.ts';

/** How long one connection may take to be made, whatever the deadlines of the requests that wait for it. */
const longestConnecting = 10_000;

/** Connections that are kept open, and how far the first of them came. */
export type Pool = {
  /** Those to one origin. */
  readonly to: (origin: string) => Connections;
};

export type Connections = {
  readonly dispatcher: Dispatcher;
  readonly way: Way;
  /** Until one of them is made, nothing was sent. */
  readonly reached: () => Phase;
};

/** Opens undici's pools, one for each origin. The only function that loads undici. */
export async function openPool(wayTo: (target: URL) => Way, connections = 16): Promise<Pool> {
  const undici = await import('undici');
  const known = new Map<string, Connections>();
  const open = (origin: string): Connections => {
    const way = wayTo(new URL(origin));
    let reached: Phase = 'connect';
    const reach = (phase: Phase) => {
      if (reached !== 'answer') reached = phase;
    };
    const dispatcher = new undici.Pool(origin, {
      connections,
      // The exchange has one deadline of its own over all phases; undici's would name the wrong one.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (_, done) => {
        openSocket(way, AbortSignal.timeout(longestConnecting), reach).then(
          (socket) => {
            reach('answer');
            done(null, socket);
          },
          (error: Error) => done(error, null),
        );
      },
    });
    return { dispatcher, way, reached: () => reached };
  };
  return {
    to(origin) {
      const connections = known.get(origin) ?? open(origin);
      known.set(origin, connections);
      return connections;
    },
  };
}

/** A `Fetch` over undici's pool. */
export function pooledFetch(wayTo: (target: URL) => Way, connections?: number): Fetch {
  const loaded = openPool(wayTo, connections);
  return async (url, init) => {
    const { origin, pathname, search } = new URL(url);
    const { dispatcher, way, reached } = (await loaded).to(origin);
    const facts = way.proxy ? { proxy: way.proxy.name } : {};
    const path = `${pathname}${search}`;
    try {
      const answered = dispatcher.request({
        path: isForwarded(way) ? origin + path : path,
        method: init.method as 'GET', // any method; the type lists the common ones
        headers: headersFor(way, init),
        body: init.body ?? null,
        signal: init.signal,
      });
      // A request that waits for a connection does not hear its signal.
      const answer = await Promise.race([answered, whenAborted(init.signal)]);
      // Such an answer has no body, whatever its headers say of one.
      const none = answer.statusCode === 204 || answer.statusCode === 304;
      if (none) answer.body.on('error', () => undefined).resume();
      return {
        status: answer.statusCode,
        headers: headersOf(answer.headers),
        body: none ? null : bodyOf(answer.body, facts),
      };
    } catch (error) {
      throw lostFrom(reached(), error, facts, init.signal);
    }
  };
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function lostFrom(phase: Phase, error: unknown, facts: LostFacts, signal: AbortSignal): ConnectionLost {
  return signal.aborted ? new ConnectionLost(phase, 'ABORTED', facts) : lostAt(phase, error, facts);
}

async function* bodyOf(body: AsyncIterable<Uint8Array>, facts: LostFacts): AsyncIterable<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw lostAt('body', error, facts);
  }
}

function headersOf(headers: Readonly<Record<string, string | string[] | undefined>>): AnswerHeaders {
  const all = (name: string) => [headers[name] ?? []].flat();
  return {
    get: (name) => (headers[name.toLowerCase()] === undefined ? null : all(name.toLowerCase()).join(', ')),
    getSetCookie: () => all('set-cookie'),
    *entries() {
      for (const name of Object.keys(headers)) for (const value of all(name)) yield [name, value];
    },
  };
}
