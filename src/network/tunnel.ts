import { once } from 'node:events';
import type { Socket } from 'node:net';
import { ConnectionLost } from './connection-lost.ts';
import type { ProxyServer } from './proxy.ts';
import { proxySchemes } from './proxy-login.ts';

const longestHead = 16_384;

/**
 * Asks a proxy for a tunnel to a host (RFC 9110 9.3.6). From then on the socket leads to the host.
 * @param host with its port
 * @throws ConnectionLost with the proxy's status if it refuses, or if it does not speak HTTP
 */
export async function openTunnel(socket: Socket, host: string, { authorization }: ProxyServer): Promise<void> {
  const credentials = authorization ? `Proxy-Authorization: ${authorization}\r\n` : '';
  socket.write(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: iiot-cli\r\n${credentials}\r\n`);
  const head = await readHead(socket);
  const status = /^HTTP\/1\.[01] (\d{3})(?: |\r?\n)/.exec(head)?.[1];
  if (!status) throw new ConnectionLost('tunnel', 'PROXY_GARBAGE');
  if (status.startsWith('2')) return;
  const statusText = reasonIn(head);
  const challenges = Array.from(head.matchAll(/^proxy-authenticate:(.*)/gim), ([, challenge]) => challenge);
  const schemes = proxySchemes(challenges.join(','));
  throw new ConnectionLost('tunnel', `PROXY_${status}`, { schemes, ...(statusText !== '' && { statusText }) });
}

/** Why a proxy refuses: its reason phrase, and the reason in squid's header or that of RFC 9209. */
function reasonIn(head: string): string {
  const words = /^HTTP\/\S+ \d+ (.*)/.exec(head)?.[1];
  const reason = /^x-squid-error: *(\w+)/im.exec(head)?.[1] ?? /^proxy-status:.*; *error="?([\w-]+)/im.exec(head)?.[1];
  // Plain words only: a proxy may echo what it was sent.
  const clean = [words, reason].filter((part) => part !== undefined && /^[\w .,'-]{1,60}$/.test(part));
  return clean.map((part) => part?.trim()).join(', ');
}

/** The head of a response; empty if it is not HTTP. */
async function readHead(socket: Socket): Promise<string> {
  let head = '';
  for (;;) {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) {
      await moreFrom(socket);
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
export async function moreFrom(socket: Socket, code = 'PROXY_CLOSED'): Promise<void> {
  if (socket.readableEnded || socket.destroyed) throw new ConnectionLost('tunnel', code);
  const listening = new AbortController(); // otherwise each call leaves two listeners behind
  await Promise.race(['readable', 'end', 'close'].map((event) => once(socket, event, listening))).finally(() =>
    listening.abort(),
  );
}
