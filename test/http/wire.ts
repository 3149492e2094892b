/** The real network and the real exchange, with everything that they say and wait for in lists. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { isHarmless } from '../../src/contract/harmless.ts';
import type { Arrival, FailureKind } from '../../src/failure.ts';
import { Failure } from '../../src/failure.ts';
import { openExchange } from '../../src/http/exchange.ts';
import { openTrace, type TraceLevel } from '../../src/http/trace.ts';
import type { Exchange, ExchangeRequest, Fetch } from '../../src/network/fetch.ts';
import { type NetworkOptions, openNetwork, openPooledNetwork } from '../../src/network/network.ts';
import { createMask } from '../../src/text/mask.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { type Behaviour, type RawServer, rawServer } from '../support/raw-server.ts';

export type WireOptions = {
  readonly env?: Readonly<Record<string, string>>;
  readonly caFile?: string;
  readonly client?: NetworkOptions['client'];
  /** Through undici's pool, as an import; without it over node:http. */
  readonly connections?: number;
  readonly lookup?: LookupFunction;
  /** Replaces the network. */
  readonly fetch?: Fetch;
  readonly timeout?: number;
  readonly retries?: number;
  readonly trace?: TraceLevel;
  readonly interrupt?: AbortSignal;
  /** Called with each wait between attempts. */
  readonly onWait?: () => void;
};

export async function openWire(options: WireOptions = {}) {
  /** The trace, line by line. */
  const lines: string[] = [];
  const notices: string[] = [];
  /** Milliseconds that were to be waited between attempts; nothing is waited. */
  const waits: number[] = [];
  const mask = createMask(new Set(['maxResultCount', 'skipCount']));
  const { env = {}, caFile, connections, lookup, client, interrupt = new AbortController().signal } = options;
  const network = {
    env,
    caFile: caFile === undefined ? undefined : { value: caFile, from: '--ca-file' },
    client,
    lookup,
  };
  const timeout = options.timeout ?? 60_000;
  const exchange = openExchange({
    fetch:
      options.fetch ?? (await (connections ? openPooledNetwork({ ...network, connections }) : openNetwork(network))),
    timeout,
    retries: options.retries ?? 3,
    trace: openTrace(
      options.trace ?? 'off',
      mask,
      (line) => lines.push(line),
      { now: () => Date.UTC(2026, 2, 1), monotonic: () => performance.now() },
      isHarmless,
    ),
    interrupt,
    now: Date.now,
    clean: mask.text,
    random: () => 0.5,
    async sleep(milliseconds) {
      waits.push(milliseconds);
      options.onWait?.();
      if (interrupt.aborted) throw interrupt.reason;
    },
    notice: (line) => notices.push(line),
  });
  return { exchange, mask, lines, notices, waits };
}

type Ending =
  | { readonly status: number; readonly text: string; readonly earlier: Arrival }
  | { readonly kind: FailureKind; readonly message: string; readonly hint: string | undefined };

/** How one request ends: its answer, or the failure as a person sees it. Any other error is thrown. */
export async function ending(exchange: Exchange, request: ExchangeRequest): Promise<Ending> {
  try {
    const { status, text, earlier } = await exchange(request);
    return { status, text, earlier };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { kind: error.kind, message: error.message, hint: error.facts.hint };
  }
}

/** A GET of the root. */
export function get(origin: string): ExchangeRequest {
  return { method: 'GET', url: `${origin}/` };
}

/** A change with a JSON body. */
export function change(method: string, origin: string): ExchangeRequest {
  return { method, url: `${origin}/`, body: { type: 'application/json', text: '{"name":"Ada"}' } };
}

/** Opens servers, which are closed after the test, and a wire to each: `get` and `change` say how a request to it ends. */
export function serversForEach() {
  const keep = closedAfterEach();
  return async (opening?: Behaviour | Promise<RawServer>, options?: WireOptions) => {
    const server = await keep(opening instanceof Promise ? opening : rawServer(opening));
    const wire = await openWire(options);
    return {
      ...server,
      ...wire,
      get: () => ending(wire.exchange, get(server.origin)),
      change: (method: string) => ending(wire.exchange, change(method, server.origin)),
    };
  };
}

/** A folder for all tests of a file, with the certificate of an authority. */
export function folderWith(certificate: string) {
  const folder = mkdtempSync(join(tmpdir(), 'iiot-authority-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  return { folder, file, caFile: file('ca.pem', certificate) };
}
