import type { AddressInfo, Socket } from 'node:net';

/** A web server that only this machine reaches. */
export type LocalServer = {
  /** Without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Stops at once, even with open or hanging connections. */
  close(): Promise<void>;
};

/** `reset` cuts the connection of the request. A promise that never settles never responds. */
export type Respond = (request: Request, reset: () => void) => Promise<Response>;

/**
 * Listens on 127.0.0.1, on any free port for 0. Rejects with the system's error (EADDRINUSE, EACCES) if the port is not available.
 */
export async function serveLocally(port: number, respond: Respond): Promise<LocalServer> {
  const { createAdaptorServer } = await import('@hono/node-server');
  const sockets = new Set<Socket>();
  const server = createAdaptorServer({
    // Keeps the global Request and Response of the process.
    overrideGlobalObjects: false,
    fetch: (request, { incoming }) =>
      isLoopback(request.headers.get('host'))
        ? respond(request, () => incoming.socket?.resetAndDestroy())
        : new Response('This server is for this machine only.', { status: 421 }),
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo; // listens on a port, not on a pipe
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Rejects foreign pages whose host name resolves to this machine (DNS rebinding): they send their own name as Host. */
function isLoopback(host: string | null): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host ?? '');
}
