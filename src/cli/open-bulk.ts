import type { Session } from '../auth/session.ts';
import type { BulkOptions, BulkPlatform, Context } from '../command/context.ts';
import { refuseChange } from '../command/read-only.ts';
import { baseUrl } from '../command/target.ts';
import { target } from '../contract/wire.ts';
import type { RawResponse } from '../http/attempt.ts';
import type { Attempt } from '../http/bulk-attempt.ts';
import { type ExchangeParts, openExchange } from '../http/exchange.ts';
import { openPlatform } from '../http/platform.ts';
import { retryAfter } from '../http/retry-after.ts';
import { openPooledNetwork } from '../network/network.ts';
import { networkOf, partsOf } from './open-wire.ts';

/** The platform for bulk work: with a connection pool, and without repeats, because one pace controls all requests. */
export async function openBulkPlatform(context: Context, bulk: BulkOptions): Promise<BulkPlatform> {
  refuseChange('Bulk work', context.settings);
  const { interrupt, onRefusal } = bulk;
  const noteResponse: ExchangeParts['onResponse'] = ({ status, headers }) => {
    if (status >= 400) onRefusal(status, retryAfter(headers, context.world.now()));
  };
  const parts = await partsOf(context, { interrupt, retries: 0, onResponse: noteResponse });
  const own = {
    base: baseUrl(context),
    session: cachedFor(1000, await context.session()),
    notice: onceOnly(context.notice),
  };
  const { verbose, debug } = context.options;
  const attempt = context.world.fetch ? undefined : await pooledAttemptOf(context, bulk);
  if (!attempt || verbose || debug || bulk.answers)
    return openPlatform({ ...own, exchange: openExchange({ ...parts, attempt }) });
  return {
    // The fast path for a million rows: a 204 skips the processing that other responses need.
    async send(operation, request) {
      const bearer = await own.session.bearer();
      const { method, body } = request;
      let first: Promise<RawResponse> | undefined;
      first = attempt({ method, url: own.base + target(request), headers: bearer.headers, body });
      const response = await first.catch(() => undefined);
      if (response?.status === 204) {
        own.session.accepted(bearer.token);
        return undefined;
      }
      const exchange = openExchange({
        ...parts,
        // What has come is processed as usual, as the first attempt of this request.
        attempt(again) {
          const attempted = first ?? attempt(again);
          first = undefined;
          return attempted;
        },
      });
      const session = { ...own.session, bearer: async () => bearer };
      return openPlatform({ ...own, exchange, session }).send(operation, request);
    },
  };
}

/** A million rows may all cause the same notice: show only the first. */
function onceOnly(notice: (line: string) => void): (line: string) => void {
  let isShown = false;
  return (line) => {
    if (!isShown) notice(line);
    isShown = true;
  };
}

type BearerSession = Pick<Session, 'bearer' | 'after401' | 'accepted'>;

/** Asks the session for its token at most once in each period of this length, not for every row. */
function cachedFor(milliseconds: number, session: BearerSession) {
  const ask = async () => {
    const bearer = await session.bearer();
    return { ...bearer, headers: { authorization: `Bearer ${bearer.token}` } };
  };
  let known: ReturnType<typeof ask> | undefined;
  const forget = () => {
    known = undefined;
  };
  return {
    bearer() {
      if (known === undefined) {
        known = ask();
        setTimeout(forget, milliseconds).unref();
      }
      return known;
    },
    after401(refused: string) {
      forget();
      return session.after401(refused);
    },
    accepted: session.accepted,
  };
}

async function pooledAttemptOf(context: Context, { connections, interrupt }: BulkOptions): Promise<Attempt> {
  const { world, settings } = context;
  const { pooledAttempt } = await import('../http/bulk-attempt.ts');
  const pool = await openPooledNetwork({ ...(await networkOf(context)), connections });
  return pooledAttempt(pool, { timeout: settings.timeout, interrupt }, world.monotonic);
}
