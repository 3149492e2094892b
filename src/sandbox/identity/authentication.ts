import type * as contract from '../../contract/authentication.ts';
import { loginCookie, sessionCookie } from '../../contract/authentication.ts';
import type { Call, Handler, State } from '../handler.ts';
import { invalidField, notFound, Refusal, type ServedReply } from '../reply.ts';
import type { Account } from '../world/world.ts';
import { formPostPage, signInPath } from './authentication-pages.ts';
import { beginSession, beginSignIn, codeLifetime, contextCookie, findSignIn, type PendingSignIn } from './identity.ts';

/** The target of the form in step 3: the default path of ASP.NET's OpenID Connect middleware. */
export const formAction = 'signin-oidc';

/** Steps 1 and 3 are the same request, distinguished by the cookies of steps 1 and 2 ("Same request as step 1"). */
const externalLogin: Handler<typeof contract.externalLogin> = ({ tenantPath, returnUrl }, call) => {
  checkTenant(call, tenantPath);
  if (!isReturnUrl(call, returnUrl)) {
    throw invalidField('returnUrl', `takes the address of an application of this tenant, ${applicationUrl(call)}`);
  }
  const signIn = currentSignIn(call);
  const proved = signIn?.permission !== undefined && signIn.permission === call.cookies[sessionCookie];
  return proved ? handOver(signIn, returnUrl, call) : startSignIn(tenantPath, returnUrl, call);
};

function startSignIn(tenantPath: string, returnUrl: string, call: Call): ServedReply {
  const signIn = beginSignIn(call.identity, call.secrets, call.clock);
  const query = new URLSearchParams({
    tenantId: call.world.tenant.tenantId,
    returnUrl: `/${tenantPath}/portal/external-login?${new URLSearchParams({ returnUrl })}`,
  });
  return {
    status: 302,
    headers: { location: `${call.origin}${signInPath}?${query}` },
    cookies: [{ name: contextCookie, value: signIn.id }],
  };
}

function handOver(signIn: PendingSignIn, returnUrl: string, call: Call): ServedReply {
  const code = call.secrets.text();
  const state = call.secrets.text();
  signIn.form = { code, state, returnUrl, expiresAt: call.clock.now() + codeLifetime };
  const nonce = call.secrets.text();
  return formPostPage({ action: `${call.origin}/${formAction}`, code, state, iss: issuer(call), nonce });
}

/** Step 2. */
const accountLogin: Handler<typeof contract.accountLogin> = ({ body }, call) => {
  const { account } = provePassword(body.account, body.password, body.tenantId, call);
  return { status: 200, body: { result: 'Success', account }, cookies: [permissionCookie(account, call)] };
};

/** The account with this password, for the login that step 1 began. The interface does not show the response to a wrong password: here it is 401. */
export function provePassword(account: string, password: string, tenantId: string, call: Call): Account {
  if (!currentSignIn(call)) {
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

/** Stores whose login it is. */
export function permissionCookie(account: string, call: Call) {
  const value = call.secrets.text();
  const signIn = currentSignIn(call);
  if (signIn) Object.assign(signIn, { account, permission: value });
  return { name: sessionCookie, value };
}

/** Step 4: a code can be used only once, and only for its own login. */
const formPost: Handler<typeof contract.formPost> = ({ body }, call) => {
  const signIn = currentSignIn(call);
  const form = signIn?.form;
  if (!signIn?.account || !form) throw new Refusal(400, 'SignInContextMissing', 'There is no login to complete.');
  if (body.state !== form.state) throw invalidField('state', 'is not the one of this login');
  if (body.iss !== issuer(call)) throw invalidField('iss', 'is not this platform');
  delete signIn.form;
  if (body.code !== form.code || call.clock.now() >= form.expiresAt) {
    throw invalidField('code', 'is wrong, used, or older than five minutes');
  }
  const value = beginSession(call.identity, call.secrets, call.clock, signIn.account);
  return { status: 302, headers: { location: form.returnUrl }, cookies: [{ name: loginCookie, value }] };
};

export function issuer({ origin }: Pick<Call, 'origin'>): string {
  return `${origin}/identity`;
}

export function checkTenant({ world: { tenant } }: State, tenantPath: string, appPath: string = tenant.appPath): void {
  if (tenantPath !== tenant.tenantPath) throw notFound('Tenant', tenantPath);
  if (appPath !== tenant.appPath) throw notFound('Application', appPath);
}

function currentSignIn({ identity, clock, cookies }: Call): PendingSignIn | undefined {
  return findSignIn(identity, clock, cookies[contextCookie]);
}

/** "{base_url}/{tenantPath}/{appPath}": any other address would send the user's browser to somebody else. */
function isReturnUrl(call: Call, returnUrl: string): boolean {
  const allowed = applicationUrl(call);
  return returnUrl === allowed || returnUrl.startsWith(`${allowed}/`);
}

export function applicationUrl({ origin, world: { tenant } }: Call): string {
  return `${origin}/${tenant.tenantPath}/${tenant.appPath}`;
}

export const handlers = {
  'authentication.externalLogin': externalLogin,
  'authentication.accountLogin': accountLogin,
  'authentication.formPost': formPost,
};
