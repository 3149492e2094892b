/** A session for work that must not wait: it has a token that is valid now, or none. */

import { originOf } from '../contract/wire.ts';
import { Failure } from '../failure.ts';
import { machineTokenKey } from '../store/keys.ts';
import { environmentCredentials } from './environment.ts';
import type { Session, SessionParts } from './session.ts';

type StoredSessionParts = Pick<SessionParts, 'settings' | 'env' | 'now'> & {
  readonly store: Pick<SessionParts['store'], 'readLogin' | 'readToken'>;
};

/** A token that expires sooner than this is not used, in milliseconds. */
const margin = 5000;

/**
 * The same credentials in the same order as for every command, but without renewals, requests, prompts, locks and writes.
 * @throws Failure 'unauthenticated', from `bearer`, without a valid token
 */
export function storedSession(parts: StoredSessionParts): Pick<Session, 'bearer' | 'after401'> {
  return {
    async bearer() {
      const token = await goodToken(parts);
      if (token === undefined) throw new Failure('unauthenticated', 'There is no valid token.');
      return { token, from: 'what is kept' };
    },
    after401: async () => undefined,
  };
}

async function goodToken({ settings, env, store, now }: StoredSessionParts): Promise<string | undefined> {
  const given = await environmentCredentials(env);
  if (given?.kind === 'token') return given.token;
  const { base } = settings;
  if (base === undefined) return undefined;
  if (given)
    return unexpired(store.readToken(machineTokenKey(originOf(base), given.clientId, given.clientSecret)), now());
  const login = store.readLogin(settings.profile);
  return login?.origin === originOf(base) ? unexpired(login, now()) : undefined;
}

type ExpiringToken = { readonly accessToken?: string; readonly expiresAt?: number };

function unexpired(token: ExpiringToken | undefined, now: number): string | undefined {
  return (token?.expiresAt ?? Number.POSITIVE_INFINITY) > now + margin ? token?.accessToken : undefined;
}
