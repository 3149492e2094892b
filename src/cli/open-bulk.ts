import type { Session } from '../auth/session.ts';
import type { BulkOptions, Context } from '../command/context.ts';
import { refuseChange } from '../command/read-only.ts';
import { baseUrl } from '../command/target.ts';
import { openExchange } from '../http/exchange.ts';
import { openPlatform, type Platform } from '../http/platform.ts';
import { retryAfter } from '../http/retry-after.ts';
import { openPooledNetwork } from '../network/network.ts';
import { networkOf, partsOf } from './open-wire.ts';

/** The platform for bulk work: with a connection pool, and without repeats, because one pace controls all requests. */
export async function openBulkPlatform(context: Context, bulk: BulkOptions): Promise<Platform> {
  refuseChange('Bulk work', context.settings);
  const { connections, interrupt, onRefusal } = bulk;
  const exchange = openExchange(
    await partsOf(context, {
      fetch: context.world.fetch ?? (await openPooledNetwork({ ...(await networkOf(context)), connections })),
      interrupt,
      retries: 0,
      onResponse({ status, headers }) {
        if (status >= 400) onRefusal(status, retryAfter(headers, context.world.now()));
      },
    }),
  );
  const session = cached(await context.session());
  // A million rows may all cause the same notice: show only the first.
  let notice: typeof context.notice | undefined = context.notice;
  const once = (line: string) => {
    notice?.(line);
    notice = undefined;
  };
  return openPlatform({ base: baseUrl(context), exchange, session, notice: once });
}

/** Asks the session for its token at most once a second, not for every row. */
function cached(session: Pick<Session, 'bearer' | 'after401' | 'accepted'>) {
  let known: ReturnType<typeof session.bearer> | undefined;
  const forget = () => {
    known = undefined;
  };
  return {
    bearer() {
      if (known === undefined) {
        known = session.bearer();
        setTimeout(forget, 1000).unref();
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
