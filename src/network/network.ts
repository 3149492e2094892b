import type { LookupFunction } from 'node:net';
import { type AuthorityFile, openTrust } from './authorities.ts';
import type { ClientCertificate } from './client-certificate.ts';
import type { Route } from './connect.ts';
import type { Fetch } from './fetch.ts';
import { refuseLeakyDebug } from './node-debug.ts';
import { directFetch } from './node-http.ts';
import { proxyFor } from './proxy.ts';
import type { Pool } from './undici-pool.ts';

export type NetworkOptions = {
  /** HTTPS_PROXY, HTTP_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS, SSL_CERT_FILE, SSL_CERT_DIR, NODE_DEBUG. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A PEM file of certificate authorities, in addition to the built-in ones. */
  readonly caFile?: AuthorityFile | undefined;
  /** The client certificate, shown to one origin only. */
  readonly client?: ClientCertificate | undefined;
  /** Decides where the system's authorities are. */
  readonly platform?: NodeJS.Platform;
  /** The number of connections for bulk work; single calls do not use undici's pool. */
  readonly connections?: number;
  /** Resolves names; by default like the system. */
  readonly lookup?: LookupFunction;
};

/**
 * The network as a `Fetch`, for single calls. Idle connections do not keep the process alive.
 * @throws usage for a file of authorities that cannot be used, and for a NODE_DEBUG that would show tokens; the `Fetch` also throws it for proxy
 * variables that cannot be used
 */
export async function openNetwork(options: NetworkOptions): Promise<Fetch> {
  refuseLeakyDebug(options.env.NODE_DEBUG);
  return directFetch(await routesFor(options));
}

/** A pool of connections, for bulk work. @throws as `openNetwork` */
export async function openPooledNetwork(options: NetworkOptions): Promise<Pool> {
  const { openPool } = await import('./undici-pool.ts');
  return openPool(await routesFor(options), options.connections);
}

async function routesFor({ env, caFile, client, platform, lookup }: NetworkOptions): Promise<(target: URL) => Route> {
  const trust = await openTrust(caFile, env, platform);
  return (target) => ({
    target,
    proxy: proxyFor(target, env),
    trust,
    identity: client?.origin === target.origin ? client.identity : undefined,
    lookup,
  });
}
