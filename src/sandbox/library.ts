/** The embedded platform for tests in other projects: `import { startSandbox } from 'iiot-cli/sandbox'`. */

import { seenRequestOf } from './expectations.ts';
import { readFault } from './faults.ts';
import { startServer } from './server.ts';
import { restore, serialize } from './world/state.ts';
import { sandboxVariables, thingsToTry } from './world/things-to-try.ts';

/** How a sandbox starts. Everything is optional. */
export type SandboxOptions = {
  /** Port on 127.0.0.1; by default any free one. */
  readonly port?: number;
  /** The same seed gives the same world, and the same random choice of faults; 1 by default. */
  readonly seed?: number;
  /** Users of the root organization; 2,000 by default. */
  readonly users?: number;
  /** Devices, named press-0001 and so on; 200 by default. */
  readonly devices?: number;
  /** Milliseconds before each response. */
  readonly latency?: number;
  /** Rules for faults: `[METHOD ]PATH-GLOB=STATUS|reset|hang[:PERCENT%]`, such as "PUT /platform/**=503:5%". */
  readonly faults?: readonly string[];
  /** How far its clock is ahead of this machine's, in milliseconds; negative for behind. */
  readonly clock?: number;
  /** How it writes its errors: as ABP does, by default, or as problem details (RFC 9457). */
  readonly errors?: 'abp' | 'problem-details';
  /** For how many milliseconds after its use a refresh token can be used again; by default not at all. */
  readonly refreshLeeway?: number;
  /** An initial state, from `state()` or `iiot sandbox export`. */
  readonly state?: string;
};

/** A request that the sandbox received. */
export type SandboxRequest = {
  readonly method: string;
  /** Percent-encoded as it was sent, without the query. */
  readonly path: string;
  /** The status of the response, or what happened to the connection. */
  readonly outcome: number | 'reset' | 'hang';
};

/** A running sandbox. */
export type Sandbox = {
  /** The base URL without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Path segment of the tenant. */
  readonly tenant: string;
  /** Path segment of the application. */
  readonly app: string;
  /** The root organization. */
  readonly org: string;
  /** The accounts that can log in: an administrator first, then a viewer. */
  readonly accounts: readonly { readonly account: string; readonly password: string }[];
  /** A client credential. */
  readonly client: { readonly clientId: string; readonly clientSecret: string };
  /** The environment variables that make `iiot` use this sandbox, and no other platform. IIOT_CONFIG_DIR is not among them: choose your own. */
  readonly env: Readonly<Record<string, string>>;
  /** Every request so far, oldest first. */
  requests(): readonly SandboxRequest[];
  /** Moves its clock by milliseconds; negative for back. Tokens and credentials expire by this clock. */
  moveClock(milliseconds: number): void;
  /** The whole state as JSON: including the accounts' passwords and the channels' configuration, but without access tokens and client secrets. */
  state(): string;
  /** Stops it at once and closes open connections. May be called twice. */
  close(): Promise<void>;
};

/**
 * Starts an embedded platform on 127.0.0.1, reachable only from this machine. Rejects with a TypeError that describes the problem for a rule or a
 * state that cannot be parsed, and with the system's error (EADDRINUSE, EACCES) if the port is not available.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { faults = [], clock, state, ...rest } = options;
  const requests: SandboxRequest[] = [];
  const { url, port, platform, close } = await startServer({
    ...rest,
    faults: faults.map((text) => orThrow(readFault(text), `fault "${text}"`)),
    observe: (observed) => requests.push(seenRequestOf(observed)),
    saved: state === undefined ? undefined : orThrow(restore(state), 'state'),
    moved: clock,
  });
  const { tenant, app, org, accounts, client } = thingsToTry;
  return {
    url,
    port,
    tenant,
    app,
    org,
    accounts,
    client,
    env: sandboxVariables(url),
    requests: () => [...requests],
    moveClock: (milliseconds) => platform.clock.move(milliseconds),
    state: () => serialize(platform),
    close,
  };
}

/** Passes on a parser's result. @throws TypeError with the sentence that the parser returned instead */
function orThrow<T extends object>(read: T | string, name: string): T {
  if (typeof read === 'string') throw new TypeError(`${name}: ${read}`);
  return read;
}
