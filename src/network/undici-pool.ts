import type { Dispatcher } from 'undici';
import { openSocket, type Route } from './connect.ts';
import type { Phase } from './connection-lost.ts';
import { isRefusedClient } from './tls-codes.ts';

/** How long one connection may take to be made, whatever the deadlines of the requests that wait for it. */
const longestConnecting = 10_000;

/** Connections that are kept open, and how far the first of them came. */
export type Pool = {
  /** Those to one origin. */
  readonly to: (origin: string) => Connections;
};

export type Connections = {
  readonly dispatcher: Dispatcher;
  readonly way: Route;
  /** Until one of them is made, nothing was sent. */
  readonly reached: () => Phase;
  /** The error by which the other side has refused our certificate, or the lack of one. undici forgets it for what follows. */
  readonly refused: () => Error | undefined;
};

/** Opens undici's pools, one for each origin. The only function that loads undici. */
export async function openPool(wayTo: (target: URL) => Route, connections = 16): Promise<Pool> {
  const undici = await import('undici');
  const known = new Map<string, Connections>();
  const open = (origin: string): Connections => {
    const way = wayTo(new URL(origin));
    let reached: Phase = 'connect';
    const reach = (phase: Phase) => {
      if (reached !== 'answer') reached = phase;
    };
    let refused: Error | undefined;
    const hear = (error: Error & { code?: unknown }) => {
      if (isRefusedClient(String(error.code))) refused = error;
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
            socket.on('error', hear);
            done(null, socket);
          },
          (error: Error) => done(error, null),
        );
      },
    });
    return { dispatcher, way, reached: () => reached, refused: () => refused };
  };
  return {
    to(origin) {
      const connections = known.get(origin) ?? open(origin);
      known.set(origin, connections);
      return connections;
    },
  };
}
