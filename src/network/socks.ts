import { isIP, type Socket } from 'node:net';
import { ConnectionLost } from './connection-lost.ts';
import { decoded, type ProxyServer } from './proxy.ts';
import { moreFrom } from './tunnel.ts';

/**
 * Asks a SOCKS5 proxy for a connection to a host (RFC 1928; user and password, RFC 1929). From then on the socket leads to the host.
 * @param host an address, or a name for the proxy to resolve
 * @throws ConnectionLost with the reply of a proxy that refuses, or if it does not speak SOCKS5
 */
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
    method === 2 ? await ask([1, ...counted(decoded(url.username)), ...counted(decoded(url.password))]) : [];
  if (login[1]) throw new ConnectionLost('tunnel', 'SOCKS_LOGIN');
  const [, reply] = await ask([5, 1, 0, ...addressOf(host), port >> 8, port & 255], 'SOCKS_CLOSED');
  if (reply !== 0) throw new ConnectionLost('tunnel', `SOCKS_${reply}`);
  // The address that the proxy connects from is of no use, but stands before the host's bytes.
  const [, type, first = 0] = await read(3);
  await read((type === 3 ? first : type === 4 ? 15 : 3) + 2);
  if (rest().length > 0) socket.unshift(rest());
}

function openReader(socket: Socket) {
  let heard: Buffer = Buffer.alloc(0);
  return {
    rest: () => heard,
    async read(length: number, closed?: string): Promise<Buffer> {
      while (heard.length < length) {
        const chunk: Buffer | null = socket.read();
        if (chunk) heard = Buffer.concat([heard, chunk]);
        else await moreFrom(socket, closed);
      }
      const bytes = heard.subarray(0, length);
      heard = heard.subarray(length);
      return bytes;
    },
  };
}

function addressOf(host: string): readonly number[] {
  if (isIP(host) === 4) return [1, ...host.split('.').map(Number)];
  if (isIP(host) !== 6) return [3, ...counted(host)];
  // In a URL, an address is written without dots and zone.
  const [left = '', right = ''] = new URL(`http://[${host.replace(/%.*/, '')}]`).hostname.slice(1, -1).split('::');
  const groupsOf = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const [before, after] = [groupsOf(left), groupsOf(right)];
  const zeros = new Array<number>(8 - before.length - after.length).fill(0);
  return [4, ...[...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 255])];
}

/** A text with its length before it, in one byte. */
function counted(text: string): readonly number[] {
  const bytes = Buffer.from(text);
  return [bytes.length, ...bytes];
}
