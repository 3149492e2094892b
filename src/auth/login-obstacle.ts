/** Recognizes what the platform asks for beside the password: in a response of step 2, and on a page of step 3 that has no code. */

import { sessionCookie } from '../contract/authentication.ts';
import type { Failure, FailureFacts } from '../failure.ts';
import type { FormPage } from './html-forms.ts';
import { stepFailed } from './login-steps.ts';

/** Where step 3 ended. */
export type LandingPage = {
  readonly url: string;
  readonly facts: FailureFacts;
  /** It is the login page, to which step 1 redirected. */
  readonly isLoginPage: boolean;
  /** The request had the cookie of step 2. */
  readonly sentSession: boolean;
};

type Obstacle = {
  readonly signs: RegExp;
  /** Further signs in a response that is not a page. */
  readonly inAnswer?: RegExp;
  readonly asks: string;
  readonly onLoginPage: boolean;
};

// A login page may mention all of them; there, only the first two are the actual obstacle.
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
    onLoginPage: false,
  },
  {
    signs: /(change|update|reset|renew|choose) (your|the|a( new)?) password|new.?password|password (has |is )?expired/,
    // A page has a link for it anyway.
    inAnswer: /(change|update|reset|renew) password|password (change|update|reset|renew|expir)/,
    asks: 'asks for a new password',
    onLoginPage: false,
  },
  {
    signs: /consent|grant access|allow access|permissions? requested/,
    asks: 'asks for consent',
    onLoginPage: false,
  },
  { signs: /terms of (use|service)/, asks: 'asks to accept its terms', onLoginPage: false },
];

/** What to do about any of them. */
export const inAnotherWay = 'Do that in a browser, then log in again. For scripts use: iiot login m2m';

/** What a response of step 2 asks for, if anything, by its names and values as words in lower case. */
export function obstacleIn(words: string): string | undefined {
  return obstacles.find(({ signs, inAnswer }) => signs.test(words) || inAnswer?.test(words))?.asks;
}

/** The failure ('unauthenticated') for a page that shows the login again or asks for more than a password; undefined for any other page. */
export function obstacleFailure(page: FormPage, landing: LandingPage): Failure | undefined {
  const isLoginPage = page.passwords === 1 || (landing.isLoginPage && page.passwords === 0);
  if (isLoginPage && !landing.sentSession) return backAtLoginPage(false, landing.facts);
  const words = `${page.words} ${new URL(landing.url).pathname.replace(/[^a-z]+/gi, ' ').toLowerCase()}`;
  const obstacle = obstacles.find(
    ({ signs, onLoginPage }) => (onLoginPage || page.passwords !== 1) && signs.test(words),
  );
  if (obstacle) {
    return stepFailed(3, 'unauthenticated', `the platform ${obstacle.asks}`, inAnotherWay, landing.facts);
  }
  return isLoginPage ? backAtLoginPage(landing.sentSession, landing.facts) : undefined;
}

/** The failure ('unauthenticated') for the login page instead of the form. `sentSession`: the request had the cookie of step 2. */
export function backAtLoginPage(sentSession: boolean, facts: FailureFacts): Failure {
  const reason = 'the platform shows its login page again';
  if (sentSession) {
    const hint = 'The account may not be allowed to use this application: check both with iiot profiles show';
    return stepFailed(3, 'unauthenticated', reason, hint, facts);
  }
  const why = `${reason}, because its cookie ${sessionCookie} is for other addresses only`;
  return stepFailed(3, 'unauthenticated', why, 'Tell the operator of the platform: the cookie needs Path=/', facts);
}
