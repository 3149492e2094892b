import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { usage } from '../failure.ts';

/** A web server that only this machine reaches, unless a place says otherwise. */
export type LocalServer = {
  /** Without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Stops at once, even with open or hanging connections. */
  close(): Promise<void>;
};

/** Answers a request. `reset` cuts its connection. If the promise never settles, there is no response. */
export type Respond = (request: Request, reset: () => void) => Promise<Response>;

/** The address to listen on instead of loopback, and host names that requests may use besides those of this machine. */
export type ListenOptions = { readonly host?: string | undefined; readonly names?: readonly string[] };

const loopback = '127.0.0.1';

/**
 * Listens on 127.0.0.1, on any free port for 0. Rejects with the system's error (EADDRINUSE, EACCES) if the port is not available, and
 * EADDRNOTAVAIL if the host of `place` is not an address of this machine.
 */
export async function serveLocally(port: number, respond: Respond, place: ListenOptions = {}): Promise<LocalServer> {
  const { createAdaptorServer } = await import('@hono/node-server');
  const server = createAdaptorServer({
    // Keeps the global Request and Response of the process.
    overrideGlobalObjects: false,
    fetch: (request, { incoming }) =>
      isCalledBy(request.headers.get('host'), place)
        ? respond(request, () => incoming.socket?.resetAndDestroy())
        : new Response(place.host === undefined ? onlyThisMachine : unknownHost, { status: 421 }),
  }) as Server; // it makes one of another kind only where it is told to
  server.listen(port, place.host ?? loopback);
  // `once` rejects on an 'error' event.
  await once(server, 'listening');
  const address = server.address() as AddressInfo; // listens on a port, not on a pipe
  // How this machine reaches the server.
  const { host = loopback } = place;
  const reached = { '0.0.0.0': loopback, '::': '::1' }[host] ?? host;
  return {
    url: `http://${isIP(reached) === 6 ? `[${reached}]` : reached}:${address.port}`,
    port: address.port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Turns the error of a port that cannot be listened on into a usage error. Any other error is returned as it is. */
export function portFailure(error: unknown, port: number | undefined): unknown {
  const { code = '' } = Object(error) as NodeJS.ErrnoException; // another error has no such code
  const reason = { EADDRINUSE: 'is in use', EACCES: 'needs more rights' }[code];
  if (reason === undefined) return error;
  return usage(`--port ${port} ${reason}.`, 'Leave out --port to use any free one').with({ cause: error });
}

/** Whether it is an IP address, not a name. */
export function isAddress(host: string): boolean {
  return isIP(host) !== 0;
}

const onlyThisMachine = 'This server is for this machine only.';
const unknownHost = 'This server does not answer to that name. To allow it, start the server with --allow-host NAME.';

/** Whether the Host header names this server. A foreign page whose name resolves to this machine (DNS rebinding) sends its own name. */
function isCalledBy(header: string | null, { host, names = [] }: ListenOptions): boolean {
  const name = (header ?? '').replace(/:\d+$/, '').toLowerCase();
  if ([loopback, 'localhost', '[::1]', ...names].includes(name)) return true;
  // An address cannot be made to resolve to this machine as a name can.
  return host !== undefined && isAddress(name.replace(/^\[(.*)\]$/, '$1'));
}
