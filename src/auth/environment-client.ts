/** A client credential from the environment: works with nothing stored, and with nowhere to store anything. */
import { Failure, usage } from '../failure.ts';
import { machineTokenKey } from '../store/keys.ts';
import { originOf } from './address.ts';
import { machineToken } from './machine.ts';
import type { Session, SessionParts } from './session.ts';
import { type Held, type Keeping, shareToken } from './shared-token.ts';

/** How long to wait for a process that asks for the same token, before asking as well. */
const patience = 30_000;

export function clientSession(parts: SessionParts, clientId: string, clientSecret: string): Session {
  const { settings, store } = parts;
  const { base } = settings;
  if (base === undefined) {
    throw usage(
      'IIOT_CLIENT_ID is set, but it is not known for which platform.',
      'Give --base-url URL, or set IIOT_BASE_URL',
    );
  }
  const key = machineTokenKey(originOf(base), clientId, clientSecret);
  const shared = shareToken(keepingOf(parts, key, { base, clientId, clientSecret }), parts);
  return {
    bearer: async () => ({
      token: await shared.token(),
      from: 'the client credential of IIOT_CLIENT_ID',
      remedy: () => 'The token is that of IIOT_CLIENT_ID: see whether its client credential is good for this platform',
    }),
    after401: shared.after401,
    renew: shared.renew,
    async status() {
      const cached = store.readToken(key);
      return {
        signedIn: true,
        source: 'IIOT_CLIENT_ID',
        profile: settings.profile,
        flow: 'm2m',
        renewable: true,
        base,
        clientId,
        ...(cached?.expiresAt !== undefined && { expiresAt: cached.expiresAt }),
      };
    },
  };
}

type Client = Parameters<typeof machineToken>[1];

function keepingOf(
  { store, exchange, now, remember, interrupt }: SessionParts,
  key: string,
  client: Client,
): Keeping<Held> {
  return {
    async read() {
      const cached = store.readToken(key);
      if (cached) remember(cached.accessToken);
      return cached ?? {};
    },
    canRenew: () => true,
    obtain: () => machineToken(exchange, client, now),
    async save(_, tokens) {
      const { accessToken, expiresAt } = tokens;
      remember(accessToken);
      await store.writeToken(key, { accessToken, ...(expiresAt !== undefined && { expiresAt }) });
      return tokens;
    },
    // Without the lock there are two tokens in place of one, which harms nobody.
    async lock(work) {
      let begun = false;
      const once = () => {
        begun = true;
        return work();
      };
      try {
        return await store.withLock(key, once, { wait: patience, signal: interrupt, quiet: true });
      } catch (error) {
        if (begun || !(error instanceof Failure) || error.kind === 'interrupted') throw error;
        return once();
      }
    },
  };
}
