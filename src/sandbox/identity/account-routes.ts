import { loginCookie } from '../../contract/authentication.ts';
import { escapeHtml } from '../../text/html.ts';
import { parseUrl } from '../../text/parse-url.ts';
import { readBytes } from '../body.ts';
import { type HandledRequest, Refusal, type RouteResponse, type State } from '../handler.ts';
import { page } from '../html.ts';
import { queryOf, type RoutedRequest, requestOrigin, type SandboxRoute } from '../router.ts';
import { applicationUrl, beginPermission, loginPath, provePassword } from './authentication.ts';
import { sessionAccount } from './identity.ts';

/** The pages of the login in a browser: the one that step 1 redirects to, and the application after step 4. */
export function accountRoutes(state: State): SandboxRoute[] {
  const { tenantPath, appPath } = state.world.tenant;
  return [
    { method: 'GET', path: loginPath, handle: showForm },
    { method: 'POST', path: loginPath, handle: (incoming) => readForm(state, incoming) },
    { method: 'GET', path: `/${tenantPath}/${appPath}`, handle: (incoming) => showApplication(state, incoming) },
  ];
}

function showForm({ request }: RoutedRequest): RouteResponse {
  const query = queryOf(request);
  return loginPage(query.get('tenantId') ?? '', query.get('returnUrl') ?? '');
}

async function readForm(state: State, incoming: RoutedRequest): Promise<RouteResponse> {
  const call = callOf(state, incoming);
  const form = new URLSearchParams(Buffer.from(await readBytes(incoming.request)).toString());
  const field = (name: string) => form.get(name) ?? '';
  try {
    const { account } = provePassword(field('account'), field('password'), field('tenantId'), call);
    const location = localAddress(field('returnUrl'), call);
    return { status: 302, headers: { location }, cookies: [beginPermission(account, call)] };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return loginPage(field('tenantId'), field('returnUrl'), error.message);
  }
}

/** The address to return to, if it is on this platform, otherwise that of the application: another one would send the user to somebody else. */
function localAddress(returnUrl: string, call: HandledRequest): string {
  const resolved = parseUrl(returnUrl, call.origin);
  return resolved?.origin === call.origin ? resolved.href : applicationUrl(call);
}

function showApplication(state: State, incoming: RoutedRequest): RouteResponse {
  const call = callOf(state, incoming);
  const account = sessionAccount(call, call.cookies[loginCookie]);
  const query = new URLSearchParams({ returnUrl: applicationUrl(call) });
  const loginAgain = `/${call.world.tenant.tenantPath}/portal/external-login?${query}`;
  const sentence = account ? `You are logged in as ${escapeHtml(account)}.` : 'You are not logged in.';
  const again = account ? '' : `<p><a href="${escapeHtml(loginAgain)}">Log in</a></p>`;
  return page('Console', `<main><h1>Console</h1><p>${sentence}</p>${again}</main>`);
}

function callOf(state: State, { request, cookies }: RoutedRequest): HandledRequest {
  return { ...state, cookies, origin: requestOrigin(request), hasBody: false };
}

function loginPage(tenantId: string, returnUrl: string, mistake?: string): RouteResponse {
  const body = `<main>
<h1>Log in</h1>
${mistake ? `<p role="alert">${escapeHtml(mistake)}</p>` : ''}
<form method="post" action="${loginPath}">
<input type="hidden" name="tenantId" value="${escapeHtml(tenantId)}">
<input type="hidden" name="returnUrl" value="${escapeHtml(returnUrl)}">
<label for="account">Account</label>
<input id="account" name="account" type="email" autocomplete="username" required autofocus>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button type="submit">Log in</button>
</form>
</main>`;
  return page('Log in', body, mistake ? 401 : 200);
}
