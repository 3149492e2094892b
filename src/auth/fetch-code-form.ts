/** Step 3 of the login: gets the page with the form, following the platform's own redirects. */
import { sessionCookie } from '../contract/authentication.ts';
import type { Failure } from '../failure.ts';
import { type CodeForm, findCodeForm, holdsCode, loginRefusal } from './code-form.ts';
import { includesCookie } from './cookie-jar.ts';
import { readFormPage } from './html-forms.ts';
import { backAtLoginPage, type LandingPage } from './login-obstacle.ts';
import { type LoginSteps, refusedStep, type StepResult, stepFailed } from './login-steps.ts';

const mostRedirects = 5;

/** In bytes: such a page has about a thousand. A much larger one is not downloaded to its end. */
const largestPage = 65_536;
const largestResponse = 1_048_576;

/**
 * "Same request as step 1: 200 with an HTML form holding hidden fields code, state and iss". Redirects on the platform's own origin are
 * followed, five at most.
 * @param loginPage where step 1 redirected to: ending up there again means that the login was refused
 * @throws Failure 'unauthenticated', 'not_found' or 'unavailable', naming step 3
 */
export async function fetchCodeForm(steps: LoginSteps, start: string, loginPage: URL): Promise<CodeForm> {
  let url = start;
  let sentSession = false;
  for (let count = 0; ; count += 1) {
    const result = await steps.send(3, {
      method: 'GET',
      url,
      headers: { accept: 'text/html' },
      maximumBytes: largestResponse,
    });
    const { status } = result.response;
    sentSession ||= includesCookie(result.sent, sessionCookie);
    if (status < 300 || status >= 400) {
      const { pathname } = new URL(url);
      const isLoginPage = pathname === loginPage.pathname && pathname !== new URL(start).pathname;
      return readCodeForm(steps, result, { isLoginPage, sentSession });
    }
    if (count === mostRedirects) throw unusable(`the platform redirects more than ${mostRedirects} times`, result);
    url = nextAddress(result, loginPage, sentSession);
  }
}

function nextAddress(result: StepResult, loginPage: URL, sentSession: boolean): string {
  const location = result.response.headers.get('location') ?? '';
  if (location === '' || !URL.canParse(location, result.url)) {
    throw unusable(`the platform redirects (${result.response.status}) to an address that cannot be read`, result);
  }
  const to = new URL(location, result.url);
  const refusal = refusalIn(result);
  if (refusal) throw loginRefusal(refusal, result.facts);
  const { origin } = new URL(result.url);
  if (to.origin !== origin || to.username !== '' || to.password !== '') {
    if (to.origin + to.pathname === loginPage.origin + loginPage.pathname)
      throw backAtLoginPage(sentSession, result.facts);
    const target = to.origin === 'null' ? `a ${to.protocol} address` : to.origin;
    throw unusable(`the platform redirects to ${target}, which is not followed`, result);
  }
  return to.href;
}

// OpenID Connect Core 3.1.2.6: errors may come as query parameters of a redirect. Its words are cut, so secrets have to be gone from them before.
function refusalIn({ response, url }: StepResult) {
  const location = response.masked.header('location') ?? '';
  const { searchParams } = new URL(URL.canParse(location, url) ? location : '', url);
  const code = searchParams.get('error');
  if (!code || !/^[\w.-]{1,80}$/.test(code)) return undefined;
  const words = searchParams.get('error_description')?.slice(0, 300);
  return { code, words };
}

async function readCodeForm(
  steps: LoginSteps,
  result: StepResult,
  seen: Pick<LandingPage, 'isLoginPage' | 'sentSession'>,
): Promise<CodeForm> {
  const { response, url, facts } = result;
  // The address was for a person, and may have nothing for us.
  if (response.status === 404 && seen.isLoginPage) throw backAtLoginPage(seen.sentSession, facts);
  if (response.status < 200 || response.status >= 300) throw refusedPage(result);
  if (response.text.length > largestPage)
    throw unusable('the page is larger than 64 KiB, too large for a login form', result);
  const page = await readFormPage(response.text);
  // What is shown of any other page is cut, so secrets have to be gone from it before. Its words are only searched.
  const { words, passwords } = page;
  const shown = holdsCode(page) ? page : { ...(await readFormPage(response.masked.text)), words, passwords };
  const handOver = findCodeForm(shown, { url, facts, ...seen });
  steps.hide(handOver.code);
  steps.hide(handOver.state);
  return handOver;
}

function refusedPage(result: StepResult): Failure {
  return refusedStep(3, result, {
    also: 'check the tenant and the application: iiot profiles show --origin',
    later: 'Try again later',
    missing: [
      'the platform does not know this tenant or application (404)',
      'Check the tenant and the application: iiot profiles show --origin',
    ],
    refused: [
      `the platform does not complete the login (${result.response.status})`,
      'Check the tenant and the application with iiot profiles show, and that the account may use them',
    ],
  });
}

function unusable(reason: string, { facts }: StepResult): Failure {
  return stepFailed(3, 'unavailable', reason, 'Check the base URL and the tenant: iiot profiles show --origin', facts);
}
