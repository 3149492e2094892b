import type { Session } from '../auth/session.ts';
import type { BulkOptions, BulkPlatform, Context } from '../command/context.ts';
import { baseUrl } from '../command/target.ts';
import type { Operation } from '../contract/operation.ts';
import { target, type WireRequest } from '../contract/wire.ts';
import type { RawResponse } from '../http/attempt.ts';
import type { Attempt } from '../http/bulk-attempt.ts';
import { type ExchangeParts, openExchange } from '../http/exchange.ts';
import { openPlatform } from '../http/platform.ts';
import { retryAfter } from '../http/retry-after.ts';
import { openPooledNetwork } from '../network/network.ts';
import { networkOf, partsOf } from './open-wire.ts';

/** The platform for bulk work: with a connection pool, and without repeats, because one pace controls all requests. */
export async function openBulkPlatform(context: Context, bulk: BulkOptions): Promise<BulkPlatform> {
  const { interrupt, onRefusal } = bulk;
  const noteResponse: ExchangeParts['onResponse'] = ({ status, headers }) => {
    if (status >= 400) onRefusal(status, retryAfter(headers, context.world.now()));
  };
  const own = { interrupt, retries: 0, onResponse: noteResponse };
  const pooled = context.world.fetch ? {} : { attempt: await pooledAttemptOf(context, bulk) };
  const parts = { ...(await partsOf(context, own)), ...pooled };
  const session = cachedFor(1000, await context.session());
  const bulkParts = { base: baseUrl(context), session, notice: onceOnly(context.notice) };
  const { verbose, debug } = context.options;
  if (!pooled.attempt || verbose || debug) return openPlatform({ ...bulkParts, exchange: openExchange(parts) });
  return briefly(bulkParts, parts, pooled.attempt);
}

/** A million rows may all cause the same notice: show only the first. */
function onceOnly(notice: (line: string) => void): (line: string) => void {
  let isShown = false;
  return (line) => {
    if (!isShown) notice(line);
    isShown = true;
  };
}

type BulkParts = { readonly base: string; readonly session: CachedSession; readonly notice: (line: string) => void };

/** The fast path for a million rows: a 204 skips the processing that other responses need. */
function briefly(bulkParts: BulkParts, parts: ExchangeParts, attempt: Attempt): BulkPlatform {
  const { base, session } = bulkParts;
  const headersFor = sameFor((token) => ({ authorization: `Bearer ${token}` }));
  return {
    send(operation, request) {
      const bearer = session.known();
      return bearer
        ? sendWith(bearer, operation, request)
        : session.bearer().then((own) => sendWith(own, operation, request));
    },
  };

  function sendWith(bearer: Known, operation: Operation, request: WireRequest): Promise<unknown> {
    const { method, body } = request;
    const attempted = { method, url: base + target(request), headers: headersFor(bearer.token) };
    // Everything but a 204 is processed as usual, as the first attempt of this request.
    const asUsual = (first: () => Promise<RawResponse>): Promise<unknown> => {
      const exchange = openExchange({ ...parts, attempt: beginningWith(first, attempt) });
      const known = { ...session, bearer: async () => bearer };
      return openPlatform({ ...bulkParts, exchange, session: known }).send(operation, request);
    };
    return attempt(body ? { ...attempted, body } : attempted).then(
      (response) => (response.status === 204 ? session.accepted(bearer.token) : asUsual(async () => response)),
      (error: unknown) => asUsual(() => Promise.reject(error)),
    );
  }
}

function beginningWith(first: () => Promise<RawResponse>, attempt: Attempt): Attempt {
  let isFirst = true;
  return (request) => {
    if (!isFirst) return attempt(request);
    isFirst = false;
    return first();
  };
}

/** Remembers the last result, and calls `make` only for a different argument. */
function sameFor<T>(make: (of: string) => T): (of: string) => T {
  let last: { readonly of: string; readonly value: T } | undefined;
  return (of) => {
    if (last?.of !== of) last = { of, value: make(of) };
    return last.value;
  };
}

type BearerSession = Pick<Session, 'bearer' | 'after401' | 'accepted'>;
type Known = Awaited<ReturnType<Session['bearer']>>;
type CachedSession = BearerSession & { readonly known: () => Known | undefined };

/** Asks the session for its token at most once in each period of this length, not for every row. */
function cachedFor(milliseconds: number, session: BearerSession): CachedSession {
  let pending: ReturnType<Session['bearer']> | undefined;
  let known: Known | undefined;
  const forget = () => {
    pending = undefined;
    known = undefined;
  };
  return {
    known: () => known,
    async bearer() {
      if (pending === undefined) {
        pending = session.bearer();
        setTimeout(forget, milliseconds).unref();
      }
      const mine = pending;
      const bearer = await mine;
      if (pending === mine) known = bearer;
      return bearer;
    },
    after401(refused) {
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
