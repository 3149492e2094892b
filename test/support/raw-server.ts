/** Servers that send exactly what a test wants, byte by byte, and record everything. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer, type TlsOptions } from 'node:tls';

export type RawServer = Awaited<ReturnType<typeof listen>>;

/** Called on a connection when a whole request has arrived: `count` is 1 for the first request of all. */
export type Behaviour = (socket: Socket, request: string, count: number) => void;

/** A server that runs `behaviour` for each request. Without one it never sends anything. */
export function rawServer(behaviour: Behaviour = () => undefined, tls?: TlsOptions): Promise<RawServer> {
  const requests: string[] = [];
  return listen(
    tls,
    (socket) => {
      let heard = '';
      socket.on('data', (chunk) => {
        heard += chunk.toString('latin1');
        for (let end = endOfRequest(heard); end > 0; end = endOfRequest(heard)) {
          const request = heard.slice(0, end);
          heard = heard.slice(end);
          requests.push(request);
          behaviour(socket, request, requests.length);
        }
      });
    },
    requests,
  );
}

/** A server that acts as soon as a client connects. */
export function greetingServer(greet: (socket: Socket) => void): Promise<RawServer> {
  return listen(undefined, greet, []);
}

async function listen(
  tls: TlsOptions | undefined,
  onConnection: (socket: Socket) => void,
  requests: readonly string[],
) {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server: Server = tls ? createSecureServer(tls, onConnection) : createServer(onConnection);
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('secureConnection', (socket: Socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return {
    port,
    /** http://127.0.0.1:port, or https with TLS. */
    origin: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    /** The number of connections so far. */
    connections: () => connections,
    /** Every request as received: head and body. */
    requests,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The end of the first request in a text, or 0 if it is incomplete. */
function endOfRequest(text: string): number {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return 0;
  const length = Number(/^content-length: *(\d+)/im.exec(text.slice(0, head))?.[1] ?? 0);
  return text.length >= head + 4 + length ? head + 4 + length : 0;
}

/** A response with a length, on a connection that stays open. */
export function answerText(status: number, body = '', headers: readonly string[] = []): string {
  const length = status === 204 || status === 304 ? [] : [`content-length: ${Buffer.byteLength(body)}`];
  const kind = headers.some((header) => /^content-type:/i.test(header)) ? [] : ['content-type: application/json'];
  return [`HTTP/1.1 ${status} Word`, ...kind, ...length, ...headers, '', body].join('\r\n');
}

/** A behaviour that sends the same response to every request. */
export function always(status: number, body = '', headers: readonly string[] = []): Behaviour {
  return (socket) => socket.write(answerText(status, body, headers));
}

/** A behaviour that writes these bytes and closes. */
export function lastWords(text: string | Buffer): Behaviour {
  return (socket) => socket.end(text);
}
