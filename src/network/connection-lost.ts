import type { InspectedCertificate } from './tls.ts';
import { isRefusedClient } from './tls-codes.ts';

/**
 * How far an exchange came before it ended: reaching the host or its proxy, the proxy's way to the host, the handshake; then sending the
 * request, waiting for an answer, and reading it. Up to 'tls' nothing of the request has left this machine.
 */
export type Phase = 'connect' | 'tunnel' | 'tls' | 'send' | 'answer' | 'body';

export type LostFacts = {
  readonly cause?: unknown;
  /** Host and port of the proxy on the way. */
  readonly proxy?: string;
  /** The certificate that was refused. */
  readonly certificate?: InspectedCertificate;
  /** We had a certificate of our own to show. */
  readonly client?: boolean;
  /** Where its authority was looked for. */
  readonly places?: readonly string[];
  /** What the proxy says beside its status. */
  readonly answer?: string;
  /** The first bytes of what is no HTTP. */
  readonly greeting?: string;
  /** The connection had been kept open from an earlier request. */
  readonly kept?: boolean;
};

/**
 * An exchange that ended without a whole answer, as a `Fetch` throws it. `code` is the system's or the package's, or one of ours: ABORTED,
 * TIMEOUT, INTERRUPTED, CUT_SHORT, PROXY_407 (its status), PROXY_CLOSED, PROXY_GARBAGE.
 */
export class ConnectionLost extends Error {
  readonly phase: Phase;
  readonly code: string;
  readonly facts: LostFacts;

  constructor(phase: Phase, code: string, facts: LostFacts = {}) {
    super(`${code} (${phase})`, { cause: facts.cause });
    this.phase = phase;
    this.code = code;
    this.facts = facts;
  }
}

/** The same, with more that is known of it. */
export function withFacts(lost: ConnectionLost, facts: LostFacts): ConnectionLost {
  return new ConnectionLost(lost.phase, lost.code, { ...lost.facts, ...facts });
}

/** What a socket or a parser threw, as a lost connection. Several errors at once come from a name with several addresses. */
export function lostAt(phase: Phase, error: unknown, facts: LostFacts = {}): ConnectionLost {
  if (error instanceof ConnectionLost) return error;
  const { errors, rawPacket } = error as { errors?: unknown[]; rawPacket?: Uint8Array }; // read as far as they are there
  const codes = [error, ...(errors ?? [])].map(codeOf).filter((code) => code !== undefined);
  const code = errors ? (codes.find((each) => !unreachable.test(each)) ?? codes[0]) : codes[0];
  const greeting = rawPacket && Buffer.from(rawPacket).subarray(0, 64).toString('latin1');
  return new ConnectionLost(phase, code ?? 'ECONNRESET', {
    ...facts,
    cause: error,
    ...(greeting !== undefined && { greeting }),
  });
}

/** Of several addresses, one that refuses says more than one that this network has no way to. */
const unreachable = /^(ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL|ERR_SOCKET_CONNECTION_TIMEOUT)$/;

function codeOf(error: unknown): string | undefined {
  const { code, name } = error as { code?: unknown; name?: unknown }; // whatever is thrown, these are undefined or what they are
  // undici's own words for a socket that closed, and for an answer that its parser refuses without saying why.
  if (code === 'UND_ERR_SOCKET') return 'ECONNRESET';
  if (code === undefined) return name === 'HTTPParserError' ? 'HPE_INVALID' : undefined;
  return String(code);
}

/**
 * Whether the platform cannot have seen the request. TLS 1.3 refuses a client's certificate when our part of the handshake is over; what was
 * sent since then is read by nobody.
 */
export function neverSent({ phase, code }: ConnectionLost): boolean {
  return phase === 'connect' || phase === 'tunnel' || phase === 'tls' || isRefusedClient(code);
}

const refusedCertificate = /CERT|SELF_SIGNED|ISSUER|LEAF_SIGNATURE|INVALID_CA|INVALID_PURPOSE/;

/** Whether a certificate was looked at and refused. */
export function isCertificateProblem(code: string): boolean {
  return refusedCertificate.test(code) && !code.includes('ALERT');
}

const lasting =
  /^(ABORTED|TIMEOUT|INTERRUPTED|ENOTFOUND|ERR_SSL_|ERR_TLS_|HPE_(?!INVALID_EOF)|UND_ERR_HEADERS_OVERFLOW|PROXY_([1-4]\d\d|GARBAGE))/;

/** Whether the same request may find a whole answer soon. A certificate stays what it is, and time that is up is up. */
export function mayPass({ code }: ConnectionLost): boolean {
  return !lasting.test(code) && !isCertificateProblem(code);
}
