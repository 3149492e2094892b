/** Step 3 of the login: gets the page with the form, and reads from it the code and where to submit it. */

import { sessionCookie } from '../contract/authentication.ts';
import type { Failure } from '../failure.ts';
import { originOf } from '../network/base-url.ts';
import { parseUrl } from '../text/parse-url.ts';
import { includesCookie } from './cookie-jar.ts';
import { type FormPage, type PageForm, readFormPage } from './html-forms.ts';
import { backAtLoginPage, type LandingPage, obstacleFailure } from './login-obstacle.ts';
import { type LoginSteps, type StepResult, stepFailed, stepRefusal } from './login-steps.ts';
import { type OAuthRefusal, platformSays } from './oauth-error.ts';

export type CodeForm = {
  readonly action: string;
  readonly code: string;
  readonly state: string;
  readonly iss?: string;
};

const mostRedirects = 5;

/** The largest page to be read as a form, and the largest response to be downloaded, in bytes. A login form has about a thousand. */
const largestPage = 65_536;
const largestResponse = 1_048_576;

/**
 * "Same request as step 1: 200 with an HTML form holding hidden fields code, state and iss". Follows redirects on the platform's own origin, but one to
 * the `loginPage` means that the login was refused. @throws Failure 'unauthenticated', 'not_found' or 'unavailable', naming step 3
 */
export async function fetchCodeForm(steps: LoginSteps, start: string, loginPage: URL): Promise<CodeForm> {
  let url = start;
  let sentSession = false;
  for (let count = 0; ; count += 1) {
    const headers = { accept: 'text/html' };
    const result = await steps.send(3, { method: 'GET', url, headers, maximumBytes: largestResponse });
    const { status } = result.response;
    sentSession ||= includesCookie(result.sent, sessionCookie);
    if (status < 300 || status >= 400) {
      const { pathname } = new URL(url);
      const isLoginPage = pathname === loginPage.pathname && pathname !== new URL(start).pathname;
      return readCodeForm(steps, result, { isLoginPage, sentSession });
    }
    if (count === mostRedirects)
      throw responseFailure(`the platform redirects more than ${mostRedirects} times`, result);
    url = readRedirect(result, loginPage, sentSession);
  }
}

function readRedirect(result: StepResult, loginPage: URL, sentSession: boolean): string {
  const { location: to, response } = result;
  if (!to)
    throw responseFailure(`the platform redirects (${response.status}) to an address that cannot be read`, result);
  const refusal = refusalIn(result);
  if (refusal) throw loginRefusal(refusal, result.facts);
  const { origin } = new URL(result.url);
  if (to.origin !== origin || to.username !== '' || to.password !== '') {
    if (to.origin + to.pathname === loginPage.origin + loginPage.pathname)
      throw backAtLoginPage(sentSession, result.facts);
    const target = to.origin === 'null' ? `a ${to.protocol} address` : to.origin;
    throw responseFailure(`the platform redirects to ${target}, which is not followed`, result);
  }
  return to.href;
}

// OpenID Connect Core 3.1.2.6: errors may come as query parameters of a redirect. Secrets are masked before the words are cut, or half a secret could stay.
function refusalIn({ response, url }: StepResult) {
  const location = response.masked.header('location') ?? '';
  const { searchParams } = parseUrl(location, url) ?? new URL(url);
  const code = searchParams.get('error');
  if (!code || !/^[\w.-]{1,80}$/.test(code)) return undefined;
  const words = searchParams.get('error_description')?.slice(0, 300) || undefined;
  return { code, words };
}

async function readCodeForm(
  steps: LoginSteps,
  result: StepResult,
  landing: Pick<LandingPage, 'isLoginPage' | 'sentSession'>,
): Promise<CodeForm> {
  const { response, url, facts } = result;
  // The login page is for browsers, and may not exist for other programs.
  if (response.status === 404 && landing.isLoginPage) throw backAtLoginPage(landing.sentSession, facts);
  if (response.status < 200 || response.status >= 300)
    throw stepRefusal(3, result, {
      also: 'check the tenant and the application: iiot profiles show --origin',
      missing: [
        'the platform does not know this tenant or application (404)',
        'Check the tenant and the application: iiot profiles show --origin',
      ],
      refused: [
        `the platform does not complete the login (${result.response.status})`,
        'Check the tenant and the application with iiot profiles show, and that the account may use them',
      ],
    });
  if (response.text.length > largestPage)
    throw responseFailure('the page is larger than 64 KiB, too large for a login form', result);
  const page = await readFormPage(response.text);
  // Texts of a page without the form become part of a message, so they are read from the masked page.
  const { words, passwords } = page;
  const shown =
    completeForms(page).length > 0 ? page : { ...(await readFormPage(response.masked.text)), words, passwords };
  const form = findCodeForm(shown, { url, facts, ...landing });
  steps.hide(form.code);
  steps.hide(form.state);
  return form;
}

function responseFailure(reason: string, { facts }: StepResult): Failure {
  return stepFailed(3, 'unavailable', reason, 'Check the base URL and the tenant: iiot profiles show --origin', facts);
}

/** The form with code, state and iss. @throws Failure 'unauthenticated' for a page that refuses or asks for more, 'unavailable' for one not to be submitted */
export function findCodeForm(page: FormPage, landing: LandingPage): CodeForm {
  const form = chooseForm(page, landing);
  const code = readField(form, 'code', landing);
  const state = readField(form, 'state', landing);
  const iss = form.fields.has('iss') ? readField(form, 'iss', landing) : '';
  if (code === '') throw formFailure('the field code of its form is empty', landing);
  // "POST {form_action}": if the page gives no method, the interface's applies.
  if (form.method !== undefined && form.method !== 'POST')
    throw formFailure(`its form uses ${form.method || 'no method'}, not POST`, landing);
  return { action: resolveAction(page, form, landing), code, state, ...(iss !== '' && { iss }) };
}

function completeForms({ forms }: FormPage): readonly PageForm[] {
  return forms.filter(({ fields }) => fields.has('code') && fields.has('state'));
}

function chooseForm(page: FormPage, landing: LandingPage): PageForm {
  const complete = completeForms(page);
  const [form] = complete;
  const texts = complete.map(({ action, method, fields }) => JSON.stringify([action, method, [...fields]]));
  if (form && new Set(texts).size === 1) return form;
  if (form) throw formFailure(`the page holds ${complete.length} forms with code and state`, landing);
  throw refusedByForm(page, landing) ?? obstacleFailure(page, landing) ?? incompleteFailure(page, landing);
}

function readField({ fields }: PageForm, name: string, landing: LandingPage): string {
  const [value = '', ...others] = new Set(fields.get(name));
  if (others.length > 0) throw formFailure(`its form holds the field ${name} more than once`, landing);
  return value;
}

// OpenID's form_post sends errors in the same form: error, error_description.
function refusedByForm({ forms }: FormPage, landing: LandingPage): Failure | undefined {
  const form = forms.find(({ fields }) => fields.get('error')?.[0]);
  const code = form?.fields.get('error')?.[0]?.slice(0, 80);
  if (!form || !code) return undefined;
  const words = form.fields.get('error_description')?.[0]?.slice(0, 300) || undefined;
  return loginRefusal({ code, words }, landing.facts);
}

/** The failure for an error that the platform sends instead of a code. */
function loginRefusal(refusal: OAuthRefusal, facts: LandingPage['facts']): Failure {
  const hint = 'Log in with a browser to see what the account may do there';
  return stepFailed(3, 'unauthenticated', `the platform ends the login${platformSays(refusal)}`, hint, facts);
}

function incompleteFailure({ forms, title }: FormPage, landing: LandingPage): Failure {
  const partial = forms.find(({ fields }) => fields.has('code') || fields.has('state'));
  if (partial) return formFailure(`its form has no field ${partial.fields.has('code') ? 'state' : 'code'}`, landing);
  const named = title === '' ? 'the page' : `the page "${title}"`;
  return formFailure(`${named} has no form with the fields code and state`, landing);
}

// Ignores a <base> of another origin, so that relative URLs stay relative to the page.
function resolveAction(page: FormPage, { action }: PageForm, landing: LandingPage): string {
  const { origin } = new URL(landing.url);
  const declared = page.base === undefined ? undefined : parseUrl(page.base, landing.url);
  const from = declared?.origin === origin && action !== '' ? declared.href : landing.url;
  const resolved = parseUrl(action, from);
  if (!resolved) throw formFailure('the target URL of its form is not valid', landing);
  if (resolved.origin !== origin) {
    const target = resolved.origin === 'null' ? `a ${resolved.protocol} address` : resolved.origin;
    throw formFailure(`its form would send the code to ${target}, not to ${origin}`, landing);
  }
  if (resolved.username !== '' || resolved.password !== '')
    throw formFailure('the target URL of its form contains a user name', landing);
  resolved.hash = '';
  return resolved.href;
}

function formFailure(reason: string, { facts }: LandingPage): Failure {
  const hint = 'Try to log in with a browser. If that works, the platform has changed and iiot needs an update';
  return stepFailed(3, 'unavailable', reason, hint, facts);
}

/**
 * Checks the form's `iss`. An issuer that was recorded for the profile must be the same (RFC 9207, 2.4: simple string comparison). An address must be
 * valid, and of the platform's origin. At the first login, a missing issuer or one that is only a name is trusted, with a note.
 * @throws Failure 'unavailable', naming step 3
 */
export function checkIssuer(
  iss: string | undefined,
  origin: string,
  knownIssuer: string | undefined,
  note: (line: string) => void,
): void {
  const reason = issuerProblem(iss, origin, knownIssuer);
  const anew = knownIssuer === undefined ? '' : '. If its issuer has changed on purpose: iiot logout, then iiot login';
  const hint = `Ask the operator of the platform${anew}`;
  if (reason !== undefined) throw stepFailed(3, 'unavailable', reason, hint);
  if (knownIssuer !== undefined || originOf(iss) !== undefined) return;
  const named = iss === undefined ? 'names no issuer (iss)' : 'names an issuer (iss) that is not an address';
  note(`The form of step 3 ${named}; it is trusted because it comes from this platform.`);
}

function issuerProblem(iss: string | undefined, origin: string, known: string | undefined): string | undefined {
  if (iss === undefined) return known === undefined ? undefined : 'its form has no field iss';
  // The text itself is checked, because a URL parser reads `https:/x` and `https:x` as `https://x`.
  if (addressStart.test(iss) && !(/^https?:\/\/[^\s/\\][^\s\\]*$/i.test(iss) && parseUrl(iss)))
    return 'the issuer (iss) in its form is not a valid address';
  const from = originOf(iss);
  if (from !== undefined && from !== origin) return `the issuer (iss) in its form belongs to ${from}, not to ${origin}`;
  if (known !== undefined && iss !== known)
    return 'the issuer (iss) in its form is not the one recorded for this profile';
  return undefined;
}

/** Matches the beginning of an address, and of a text that looks like one: `https:x`, `https//x`, `//x`, `ftp://x`. */
const addressStart = /^\s*(https?[:/\\]|[a-z][\w+.-]*:[/\\]|[/\\]{2})/i;
