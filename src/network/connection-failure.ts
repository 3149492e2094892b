import { Failure, lookFirstHint } from '../failure.ts';
import { isLoopback } from './base-url.ts';
import {
  type ConnectionLost,
  isCertificateProblem,
  isRefusedClient,
  type LostFacts,
  neverSent,
} from './connection-lost.ts';
import { proxyLoginWords } from './proxy.ts';
import { weaknessOf } from './weak-certificate.ts';

/** Why a connection failed, as a clause, and what to do about it. */
type Words = readonly [reason: string, hint: string];

const checkAddress = 'Check the base URL: iiot profiles show --origin';
const sandboxEnded = `${checkAddress}. If it was a sandbox, it has ended: iiot sandbox start`;
const checkNetwork = 'Check the network, for example a firewall or a VPN; to find the cause, run: iiot doctor';
const tryAgain = 'Try again; to find the cause, run: iiot doctor';
const tryLonger = 'Try again, perhaps with a longer --request-timeout; to find the cause, run: iiot doctor';
const runDoctor = 'To find the cause, run: iiot doctor';
/** HTTPS_PROXY stands for the variable that names the proxy. */
const checkProxies = 'Check HTTPS_PROXY and NO_PROXY';
const notTls: Words = ['it does not speak TLS', 'Check whether the base URL should start with http://'];
const oldTls: Words = [
  'it speaks only versions of TLS that are no longer safe',
  'The platform must offer TLS 1.2 or newer',
];
const checkReach = `${checkAddress}; or add this host to NO_PROXY`;
const askForAccess = 'Ask the operator of the proxy to allow this address, or add it to NO_PROXY';
const closedEarly = 'the connection was closed before the response was complete';
const tellServer = 'The fault is in the server, or in a gateway or proxy on the way to it: tell its operator';
const manyHeaders: Words = ['its response has more headers than can be read', tellServer];

const reasons: Readonly<Record<string, Words>> = {
  ENOTFOUND: ['the name does not resolve', checkAddress],
  EAI_AGAIN: ['the name cannot be resolved at the moment', 'Check the network and its name servers, then try again'],
  ECONNREFUSED: ['nothing listens there', checkAddress],
  EHOSTUNREACH: ['the host cannot be reached', checkNetwork],
  ENETUNREACH: ['the network cannot be reached', checkNetwork],
  ETIMEDOUT: ['the host did not answer', checkNetwork],
  ECONNRESET: [closedEarly, tryAgain],
  EMFILE: ['too many files are open', 'Raise the limit: ulimit -n 1024'],
  EPIPE: ['the connection was closed while the request was being sent', tryAgain],
  HPE_INVALID_EOF_STATE: [closedEarly, tryAgain],
  CUT_SHORT: ['the response was cut short', tryAgain],
  ERR_SSL_WRONG_VERSION_NUMBER: notTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: notTls,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: oldTls,
  ERR_SSL_UNSUPPORTED_PROTOCOL: oldTls,
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: [
    'it speaks only HTTP/2, but iiot speaks HTTP/1.1',
    'The server or gateway must offer HTTP/1.1 as well',
  ],
  ERR_SSL_DH_KEY_TOO_SMALL: ['its key exchange (Diffie-Hellman) is too short to be safe', tellServer],
  HPE_HEADER_OVERFLOW: manyHeaders,
  UND_ERR_HEADERS_OVERFLOW: manyHeaders,
  PROXY_CLOSED: ['it closed the connection', checkProxies],
  PROXY_GARBAGE: ['it gave a response that is not HTTP', checkProxies],
  SOCKS_1: ['it reports a general failure', checkReach],
  SOCKS_2: ['its rules do not allow it', askForAccess],
  SOCKS_3: ['the network cannot be reached', checkReach],
  SOCKS_4: ['the host cannot be reached', checkReach],
  SOCKS_5: ['nothing listens there', checkReach],
  SOCKS_6: ['the host did not answer', checkReach],
  SOCKS_7: ['it does not open connections', checkProxies],
  SOCKS_8: ['it does not know this kind of address', checkProxies],
  // `ssh -D` closes the connection if it cannot reach a host.
  SOCKS_CLOSED: ['it closed the connection', checkReach],
  SOCKS_LOGIN: proxyLoginWords([], 'HTTPS_PROXY', 'socks5h'),
  SOCKS_GARBAGE: ['it does not speak SOCKS5', checkProxies],
  SOCKS_NAME: [
    'the name does not resolve on this machine',
    `${checkAddress}; or let the proxy resolve it, with socks5h://`,
  ],
};

/** The failure for a lost connection. @param timeout in words @param mayTryAgain false for a change that may have been made, and must not be made twice */
export function connectionFailure(lost: ConnectionLost, origin: string, timeout: string, mayTryAgain = true): Failure {
  const timedOut = lost.code === 'TIMEOUT';
  const [sentence, hint] = timedOut ? lateWords(lost, origin, timeout) : lostWords(lost, origin);
  const next = !mayTryAgain && (hint === tryAgain || hint === tryLonger) ? lookFirstHint : hint;
  const { variable = 'HTTPS_PROXY' } = lost.facts;
  return new Failure('unavailable', sentence, { hint: next.replace('HTTPS_PROXY', variable), cause: lost });
}

function lostWords(lost: ConnectionLost, origin: string): Words {
  const [reason, usual] = explanationOf(lost);
  const { proxy } = lost.facts;
  const isGone = lost.code === 'ECONNREFUSED' && !proxy && isLoopback(new URL(origin));
  const hint = isGone ? sandboxEnded : usual;
  // The proxy could not reach the host, so the address may be wrong, or the host is down.
  if (/^(PROXY_5|SOCKS_([13456]|CLOSED)$)/.test(lost.code))
    return [`The proxy ${proxy} cannot reach ${origin}: ${reason}.`, checkReach];
  if (lost.phase === 'tunnel') return [`The proxy ${proxy} did not connect to ${origin}: ${reason}.`, hint];
  // With a proxy, only the connection to the proxy itself is in this phase.
  if (lost.phase === 'connect' && proxy && lost.code !== 'SOCKS_NAME')
    return [`Cannot reach the proxy ${proxy}: ${reason}.`, checkProxies];
  const place = proxy ? `${origin} through the proxy ${proxy}` : origin;
  if (!neverSent(lost)) return [`The request to ${place} failed: ${reason}.`, hint];
  return [`Cannot ${lost.phase === 'connect' ? 'reach' : 'connect to'} ${place}: ${reason}.`, hint];
}

function explanationOf(lost: ConnectionLost): Words {
  const { code, phase, facts } = lost;
  if (phase === 'tls' && code === 'ECONNRESET') return ['the TLS handshake was aborted', runDoctor];
  if (phase === 'connect' && code === 'ECONNRESET') return ['the connection was closed at once', tryAgain];
  // Some servers reject a client certificate by closing the connection after the handshake.
  if (code === 'ECONNRESET' && (phase === 'send' || phase === 'response') && facts.client)
    return [closedEarly, checkClient];
  const known = reasons[code];
  if (known) return known;
  if (isCertificateProblem(code)) return certificateWords(code, facts);
  if (code.startsWith('HPE_')) return notHttp(lost);
  const client = clientWords(code, facts.client === true);
  if (client) return client;
  const status = /^PROXY_(\d+)$/.exec(code)?.[1];
  if (status === '407') return proxyLoginWords(facts.schemes ?? [], 'HTTPS_PROXY');
  const { statusText } = facts;
  const hint = status === '403' ? askForAccess : checkProxies;
  if (status) return [`it answered ${status}${statusText ? ` (${statusText})` : ''}`, hint];
  if (phase === 'tls') return [`the TLS handshake failed (${code})`, runDoctor];
  return [`the connection failed (${code})`, runDoctor];
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
  if (known) return [`what answers there is ${known}, not an HTTP server`, checkAddress];
  if (/^HPE_INVALID_(CONSTANT|VERSION)$/.test(code)) return ['what answers there is not an HTTP server', checkAddress];
  const server = /^server:[ \t]*([^\r\n]{1,80})/im.exec(greeting)?.[1];
  return [`its response${server ? `, from the server ${server.trim()},` : ''} is not valid HTTP (${code})`, tellServer];
}

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
  return [sentences[phase], tryLonger];
}

const checkClock = "Check this machine's clock; if it is right, the platform needs a new certificate";

const askStronger = 'The platform needs a new certificate, signed with SHA-256 and with a key of 2048 bits or more';

/** Says why this machine refuses the server's certificate, with facts from the certificate if a second handshake could read it. */
function certificateWords(code: string, { certificate, places, cause }: LostFacts): Words {
  const weakness = weaknessOf(cause);
  const why = code === 'UNSPECIFIED' && cause instanceof Error ? cause.message : code;
  const authority = [
    'If this authority is yours, install its certificate on this machine or name it with --ca-file FILE; checking cannot be switched off.',
    /LEAF_SIGNATURE|ISSUER_CERT/.test(code) &&
      'If it is a public one, the server leaves out an intermediate certificate.',
    places && `Looked in: ${places.join(', ')}.`,
    'See iiot doctor',
  ]
    .filter(Boolean)
    .join(' ');
  const { subject, issuer, validFrom = '', validTo = '', names = [] } = certificate ?? {};
  const known: Readonly<Record<string, readonly [reason: string, more: string, hint: string]>> = {
    CERT_HAS_EXPIRED: ['its certificate has expired', `, on ${validTo.slice(0, 10)}`, checkClock],
    CERT_NOT_YET_VALID: ['its certificate is not valid yet', `, only from ${validFrom.slice(0, 10)} on`, checkClock],
    ERR_TLS_CERT_ALTNAME_INVALID: [
      'its certificate is for another name',
      names.length > 0 ? `: ${names.slice(0, 5).join(', ')}` : '',
      checkAddress,
    ],
    DEPTH_ZERO_SELF_SIGNED_CERT: ['its certificate is self-signed', ` (${subject})`, authority],
    ...(weakness !== undefined && { UNSPECIFIED: [`its certificate ${weakness}`, '', askStronger] }),
  };
  const isUnknown = /SELF_SIGNED|ISSUER|LEAF_SIGNATURE/.test(code);
  const other = isUnknown ? 'comes from an authority that this machine does not trust' : `is not accepted (${why})`;
  const [reason, more, hint] = known[code] ?? [`its certificate ${other}`, '', authority];
  const issued = code === 'DEPTH_ZERO_SELF_SIGNED_CERT' ? '' : ` (issued by ${issuer})`;
  return [certificate ? `${reason}${more}${issued}` : reason, hint];
}

const clientOption = 'Give one with --client-cert FILE and --client-key FILE';

const checkClient = 'Check --client-cert; iiot doctor shows which one is used, and when it expires';

/** Says why the server or gateway refuses the client certificate, or asks for one. */
function clientWords(code: string, isShown: boolean): Words | undefined {
  if (isRefusedClient(code)) {
    const word = /ALERT_([A-Z_]+)$/.exec(code)?.[1]?.toLowerCase().replaceAll('_', ' ');
    return isShown
      ? [`it does not accept the client certificate (${word})`, checkClient]
      : ['it asks for a client certificate', clientOption];
  }
  if (!/ALERT_HANDSHAKE_FAILURE/.test(code)) return undefined;
  // In TLS 1.2 this code may mean that a client certificate is missing.
  const hint = isShown ? checkClient : `It may ask for a client certificate. ${clientOption}; see: iiot doctor`;
  return ['it refused the TLS handshake', hint];
}
