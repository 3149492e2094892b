import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { openTrust } from '../http/authorities.ts';
import { inspectCertificate } from '../http/certificate.ts';
import { openSocket, type Way } from '../http/connect.ts';
import { ConnectionLost } from '../http/connection.ts';
import { connectionFailure } from '../http/connection-failure.ts';
import { inWords } from '../http/exchange.ts';
import { proxyFor } from '../http/proxy.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

const soon = 21;
const steps = { name: 'name', connection: 'connection', proxy: 'proxy', certificate: 'certificate' } as const;

/** The way to the platform: its name, the proxy, a connection, its certificate. Stops at the first that fails. */
export async function* checkNetwork(context: Context, base: string): AsyncGenerator<Finding> {
  const target = new URL(base);
  const { caFile } = context.settings.sourced;
  try {
    const proxy = proxyFor(target, context.world.env);
    const trust = caFile && (await openTrust(caFile, context.world.env));
    if (proxy) yield ok(steps.proxy, `${proxy.name} stands between this machine and the platform`);
    else yield await checkName(target.hostname);
    const way: Way = { target, proxy, trust };
    yield await within(context, (signal) => checkConnection(way, signal));
    if (target.protocol === 'https:' && !proxy)
      yield await within(context, (signal) => checkCertificate(way, context, signal));
  } catch (error) {
    yield trouble(error, target.origin, context);
  }
}

function trouble(error: unknown, origin: string, { settings }: Context): Finding {
  if (error instanceof NameLost)
    return failed(steps.name, 'unavailable', error.message, 'Check the base URL: iiot profiles show --origin');
  if (!(error instanceof ConnectionLost || error instanceof Failure)) throw error;
  const failure = error instanceof ConnectionLost ? connectionFailure(error, origin, inWords(settings.timeout)) : error;
  const phase = error instanceof ConnectionLost ? error.phase : 'connect';
  const check = phase === 'tls' ? steps.certificate : phase === 'tunnel' ? steps.proxy : steps.connection;
  return failed(check, failure.kind, failure.message, failure.facts.hint ?? 'Check the network');
}

class NameLost extends Error {}

async function checkName(hostname: string): Promise<Finding> {
  const { lookup } = await import('node:dns/promises');
  const host = hostname.replace(/^\[|\]$/g, '');
  try {
    const addresses = await lookup(host, { all: true });
    return ok(steps.name, `${host} is ${addresses.map(({ address }) => address).join(', ')}`);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason';
    throw new NameLost(`The name ${host} does not resolve (${code}).`, { cause });
  }
}

async function checkConnection(way: Way, signal: AbortSignal): Promise<Finding> {
  const socket = await openSocket(way, signal, () => undefined);
  const from = `${socket.remoteAddress ?? 'the proxy'} port ${socket.remotePort ?? ''}`.trim();
  socket.destroy();
  return ok(steps.connection, way.target.protocol === 'https:' ? `TLS with ${from}` : `a connection to ${from}`);
}

async function checkCertificate({ target, trust }: Way, { world }: Context, signal: AbortSignal): Promise<Finding> {
  const port = Number(target.port || 443);
  const { issuer, daysLeft, validTo } = await inspectCertificate(target.hostname, port, {
    trust,
    signal,
    now: world.now,
  });
  const says = `issued by ${issuer}, ${daysLeft} days left (until ${validTo.slice(0, 10)})`;
  return daysLeft < soon
    ? warning(steps.certificate, says, 'The platform needs a new certificate soon')
    : ok(steps.certificate, says);
}

/** One deadline for each look. */
async function within<T>({ settings, world }: Context, look: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ending = new AbortController();
  const late = new ConnectionLost('connect', 'TIMEOUT');
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late), settings.timeout);
    world.interrupt.addEventListener('abort', () => reject(world.interrupt.reason), { once: true });
  });
  try {
    return await Promise.race([look(ending.signal), passed]);
  } finally {
    clearTimeout(timer);
    ending.abort();
  }
}
