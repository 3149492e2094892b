import type * as contract from '../../contract/authentication.ts';
import { loginCookie, userTokenLifetime } from '../../contract/authentication.ts';
import type { Call, Caller, Handler, State } from '../handler.ts';
import { invalidField, Refusal, type RouteResponse, unauthenticated } from '../route-response.ts';
import type { Credential } from '../world/world.ts';
import { checkTenant, issuer } from './authentication.ts';
import { beginLogin, renewLogin, sessionAccount } from './identity.ts';
import { type Claims, hashOf, issueToken, readToken } from './secrets.ts';

const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** Step 5: "no body, cookies only". */
const createToken: Handler<typeof contract.createToken> = ({ tenantPath, appPath }, call) => {
  checkTenant(call, tenantPath, appPath);
  if (call.hasBody) throw invalidField('', 'must not be there: this call takes only its cookies');
  const account = sessionAccount(call, call.cookies[loginCookie]);
  if (!account) throw unauthenticated('No login was completed: the cookie SvcOidc.Login is missing or too old.');
  const { login, refreshToken } = beginLogin(call, account);
  return userToken(call, login.sid, account, refreshToken);
};

/** The interface does not show the response: here it is the one of step 5, with a new refresh token each time. */
const refreshToken: Handler<typeof contract.refreshToken> = ({ tenantPath, appPath, body }, call) => {
  checkTenant(call, tenantPath, appPath);
  const renewed = renewLogin(call, body.refreshToken);
  if (!renewed) throw new Refusal(400, 'invalid_grant', 'The refresh token is unknown, revoked, or was used before.');
  return userToken(call, renewed.login.sid, renewed.login.account, renewed.refreshToken);
};

function userToken(call: Call, sid: string, account: string, refresh: string): RouteResponse {
  const now = Math.floor(call.clock.now() / 1000);
  const accessToken = issueToken(call.secrets, {
    iss: issuer(call),
    sub: call.world.accounts.get(account)?.userId ?? account,
    email: account,
    tenantid: call.world.tenant.tenantId,
    iat: now,
    exp: now + userTokenLifetime,
    jti: call.secrets.text().slice(0, 22),
    sid,
  });
  const body = { accessToken, refreshToken: refresh, expiresIn: userTokenLifetime, tokenType: 'Bearer' };
  return { status: 200, body, headers: noStore };
}

/**
 * An access token for a client credential. The interface does not show the response: here it is OAuth's (RFC 6749, 5.1). The token is valid until the
 * credential's expiredAt; without one it does not expire, and expires_in is omitted.
 */
const machineToken: Handler<typeof contract.machineToken> = ({ body }, call) => {
  const credential = [...call.world.credentials.values()].find(({ clientId }) => clientId === body.client_id);
  if (!credential || credential.secretHash !== hashOf(body.client_secret) || isExpired(credential, call)) {
    // RFC 6749, 5.2 allows 400 and 401 here; OpenIddict sends 401.
    throw new Refusal(401, 'invalid_client', 'The client is unknown, expired or deleted, or its secret is wrong.', {
      headers: { 'www-authenticate': 'Bearer error="invalid_client"', ...noStore },
    });
  }
  const now = Math.floor(call.clock.now() / 1000);
  const expires = credential.expiredAt === null ? undefined : Math.floor(Date.parse(credential.expiredAt) / 1000);
  const scope = credential.scopes.length > 0 ? { scope: credential.scopes.join(' ') } : {};
  const token = issueToken(call.secrets, {
    iss: issuer(call),
    sub: credential.clientId,
    client_id: credential.clientId,
    client_credential_id: credential.clientCredentialId,
    tenantid: call.world.tenant.tenantId,
    iat: now,
    ...(expires !== undefined && { exp: expires }),
    jti: call.secrets.text().slice(0, 22),
    ...scope,
  });
  const lifetime = expires === undefined ? {} : { expires_in: Math.max(0, expires - now) };
  return { status: 200, body: { access_token: token, token_type: 'Bearer', ...lifetime, ...scope }, headers: noStore };
};

function isExpired({ expiredAt }: Credential, { clock }: Pick<Call, 'clock'>): boolean {
  return expiredAt !== null && Date.parse(expiredAt) <= clock.now();
}

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
  if (claims.tenantid !== world.tenant.tenantId) return undefined;
  if (claims.client_credential_id !== undefined) {
    const credential = world.credentials.get(claims.client_credential_id);
    return credential && !isExpired(credential, { clock }) ? { kind: 'machine', credential } : undefined;
  }
  const login = identity.logins.get(claims.sid ?? '');
  const account = world.accounts.get(login?.account ?? '');
  return account && { kind: 'user', account };
}

export const handlers = {
  'authentication.createToken': createToken,
  'authentication.refreshToken': refreshToken,
  'authentication.machineToken': machineToken,
};
