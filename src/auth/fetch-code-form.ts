/** Step 3 of the login: gets the page with the form, following the platform's own redirects. */
import { sessionCookie } from '../contract/authentication.ts';
import type { Failure } from '../failure.ts';
import { type CodeForm, findCodeForm, refusedWith } from './code-form.ts';
import { includesCookie } from './cookie-jar.ts';
import { readFormPage } from './html-forms.ts';
import { platformSays, readRefusal } from './oauth-error.ts';
import { backAtSignIn, type LandingPage } from './sign-in-obstacle.ts';
import { refuseStranger, type SignInSteps, type StepAnswer, stepFailed } from './sign-in-steps.ts';

const mostRedirects = 5;

/** In bytes: such a page has about a thousand. A much larger one is not downloaded to its end. */
const largestPage = 65_536;
const largestAnswer = 1_048_576;

/**
 * "Same request as step 1: 200 with an HTML form holding hidden fields code, state and iss". Redirects on the platform's own origin are
 * followed, five at most.
 * @param signInPage where step 1 redirected to: ending up there again means that the login was refused
 * @throws Failure 'unauthenticated', 'not_found' or 'unavailable', naming step 3
 */
export async function fetchCodeForm(walk: SignInSteps, start: string, signInPage: URL): Promise<CodeForm> {
  let url = start;
  let sentSession = false;
  for (let count = 0; ; count += 1) {
    const asked = await walk.ask(3, {
      method: 'GET',
      url,
      headers: { accept: 'text/html' },
      maximumBytes: largestAnswer,
    });
    const { status } = asked.answer;
    sentSession ||= includesCookie(asked.sent, sessionCookie);
    if (status < 300 || status >= 400) {
      const { pathname } = new URL(url);
      const isSignInPage = pathname === signInPage.pathname && pathname !== new URL(start).pathname;
      return readAnswer(walk, asked, { isSignInPage, sentSession });
    }
    if (count === mostRedirects) throw unusable(`the platform redirects more than ${mostRedirects} times`, asked);
    url = nextAddress(asked, signInPage, sentSession);
  }
}

function nextAddress(asked: StepAnswer, signInPage: URL, sentSession: boolean): string {
  const location = asked.answer.headers.get('location') ?? '';
  if (location === '' || !URL.canParse(location, asked.url)) {
    throw unusable(`the platform redirects (${asked.answer.status}) to an address that cannot be read`, asked);
  }
  const to = new URL(location, asked.url);
  const refusal = refusalIn(to);
  if (refusal) throw refusedWith(refusal, asked.facts);
  const { origin } = new URL(asked.url);
  if (to.origin !== origin || to.username !== '' || to.password !== '') {
    if (to.origin + to.pathname === signInPage.origin + signInPage.pathname)
      throw backAtSignIn(sentSession, asked.facts);
    const target = to.origin === 'null' ? `a ${to.protocol} address` : to.origin;
    throw unusable(`the platform redirects to ${target}, which is not followed`, asked);
  }
  return to.href;
}

// OpenID Connect Core 3.1.2.6: errors may come as query parameters of a redirect.
function refusalIn(url: URL) {
  const code = url.searchParams.get('error');
  if (!code || !/^[\w.-]{1,80}$/.test(code)) return undefined;
  const words = url.searchParams.get('error_description')?.slice(0, 300);
  return { code, ...(words && { words }) };
}

async function readAnswer(
  walk: SignInSteps,
  asked: StepAnswer,
  seen: Pick<LandingPage, 'isSignInPage' | 'sentSession'>,
): Promise<CodeForm> {
  const { answer, url, facts } = asked;
  if (answer.status < 200 || answer.status >= 300) throw refusedPage(asked);
  if (answer.text.length > largestPage)
    throw unusable('the page is larger than 64 KiB, too large for a login form', asked);
  const handOver = findCodeForm(await readFormPage(answer.text), { url, facts, ...seen });
  walk.hide(handOver.code);
  walk.hide(handOver.state);
  return handOver;
}

function refusedPage(asked: StepAnswer): Failure {
  refuseStranger(asked, 'check the tenant and the application: iiot profiles show --origin');
  const { answer, facts } = asked;
  const { status } = answer;
  const says = platformSays(readRefusal(answer.said.text));
  if (status === 404) {
    const hint = 'Check the tenant and the application: iiot profiles show --origin';
    return stepFailed(
      3,
      'not_found',
      `the platform does not know this tenant or application (404)${says}`,
      hint,
      facts,
    );
  }
  if (status >= 500 || status === 429 || status === 408) {
    return stepFailed(3, 'unavailable', `the platform answered ${status}${says}`, 'Try again later', facts);
  }
  const hint = 'Check the tenant and the application with iiot profiles show, and that the account may use them';
  return stepFailed(3, 'unauthenticated', `the platform does not complete the login (${status})${says}`, hint, facts);
}

function unusable(reason: string, { facts }: StepAnswer): Failure {
  return stepFailed(3, 'unavailable', reason, 'Check the base URL and the tenant: iiot profiles show --origin', facts);
}
