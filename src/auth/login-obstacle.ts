/** Recognizes a page of step 3 that has no code. */

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

// A login page may mention all of them; there, only the first two are the actual obstacle.
const obstacles = [
  { signs: /captcha|are you (a )?human/, asks: 'asks for a captcha', onLoginPage: true },
  { signs: /locked|lockout|too many (failed )?attempts/, asks: 'says that the account is locked', onLoginPage: true },
  {
    signs:
      /two.?factor|second factor|multi.?factor|\b[2m]fa\b|authenticator|(verification|security|one.?time|login) (pass)?code|\botp\b|one.?time password/,
    asks: 'asks for a second factor, which iiot does not support',
    onLoginPage: false,
  },
  {
    signs: /(change|update|reset|renew|choose) (your|the|a( new)?) password|new.?password|password (has |is )?expired/,
    asks: 'asks for a new password',
    onLoginPage: false,
  },
  {
    signs: /consent|grant access|allow access|permissions? requested/,
    asks: 'asks for consent',
    onLoginPage: false,
  },
  { signs: /terms of (use|service)/, asks: 'asks to accept its terms', onLoginPage: false },
] as const;

/** The failure ('unauthenticated') for a page that shows the login again or asks for more than a password; undefined for any other page. */
export function obstacleFailure(page: FormPage, landing: LandingPage): Failure | undefined {
  const isLoginPage = page.passwords === 1 || (landing.isLoginPage && page.passwords === 0);
  if (isLoginPage && !landing.sentSession) return backAtLoginPage(false, landing.facts);
  const words = `${page.words} ${new URL(landing.url).pathname.replace(/[^a-z]+/gi, ' ').toLowerCase()}`;
  const obstacle = obstacles.find(
    ({ signs, onLoginPage }) => (onLoginPage || page.passwords !== 1) && signs.test(words),
  );
  if (obstacle) {
    const hint = 'Do that in a browser, then log in again. For scripts use: iiot login m2m';
    return stepFailed(3, 'unauthenticated', `the platform ${obstacle.asks}`, hint, landing.facts);
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
