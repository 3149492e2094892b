import { Failure, lookFirstHint } from '../failure.ts';
import { certificateWords, checkClient, clientWords } from './certificate-words.ts';
import { type ConnectionLost, isCertificateProblem, neverSent } from './connection-lost.ts';
import { percentEncoding } from './proxy.ts';

type Words = readonly [reason: string, hint: string];

const address = 'Check the base URL: iiot profiles show --origin';
const network = 'Check the network, for example a firewall or a VPN; to find the cause, run: iiot doctor';
const again = 'Try again; to find the cause, run: iiot doctor';
const longer = 'Try again, perhaps with a longer --timeout; to find the cause, run: iiot doctor';
const doctor = 'To find the cause, run: iiot doctor';
const proxies = 'Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY';
const oldTls: Words = [
  'it speaks only versions of TLS that are no longer safe',
  'The platform has to offer TLS 1.2 or newer',
];
const cutOff = 'the connection was closed before the response was complete';
const atFault = 'The fault is in the server, or in a gateway or proxy on the way to it: tell its operator';
const headers: Words = ['its response has more headers than can be read', atFault];

const reasons: Readonly<Record<string, Words>> = {
  ENOTFOUND: ['the name does not resolve', address],
  EAI_AGAIN: ['the name cannot be resolved at the moment', 'Check the network and its name servers, then try again'],
  ECONNREFUSED: ['nothing listens there', address],
  EHOSTUNREACH: ['the host cannot be reached', network],
  ENETUNREACH: ['the network cannot be reached', network],
  ETIMEDOUT: ['the host did not answer', network],
  ECONNRESET: [cutOff, again],
  EPIPE: ['the connection was closed while the request was sent', again],
  HPE_INVALID_EOF_STATE: [cutOff, again],
  CUT_SHORT: ['the response was cut short', again],
  ERR_SSL_WRONG_VERSION_NUMBER: ['it does not speak TLS', 'Check whether the base URL should start with http://'],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: ['it does not speak TLS', 'Check whether the base URL should start with http://'],
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: oldTls,
  ERR_SSL_UNSUPPORTED_PROTOCOL: oldTls,
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: [
    'it speaks only HTTP/2, and iiot speaks HTTP/1.1',
    'The server or gateway has to offer HTTP/1.1 as well',
  ],
  HPE_HEADER_OVERFLOW: headers,
  UND_ERR_HEADERS_OVERFLOW: headers,
  PROXY_407: [
    'it asks for other credentials',
    `Put user and password into HTTPS_PROXY: http://USER:PASSWORD@HOST:PORT, ${percentEncoding}`,
  ],
  PROXY_CLOSED: ['it closed the connection', proxies],
  PROXY_GARBAGE: ['it gave a response that is not HTTP', proxies],
};

/**
 * The failure for a lost connection: a sentence with the place and the reason, and what to do about it.
 * @param timeout of the request, in words
 * @param mayTryAgain false for a change that may have been made, and must not be made twice
 */
export function connectionFailure(lost: ConnectionLost, origin: string, timeout: string, mayTryAgain = true): Failure {
  const timedOut = lost.code === 'TIMEOUT';
  const [sentence, hint] = timedOut ? lateWords(lost, origin, timeout) : lostWords(lost, origin);
  const next = !mayTryAgain && (hint === again || hint === longer) ? lookFirstHint : hint;
  return new Failure('unavailable', sentence, { hint: next, cause: lost });
}

function lostWords(lost: ConnectionLost, origin: string): Words {
  const [reason, hint] = wordsFor(lost);
  const { proxy } = lost.facts;
  if (lost.phase === 'tunnel' && /^PROXY_5/.test(lost.code)) {
    // The failure is behind the proxy: the address may as well be wrong as the host down.
    return [`The proxy ${proxy} cannot reach ${origin}: ${reason}.`, `${address}; or add this host to NO_PROXY`];
  }
  if (lost.phase === 'tunnel') return [`The proxy ${proxy} did not connect to ${origin}: ${reason}.`, hint];
  // Before the tunnel is open, a failure to connect is the proxy's.
  if (lost.phase === 'connect' && proxy) return [`Cannot reach the proxy ${proxy}: ${reason}.`, proxies];
  const place = proxy ? `${origin} through the proxy ${proxy}` : origin;
  if (!neverSent(lost)) return [`The exchange with ${place} failed: ${reason}.`, hint];
  return [`Cannot ${lost.phase === 'connect' ? 'reach' : 'connect to'} ${place}: ${reason}.`, hint];
}

function wordsFor(lost: ConnectionLost): Words {
  const { code, phase, facts } = lost;
  if (phase === 'tls' && code === 'ECONNRESET') return ['the TLS handshake was aborted', doctor];
  if (phase === 'connect' && code === 'ECONNRESET') return ['the connection was closed at once', again];
  // Some servers reject a client certificate by closing the connection after the handshake.
  if (code === 'ECONNRESET' && (phase === 'send' || phase === 'response') && facts.client) return [cutOff, checkClient];
  const known = reasons[code];
  if (known) return known;
  if (isCertificateProblem(code)) return certificateWords(code, facts);
  if (code.startsWith('HPE_')) return notHttp(lost);
  const client = clientWords(code, facts.client === true);
  if (client) return client;
  const status = /^PROXY_(\d+)$/.exec(code)?.[1];
  if (status) return proxyWords(status, facts.statusText);
  if (phase === 'tls') return [`the TLS handshake failed (${code})`, doctor];
  return [`the connection failed (${code})`, doctor];
}

function proxyWords(status: string, statusText: string | undefined): Words {
  const reason = `it answered ${status}${statusText ? ` (${statusText})` : ''}`;
  if (status !== '403') return [reason, proxies];
  return [reason, 'Ask the operator of the proxy to allow this address, or add it to NO_PROXY'];
}

const greetings: readonly (readonly [RegExp, string])[] = [
  [/^SSH-/, 'an SSH server'],
  [/^220[ -]/, 'a mail or FTP server'],
  [/^\* OK|^\+OK/, 'a mail server'],
];

function notHttp({ code, facts: { greeting = '' } }: ConnectionLost): Words {
  if (/^[\x15\x16]\x03/.test(greeting))
    return ['it speaks TLS', 'Check whether the base URL should start with https://'];
  const [, known] = greetings.find(([pattern]) => pattern.test(greeting)) ?? [];
  if (known) return [`what answers there is ${known}, not an HTTP server`, address];
  if (/^HPE_INVALID_(CONSTANT|VERSION)$/.test(code)) return ['what answers there is not an HTTP server', address];
  const server = /^server:[ \t]*([^\r\n]{1,80})/im.exec(greeting)?.[1];
  return [
    `its response${server ? `, from the server ${server.trim()},` : ''} breaks the rules of HTTP (${code})`,
    atFault,
  ];
}

/** Which phase of the exchange has timed out. */
function lateWords({ phase, facts: { proxy } }: ConnectionLost, origin: string, timeout: string): Words {
  const through = proxy ? ` through the proxy ${proxy}` : '';
  const sentences: Readonly<Record<typeof phase, string>> = {
    connect: `No connection to ${proxy ? `the proxy ${proxy}` : origin} within ${timeout}.`,
    tunnel: `The proxy ${proxy} did not connect to ${origin} within ${timeout}.`,
    tls: `No connection to ${origin}${through} within ${timeout}: the TLS handshake did not finish.`,
    send: `The request could not be sent to ${origin}${through} within ${timeout}.`,
    response: `No response from ${origin}${through} within ${timeout}: it accepted the request but did not respond.`,
    body: `No complete response from ${origin}${through} within ${timeout}: it started but did not finish.`,
  };
  return [sentences[phase], longer];
}
