import {
  accountLogin,
  createToken,
  externalLogin,
  formPost,
  loginCookie,
  sessionCookie,
} from '../contract/authentication.ts';
import { checkInput, requestUrl, toRequest } from '../contract/wire.ts';
import { Failure, usage } from '../failure.ts';
import { isOpenToAll, notEncrypted } from '../network/base-url.ts';
import type { Exchange } from '../network/fetch.ts';
import { type CodeForm, checkIssuer, fetchCodeForm } from './code-form.ts';
import { passwordRefusal } from './login-obstacle.ts';
import {
  isCookieSet,
  type LoginSteps,
  openLoginSteps,
  refuseForeignResponse,
  type StepResult,
  stepFailed,
  stepRefusal,
} from './login-steps.ts';
import type { SessionParts } from './session.ts';
import { findTenant } from './tenant.ts';
import { requestTokens } from './token-request.ts';
import type { Tokens } from './tokens.ts';

export type UserLogin = Pick<SessionParts, 'remember' | 'now'> & {
  /** The base URL, which may have a path. */
  readonly base: string;
  readonly tenant: string;
  readonly app: string;
  readonly account: string;
  readonly password: string;
  /** The issuer recorded at an earlier login of this profile. */
  readonly knownIssuer?: string | undefined;
  /** Shows a warning that does not end the login. */
  readonly note: (line: string) => void;
};

const checkPaths =
  'Check the tenant path and the application: --tenant and --app, IIOT_TENANT and IIOT_APP, or the profile';
const checkApplication = 'check the application (--app, IIOT_APP or the profile)';
const checkAddress = 'Check the base URL and the tenant: iiot profiles show --origin';

/**
 * Logs in as a user with five requests that share one cookie jar, to the platform's own origin only. The password (step 2) and the code (step 4) are
 * sent once; the password again only if the platform asks to wait (429 or 503 with Retry-After).
 * @returns the tokens of step 5, and the issuer named by the form of step 3, to be recorded with the login
 * @throws Failure naming the step: 'unauthenticated' for a refused password or an unknown tenant, 'not_found' for 404, 'unavailable' for a form that
 * must not be submitted and for everything that cannot be reached or read
 */
export async function logInUser(exchange: Exchange, login: UserLogin): Promise<Tokens & { readonly issuer?: string }> {
  const start = startAddress(login);
  const base = new URL(login.base);
  if (isOpenToAll(base)) login.note(notEncrypted(base, 'password'));
  const steps = await openLoginSteps(exchange, base, login);
  const { tenantId, loginPage } = await findLoginPage(steps, start, login);
  await postLogin(steps, login, tenantId);
  const codeForm = await fetchCodeForm(steps, start, loginPage);
  checkIssuer(codeForm.iss, base.origin, login.knownIssuer, login.note);
  await postForm(steps, codeForm);
  const tokens = await collectTokens(steps, login);
  for (const secret of [tokens.accessToken, tokens.refreshToken]) if (secret !== undefined) login.remember(secret);
  return { ...tokens, issuer: codeForm.iss };
}

// "GET {base_url}/{tenantPath}/portal/external-login?returnUrl={base_url}/{tenantPath}/{appPath}"
function startAddress({ base, tenant, app }: UserLogin): string {
  const returnUrl = requestUrl(base, { path: `/${encodeURIComponent(tenant)}/${encodeURIComponent(app)}`, query: [] });
  const ofTenant = checkInput(externalLogin, { tenantPath: tenant, returnUrl }).problems;
  const ofBoth = checkInput(createToken, { tenantPath: tenant, appPath: app }).problems;
  const problems = [...ofTenant, ...ofBoth.filter(({ field }) => field === 'appPath')];
  const [problem] = problems;
  if (problem) throw usage(`${problem.field} ${problem.message}.`, 'Give them with --tenant and --app', problems);
  return requestUrl(base, toRequest(externalLogin, { tenantPath: tenant, returnUrl }));
}

// Step 1: "302. tenantId is taken from the Location header of the redirect." The redirect is read, but not followed.
async function findLoginPage(
  steps: LoginSteps,
  start: string,
  { tenant, app }: UserLogin,
): Promise<{ readonly tenantId: string; readonly loginPage: URL }> {
  const result = await steps.send(1, { method: 'GET', url: start, headers: { accept: 'text/html' } });
  const { response, location: loginPage, facts } = result;
  if (response.status < 300 || response.status >= 400) throw noRedirect(result, { tenant, app });
  if (!loginPage) {
    const reason = `the platform redirects (${response.status}) to an address that cannot be read, for the tenant path ${tenant}`;
    throw stepFailed(1, 'unavailable', reason, checkAddress, facts);
  }
  // A redirect to the same path on https or on another host is not a login page.
  if (loginPage.pathname === new URL(start).pathname) refuseForeignResponse(result, checkTenant(tenant));
  const found = findTenant(loginPage);
  if ('tenantId' in found) return { tenantId: found.tenantId, loginPage };
  refuseForeignResponse(result, checkTenant(tenant));
  const reason = `the redirect for the tenant path ${tenant} holds ${found.missing === 'none' ? 'no tenantId' : 'more than one tenantId'}`;
  throw stepFailed(1, 'unauthenticated', reason, checkPaths, facts);
}

function checkTenant(tenant: string): string {
  return `check the tenant path ${tenant} (--tenant, IIOT_TENANT or the profile)`;
}

function noRedirect(result: StepResult, { tenant, app }: Pick<UserLogin, 'tenant' | 'app'>): Failure {
  const { status, headers } = result.response;
  const isTenant = headers.get('abp-tenant-resolve-error') !== null;
  const paths = isTenant ? `the tenant path ${tenant}` : `the tenant path ${tenant} or its application ${app}`;
  const hint = `${checkPaths}; also check the base URL`;
  const unknown = [`the platform does not know ${paths} (${status})`, hint] as const;
  const instead = `the platform answered ${status} instead of redirecting to the login of tenant path ${tenant}, application ${app}`;
  return stepRefusal(1, result, {
    also: checkTenant(tenant),
    missing: unknown,
    refused: isTenant ? unknown : [instead, hint],
  });
}

// Step 2: "JSON body {account, password, tenantId}. 200. Sets the session cookie named Identity.Permission."
async function postLogin(steps: LoginSteps, { base, account, password }: UserLogin, tenantId: string): Promise<void> {
  const { path, query, ...sent } = toRequest(accountLogin, { body: { account, password, tenantId } });
  const url = requestUrl(base, { path, query });
  const result = await steps.send(2, { ...sent, url, headers: { accept: 'application/json' }, repeat: 'asked' });
  const { response, facts } = result;
  const { status } = response;
  if (status === 307 || status === 308) {
    const reason = `the platform redirects (${status}) the request with the password, which is never sent elsewhere`;
    throw stepFailed(2, 'unavailable', reason, checkAddress, facts);
  }
  if (isCookieSet(2, sessionCookie, result)) return;
  throw stepRefusal(2, result, {
    also: 'check the account and its password',
    later: 'Wait, then try again',
    missing: [`the platform has no login at ${new URL(url).pathname} (404)`, checkAddress],
    refused: passwordRefusal(result, account),
  });
}

// Step 4: "body code, state, iss. 302. Sets the cookie named SvcOidc.Login." The redirect is not followed: only the cookie is needed.
async function postForm(steps: LoginSteps, codeForm: CodeForm): Promise<void> {
  const { action: url, ...fields } = codeForm;
  const { body, method } = toRequest(formPost, { form_action: '', body: fields });
  const result = await steps.send(4, { method, url, headers: { accept: 'text/html' }, body, repeat: 'never' });
  if (isCookieSet(4, loginCookie, result)) return;
  const { status } = result.response;
  const path = new URL(codeForm.action).pathname;
  throw stepRefusal(4, result, {
    also: checkApplication,
    later: 'Run iiot login again later',
    missing: [
      `its form leads to ${path}, which does not exist (404)`,
      'Check the application: --app, IIOT_APP or the profile',
    ],
    refused: [
      `the platform answered ${status} without the cookie ${loginCookie}`,
      'Run iiot login again; the login may have taken too long',
    ],
  });
}

// Step 5: "no body, cookies only. 200 with accessToken, refreshToken, expiresIn, tokenType."
function collectTokens(steps: LoginSteps, { base, tenant, app, now }: UserLogin): Promise<Tokens> {
  const refused = {
    sentence: 'Step 5 of the login failed: the platform does not issue tokens to this account',
    hint: 'Check the application (--app, IIOT_APP or the profile), and that the account may use it',
  };
  return requestTokens({
    exchange: async (request) => {
      const result = await steps.send(5, request);
      const { response, facts } = result;
      // Some APIs redirect to the login instead of answering "not logged in".
      if (response.status < 300 || response.status >= 400) return response;
      refuseForeignResponse(result, checkApplication);
      const { sentence, hint } = refused;
      throw new Failure('unauthenticated', `${sentence} (${response.status}).`, { ...facts, hint });
    },
    base,
    request: toRequest(createToken, { tenantPath: tenant, appPath: app }),
    from: 'Step 5 of the login',
    now,
    describeRefusal: () => refused,
    also: checkApplication,
  });
}
