import type { Operation } from '../contract/operation.ts';
import type { operations } from '../contract/operations.ts';
import type { Infer } from '../contract/schema.ts';
import type { OperationInput } from '../contract/wire.ts';
import type { Clock } from './clock.ts';
import type { Identity } from './identity.ts';
import type { Reply } from './reply.ts';
import type { Secrets } from './secrets.ts';
import type { Account, Credential, World } from './world.ts';

/** What a platform consists of, and what its handlers read and change. */
export type State = {
  readonly world: World;
  readonly identity: Identity;
  readonly clock: Clock;
  readonly secrets: Secrets;
  /** How the body of a new batch is read: the DTO itself, or wrapped as {"input": …}. */
  readonly batchBody: 'dto' | 'input';
};

/** Who shows a bearer token. */
export type Caller =
  | { readonly kind: 'user'; readonly account: Account }
  | { readonly kind: 'machine'; readonly credential: Credential };

/** The circumstances of one request. */
export type Call = State & {
  /** Scheme, host and port that the request came to: the {base_url} of the interface. */
  readonly origin: string;
  readonly cookies: Readonly<Record<string, string>>;
  readonly hasBody: boolean;
};

/** Answers an operation whose caller and input have been checked against the contract. Throws a Refusal for what only the world can tell. */
export type Handler<O extends Operation> = (input: HandlerInput<O>, call: CallOf<O>) => Reply;

type CallOf<O extends Operation> = O extends { readonly security: 'bearer' }
  ? Call & { readonly caller: Caller }
  : Call;

type HandlerInput<O extends Operation> = Omit<OperationInput<O>, 'body'> &
  (O extends { readonly body: infer B } ? { readonly body: BodyOf<B> } : unknown);

type BodyOf<B> = Infer<B> &
  (B extends { readonly required: readonly (infer R)[] }
    ? Required<Pick<Infer<B>, Extract<keyof Infer<B>, R>>>
    : unknown);

type AnyOperation = (typeof operations)[number];

/** A handler for every operation: one that is missing does not compile. */
export type Handlers = { readonly [O in AnyOperation as O['id']]: Handler<O> };
