/** Who a command is: the one place that hands out tokens. */
import type { Exchange } from '../network/fetch.ts';
import type { Store } from '../store/store.ts';
import type { Environment } from './environment.ts';

type Bearer = {
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
  /** The platform has taken this token for good: where it is refused later, another one may be got at once. */
  accepted(token: string): void;
  /** Gets a new token whether that is needed or not. @throws Failure where that cannot be done */
  renew(): Promise<void>;
  /** What is known of the login without asking the platform. */
  status(): Promise<SessionStatus>;
};

export type SessionStatus = {
  /** There is a login for the platform in question that has not come to its end; whether the platform still accepts it is another matter. */
  readonly signedIn: boolean;
  /** Why not, or why it cannot be renewed any more. */
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
  readonly store: Pick<Store, 'readLogin' | 'changeLogin' | 'makeRoom' | 'readToken' | 'writeToken' | 'withLock'>;
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
