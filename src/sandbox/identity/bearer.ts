import type { Caller, State } from '../handler.ts';
import { unauthenticated } from '../route-response.ts';
import { isExpired } from './authentication-tokens.ts';
import { type Claims, readToken } from './tokens.ts';

const refused = 'Bearer error="invalid_token", error_description="The access token is not valid"';

/** The caller according to the Authorization header (RFC 6750). Throws 401 without a token, or if it is forged, expired or revoked. */
export function authenticate(state: State, authorization: string | null): Caller {
  const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization ?? '')?.[1];
  if (!token) throw unauthenticated('This call needs a bearer token.');
  const claims = readToken(state.secrets, state.clock, token);
  const caller = claims && callerOf(state, claims);
  if (!caller) throw unauthenticated('The access token is expired, revoked or not from this platform.', refused);
  return caller;
}

/** A token is valid only as long as its login or its client credential exists: "Every access token issued from it becomes invalid immediately." */
function callerOf({ world, identity, clock }: State, claims: Claims): Caller | undefined {
  if (claims.client_credential_id !== undefined) {
    const credential = world.credentials.get(claims.client_credential_id);
    return credential && !isExpired(credential, { clock }) ? { kind: 'machine', credential } : undefined;
  }
  const login = identity.logins.get(claims.sid ?? '');
  const account = world.accounts.get(login?.account ?? '');
  return account && { kind: 'user', account };
}
