import { readSecret } from '../auth/environment.ts';
import { openSession } from '../auth/open-session.ts';
import type { Session } from '../auth/session.ts';
import type { BulkOptions, Context } from '../command/context.ts';
import { refuseChange } from '../command/read-only.ts';
import { clientUse } from '../command/settings.ts';
import { baseUrl } from '../command/target.ts';
import { type ExchangeParts, openExchange } from '../http/exchange.ts';
import type { Platform } from '../http/platform.ts';
import { retryAfter } from '../http/retry-after.ts';
import { openTrace } from '../http/trace.ts';
import type { ClientCertificate } from '../network/client-certificate.ts';
import type { Exchange, Fetch } from '../network/fetch.ts';
import { type NetworkOptions, openNetwork, openPooledNetwork } from '../network/network.ts';
import { proxyFor, proxySecrets } from '../network/proxy.ts';
import { ignoreError } from '../text/ignore-error.ts';
import { printerOf } from './notices.ts';

/** Opens the exchange of one command, with its network, deadline, repeats and trace. */
export async function openWire(context: Context): Promise<Exchange> {
  const exchange = openExchange(await openExchangeParts(context, {}));
  return async (request) => {
    const wait = context.waiting.begin(`Waiting for ${new URL(request.url).host}`);
    return exchange(request).finally(wait.end);
  };
}

/** Opens the parts of a command's exchange, except those that are given. */
async function openExchangeParts(context: Context, own: Partial<ExchangeParts>): Promise<ExchangeParts> {
  const { world, settings, options, mask, sleep, notice, waiting } = context;
  for (const secret of proxySecrets(world.env)) mask.remember(secret);
  // A variable that cannot be used is reported by the request itself.
  const proxyOf = (url: string) =>
    world.fetch ? undefined : ignoreError(() => proxyFor(new URL(url), world.env)?.name);
  const level = options.debug ? 'debug' : options.verbose ? 'verbose' : 'off';
  const { isHarmless } = options.debug ? await import('../contract/harmless.ts') : { isHarmless: () => false };
  return {
    fetch: await context.network(),
    timeout: settings.timeout,
    retries: settings.retries,
    trace: openTrace(level, mask, printerOf(world, mask, waiting), world, isHarmless, proxyOf),
    clean: mask.text,
    interrupt: world.interrupt,
    now: world.now,
    random: world.random,
    sleep,
    notice,
    ...own,
    onResponse(response) {
      // The clock of a sandbox is moved on purpose.
      if (response.headers.get('server') !== 'iiot-sandbox') context.clock.readDate(response.headers);
      own.onResponse?.(response);
    },
  };
}

/** Opens the connections of a command, unless its world has a `fetch`. */
export async function openConnections(context: Context): Promise<Fetch> {
  return context.world.fetch ?? (await openNetwork(await readNetworkOptions(context)));
}

/** Reads the network options of a command: proxy, CA certificates and client certificate. */
async function readNetworkOptions(context: Context): Promise<NetworkOptions> {
  const { world, settings } = context;
  const { caFile, clientCert, clientKey } = settings.resolved;
  const client = clientCert || clientKey ? await context.clientCertificate() : undefined;
  return { env: world.env, platform: world.platform, caFile, client };
}

/** Opens the platform for bulk work, with a connection pool and without repeats, because one pace controls all requests. */
export async function openBulkPlatform(context: Context, bulk: BulkOptions): Promise<Platform> {
  refuseChange('Bulk work', context.settings);
  const { connections, interrupt, onRefusal } = bulk;
  const exchange = openExchange(
    await openExchangeParts(context, {
      fetch: context.world.fetch ?? (await openPooledNetwork({ ...(await readNetworkOptions(context)), connections })),
      interrupt,
      retries: 0,
      onResponse({ status, headers }) {
        if (status >= 400) onRefusal(status, retryAfter(headers, context.world.now()));
      },
    }),
  );
  // Shows only the first notice, because a million rows may all cause the same one.
  let notice: typeof context.notice | undefined = context.notice;
  const once = (line: string) => {
    notice?.(line);
    notice = undefined;
  };
  const { openPlatform } = await import('../http/platform.ts');
  return openPlatform({ base: baseUrl(context), exchange, session: await context.session(), notice: once });
}

/** Opens the client certificate of the settings, and asks for a passphrase that no variable has. @throws usage for unusable files or a missing passphrase */
export async function openClientCertificate(context: Context): Promise<ClientCertificate | undefined> {
  const use = clientUse(context.settings);
  if (!use || 'unused' in use) return undefined;
  const { openIdentity } = await import('../network/client-certificate.ts');
  const passphraseOf = async (file: string) => {
    const stored = await readSecret(context.world.env, 'IIOT_CLIENT_KEY_PASSPHRASE');
    const person = stored ? undefined : await context.person();
    const given = stored || (person?.canAnswer ? await person.secret(`Passphrase of ${file}:`) : undefined);
    if (given !== undefined) context.mask.remember(given);
    return given;
  };
  return { origin: use.origin, identity: await openIdentity(use.files, passphraseOf) };
}

export async function openLogin(context: Context): Promise<Session> {
  const { world, settings, store, mask } = context;
  const { openSecretCommand } = settings.stored.secretCommand ? await import('../commands/secret-command.ts') : {};
  return openSession({
    settings: {
      // The profile may be new: a login may have created it after these settings were read.
      base: baseUrl(context, 'new'),
      profile: settings.profile.value,
      tenant: settings.resolved.tenant,
      account: settings.stored.account,
      app: settings.resolved.app?.value,
    },
    env: world.env,
    store,
    // The network is opened only for the first request, because the status of a login needs none.
    exchange: async (request) => (await context.exchange())(request),
    secretCommand: openSecretCommand?.(context),
    now: world.now,
    sleep: context.sleep,
    notice: context.notice,
    remember: mask.remember,
    interrupt: world.interrupt,
  });
}
