import { formFields } from '../../contract/authentication.ts';
import { escapeHtml } from '../../text/html.ts';
import { page, pageHeaders } from '../html.ts';
import type { RouteResponse } from '../route-response.ts';

/** The path of the login form. */
export const loginPath = '/identity/account/login';

/** The page that asks for account and password. */
export function loginPage(tenantId: string, returnUrl: string, mistake?: string): RouteResponse {
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
  return html(mistake ? 401 : 200, page('Log in', body), pageHeaders());
}

type FormPost = {
  readonly action: string;
  readonly code: string;
  readonly state: string;
  readonly iss: string;
  /** Allows the page's only script, which submits the form. */
  readonly nonce: string;
};

/**
 * The page of step 3: the OpenID Connect form_post with everything that such pages usually contain. Its language, the comment and the order of the
 * attributes are deliberate: a client has to parse HTML, not search for text.
 */
export function formPostPage({ action, nonce, ...fields }: FormPost): RouteResponse {
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
  return html(200, page('Logging in', body), pageHeaders(nonce));
}

/** The application, where step 4 redirects a browser. */
export function loggedInPage(account: string | undefined, loginAgain: string): RouteResponse {
  const sentence = account ? `You are logged in as ${escapeHtml(account)}.` : 'You are not logged in.';
  const again = account ? '' : `<p><a href="${escapeHtml(loginAgain)}">Log in</a></p>`;
  return html(200, page('Console', `<main><h1>Console</h1><p>${sentence}</p>${again}</main>`), pageHeaders());
}

function html(status: number, content: string, headers: Record<string, string>): RouteResponse {
  return { status, text: { type: 'text/html; charset=utf-8', content }, headers };
}
