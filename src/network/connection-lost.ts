import type { InspectedCertificate } from './certificate.ts';

/**
 * The phase in which an exchange ended: connecting to the host or its proxy, waiting for the proxy's tunnel, the handshake, then sending the request,
 * waiting for a response, and reading it. Up to 'tls' nothing of the request has left this machine.
 */
export type Phase = 'connect' | 'tunnel' | 'tls' | 'send' | 'response' | 'body';

export type LostFacts = {
  readonly cause?: unknown;
  /** Host and port of the proxy, for SOCKS with the scheme. */
  readonly proxy?: string;
  /** The variable that names the proxy. */
  readonly variable?: string;
  /** The kinds of login that the proxy offers. */
  readonly schemes?: readonly string[];
  /** The certificate that was refused. */
  readonly certificate?: InspectedCertificate;
  /** Whether a client certificate was available. */
  readonly client?: boolean;
  /** The places where the authority of the certificate was looked for. */
  readonly places?: readonly string[];
  /** The proxy's message besides its status. */
  readonly statusText?: string;
  /** The first bytes of a response that is not HTTP. */
  readonly greeting?: string;
  /** Whether the connection was reused from an earlier request. */
  readonly kept?: boolean;
};

/**
 * A `Fetch` throws it for an exchange that ended without a complete response. `code` comes from the system, from undici, or is one of these:
 * ABORTED, TIMEOUT, INTERRUPTED, CUT_SHORT, PROXY_407 (its status), PROXY_CLOSED, PROXY_GARBAGE, SOCKS_5 (its reply), SOCKS_CLOSED,
 * SOCKS_LOGIN, SOCKS_NAME, SOCKS_GARBAGE.
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

export function withFacts(lost: ConnectionLost, facts: LostFacts): ConnectionLost {
  return new ConnectionLost(lost.phase, lost.code, { ...lost.facts, ...facts });
}

/** Turns an error of a socket or a parser into a lost connection. Of several errors, one for each address of a host, it takes the most telling. */
export function toConnectionLost(phase: Phase, error: unknown, facts: LostFacts = {}): ConnectionLost {
  if (error instanceof ConnectionLost) return error;
  const { errors, rawPacket } = error as { errors?: unknown[]; rawPacket?: Uint8Array }; // either may be missing
  const codes = [error, ...(errors ?? [])].map(codeOf).filter((code) => code !== undefined);
  const code = errors ? (codes.find((each) => !unreachableCodes.test(each)) ?? codes[0]) : codes[0];
  const greeting = rawPacket && Buffer.from(rawPacket).subarray(0, 2048).toString('latin1');
  return new ConnectionLost(phase, code ?? 'ECONNRESET', { ...facts, cause: error, greeting });
}

/** Matches codes that say less than others, because this network cannot reach the address. */
const unreachableCodes = /^(ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL|ERR_SOCKET_CONNECTION_TIMEOUT)$/;

function codeOf(error: unknown): string | undefined {
  const { code, name } = error as { code?: unknown; name?: unknown }; // undefined or anything, whatever is thrown
  // undici's codes for a socket that closed, and for a response that its parser rejects without a reason.
  if (code === 'UND_ERR_SOCKET') return 'ECONNRESET';
  if (code === undefined) return name === 'HTTPParserError' ? 'HPE_INVALID' : undefined;
  return String(code);
}

/** Whether the platform cannot have seen the request. In TLS 1.3 a client certificate is refused after the handshake, and the request is not read then. */
export function neverSent({ phase, code }: ConnectionLost): boolean {
  return phase === 'connect' || phase === 'tunnel' || phase === 'tls' || isRefusedClient(code);
}

/** Whether a certificate was looked at and refused. */
export function isCertificateProblem(code: string): boolean {
  // UNSPECIFIED is Node's code for problems that have no code of their own.
  return /CERT|SELF_SIGNED|ISSUER|LEAF_SIG|INVALID_(CA|PURPOSE)|UNSPECIFIED/.test(code) && !code.includes('ALERT');
}

const lastingCodes =
  /^(ABORTED|TIMEOUT|INTERRUPTED|ENOTFOUND|ERR_SSL_|ERR_TLS_|HPE_(?!INVALID_EOF)|UND_ERR_HEADERS_OVERFLOW|PROXY_([1-4]\d\d|GARBAGE)|SOCKS_([278]|LOGIN|NAME|GARBAGE))/;

/** Whether repeating the request may succeed soon. A refused certificate stays refused, and a timeout is final. */
export function isTransient({ code }: ConnectionLost): boolean {
  return !lastingCodes.test(code) && !isCertificateProblem(code);
}

/** OpenSSL's codes for an issuer that is not trusted. */
const issuerCodes =
  /^(UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT)$/;

/** Whether a certificate was refused because its issuer is not trusted here. */
export function isUnknownIssuer(code: string): boolean {
  return issuerCodes.test(code);
}

/** Whether a server or gateway refuses the client certificate, or requires one. */
export function isRefusedClient(code: string): boolean {
  return /ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_[A-Z]+|ACCESS_DENIED)$/.test(code);
}
