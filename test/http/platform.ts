/** The platform as a command has it, over the real network, with a session that gives the tokens of a list. */
import type { Session } from '../../src/auth/session.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { type AnyInput, toRequest } from '../../src/contract/wire.ts';
import { Failure, type FailureFacts, type Kind } from '../../src/failure.ts';
import { openPlatform } from '../../src/http/call.ts';
import { openWire, type Wire, type WireOptions } from './wire.ts';

export type PlatformEnding =
  | { readonly status: number; readonly value: unknown }
  | { readonly kind: Kind; readonly message: string; readonly facts: FailureFacts };

export type TestPlatform = Wire & {
  /** How one operation ends: its reply, or the failure without its cause. */
  readonly call: (operation: Operation, input: AnyInput) => Promise<PlatformEnding>;
};

/** @param tokens the first is used, and each next one is what a renewal gives */
export async function testPlatform(
  base: string,
  options: WireOptions = {},
  tokens: readonly string[] = ['t0ken-1'],
): Promise<TestPlatform> {
  const wire = await openWire(options);
  let at = 0;
  const session: Session = {
    bearer: async () => ({ token: tokens[at] ?? '', from: 'profile default' }),
    async after401() {
      at += 1;
      return tokens[at];
    },
    async renew() {},
    status: async () => ({ signedIn: true, source: 'profile', profile: 'default', renewable: true }),
  };
  const platform = openPlatform({ base, exchange: wire.exchange, session });
  return {
    ...wire,
    async call(operation, input) {
      try {
        const { status, value } = await platform.send(operation, toRequest(operation, input));
        return { status, value };
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        const { cause: _, ...facts } = error.facts;
        return { kind: error.kind, message: error.message, facts };
      }
    },
  };
}
