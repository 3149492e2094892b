import type { Operation } from '../contract/operation.ts';
import type { AnyInput, WireRequest } from '../contract/wire.ts';
import type { Failure } from '../failure.ts';
import type { Reply } from '../http/reply.ts';
import type { Result } from '../output/result.ts';
import type { Confirmation } from './confirm.ts';

/**
 * What a command would change: returned by its `run`, and carried out here, so that rehearsing, asking, protecting, sending and recording
 * are in one place for all of them.
 */
export type Change = Confirmation & {
  readonly kind: 'change';
  readonly operation: Operation;
  /** Checked already. */
  readonly input: AnyInput;
  /** The body as it is sent, where it is not the checked one. */
  readonly sentBody?: object;
  /** The request itself, where it is no operation of the contract. */
  readonly request?: WireRequest;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the person should know before: what goes, what is replaced. */
  readonly announce?: readonly string[];
  /** The same and more, for which the platform is read. In a rehearsal, and where reading fails, `announce` stands in. */
  readonly preview?: () => Promise<readonly string[]>;
  /** Runs after the question and before the request: a target is tried for writing, say. */
  readonly before?: () => Promise<void>;
  /** Says more about a failure than the platform did. */
  readonly explain?: (failure: Failure) => Failure | Promise<Failure>;
  readonly result: (reply: Reply) => Result | Promise<Result>;
};
