import { refreshToken as operation } from '../contract/authentication.ts';
import { requestUrl, toRequest } from '../contract/wire.ts';
import { Failure } from '../failure.ts';
import type { Exchange } from '../network/fetch.ts';
import { requestTokens } from './token-request.ts';
import type { Tokens } from './tokens.ts';

type RenewableLogin = {
  /** The base URL of the login. */
  readonly base: string;
  readonly tenant: string;
  readonly app: string;
  readonly refreshToken: string;
};

/** `now` is epoch milliseconds. */
type Timing = { readonly now: () => number; readonly sleep: (milliseconds: number) => Promise<void> };

const beforeSecond = 500;

/** How long platforms that detect reuse still accept a used refresh token, since the first response may be lost, in milliseconds. */
const leeway = 30_000;

/**
 * Renews a user's tokens: "POST {base_url}/{tenantPath}/{appPath}/api/v1/auth/tokens?grant_type=refresh_token, body {refreshToken}". A new
 * refresh token replaces the old one; without a new one, the old one stays. If no response arrives, the same token is sent once more,
 * immediately: the platform may have replaced it already, and would treat a later use as theft.
 * @throws Failure 'unauthenticated' if the refresh token is refused, 'not_found' for 404, else 'unavailable'
 */
export async function renewTokens(exchange: Exchange, login: RenewableLogin, { now, sleep }: Timing): Promise<Tokens> {
  const began = now();
  try {
    return kept(login, await renewOnce(exchange, login, now));
  } catch (error) {
    const unanswered = error instanceof Failure && error.kind === 'unavailable' && error.facts.status === undefined;
    const elapsed = now() - began;
    if (!unanswered || elapsed < 0 || elapsed >= leeway) throw error;
    await sleep(beforeSecond);
    return kept(login, await renewOnce(exchange, login, now));
  }
}

function renewOnce(exchange: Exchange, login: RenewableLogin, now: () => number): Promise<Tokens> {
  const { tenant: tenantPath, app: appPath, refreshToken } = login;
  const { path, query, ...sent } = toRequest(operation, {
    tenantPath,
    appPath,
    grant_type: 'refresh_token',
    body: { refreshToken },
  });
  return requestTokens({
    exchange,
    request: {
      ...sent,
      url: requestUrl(login.base, { path, query }),
      headers: { accept: 'application/json' },
      repeat: 'unsent',
      about: 'the renewal of the login',
    },
    from: 'The renewal of the login',
    now,
    also: 'log in again: iiot login',
    refused: () => ({
      sentence: 'The platform no longer renews the login',
      hint: 'Log in again: iiot login',
    }),
  });
}

function kept(login: RenewableLogin, tokens: Tokens): Tokens {
  return { refreshToken: login.refreshToken, ...tokens };
}
