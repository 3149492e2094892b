/** The identity of a command, and the only place that it gets tokens from. */
import type { Exchange } from '../network/fetch.ts';
import type { Place } from '../place.ts';
import type { Store } from '../store/store.ts';
import type { Environment } from '../text/environment.ts';

export type Session = {
  /** A token that is valid as far as this machine knows, renewed if it is about to expire. @throws Failure 'unauthenticated' with the command to run */
  bearer(): Promise<{
    readonly token: string;
    /** The source of the token. */
    readonly from: string;
    /** What the user can do if the platform refuses it. */
    readonly remedy?: () => string;
  }>;
  /** After a 401 for `refused`: another token to repeat the request with, once; undefined if there is none. @throws Failure if getting one failed */
  after401(refused: string): Promise<string | undefined>;
  /** The platform has accepted this token: if it refuses it later, another one may be requested without delay. */
  accepted(token: string): void;
  /** Gets a new token even if the current one is still valid. @throws Failure if it cannot */
  renew(): Promise<void>;
  /** What is known about the login without asking the platform. */
  status(): Promise<SessionStatus>;
};

/** With the place where the login acts, as its token says it, or as it was known where the login was made. */
export type SessionStatus = Partial<Omit<Place, 'org'>> & {
  /** There is a login for this platform that has not ended; the platform may still refuse it. */
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
  /** Expiry of the token in epoch milliseconds. Absent: unknown, valid until refused; or, for a machine, no token was requested yet. */
  readonly expiresAt?: number;
  /** A new token can be got without asking the user. */
  readonly renewable: boolean;
};

export type SessionParts = {
  readonly settings: {
    /** The base URL in use. Absent: that of the profile's login. */
    readonly base?: string | undefined;
    readonly profile: string;
    /** The tenant that a person's login is for, and what says so: "IIOT_TENANT". */
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
