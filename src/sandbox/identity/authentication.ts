import type * as contract from '../../contract/authentication.ts';
import { formFields, loginCookie, sessionCookie, userTokenLifetime } from '../../contract/authentication.ts';
import { escapeHtml } from '../../text/html.ts';
import {
  type Caller,
  type HandledRequest,
  type Handler,
  invalidField,
  notFound,
  Refusal,
  type RouteResponse,
  type State,
  unauthenticated,
} from '../handler.ts';
import { page } from '../html.ts';
import type { Account, Credential } from '../world/world.ts';
import {
  beginLogin,
  beginPendingLogin,
  beginSession,
  codeLifetime,
  contextCookie,
  type PendingLogin,
  renewLogin,
  sessionAccount,
  unexpired,
} from './identity.ts';
import { type Claims, hashOf, issueToken, readToken } from './secrets.ts';

/** The target of the form in step 3: the default path of ASP.NET's OpenID Connect middleware. */
export const formAction = 'signin-oidc';

export const loginPath = '/identity/account/login';

/** Steps 1 and 3, which are the same request, and differ by the cookies of steps 1 and 2 ("Same request as step 1"). */
export const externalLogin: Handler<typeof contract.externalLogin> = ({ tenantPath, returnUrl }, call) => {
  checkTenant(call, tenantPath);
  // "{base_url}/{tenantPath}/{appPath}": any other address would send the user's browser to somebody else.
  const allowed = applicationUrl(call);
  if (returnUrl !== allowed && !returnUrl.startsWith(`${allowed}/`)) {
    throw invalidField('returnUrl', `takes the address of an application of this tenant, ${allowed}`);
  }
  const pending = currentLogin(call);
  const proved = pending?.permission !== undefined && pending.permission === call.cookies[sessionCookie];
  return proved ? showCodeForm(pending, returnUrl, call) : redirectToLoginPage(tenantPath, returnUrl, call);
};

function redirectToLoginPage(tenantPath: string, returnUrl: string, call: HandledRequest): RouteResponse {
  const pending = beginPendingLogin(call);
  const query = new URLSearchParams({
    tenantId: call.world.tenant.tenantId,
    returnUrl: `/${tenantPath}/portal/external-login?${new URLSearchParams({ returnUrl })}`,
  });
  return {
    status: 302,
    headers: { location: `${call.origin}${loginPath}?${query}` },
    cookies: [{ name: contextCookie, value: pending.id }],
  };
}

/** The page of step 3: a form_post of OpenID. The other form, the comment and the order of attributes are there so that a client has to parse HTML. */
function showCodeForm(pending: PendingLogin, returnUrl: string, call: HandledRequest): RouteResponse {
  const code = call.secrets.text();
  const state = call.secrets.text();
  pending.form = { code, state, returnUrl, expiresAt: call.clock.now() + codeLifetime };
  const fields = { code, state, iss: issuer(call) };
  // The nonce allows the page's only script, which submits the form.
  const nonce = call.secrets.text();
  const action = `${call.origin}/${formAction}`;
  const hidden = formFields.map((name) => `<input value="${escapeHtml(fields[name])}" type="hidden" name="${name}"/>`);
  const body = `<form action="/identity/language" method="get"><select name="culture" aria-label="Language"><option>en</option><option>日本語</option></select></form>
<main>
<h1>You are being logged in</h1>
<!-- <form method="post" action="/old"><input type="hidden" name="code" value="not this one"></form> -->
<form class='continue' method='post' action='${escapeHtml(action)}' id="form-post">
${hidden.join('\n')}
<button type="submit">Continue</button>
</form>
</main>
<script nonce="${escapeHtml(nonce)}">document.getElementById('form-post').submit()</script>`;
  return page('Logging in', body, 200, nonce);
}

/** Step 2. */
export const accountLogin: Handler<typeof contract.accountLogin> = ({ body }, call) => {
  const { account } = provePassword(body.account, body.password, body.tenantId, call);
  return { status: 200, body: { result: 'Success', account }, cookies: [beginPermission(account, call)] };
};

/** Checks a password for the login that step 1 began, and returns the account. @throws Refusal 401 for a wrong one: the interface does not show the response */
export function provePassword(account: string, password: string, tenantId: string, call: HandledRequest): Account {
  if (!currentLogin(call)) {
    const message = 'There is no login under way: begin with the external login, and keep its cookies.';
    throw new Refusal(400, 'SignInContextMissing', message);
  }
  if (tenantId.toLowerCase() !== call.world.tenant.tenantId)
    throw invalidField('tenantId', 'does not belong to a tenant here');
  const found = call.world.accounts.get(account.toLowerCase());
  if (found?.password !== password)
    throw new Refusal(401, 'InvalidCredentials', 'The account or its password is wrong.');
  return found;
}

/** Notes the account of the login under way, and returns the cookie of step 2. */
export function beginPermission(account: string, call: HandledRequest) {
  const value = call.secrets.text();
  const pending = currentLogin(call);
  if (pending) Object.assign(pending, { account, permission: value });
  return { name: sessionCookie, value };
}

/** Step 4: a code can be used only once, and only for its own login. */
export const formPost: Handler<typeof contract.formPost> = ({ body }, call) => {
  const pending = currentLogin(call);
  const form = pending?.form;
  if (!pending?.account || !form) throw new Refusal(400, 'SignInContextMissing', 'There is no login to complete.');
  if (body.state !== form.state) throw invalidField('state', 'does not belong to this login');
  if (body.iss !== issuer(call)) throw invalidField('iss', 'is not this platform');
  delete pending.form;
  if (body.code !== form.code || call.clock.now() >= form.expiresAt) {
    throw invalidField('code', 'is wrong, used, or older than five minutes');
  }
  const value = beginSession(call, pending.account);
  return { status: 302, headers: { location: form.returnUrl }, cookies: [{ name: loginCookie, value }] };
};

export function issuer({ origin }: Pick<HandledRequest, 'origin'>): string {
  return `${origin}/identity`;
}

export function checkTenant({ world: { tenant } }: State, tenantPath: string, appPath: string = tenant.appPath): void {
  if (tenantPath !== tenant.tenantPath) throw notFound('Tenant', tenantPath);
  if (appPath !== tenant.appPath) throw notFound('Application', appPath);
}

function currentLogin(call: HandledRequest): PendingLogin | undefined {
  return unexpired(call.identity.pendingLogins.get(call.cookies[contextCookie] ?? ''), call.clock);
}

export function applicationUrl({ origin, world: { tenant } }: HandledRequest): string {
  return `${origin}/${tenant.tenantPath}/${tenant.appPath}`;
}

const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** Step 5: "no body, cookies only". */
export const createToken: Handler<typeof contract.createToken> = ({ tenantPath, appPath }, call) => {
  checkTenant(call, tenantPath, appPath);
  if (call.hasBody) throw invalidField('', 'must not be there: this call takes only its cookies');
  const account = sessionAccount(call, call.cookies[loginCookie]);
  if (!account) throw unauthenticated('No login was completed: the cookie SvcOidc.Login is missing or too old.');
  const { login, refreshToken } = beginLogin(call, account);
  return userToken(call, login.sid, account, refreshToken);
};

/** Renews a login. The interface does not show the response: here it is that of step 5, with a new refresh token each time. */
export const refreshToken: Handler<typeof contract.refreshToken> = ({ tenantPath, appPath, body }, call) => {
  checkTenant(call, tenantPath, appPath);
  const renewed = renewLogin(call, body.refreshToken);
  if (!renewed) throw new Refusal(400, 'invalid_grant', 'The refresh token is unknown, revoked, or was used before.');
  return userToken(call, renewed.login.sid, renewed.login.account, renewed.refreshToken);
};

function userToken(call: HandledRequest, sid: string, account: string, refresh: string): RouteResponse {
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
export const machineToken: Handler<typeof contract.machineToken> = ({ body }, call) => {
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

function isExpired({ expiredAt }: Credential, { clock }: Pick<HandledRequest, 'clock'>): boolean {
  return expiredAt !== null && Date.parse(expiredAt) <= clock.now();
}

const refused = 'Bearer error="invalid_token", error_description="The access token is not valid"';

/** The caller according to the Authorization header (RFC 6750). @throws Refusal 401 if there is no token, or a forged, expired or revoked one */
export function authenticate(state: State, authorization: string | null): Caller {
  const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization ?? '')?.[1];
  if (!token) throw unauthenticated('This call needs a bearer token.');
  const claims = readToken(state.secrets, state.clock, token);
  const caller = claims && callerOf(state, claims);
  if (!caller) throw unauthenticated('The access token is expired, revoked or not from this platform.', refused);
  return caller;
}

/** The caller of a token, whose login or client credential has to exist: "Every access token issued from it becomes invalid immediately." */
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
