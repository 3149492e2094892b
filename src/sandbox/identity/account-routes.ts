import { loginCookie } from '../../contract/authentication.ts';
import { readBytes } from '../body.ts';
import type { Call, State } from '../handler.ts';
import { Refusal, type ServedReply } from '../reply.ts';
import { type Incoming, queryOf, requestOrigin, type ServedRoute } from '../router.ts';
import { applicationUrl, permissionCookie, provePassword } from './authentication.ts';
import { signedInPage, signInPage, signInPath } from './authentication-pages.ts';
import { sessionAccount } from './identity.ts';

/** The login as a user sees it in a browser: the page that step 1 redirects to, and the application at the end of step 4. */
export function accountRoutes(state: State): ServedRoute[] {
  const { tenantPath, appPath } = state.world.tenant;
  return [
    { method: 'GET', path: signInPath, answer: (incoming) => showForm(incoming) },
    { method: 'POST', path: signInPath, answer: (incoming) => readForm(state, incoming) },
    { method: 'GET', path: `/${tenantPath}/${appPath}`, answer: (incoming) => showApplication(state, incoming) },
  ];
}

function showForm({ request }: Incoming): ServedReply {
  const query = queryOf(request);
  return signInPage(query.get('tenantId') ?? '', query.get('returnUrl') ?? '');
}

async function readForm(state: State, incoming: Incoming): Promise<ServedReply> {
  const call = callOf(state, incoming);
  const form = new URLSearchParams(Buffer.from(await readBytes(incoming.request)).toString());
  const field = (name: string) => form.get(name) ?? '';
  try {
    const { account } = provePassword(field('account'), field('password'), field('tenantId'), call);
    const location = localAddress(field('returnUrl'), call);
    return { status: 302, headers: { location }, cookies: [permissionCookie(account, call)] };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return signInPage(field('tenantId'), field('returnUrl'), error.message);
  }
}

/** A path of this platform: a form that leads elsewhere would send the user to somebody else. */
function localAddress(returnUrl: string, call: Call): string {
  const resolved = URL.canParse(returnUrl, call.origin) ? new URL(returnUrl, call.origin) : undefined;
  return resolved?.origin === call.origin ? resolved.href : applicationUrl(call);
}

function showApplication(state: State, incoming: Incoming): ServedReply {
  const call = callOf(state, incoming);
  const account = sessionAccount(call.identity, call.clock, call.cookies[loginCookie]);
  const query = new URLSearchParams({ returnUrl: applicationUrl(call) });
  return signedInPage(account, `/${call.world.tenant.tenantPath}/portal/external-login?${query}`);
}

function callOf(state: State, { request, cookies }: Incoming): Call {
  return { ...state, cookies, origin: requestOrigin(request), hasBody: false };
}
