import type { Operation } from '../contract/operation.ts';
import type { AnyInput, WireRequest } from '../contract/wire.ts';
import type { Failure } from '../failure.ts';
import type { PlatformResponse } from '../http/platform-response.ts';
import type { Result } from '../output/result.ts';
import type { Confirmation } from './confirm.ts';

/**
 * A change that a command's `run` returns. It is carried out in one place for all commands, with dry run, confirmation, protection, sending
 * and history.
 */
export type Change = Confirmation & {
  readonly kind: 'change';
  /** What is changed, for the history: "organization 0b0f…" */
  readonly about: string;
  readonly operation: Operation;
  /** Already checked. */
  readonly input: AnyInput;
  /** The body to send, if it is not the checked one. */
  readonly sentBody?: object;
  /** The request itself, if it is not an operation of the contract. */
  readonly request?: WireRequest;
  readonly headers?: Readonly<Record<string, string>>;
  /** The fields of the body that replace a whole that is stored: a list, a configuration, a notification. */
  readonly replaces?: readonly string[];
  /**
   * `announce` with details read from the platform. In a dry run, or if reading fails, `announce` is shown instead. A Failure for what is not there:
   * then nothing is asked.
   */
  readonly preview?: () => Promise<readonly string[] | Failure>;
  /** Runs after the confirmation and before the request, for example to test that a file can be written. */
  readonly before?: () => Promise<void>;
  /** Adds an explanation to a failure of the platform. */
  readonly explain?: (failure: Failure) => Failure | Promise<Failure>;
  readonly result: (response: PlatformResponse) => Result | Promise<Result>;
};
