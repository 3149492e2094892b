import { Failure } from '../failure.ts';
import type { InspectedCertificate } from './certificate.ts';
import { type ConnectionLost, isCertificateProblem, neverSent } from './connection.ts';
import { lookFirst } from './unsettled.ts';

type Words = readonly [reason: string, hint: string];

const address = 'Check the base URL: iiot profiles show --origin';
const network = 'Check the network, a firewall or a VPN for example; iiot doctor looks for the reason';
const again = 'Try again; iiot doctor looks for the reason';
const longer = 'Try again, with a longer --timeout perhaps; iiot doctor looks for the reason';
const doctor = 'iiot doctor looks for the reason';
const proxies = 'Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY';
const authority =
  'If this authority is yours, name its certificate with --ca-file FILE; checking cannot be switched off. See: iiot doctor';
const clock = "Check this machine's clock; if it is right, the platform needs a new certificate";
const oldTls: Words = [
  'it speaks only versions of TLS that are no longer safe',
  'The platform has to offer TLS 1.2 or newer',
];
const headers: Words = ['its answer has more headers than can be read', doctor];

const reasons: Readonly<Record<string, Words>> = {
  ENOTFOUND: ['the name does not resolve', address],
  EAI_AGAIN: ['the name could not be resolved just now', 'Check the network and its name servers, then try again'],
  ECONNREFUSED: ['nothing listens there', address],
  EHOSTUNREACH: ['the host cannot be reached', network],
  ENETUNREACH: ['the network cannot be reached', network],
  ETIMEDOUT: ['the host did not answer', network],
  ECONNRESET: ['the connection was closed before the answer was complete', again],
  EPIPE: ['the connection was closed while the request was sent', again],
  HPE_INVALID_EOF_STATE: ['the connection was closed before the answer was complete', again],
  CUT_SHORT: ['the answer was cut short', again],
  ERR_SSL_WRONG_VERSION_NUMBER: ['it does not speak TLS', 'Check whether the base URL should begin with http://'],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: ['it does not speak TLS', 'Check whether the base URL should begin with http://'],
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: oldTls,
  ERR_SSL_UNSUPPORTED_PROTOCOL: oldTls,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: [
    'it asks for a certificate of the client',
    'iiot has none to show; use an address that takes tokens alone',
  ],
  HPE_HEADER_OVERFLOW: headers,
  UND_ERR_HEADERS_OVERFLOW: headers,
  PROXY_407: [
    'it asks for other credentials',
    'Put user and password into HTTPS_PROXY: http://USER:PASSWORD@HOST:PORT',
  ],
  PROXY_CLOSED: ['it closed the connection', proxies],
  PROXY_GARBAGE: ['it gave an answer that is not HTTP', proxies],
};

/**
 * The failure for a lost connection: a sentence with the place and the reason, and what to do.
 * @param timeout of the request, as a person says it
 * @param mayTryAgain false for a change that may have been made, and must not be made twice
 */
export function connectionFailure(lost: ConnectionLost, origin: string, timeout: string, mayTryAgain = true): Failure {
  const timedOut = lost.code === 'TIMEOUT';
  const [sentence, hint] = timedOut ? lateWords(lost, origin, timeout) : lostWords(lost, origin);
  const next = !mayTryAgain && (hint === again || hint === longer) ? lookFirst : hint;
  return new Failure('unavailable', sentence, { hint: next, cause: lost });
}

function lostWords(lost: ConnectionLost, origin: string): Words {
  const [reason, hint] = wordsFor(lost);
  const { proxy } = lost.facts;
  if (lost.phase === 'tunnel') return [`The proxy ${proxy} gave no way to ${origin}: ${reason}.`, hint];
  // Until there is a way through it, what fails is the proxy.
  if (lost.phase === 'connect' && proxy) return [`No connection to the proxy ${proxy}: ${reason}.`, proxies];
  const place = proxy ? `${origin} through the proxy ${proxy}` : origin;
  return [
    neverSent(lost) ? `No connection to ${place}: ${reason}.` : `The exchange with ${place} failed: ${reason}.`,
    hint,
  ];
}

function wordsFor(lost: ConnectionLost): Words {
  const { code, phase } = lost;
  if (phase === 'tls' && code === 'ECONNRESET') return ['the TLS handshake was broken off', doctor];
  if (phase === 'connect' && code === 'ECONNRESET') return ['the connection was closed at once', again];
  const known = reasons[code];
  if (known) return known;
  if (isCertificateProblem(code)) return certificateWords(code, lost.facts.certificate);
  if (code.startsWith('HPE_')) return notHttp(lost);
  const status = /^PROXY_(\d+)$/.exec(code)?.[1];
  if (status) return [`it answered ${status}`, proxies];
  if (phase === 'tls') return [`the TLS handshake failed (${code})`, doctor];
  return [`the connection failed (${code})`, doctor];
}

/** The certificate in question, as far as a second look could find it. */
function certificateWords(code: string, seen: InspectedCertificate | undefined): Words {
  const issued = seen ? ` (issued by ${seen.issuer})` : '';
  if (code === 'CERT_HAS_EXPIRED') {
    return [`its certificate has expired${seen ? `, on ${day(seen.validTo)}` : ''}${issued}`, clock];
  }
  if (code === 'CERT_NOT_YET_VALID') {
    return [`its certificate is not valid yet${seen ? `, only from ${day(seen.validFrom)} on` : ''}${issued}`, clock];
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const names = seen?.names.slice(0, 5).join(', ');
    return [`its certificate is for another name${names ? `: ${names}` : ''}${issued}`, address];
  }
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT') {
    return [`its certificate is self-signed${seen ? ` (${seen.subject})` : ''}`, authority];
  }
  if (/SELF_SIGNED|ISSUER|LEAF_SIGNATURE/.test(code)) {
    return [`its certificate comes from an authority that this machine does not know${issued}`, authority];
  }
  return [`its certificate is not accepted (${code})${issued}`, authority];
}

function day(time: string): string {
  return time.slice(0, 10);
}

const greetings: readonly (readonly [RegExp, string])[] = [
  [/^SSH-/, 'an SSH server'],
  [/^220[ -]/, 'a mail or FTP server'],
  [/^\* OK|^\+OK/, 'a mail server'],
];

function notHttp({ code, facts: { greeting = '' } }: ConnectionLost): Words {
  if (/^[\x15\x16]\x03/.test(greeting))
    return ['it speaks TLS', 'Check whether the base URL should begin with https://'];
  const [, known] = greetings.find(([pattern]) => pattern.test(greeting)) ?? [];
  if (known) return [`what answers there is ${known}, not an HTTP server`, address];
  if (/^HPE_INVALID_(CONSTANT|VERSION)$/.test(code)) return ['what answers there is not an HTTP server', address];
  return [`its answer breaks the rules of HTTP (${code})`, doctor];
}

/** Which part of the exchange had no end in time. */
function lateWords({ phase, facts: { proxy } }: ConnectionLost, origin: string, timeout: string): Words {
  const through = proxy ? ` through the proxy ${proxy}` : '';
  const sentences: Readonly<Record<typeof phase, string>> = {
    connect: `No connection to ${proxy ? `the proxy ${proxy}` : origin} within ${timeout}.`,
    tunnel: `The proxy ${proxy} gave no way to ${origin} within ${timeout}.`,
    tls: `No connection to ${origin}${through} within ${timeout}: the TLS handshake did not end.`,
    send: `The request could not be sent to ${origin}${through} within ${timeout}.`,
    answer: `No answer from ${origin}${through} within ${timeout}: it took the request and said nothing.`,
    body: `No complete answer from ${origin}${through} within ${timeout}: it began and did not end.`,
  };
  return [sentences[phase], longer];
}
