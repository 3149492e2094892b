/** The embedded platform for the tests of others: `import { startSandbox } from 'iiot-cli/sandbox'`. */

import { seenRequestOf } from './expectations.ts';
import { readFault } from './faults.ts';
import { startServer } from './server.ts';
import { restore, serialize } from './world/state.ts';
import { thingsToTry } from './world/things-to-try.ts';

/** How a sandbox begins. Everything may be left out. */
export type SandboxOptions = {
  /** Port on 127.0.0.1; any free one unless told. */
  readonly port?: number;
  /** The same seed gives the same world, and the same dice for faults; 1 unless told. */
  readonly seed?: number;
  /** Users of the root organization; 2,000 unless told. */
  readonly users?: number;
  /** Devices named press-0001 and on; 200 unless told. */
  readonly devices?: number;
  /** Milliseconds before each answer. */
  readonly latency?: number;
  /** What goes wrong: `[METHOD ]PATH-GLOB=STATUS|reset|hang[:PERCENT%]`, "PUT /platform/**=503:5%" for example. */
  readonly faults?: readonly string[];
  /** How far its clock is ahead of this machine's, in milliseconds; below zero for behind. */
  readonly clock?: number;
  /** A state to begin with, as `state()` and `iiot sandbox export` give it. */
  readonly state?: string;
};

/** A request that was made of it. */
export type SandboxRequest = {
  readonly method: string;
  /** As it was sent, percent-encoded, without its query. */
  readonly path: string;
  /** The status of the answer, or what became of the connection. */
  readonly outcome: number | 'reset' | 'hang';
};

/** A sandbox that is running. */
export type Sandbox = {
  /** The base URL, without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** Path segment of the tenant. */
  readonly tenant: string;
  /** Path segment of the application. */
  readonly app: string;
  /** The root organization. */
  readonly org: string;
  /** Who can log in: an administrator first, then a viewer. */
  readonly accounts: readonly { readonly account: string; readonly password: string }[];
  /** A machine's credential. */
  readonly client: { readonly clientId: string; readonly clientSecret: string };
  /** The variables that lead `iiot` here, and to no other platform. Its IIOT_CONFIG_DIR is yours to choose. */
  readonly env: Readonly<Record<string, string>>;
  /** Every request so far, oldest first. */
  requests(): readonly SandboxRequest[];
  /** Moves its clock, by milliseconds; below zero for back. Tokens and credentials expire by it. */
  moveClock(milliseconds: number): void;
  /** The whole state, as JSON: with the passwords of its accounts and the configuration of its channels, without access tokens and client secrets. */
  state(): string;
  /** Ends it at once, with connections that are open. May be called twice. */
  close(): Promise<void>;
};

/**
 * Starts an embedded platform on 127.0.0.1, reachable from this machine alone. Rejects with a TypeError that says what is wrong for a rule or a
 * state that cannot be read, and with the system's error (EADDRINUSE, EACCES) where the port cannot be had.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { faults = [], clock = 0, state, ...rest } = options;
  const saved = state === undefined ? undefined : meant(restore(state), 'state');
  const made: SandboxRequest[] = [];
  const { url, port, platform, close } = await startServer({
    ...rest,
    faults: faults.map((text) => meant(readFault(text), `fault "${text}"`)),
    observe: (observed) => made.push(seenRequestOf(observed)),
    ...(saved ? { saved: { ...saved, moved: saved.moved + clock } } : { moved: clock }),
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
    env: {
      IIOT_SANDBOX: '1',
      IIOT_SANDBOX_URL: url,
      IIOT_BASE_URL: url,
      IIOT_TENANT: tenant,
      IIOT_APP: app,
      IIOT_ORG: org,
      IIOT_CLIENT_ID: client.clientId,
      IIOT_CLIENT_SECRET: client.clientSecret,
    },
    requests: () => [...made],
    moveClock: (milliseconds) => platform.clock.move(milliseconds),
    state: () => serialize(platform),
    close,
  };
}

/** What a reader made of a text. @throws TypeError with the sentence that it gave instead */
function meant<T extends object>(read: T | string, name: string): T {
  if (typeof read === 'string') throw new TypeError(`${name}: ${read}`);
  return read;
}
