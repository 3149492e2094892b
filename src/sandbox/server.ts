import { randomBytes } from 'node:crypto';
import type { AddressInfo, Socket } from 'node:net';
import type { EmbeddedPlatform } from './handler.ts';
import { createPlatform, type PlatformOptions } from './platform.ts';
import { createSaver } from './world/saver.ts';
import { type SavedState, serialize } from './world/state.ts';

export type ServerOptions = Omit<PlatformOptions, 'now' | 'key' | 'world' | 'identity' | 'changed'> & {
  /** 0, the default, for any free port. */
  readonly port?: number;
  /** The real time by default. */
  readonly now?: () => number;
  /** A saved state, instead of a seeded world. */
  readonly saved?: SavedState;
  /** Replaces the saved state atomically: called at the start, soon after changes, and at the end. */
  readonly save?: (text: string) => Promise<void>;
  /** Called with an error of the sandbox itself, which responds with 500; and for a caller who left in the middle of a body. */
  readonly failed?: (error: unknown) => void;
};

export type RunningServer = {
  /** The base URL without a trailing slash. */
  readonly url: string;
  readonly port: number;
  readonly platform: EmbeddedPlatform;
  /** Stops at once, even with open or hanging connections, and saves. Rejects if saving fails. */
  close(): Promise<void>;
};

/**
 * Serves a platform on a real socket, reachable only from this machine. Rejects with the system's error (EADDRINUSE, EACCES) if the port is not
 * available, and with the error of `save` if the state cannot be saved.
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { createAdaptorServer } = await import('@hono/node-server');
  const { saved, save } = options;
  const platform: EmbeddedPlatform = createPlatform({
    now: Date.now,
    ...options,
    ...saved,
    key: randomBytes(32),
    changed: () => saver?.changed(),
  });
  const saver = save && createSaver(() => serialize(platform), save);
  saver?.changed();
  await saver?.flush();
  const sockets = new Set<Socket>();
  const server = createAdaptorServer({
    // Keeps the global Request and Response of the process.
    overrideGlobalObjects: false,
    fetch: async (request, { incoming }) => {
      if (!isLoopback(request.headers.get('host')))
        return new Response('This is a sandbox on loopback.', { status: 421 });
      const outcome = await platform.respond(request).catch((error: unknown) => {
        options.failed?.(error);
        return internalError();
      });
      if (typeof outcome !== 'string') return outcome;
      if (outcome === 'reset') incoming.socket?.resetAndDestroy();
      return new Promise<Response>(() => {}); // never responds
    },
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await listen(server, options.port ?? 0);
  const { port } = server.address() as AddressInfo; // listens on a port, not on a pipe
  const close = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
    await saver?.flush();
  };
  return { url: `http://127.0.0.1:${port}`, port, platform, close };
}

type ListeningServer = {
  listen(port: number, host: string, done: () => void): unknown;
  once(event: 'error', done: (error: Error) => void): unknown;
  off(event: 'error', done: (error: Error) => void): unknown;
};

function listen(server: ListeningServer, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Rejects foreign pages whose host name resolves to this machine (DNS rebinding): they send their own name as Host. */
function isLoopback(host: string | null): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host ?? '');
}

function internalError(): Response {
  return Response.json({ error: { code: 'Internal', message: 'The sandbox failed.' } }, { status: 500 });
}
