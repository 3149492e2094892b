import type { Session } from '../auth/session.ts';
import type { BulkOptions, Context } from '../command/context.ts';
import { baseUrl } from '../command/target.ts';
import { target } from '../contract/wire.ts';
import type { Attempt } from '../http/bulk-attempt.ts';
import { type ExchangeParts, openExchange } from '../http/exchange.ts';
import { openPlatform, type Platform } from '../http/platform.ts';
import { retryAfter } from '../http/retry-after.ts';
import { openPooledNetwork } from '../network/network.ts';
import { networkOf, partsOf } from './open-wire.ts';

/** The platform for bulk work: over a pool of connections, and without repeats of its own, because all of the work has one pace. */
export async function openBulkPlatform(context: Context, bulk: BulkOptions): Promise<Platform> {
  const { interrupt, onRefusal } = bulk;
  const hear: ExchangeParts['heard'] = ({ status, headers }) => {
    if (status >= 400) onRefusal(status, retryAfter(headers, context.world.now()));
  };
  const own = { interrupt, retries: 0, heard: hear };
  const pooled = context.world.fetch ? {} : { attempt: await pooledAttemptOf(context, bulk) };
  const parts = { ...(await partsOf(context, own)), ...pooled };
  const session = rememberedFor(1000, await context.session());
  const ordinary = { base: baseUrl(context), session, notice: saidOnce(context.notice) };
  const { verbose, debug } = context.options;
  if (!pooled.attempt || verbose || debug) return openPlatform({ ...ordinary, exchange: openExchange(parts) });
  return briefly(ordinary, parts, pooled.attempt);
}

/** A million rows may all have the same to say. */
function saidOnce(notice: (line: string) => void): (line: string) => void {
  let isSaid = false;
  return (line) => {
    if (!isSaid) notice(line);
    isSaid = true;
  };
}

type Ordinary = { readonly base: string; readonly session: Remembered; readonly notice: (line: string) => void };

/** The same for most rows of a million: an answer that says nothing but "done" is not handed through all that could be in another one. */
function briefly(ordinary: Ordinary, parts: ExchangeParts, attempt: Attempt): Platform {
  const { base, session } = ordinary;
  return {
    base,
    async send(operation, request, extra) {
      const bearer = session.known() ?? (await session.bearer());
      const headers = { authorization: `Bearer ${bearer.token}` };
      const { method, body } = request;
      const url = base + target(request);
      const first = attempt({ method, url, headers, ...(body && { body }) });
      const answer = await first.catch(() => undefined);
      if (answer?.status === 204) {
        session.accepted(bearer.token);
        const said = { text: '', header: (name: string) => parts.clean(answer.headers.get(name) ?? '') };
        return { status: 204, value: undefined, answer: { ...answer, url, earlier: 0, said } };
      }
      // Whatever else it is, it is read as every other answer, as the first of this request.
      let isFirst = true;
      const following: Attempt = (again) => {
        if (!isFirst) return attempt(again);
        isFirst = false;
        return first;
      };
      const exchange = openExchange({ ...parts, attempt: following });
      const asked = { ...session, bearer: async () => bearer };
      return openPlatform({ ...ordinary, exchange, session: asked }).send(operation, request, extra);
    },
  };
}

type Bearer = Pick<Session, 'bearer' | 'after401' | 'accepted'>;
type Remembered = Bearer & { readonly known: () => Awaited<ReturnType<Session['bearer']>> | undefined };

/** The session, asked for its token once in so many milliseconds and not for each of a million rows. */
function rememberedFor(milliseconds: number, session: Bearer): Remembered {
  let asked: ReturnType<Session['bearer']> | undefined;
  let known: Awaited<ReturnType<Session['bearer']>> | undefined;
  const forget = () => {
    asked = undefined;
    known = undefined;
  };
  return {
    known: () => known,
    async bearer() {
      if (asked === undefined) {
        asked = session.bearer();
        setTimeout(forget, milliseconds).unref();
      }
      const mine = asked;
      const bearer = await mine;
      if (asked === mine) known = bearer;
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
