import { randomBytes } from 'node:crypto';
import type { AddressInfo, Socket } from 'node:net';
import type { EmbeddedPlatform } from './handler.ts';
import { createPlatform, type PlatformOptions } from './platform.ts';
import { createSaver } from './world/saver.ts';
import { type SavedState, serialize } from './world/state.ts';

export type ServerOptions = Omit<PlatformOptions, 'now' | 'key' | 'world' | 'identity' | 'changed'> & {
  /** 0, and by default, any free one. */
  readonly port?: number;
  /** The real time unless told. */
  readonly now?: () => number;
  /** A state to go on with, instead of a seeded world. */
  readonly saved?: SavedState;
  /** Replaces what was saved, atomically: called at the start, soon after changes, and at the end. */
  readonly save?: (text: string) => Promise<void>;
  /** Told about a fault of the sandbox itself, whose caller gets 500; and about a caller who left in the middle of a body. */
  readonly failed?: (error: unknown) => void;
};

export type RunningServer = {
  /** The base URL, without a slash at its end. */
  readonly url: string;
  readonly port: number;
  readonly platform: EmbeddedPlatform;
  /** Ends it at once, with connections that are open or hang, and saves. Rejects where that fails. */
  close(): Promise<void>;
};

/**
 * Puts a platform behind a real socket of this machine, reachable from nowhere else. Rejects with the system's error (EADDRINUSE, EACCES)
 * where the port cannot be had, and with the one of `save` where nothing can be saved.
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
    // The process that rehearses keeps its own Request and Response.
    overrideGlobalObjects: false,
    fetch: async (request, { incoming }) => {
      if (!isLoopback(request.headers.get('host')))
        return new Response('This is a sandbox on loopback.', { status: 421 });
      const answer = await platform.answer(request).catch((error: unknown) => {
        options.failed?.(error);
        return internalError();
      });
      if (typeof answer !== 'string') return answer;
      if (answer === 'reset') incoming.socket?.resetAndDestroy();
      return new Promise<Response>(() => {}); // nothing is ever answered
    },
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await listen(server, options.port ?? 0);
  const { port } = server.address() as AddressInfo; // it listens on a port, not on a pipe
  const close = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
    await saver?.flush();
  };
  return { url: `http://127.0.0.1:${port}`, port, platform, close };
}

type Listening = {
  listen(port: number, host: string, done: () => void): unknown;
  once(event: 'error', done: (error: Error) => void): unknown;
  off(event: 'error', done: (error: Error) => void): unknown;
};

function listen(server: Listening, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** A page elsewhere whose name was made to lead here (DNS rebinding) shows its own name. */
function isLoopback(host: string | null): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host ?? '');
}

function internalError(): Response {
  return Response.json({ error: { code: 'Internal', message: 'The sandbox failed.' } }, { status: 500 });
}
