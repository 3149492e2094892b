import type { LookupFunction } from 'node:net';
import type { Fetch } from '../fetch.ts';
import { type AuthorityFile, openTrust } from './authorities.ts';
import type { Way } from './connect.ts';
import { directFetch } from './direct.ts';
import type { Pool } from './pooled.ts';
import { proxyFor } from './proxy.ts';

export type NetworkOptions = {
  /** HTTPS_PROXY, HTTP_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS, NODE_DEBUG. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A PEM file of further certificate authorities, beside the built-in ones. */
  readonly caFile?: AuthorityFile | undefined;
  /** How many connections bulk work wants; a single call goes without undici's pool. */
  readonly connections?: number;
  /** Resolves names; by default as the system does. */
  readonly lookup?: LookupFunction;
};

/**
 * The network as a `Fetch`: direct for single calls, pooled for bulk work. Connections that are idle keep no process alive.
 * @throws usage for a file of authorities that cannot be used, and, from the `Fetch`, for proxy variables that cannot
 */
export async function openNetwork(options: NetworkOptions): Promise<Fetch> {
  const { env, connections } = options;
  const wayTo = await waysOf(options);
  // node:http prints authorization headers when NODE_DEBUG names it; undici does not.
  if (connections === undefined && env.NODE_DEBUG === undefined) return directFetch(wayTo);
  const { pooledFetch } = await import('./pooled.ts');
  return pooledFetch(wayTo, connections);
}

/** The pool alone, for bulk work. @throws as `openNetwork` */
export async function openPooledNetwork(options: NetworkOptions): Promise<Pool> {
  const { openPool } = await import('./pooled.ts');
  return openPool(await waysOf(options), options.connections);
}

async function waysOf({ env, caFile, lookup }: NetworkOptions): Promise<(target: URL) => Way> {
  const trust = caFile && (await openTrust(caFile, env));
  return (target) => ({ target, proxy: proxyFor(target, env), trust, lookup });
}
