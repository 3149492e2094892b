import { statSync } from 'node:fs';
import type { Context } from '../command/context.ts';
import { clientUse } from '../command/settings.ts';
import { asFailure } from '../failure.ts';
import { describeDuration } from '../http/exchange.ts';
import { openTrust } from '../network/authorities.ts';
import { hostOf } from '../network/base-url.ts';
import { certificateNames, peerCertificate, readCertificate } from '../network/certificate.ts';
import { openSocket, type Route } from '../network/connect.ts';
import { connectionFailure } from '../network/connection-failure.ts';
import { ConnectionLost } from '../network/connection-lost.ts';
import { proxyFor, resolvesHere } from '../network/proxy.ts';
import { rejectOnAbort } from '../text/abort.ts';
import { changeModeCommand } from '../text/shell-lines.ts';
import { type Finding, failed, ok, validityFinding, warning } from './finding.ts';

/** Checks the network path to the platform: DNS, the proxy, a connection, its certificate. The caller stops at the first failure. */
export async function* checkNetwork(context: Context, base: string): AsyncGenerator<Finding> {
  const target = new URL(base);
  const { env, platform } = context.world;
  try {
    const proxy = proxyFor(target, env);
    const trust = await openTrust(context.settings.resolved.caFile, env, platform);
    if (proxy) yield ok('proxy', `${proxy.name} is between this machine and the platform`);
    if (!proxy || resolvesHere(proxy)) yield await checkName(hostOf(target));
    const client = await context.clientCertificate();
    yield* await withDeadline(context, (signal) =>
      checkConnection({ target, proxy, trust, identity: client?.identity }, context.world.now(), signal),
    );
  } catch (error) {
    yield failureFinding(error, target.origin, context);
  }
}

const checksByPhase: Readonly<Record<string, string>> = { tls: 'certificate', tunnel: 'proxy' };

function failureFinding(error: unknown, origin: string, { settings }: Context): Finding {
  const lost = error instanceof ConnectionLost ? error : undefined;
  const failure = lost ? connectionFailure(lost, origin, describeDuration(settings.timeout)) : asFailure(error);
  const check = checksByPhase[lost?.phase ?? ''] ?? 'connection';
  return failed(check, failure.kind, failure.message, failure.facts.hint ?? 'Check the network');
}

async function checkName(host: string): Promise<Finding> {
  const { lookup } = await import('node:dns/promises');
  try {
    const addresses = (await lookup(host, { all: true })).map(({ address }) => address);
    if (addresses.includes(host)) return ok('name', `No name to resolve: ${host} is an IP address`);
    return ok('name', `Name resolves: ${host} is ${addresses.join(', ')}`);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason';
    const hint = 'Check the base URL: iiot profiles show --origin';
    return failed('name', 'unavailable', `The name ${host} does not resolve (${code}).`, hint);
  }
}

/** Opens one connection, also through a proxy, without sending anything, and checks its certificate. */
async function checkConnection(route: Route, now: number, signal: AbortSignal): Promise<Finding[]> {
  const socket = await openSocket(route, signal, () => undefined);
  const { remoteAddress = 'the host', remotePort = '' } = socket;
  const peer = route.proxy ? `${route.target.host} through the proxy` : `${remoteAddress} port ${remotePort}`.trim();
  const certificate = peerCertificate(socket);
  socket.destroy();
  if (!certificate) return [ok('connection', `Connected to ${peer}`)];
  const hint = 'The platform needs a new certificate soon';
  return [
    ok('connection', `Connected to ${peer} with TLS`),
    validityFinding('certificate', certificate, (validity) => validity, hint, now),
  ];
}

/** Runs a check with a deadline of its own. @throws ConnectionLost when it has passed */
async function withDeadline<T>({ settings, world }: Context, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = AbortSignal.timeout(settings.timeout);
  const ending = AbortSignal.any([world.interrupt, late]);
  return Promise.race([act(ending), rejectOnAbort(ending)]).catch((error: unknown) => {
    throw late.aborted && !world.interrupt.aborted ? new ConnectionLost('connect', 'TIMEOUT') : error;
  });
}

const check = 'client_certificate';

/** Checks which client certificate is used, when it expires, and whether others can read its key. @throws usage for unusable files */
export async function* checkClientCertificate(context: Context): AsyncGenerator<Finding> {
  const use = clientUse(context.settings);
  if (!use) return;
  if ('unused' in use) {
    yield ok(check, `not used: ${use.unused}`);
    return;
  }
  const { cert, key = cert } = use.files;
  const client = await context.clientCertificate();
  const parts = client && (await readCertificate(client.identity));
  if (!parts) return;
  const { subject, ...names } = certificateNames(parts);
  const message = (validity: string) => `${subject} (${cert.value}, ${cert.from}), ${validity}`;
  yield validityFinding(check, names, message, 'Ask the operator of the gateway for a new one', context.world.now());
  yield* checkMode(key.value, context.world.platform);
}

/** Warns if others can read the key. On Windows, where a mode means nothing, it checks nothing. */
function* checkMode(path: string, platform: NodeJS.Platform): Generator<Finding> {
  const mode = statSync(path).mode & 0o777;
  if (platform === 'win32' || (mode & 0o077) === 0) return;
  const sentence = `Others on this machine can read its key: ${path} has mode ${mode.toString(8)}.`;
  yield warning(check, sentence, `Run: ${changeModeCommand('600', path)}`);
}
