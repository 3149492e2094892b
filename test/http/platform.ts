/** The platform as a command has it, over the real network, with a session that gives the tokens of a list. */
import type { Session } from '../../src/auth/session.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { type AnyInput, toRequest } from '../../src/contract/wire.ts';
import { Failure, type FailureFacts, type FailureKind } from '../../src/failure.ts';
import { openPlatform } from '../../src/http/platform.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { type Behaviour, rawServer } from '../support/raw-server.ts';
import { openWire, type WireOptions } from './wire.ts';

type PlatformEnding =
  | { readonly status: number; readonly value: unknown; readonly otherwise?: readonly string[] }
  | { readonly kind: FailureKind; readonly message: string; readonly facts: FailureFacts };

/** @param tokens the first is used, and each next one is what a renewal gives */
export async function testPlatform(base: string, options: WireOptions = {}, tokens: readonly string[] = ['t0ken-1']) {
  const wire = await openWire(options);
  /** What the person is told of answers that are taken all the same. */
  const said: string[] = [];
  let at = 0;
  const worked = new Set<string>();
  const session: Session = {
    bearer: async () => ({ token: tokens[at] ?? '', from: 'profile default' }),
    async after401(refused) {
      if (at > 0 && !worked.has(refused)) return undefined;
      at += 1;
      return tokens[at];
    },
    accepted: (token) => void worked.add(token),
    async renew() {},
    status: async () => ({ loggedIn: true, source: 'profile', profile: 'default', renewable: true }),
  };
  const platform = openPlatform({ base, exchange: wire.exchange, session, notice: (line) => void said.push(line) });
  return {
    ...wire,
    said,
    /** How one operation ends: its reply, or the failure without its cause. */
    async call(operation: Operation, input: AnyInput): Promise<PlatformEnding> {
      try {
        const { status, value, otherwise } = await platform.send(operation, toRequest(operation, input));
        return { status, value, ...(otherwise?.length && { otherwise }) };
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        const { cause: _, ...facts } = error.facts;
        return { kind: error.kind, message: error.message, facts };
      }
    },
  };
}

/** Opens servers, which are closed after the test, each with the platform behind it. */
export function platformsForEach() {
  const keep = closedAfterEach();
  return async (behaviour?: Behaviour, options?: WireOptions, tokens?: readonly string[]) => {
    const server = await keep(rawServer(behaviour));
    return { ...server, ...(await testPlatform(server.origin, options, tokens)) };
  };
}
