/** The login with which a command acts, and its only source of tokens. */
import type { Exchange } from '../network/fetch.ts';
import type { Place } from '../place.ts';
import type { Store } from '../store/store.ts';
import type { Environment } from '../text/environment.ts';

export type Session = {
  /** Gives a token that is valid as far as this machine knows, after renewing one that is about to expire. @throws Failure 'unauthenticated' with the command to run */
  bearer(): Promise<{
    readonly token: string;
    /** The source of the token. */
    readonly from: string;
    /** Gives the hint for the case that the platform refuses the token. */
    readonly remedy?: () => string;
  }>;
  /** Gives another token to repeat a request with, after a 401 for `refused`; undefined if there is none. @throws Failure if getting one failed */
  after401(refused: string): Promise<string | undefined>;
  /** Call it when the platform has accepted a token. If it refuses that later, another one may be requested without delay. */
  accepted(token: string): void;
  /** Gets a new token even if the current one is still valid. @throws Failure if it cannot */
  renew(): Promise<void>;
  /** Tells what is known about the login without asking the platform. */
  status(): Promise<SessionStatus>;
};

/** The known facts about a login, with the place where it acts, which the token or the stored login tells. */
export type SessionStatus = Partial<Omit<Place, 'org'>> & {
  /** Whether there is a login for this platform that has not ended. The platform may still refuse it. */
  readonly loggedIn: boolean;
  /** Why the user is not logged in, or why the login can no longer be renewed. */
  readonly why?: string | undefined;
  /** What to do if the login is for another place. */
  readonly hint?: string | undefined;
  readonly source: 'IIOT_TOKEN' | 'IIOT_CLIENT_ID' | 'profile';
  readonly profile: string;
  /** 'token': a bare token from the environment. */
  readonly flow?: 'token' | 'user' | 'm2m';
  readonly app?: string;
  readonly issuer?: string;
  /** Expiry of the token in epoch milliseconds. Absent if it is unknown, or if no token was requested yet. */
  readonly expiresAt?: number;
  /** Whether a new token can be got without asking the user. */
  readonly renewable: boolean;
};

export type SessionParts = {
  readonly settings: {
    /** The base URL in use; by default that of the profile's login. */
    readonly base?: string | undefined;
    readonly profile: string;
    /** The tenant of a user's login, and the source of that value: "IIOT_TENANT". */
    readonly tenant?: { readonly value: string; readonly from: string } | undefined;
    readonly account?: string | undefined;
    readonly app?: string | undefined;
  };
  readonly env: Environment;
  readonly store: Pick<
    Store,
    'readLogin' | 'readLogins' | 'changeLogin' | 'reserveSpace' | 'readToken' | 'writeToken' | 'withLock'
  >;
  readonly exchange: Exchange;
  /** Gets the client secret of a login that is stored without one. */
  readonly secretCommand?: (() => Promise<string>) | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly notice: (line: string) => void;
  /** Called with every secret as soon as it is known, so that it can be masked. */
  readonly remember: (secret: string) => void;
  /** Stops waiting for another process. */
  readonly interrupt?: AbortSignal | undefined;
};
