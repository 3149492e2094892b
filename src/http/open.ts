import { openSession, type Session } from '../auth/session.ts';
import type { Context } from '../context.ts';
import type { Exchange } from '../fetch.ts';
import { baseUrl } from '../target.ts';
import { openPlatform, type Platform } from './call.ts';
import { type ExchangeParts, openExchange } from './exchange.ts';
import { openNetwork } from './network.ts';
import { retryAfter } from './pause.ts';
import type { Attempt } from './pool-attempt.ts';
import { proxySecrets } from './proxy.ts';
import { openTrace } from './trace.ts';

/** The exchange of one command: its network, deadline, repeats and trace. */
export async function openWire(context: Context): Promise<Exchange> {
  return wireOf(context, {});
}

export type BulkWire = {
  readonly connections: number;
  /** Ends what is under way. */
  readonly interrupt: AbortSignal;
  /** Hears of every answer that is a refusal: its status, and how many milliseconds it asks to wait. */
  readonly heard: (status: number, wait: number | undefined) => void;
};

/** The platform for bulk work: over a pool of connections, and without repeats of its own, because all of the work has one pace. */
export async function openBulkPlatform(context: Context, bulk: BulkWire): Promise<Platform> {
  const { interrupt, heard } = bulk;
  const hear: ExchangeParts['heard'] = ({ status, headers }) => {
    if (status >= 400) heard(status, retryAfter(headers, context.world.now()));
  };
  const pooled = context.world.fetch ? {} : { attempt: await pooledAttemptOf(context, bulk) };
  const exchange = await wireOf(context, { interrupt, retries: 0, heard: hear, ...pooled });
  const session = rememberedFor(1000, await context.session());
  return openPlatform({ base: baseUrl(context), exchange, session });
}

type Bearer = Pick<Session, 'bearer' | 'after401'>;

/** The session, asked for its token once in so many milliseconds and not for each of a million rows. */
function rememberedFor(milliseconds: number, session: Bearer): Bearer {
  let known: ReturnType<Session['bearer']> | undefined;
  const forget = () => {
    known = undefined;
  };
  return {
    bearer() {
      if (known === undefined) {
        known = session.bearer();
        setTimeout(forget, milliseconds).unref();
      }
      return known;
    },
    after401(refused) {
      forget();
      return session.after401(refused);
    },
  };
}

async function pooledAttemptOf({ world, settings }: Context, { connections, interrupt }: BulkWire): Promise<Attempt> {
  const [{ openPooledNetwork }, { pooledAttempt }] = await Promise.all([
    import('./network.ts'),
    import('./pool-attempt.ts'),
  ]);
  const pool = await openPooledNetwork({ env: world.env, caFile: settings.sourced.caFile, connections });
  return pooledAttempt(pool, { timeout: settings.timeout, interrupt }, world.monotonic);
}

async function wireOf(context: Context, own: Partial<ExchangeParts>): Promise<Exchange> {
  const { world, settings, options, mask, sleep, notice, warn } = context;
  for (const secret of proxySecrets(world.env)) mask.remember(secret);
  const network = { env: world.env, caFile: settings.sourced.caFile };
  const fetch = world.fetch ?? (await openNetwork(network));
  const level = options.debug ? 'debug' : options.verbose ? 'verbose' : 'off';
  return openExchange({
    fetch,
    timeout: settings.timeout,
    retries: settings.retries,
    trace: openTrace(level, mask, warn, world.monotonic),
    interrupt: world.interrupt,
    now: world.now,
    random: world.random,
    sleep,
    notice,
    ...own,
  });
}

/** Who the command is, for the platform of its settings. */
export async function openLogin(context: Context): Promise<Session> {
  const { world, settings, store, mask } = context;
  return openSession({
    settings: {
      base: baseUrl(context),
      profile: settings.profile.value,
      ...(settings.sourced.tenant && { tenant: settings.sourced.tenant.value }),
      ...(settings.sourced.app && { app: settings.sourced.app.value }),
    },
    env: world.env,
    store,
    exchange: await context.exchange(),
    now: world.now,
    sleep: context.sleep,
    notice: context.notice,
    remember: mask.remember,
    interrupt: world.interrupt,
  });
}
