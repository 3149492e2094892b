/** Who a command is: the one place that hands out tokens. */
import { usage } from '../failure.ts';
import type { Exchange } from '../fetch.ts';
import type { Store } from '../store/store.ts';
import { textOf } from './answer.ts';
import { type Environment, environmentCredentials } from './environment.ts';
import { claimedExpiry, claimsOf } from './tokens.ts';

export type Bearer = {
  readonly token: string;
  /** Where it comes from. */
  readonly from: string;
  /** What a person does where the platform refuses it. */
  readonly remedy?: () => string;
};

export type Session = {
  /**
   * A token that is good as far as this machine knows, renewed first where it is about to expire.
   * @throws Failure 'unauthenticated' with the command to type, where there is none to be had
   */
  bearer(): Promise<Bearer>;
  /**
   * After a 401 to a request with the token `refused`: another token to repeat it with, once, or undefined where there is none.
   * @throws Failure where getting one was tried and failed
   */
  after401(refused: string): Promise<string | undefined>;
  /** Gets a new token whether that is needed or not. @throws Failure where that cannot be done */
  renew(): Promise<void>;
  /** What is known of the login without asking the platform. */
  status(): Promise<SessionStatus>;
};

export type SessionStatus = {
  /** There is a login for the platform in question that has not come to its end; whether the platform still accepts it is another matter. */
  readonly signedIn: boolean;
  /** Why not. */
  readonly why?: string;
  readonly source: 'IIOT_TOKEN' | 'IIOT_CLIENT_ID' | 'profile';
  readonly profile: string;
  readonly base?: string;
  /** 'token': a bare token from the environment. */
  readonly flow?: 'token' | 'user' | 'm2m';
  readonly account?: string;
  readonly clientId?: string;
  readonly tenant?: string;
  readonly app?: string;
  readonly issuer?: string;
  /** Of the token, in epoch milliseconds. Absent: not known, good until refused; or, for a machine, no token was asked for yet. */
  readonly expiresAt?: number;
  /** A new token can be got without a person. */
  readonly renewable: boolean;
};

export type SessionParts = {
  readonly settings: {
    /** The base URL in force. Absent: the one that the profile's login was made with. */
    readonly base?: string | undefined;
    readonly profile: string;
    readonly tenant?: string | undefined;
    readonly app?: string | undefined;
  };
  readonly env: Environment;
  readonly store: Pick<Store, 'readLogin' | 'changeLogin' | 'readToken' | 'writeToken' | 'withLock'>;
  readonly exchange: Exchange;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** A line for the person. */
  readonly notice: (line: string) => void;
  /** Hears of every secret as soon as it is known, so that it is masked wherever it might be shown. */
  readonly remember: (secret: string) => void;
  /** Ends the waiting for another process. */
  readonly interrupt?: AbortSignal | undefined;
};

/**
 * The session of one command: "IIOT_TOKEN, then client id and secret, then the profile" (cli.md section 5), and never the next where one of
 * them is refused. Nothing is read before it is needed.
 */
export function openSession(parts: SessionParts): Session {
  let chosen: Promise<Session> | undefined;
  const source = () => {
    chosen ??= choose(parts);
    return chosen;
  };
  return {
    bearer: async () => (await source()).bearer(),
    after401: async (refused) => (await source()).after401(refused),
    renew: async () => (await source()).renew(),
    status: async () => (await source()).status(),
  };
}

async function choose(parts: SessionParts): Promise<Session> {
  const found = await environmentCredentials(parts.env);
  if (found?.kind === 'token') return tokenSession(parts, found.token);
  if (found?.kind === 'client') {
    parts.remember(found.clientSecret);
    const { clientSession } = await import('./environment-client.ts');
    return clientSession(parts, found.clientId, found.clientSecret);
  }
  const { profileSession } = await import('./profile-login.ts');
  return profileSession(parts);
}

function tokenSession({ settings, remember }: SessionParts, token: string): Session {
  remember(token);
  return {
    bearer: async () => ({
      token,
      from: 'IIOT_TOKEN',
      remedy: () => 'The token is that of IIOT_TOKEN: set it to another, or unset it to use the login of the profile',
    }),
    after401: async () => undefined,
    async renew() {
      throw usage(
        'The token of IIOT_TOKEN cannot be renewed from here.',
        'Unset IIOT_TOKEN to use the login of the profile',
      );
    },
    status: async () => ({
      signedIn: true,
      source: 'IIOT_TOKEN',
      profile: settings.profile,
      flow: 'token',
      renewable: false,
      ...(settings.base !== undefined && { base: settings.base }),
      ...claimed(token),
    }),
  };
}

// What a JWT says of itself: shown, never relied upon.
function claimed(token: string): Pick<SessionStatus, 'account' | 'clientId' | 'expiresAt'> {
  const claims = claimsOf(token);
  const account =
    claims &&
    ['email', 'preferredusername', 'uniquename'].map((name) => textOf(claims, name)).find((each) => each !== undefined);
  const clientId = claims && textOf(claims, 'clientid');
  const expiresAt = claimedExpiry(token);
  return {
    ...(account && { account }),
    ...(clientId && { clientId }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}
