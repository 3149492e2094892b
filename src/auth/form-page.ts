/** Step 3 of the sign-in: to the page with the form, over the platform's own redirects. */
import { sessionCookie } from '../contract/authentication.ts';
import type { Failure } from '../failure.ts';
import { platformSays, readRefusal } from './answer.ts';
import { readPage } from './form.ts';
import { findHandOver, type HandOver, refusedWith } from './hand-over.ts';
import { includesCookie } from './jar.ts';
import { backAtSignIn, type Landing } from './other-page.ts';
import { type Asked, stepFailed, type Walk } from './walk.ts';

const mostRedirects = 5;
/** In bytes: a page of this kind has about a thousand. What is much larger is not even fetched whole. */
const largestPage = 65_536;
const largestAnswer = 1_048_576;

/**
 * "Same request as step 1: 200 with an HTML form holding hidden fields code, state and iss". Redirects on the platform's own origin are
 * followed, five at most.
 * @param signInPage where step 1 pointed to: who lands there again was not let in
 * @throws Failure 'unauthenticated', 'not_found' or 'unavailable', naming step 3
 */
export async function fetchHandOver(walk: Walk, start: string, signInPage: URL): Promise<HandOver> {
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

function nextAddress(asked: Asked, signInPage: URL, sentSession: boolean): string {
  const location = asked.answer.headers.get('location') ?? '';
  if (location === '' || !URL.canParse(location, asked.url)) {
    throw unusable(`the platform redirects (${asked.answer.status}) to no address that can be read`, asked);
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
  walk: Walk,
  asked: Asked,
  seen: Pick<Landing, 'isSignInPage' | 'sentSession'>,
): Promise<HandOver> {
  const { answer, url, facts } = asked;
  if (answer.status < 200 || answer.status >= 300) throw refusedPage(walk, asked);
  if (answer.text.length > largestPage) throw unusable('the page is larger than 64 KiB, as no sign-in form is', asked);
  const handOver = findHandOver(await readPage(answer.text), { url, facts, ...seen });
  walk.hide(handOver.code);
  walk.hide(handOver.state);
  return handOver;
}

function refusedPage(walk: Walk, { answer, facts }: Asked): Failure {
  const { status } = answer;
  const says = platformSays(readRefusal(answer.text, walk.secrets));
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
    return stepFailed(3, 'unavailable', `the platform answered ${status}${says}`, 'Try again in a while', facts);
  }
  const hint = 'Check the tenant and the application with iiot profiles show, and that the account may use them';
  return stepFailed(
    3,
    'unauthenticated',
    `the platform does not hand over the sign-in (${status})${says}`,
    hint,
    facts,
  );
}

function unusable(reason: string, { facts }: Asked): Failure {
  return stepFailed(3, 'unavailable', reason, 'Check the base URL and the tenant: iiot profiles show --origin', facts);
}
