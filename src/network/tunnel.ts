import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';
import { decoded } from './base-url.ts';
import { ConnectionLost } from './connection-lost.ts';
import { type ProxyServer, proxySchemes } from './proxy.ts';

const longestHead = 16_384;

/** Asks a proxy for a tunnel to a host with its port (RFC 9110 9.3.6). The socket then leads to the host. @throws ConnectionLost with the proxy's status */
export async function openTunnel(socket: Socket, host: string, { authorization }: ProxyServer): Promise<void> {
  const credentials = authorization ? `Proxy-Authorization: ${authorization}\r\n` : '';
  socket.write(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: iiot-cli\r\n${credentials}\r\n`);
  const head = await readHead(socket);
  const status = /^HTTP\/1\.[01] (\d{3})(?: |\r?\n)/.exec(head)?.[1];
  if (!status) throw new ConnectionLost('tunnel', 'PROXY_GARBAGE');
  if (status.startsWith('2')) return;
  const challenges = Array.from(head.matchAll(/^proxy-authenticate:(.*)/gim), ([, challenge]) => challenge);
  const schemes = proxySchemes(challenges.join(','));
  throw new ConnectionLost('tunnel', `PROXY_${status}`, { schemes, statusText: reasonIn(head) });
}

/** The reason of a proxy that refuses: its reason phrase, and the error in squid's header or that of RFC 9209. */
function reasonIn(head: string): string {
  const words = /^HTTP\/\S+ \d+ (.*)/.exec(head)?.[1];
  const reason = /^x-squid-error: *(\w+)/im.exec(head)?.[1] ?? /^proxy-status:.*; *error="?([\w-]+)/im.exec(head)?.[1];
  // Shows plain words only, because a proxy may echo secrets that were sent.
  const clean = [words, reason].filter((part) => part !== undefined && /^[\w .,'-]{1,60}$/.test(part));
  return clean.map((part) => part?.trim()).join(', ');
}

/** Reads the head of a response; empty if it is not HTTP. */
async function readHead(socket: Socket): Promise<string> {
  let head = '';
  for (;;) {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) {
      await waitForMore(socket);
      continue;
    }
    head += chunk.toString('latin1');
    const end = /\r?\n\r?\n/.exec(head);
    if (end) {
      const rest = head.slice(end.index + end[0].length);
      // Bytes after the head already come from the host.
      if (rest !== '') socket.unshift(Buffer.from(rest, 'latin1'));
      return head.slice(0, end.index + 2);
    }
    // An HTTP response would have started with its name by now.
    if (head.length > longestHead || !'HTTP/1.'.startsWith(head.slice(0, 7))) return '';
  }
}

/** Waits until a proxy has sent more. @throws ConnectionLost if it closes the connection instead */
async function waitForMore(socket: Socket, code = 'PROXY_CLOSED'): Promise<void> {
  if (socket.readableEnded || socket.destroyed) throw new ConnectionLost('tunnel', code);
  const listening = new AbortController(); // otherwise each call leaves two listeners behind
  await Promise.race(['readable', 'end', 'close'].map((event) => once(socket, event, listening))).finally(() =>
    listening.abort(),
  );
}

/** Asks a SOCKS5 proxy for a connection to an address or name (RFC 1928, 1929). The socket then leads there. @throws ConnectionLost with the proxy's reply */
export async function openSocks(socket: Socket, host: string, port: number, { url }: ProxyServer): Promise<void> {
  const { read, rest } = openReader(socket);
  const ask = (bytes: readonly number[], closed?: string) => {
    socket.write(Buffer.from(bytes));
    return read(2, closed);
  };
  const methods = url.username === '' ? [0] : [0, 2];
  const [version, method = -1] = await ask([5, methods.length, ...methods]);
  if (version !== 5) throw new ConnectionLost('tunnel', 'SOCKS_GARBAGE');
  if (!methods.includes(method)) throw new ConnectionLost('tunnel', 'SOCKS_LOGIN');
  const login =
    method === 2 ? await ask([1, ...withLength(decoded(url.username)), ...withLength(decoded(url.password))]) : [];
  if (login[1]) throw new ConnectionLost('tunnel', 'SOCKS_LOGIN');
  const [, reply] = await ask([5, 1, 0, ...addressOf(host), port >> 8, port & 255], 'SOCKS_CLOSED');
  if (reply !== 0) throw new ConnectionLost('tunnel', `SOCKS_${reply}`);
  // Skips the address that the proxy connects from, which stands before the host's bytes.
  const [, type, first = 0] = await read(3);
  await read((type === 3 ? first : type === 4 ? 15 : 3) + 2);
  if (rest().length > 0) socket.unshift(rest());
}

function openReader(socket: Socket) {
  let received: Buffer = Buffer.alloc(0);
  return {
    rest: () => received,
    async read(length: number, closed?: string): Promise<Buffer> {
      while (received.length < length) {
        const chunk: Buffer | null = socket.read();
        if (chunk) received = Buffer.concat([received, chunk]);
        else await waitForMore(socket, closed);
      }
      const bytes = received.subarray(0, length);
      received = received.subarray(length);
      return bytes;
    },
  };
}

function addressOf(host: string): readonly number[] {
  if (isIP(host) === 4) return [1, ...host.split('.').map(Number)];
  if (isIP(host) !== 6) return [3, ...withLength(host)];
  // A URL spells the address in groups of hexadecimal digits, without dots. The zone is left out.
  const [left = '', right = ''] = new URL(`http://[${host.replace(/%.*/, '')}]`).hostname.slice(1, -1).split('::');
  const groupsOf = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const [before, after] = [groupsOf(left), groupsOf(right)];
  const zeros = new Array<number>(8 - before.length - after.length).fill(0);
  return [4, ...[...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 255])];
}

/** A text with its length before it, in one byte. */
function withLength(text: string): readonly number[] {
  const bytes = Buffer.from(text);
  return [bytes.length, ...bytes];
}
