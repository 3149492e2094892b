import type { Dispatcher } from 'undici';
import { openSocket, type Route } from './connect.ts';
import { isRefusedClient, type Phase } from './connection-lost.ts';
import { longestHeaders } from './fetch.ts';

/** The longest that one connection may take to open, whatever the deadlines of the requests that wait for it. */
const longestConnecting = 10_000;

/** Connections that are kept open, and how far the first one came. */
export type Pool = {
  /** The connections to one origin. */
  readonly to: (origin: string) => Connections;
};

export type Connections = {
  readonly dispatcher: Dispatcher;
  readonly route: Route;
  /** The phase of the first connection: nothing is sent until one is made. */
  readonly reached: () => Phase;
  /** The error by which the other side refused our certificate, or the lack of one. undici drops it for later requests. */
  readonly refused: () => Error | undefined;
};

/** Opens undici's pools, one for each origin. The only function that loads undici. */
export async function openPool(routeTo: (target: URL) => Route, connections = 16): Promise<Pool> {
  const undici = await import('undici');
  const known = new Map<string, Connections>();
  const open = (origin: string): Connections => {
    const route = routeTo(new URL(origin));
    let reached: Phase = 'connect';
    const reach = (phase: Phase) => {
      if (reached !== 'response') reached = phase;
    };
    let refused: Error | undefined;
    const onError = (error: Error & { code?: unknown }) => {
      if (isRefusedClient(String(error.code))) refused = error;
    };
    const dispatcher = new undici.Pool(origin, {
      connections,
      // The exchange has its own deadline for all phases; undici's timeouts would report the wrong phase.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: longestHeaders,
      connect: (_, done) => {
        openSocket(route, AbortSignal.timeout(longestConnecting), reach).then(
          (socket) => {
            reach('response');
            socket.on('error', onError);
            done(null, socket);
          },
          (error: Error) => done(error, null),
        );
      },
    });
    return { dispatcher, route, reached: () => reached, refused: () => refused };
  };
  return {
    to(origin) {
      const connections = known.get(origin) ?? open(origin);
      known.set(origin, connections);
      return connections;
    },
  };
}
