/** Recognizes what the platform asks for beside the password: in a response of step 2, and on a page of step 3 that has no code. */

import { sessionCookie } from '../contract/authentication.ts';
import { Failure, type FailureFacts } from '../failure.ts';
import { parseUrl } from '../text/parse-url.ts';
import type { FormPage } from './html-forms.ts';
import { type StepResult, stepFailed } from './login-steps.ts';
import { platformSays, readRefusal } from './oauth-error.ts';

/** The page where step 3 ended. */
export type LandingPage = {
  readonly url: string;
  readonly facts: FailureFacts;
  /** Whether it is the login page, to which step 1 redirected. */
  readonly isLoginPage: boolean;
  /** Whether the request had the cookie of step 2. */
  readonly sentSession: boolean;
};

/** Something that the platform asks for beside the password, and the words by which a page or a response shows it, in lower case. */
type Obstacle = {
  readonly signs: RegExp;
  /** More signs, for a response of step 2 only. */
  readonly signsInResponse?: RegExp;
  readonly asks: string;
  /** Whether it counts on a login page too, which may mention every obstacle. */
  readonly onLoginPage?: true;
};

const obstacles: readonly Obstacle[] = [
  { signs: /captcha|are you (a )?human/, asks: 'asks for a captcha', onLoginPage: true },
  {
    signs: /(?<!un)locked|lockout(?! enabled)|too many (failed )?attempts/,
    asks: 'says that the account is locked',
    onLoginPage: true,
  },
  {
    signs:
      /two.?factor|second factor|multi.?factor|\b[2m]fa\b|authenticator|(verification|security|one.?time|login) (pass)?code|\bt?otp\b|one.?time password/,
    asks: 'asks for a second factor, which iiot does not support',
  },
  {
    signs: /(change|update|reset|renew|choose) (your|the|a( new)?) password|new.?password|password (has |is )?expired/,
    // Every login page has such a link.
    signsInResponse: /(change|update|reset|renew) password|password (change|update|reset|renew|expir)/,
    asks: 'asks for a new password',
  },
  { signs: /consent|grant access|allow access|permissions? requested/, asks: 'asks for consent' },
  { signs: /terms of (use|service)/, asks: 'asks to accept its terms' },
];

const doInBrowser = 'Do that in a browser, then log in again. For scripts use: iiot login m2m';

/** The failure ('unauthenticated') for a page that shows the login again or asks for more than a password; undefined for any other page. */
export function obstacleFailure(page: FormPage, landing: LandingPage): Failure | undefined {
  const isLoginPage = page.passwords === 1 || (landing.isLoginPage && page.passwords === 0);
  if (isLoginPage && !landing.sentSession) return backAtLoginPage(false, landing.facts);
  const words = `${page.words} ${new URL(landing.url).pathname.replace(/[^a-z]+/gi, ' ').toLowerCase()}`;
  const found = obstacles.find(({ signs, onLoginPage }) => (onLoginPage || page.passwords !== 1) && signs.test(words));
  if (found) return stepFailed(3, 'unauthenticated', `the platform ${found.asks}`, doInBrowser, landing.facts);
  return isLoginPage ? backAtLoginPage(landing.sentSession, landing.facts) : undefined;
}

/** The failure ('unauthenticated') for the login page instead of the form. @param sentSession whether the request had the cookie of step 2 */
export function backAtLoginPage(sentSession: boolean, facts: FailureFacts): Failure {
  const reason = 'the platform shows its login page again';
  if (sentSession) {
    const hint = 'The account may not be allowed to use this application: check both with iiot profiles show';
    return stepFailed(3, 'unauthenticated', reason, hint, facts);
  }
  const why = `${reason}, because its cookie ${sessionCookie} is for other addresses only`;
  return stepFailed(3, 'unauthenticated', why, 'Tell the operator of the platform: the cookie needs Path=/', facts);
}

/** Words that say that the account or its password is wrong. They count before all obstacles: "… after five attempts the account is locked". */
const wrongPassword =
  /\b(invalid|wrong|incorrect|bad|unknown) (e ?mail|account|user|login(?! attempts?)|password|pass word|credential)|(password|credentials?) (is |are |was )?(invalid|wrong|incorrect|not (valid|correct|right))/;

/** Words that refuse the account itself, so that no other password would help. */
const accountRefused =
  /\bnot (allowed|permitted|active|activated)\b|\b(inactive|deactivated|disabled|must change|confirm)/;

/** The failure ('unauthenticated') for step 2 without the session cookie. Its `refused` is 'password' only if another password may help. */
export function passwordRefusal({ response, url, facts }: StepResult, account: string): Failure {
  const { status, text, masked } = response;
  const refusal = readRefusal(masked.text);
  const to = masked.header('location');
  const path = (to !== null && parseUrl(to, url)?.pathname) || '';
  const words = responseWords(`${masked.text.replaceAll(account, ' ')} ${path}`);
  const isAsked = ({ signs, signsInResponse }: Obstacle) => signs.test(words) || signsInResponse?.test(words);
  const asks = wrongPassword.test(words) ? undefined : obstacles.find(isAsked)?.asks;
  if (asks !== undefined)
    return stepFailed(2, 'unauthenticated', `the platform ${asks}${platformSays(refusal)}`, doInBrowser, facts);
  if (/\banti ?forgery\b/.test(words)) {
    const reason = `the platform requires the antiforgery token of its login page${platformSays(refusal)}`;
    return stepFailed(2, 'unavailable', reason, lookInBrowser, facts);
  }
  const given = refusal.words ?? refusal.code;
  // The words of a status give no reason.
  const why = /^(bad request|forbidden|unauthorized|ok|success)$/i.test(given ?? '') ? undefined : given;
  // A response whose text is masked as a whole has a reason that cannot be shown.
  const isSilent = why === undefined && (text === '' || masked.text !== '');
  const speaksOfPassword = wrongPassword.test(words) || (status === 401 && !accountRefused.test(words));
  if (!isSilent && !speaksOfPassword && status < 300) {
    const sentence = `The platform set no session for ${account}: no cookie ${sessionCookie} came (${status})${platformSays(refusal)}.`;
    return new Failure('unauthenticated', sentence, { ...facts, hint: lookInBrowser });
  }
  const sentence = isSilent
    ? `The platform set no session for ${account} and gave no reason (${status}): ${likelyCauses}.`
    : `The platform refuses the login of ${account} (${status})${why === undefined ? '' : `: ${why}`}`;
  return new Failure('unauthenticated', /[.!?]$/.test(sentence) ? sentence : `${sentence}.`, {
    ...facts,
    hint: isSilent || !speaksOfPassword ? lookInBrowser : checkPassword,
    ...(speaksOfPassword && status !== 403 && { refused: 'password' as const }),
  });
}

const likelyCauses =
  'the account or its password may be wrong, or it may need a second factor, a new password or consent';
const lookInBrowser =
  'Log in with the same account in a browser to see what is missing, then run iiot login again. For scripts use: iiot login m2m';
const checkPassword =
  'Check the account and the password, then run iiot login again. Too many wrong passwords may lock the account';

/** A member of JSON that says no or nothing: "isLockedOut":false, "errors":[]. */
const emptyMember = /"[^"\\]*"\s*:\s*(?:false|null|0|""|"(?:false|none|no)"|\[\s*\]|\{\s*\})(?=[\s,}\]])/gi;

/** The names and values of a response as words in lower case, without empty members. */
function responseWords(text: string): string {
  // The second time removes members that are empty now: "twoFactor":{"enabled":false}.
  return text
    .replace(emptyMember, '')
    .replace(emptyMember, '')
    .replace(/([a-z])(?=[A-Z\d])|([A-Z])(?=[A-Z][a-z])/g, '$& ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .toLowerCase();
}
