import { type FailureKind, repeatableMethods } from '../failure.ts';
import type { ObjectSchema, Schema } from './schema.ts';

export type Parameter = Schema & { readonly in: 'path' | 'query'; readonly required?: true };

/** One operation of the interface, as data: no functions, no I/O. */
export type Operation = {
  readonly id: string;
  /** An imperative of at most 60 characters. */
  readonly summary: string;
  /** The effect on the platform: whether it replaces or merges, revokes, publishes, cannot be undone. */
  readonly description: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base URL, parameters in braces. */
  readonly path: string;
  /** Authenticates the request: a bearer token, the cookies of the login, or nothing. */
  readonly security: 'bearer' | 'cookies' | 'none';
  readonly params: Readonly<Record<string, Parameter>>;
  readonly body?: ObjectSchema;
  readonly bodyType?: 'application/json' | 'application/x-www-form-urlencoded';
  /** The field around the whole body, on platforms that wrap it. */
  readonly wrapper?: string;
  /** A sentence for each status that the interface names. */
  readonly responses: Readonly<Record<number, string>>;
  /** The kinds of failures for statuses that have a special meaning here. */
  readonly failures?: Readonly<Record<number, FailureKind>>;
  /** The content of a successful response, as far as the interface shows it; other fields are passed on. */
  readonly responseSchema?: Schema;
  readonly responseType?: 'text/html';
  /** The form of the error bodies, if it is not the platform's own. */
  readonly errors?: 'oauth';
  /** When to repeat the operation, if its method does not tell. told: after a 503 only if that asks for it. looked: only after a look at the list. */
  readonly repeat?: 'always' | 'told' | 'looked' | undefined;
};

/** Whether an operation may be sent again although it may have arrived. */
export function isRepeatable({ method, repeat }: Operation): boolean {
  return repeat === 'always' || repeatableMethods.has(method);
}

/** Keeps the literal types of an operation, from which the types of its input are derived. */
export function operation<const O extends Operation>(record: O): O {
  return record;
}

export type ParamsOf<O extends Operation> = O['params'];

export type PropertiesOf<O extends Operation> = O extends { readonly body: { readonly properties: infer P } }
  ? P
  : Record<never, never>;
