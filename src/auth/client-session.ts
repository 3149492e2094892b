/** A session with a client credential from the environment. It works without stored files, and where none can be stored. */

import { Failure, usage } from '../failure.ts';
import { machineTokenKey } from '../store/keys.ts';
import type { Session, SessionParts } from './session.ts';
import { type StoredToken, shareToken, type TokenStore } from './shared-token.ts';
import { requestMachineToken } from './token-request.ts';
import { claimedTenant } from './tokens.ts';

/** How long to wait while another process requests the same token, before requesting one too, in milliseconds. */
const patience = 30_000;

export function clientSession(parts: SessionParts, clientId: string, clientSecret: string): Session {
  const { settings, store, exchange, now, remember, interrupt } = parts;
  const { base } = settings;
  if (base === undefined) {
    throw usage('IIOT_CLIENT_ID is set, but the base URL is not.', 'Give --base-url URL, or set IIOT_BASE_URL');
  }
  const key = machineTokenKey(base, clientId, clientSecret);
  const tokenStore: TokenStore<StoredToken> = {
    async read() {
      const cached = store.readToken(key);
      if (cached) remember(cached.accessToken);
      return cached ?? {};
    },
    canRenew: () => true,
    obtain: () => requestMachineToken(exchange, { base, clientId, clientSecret }, now),
    async save(_, tokens) {
      const { accessToken, expiresAt } = tokens;
      remember(accessToken);
      await store.writeToken(key, { accessToken, expiresAt });
      return tokens;
    },
    // Goes on without the lock if it cannot be had: a second token does no harm.
    async lock(work) {
      let hasStarted = false;
      const runOnce = () => {
        hasStarted = true;
        return work();
      };
      try {
        return await store.withLock(key, runOnce, { wait: patience, signal: interrupt, quiet: true });
      } catch (error) {
        if (hasStarted || !(error instanceof Failure) || error.kind === 'interrupted') throw error;
        return runOnce();
      }
    },
  };
  const { token, ...shared } = shareToken(tokenStore, parts);
  return {
    ...shared,
    bearer: async () => ({
      token: await token(),
      from: 'the client credential of IIOT_CLIENT_ID',
      remedy: () => 'The token comes from IIOT_CLIENT_ID: check that its client credential belongs to this platform',
    }),
    async status() {
      const source = 'IIOT_CLIENT_ID';
      const { expiresAt, accessToken } = store.readToken(key) ?? {};
      const known = { flow: 'm2m', base, clientId, tenantId: claimedTenant(accessToken), expiresAt } as const;
      return { loggedIn: true, source, profile: settings.profile, renewable: true, ...known };
    },
  };
}
