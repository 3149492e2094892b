import { type FailureKind, repeatableMethods } from '../failure.ts';
import type { ObjectSchema, Schema } from './schema.ts';

/** A parameter in the path or in the query. */
export type Parameter = Schema & { readonly in: 'path' | 'query'; readonly required?: true };

/** One operation of the interface, as data: no functions, no I/O. */
export type Operation = {
  readonly id: string;
  /** An imperative of at most 60 characters. */
  readonly summary: string;
  /** What the platform does: whether it replaces or merges, revokes, publishes, cannot be undone. */
  readonly description: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base URL, parameters in braces. */
  readonly path: string;
  /** What the request is authenticated with: a bearer token, the cookies of the login, or nothing. */
  readonly security: 'bearer' | 'cookies' | 'none';
  readonly params: Readonly<Record<string, Parameter>>;
  readonly body?: ObjectSchema;
  readonly bodyType?: 'application/json' | 'application/x-www-form-urlencoded';
  /** The only field of a body that holds the whole of it, on platforms that wrap it. */
  readonly wrapper?: string;
  /** A sentence for each status that the interface names. */
  readonly responses: Readonly<Record<number, string>>;
  /** What a status means that elsewhere means something else. */
  readonly failures?: Readonly<Record<number, FailureKind>>;
  /** The content of a successful response, as far as the interface shows it; other fields are passed on. */
  readonly responseSchema?: Schema;
  readonly responseType?: 'text/html';
  /** The form of its error bodies, where it is not the platform's own. */
  readonly errors?: 'oauth';
  /** When it may be repeated, if its method does not tell. told: not after a 503 that says nothing. looked: only after a look at what is there. */
  readonly repeat?: 'always' | 'told' | 'looked' | undefined;
};

/** Whether it may be sent again after it may have arrived. */
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
