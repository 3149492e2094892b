import type { Operation } from '../contract/operation.ts';
import type { AnyOperation } from '../contract/operations.ts';
import type { Infer } from '../contract/schema.ts';
import type { OperationInput } from '../contract/wire.ts';
import type { Identity } from './identity/identity.ts';
import type { Secrets } from './identity/secrets.ts';
import type { Log, SandboxOutcome, WorldChange } from './outcome.ts';
import type { RouteResponse } from './route-response.ts';
import type { Account, Credential, SandboxClock, SandboxWorld } from './world/world.ts';

/** The parts of a platform, which its handlers read and change. */
export type State = {
  readonly world: SandboxWorld;
  readonly identity: Identity;
  readonly clock: SandboxClock;
  readonly secrets: Secrets;
  /** The expected body of a new batch: the DTO itself, or wrapped as {"input": …}. */
  readonly batchBody: 'dto' | 'input';
  /** For how many milliseconds after its use a refresh token can be used again. */
  readonly refreshLeeway: number;
  /** The latest fifty changes, newest first. */
  readonly changes: WorldChange[];
};

export type EmbeddedPlatform = State & {
  readonly log: Log;
  respond(request: Request): Promise<SandboxOutcome>;
};

export type Caller =
  | { readonly kind: 'user'; readonly account: Account }
  | { readonly kind: 'machine'; readonly credential: Credential };

export type Call = State & {
  /** Scheme, host and port of the request: the {base_url} of the interface. */
  readonly origin: string;
  readonly cookies: Readonly<Record<string, string>>;
  readonly hasBody: boolean;
};

/** Handles an operation whose caller and input have been checked against the contract. Throws a Refusal for errors that depend on the world. */
export type Handler<O extends Operation> = (input: HandlerInput<O>, call: CallOf<O>) => RouteResponse;

type CallOf<O extends Operation> = O extends { readonly security: 'bearer' }
  ? Call & { readonly caller: Caller }
  : Call;

type HandlerInput<O extends Operation> = Omit<OperationInput<O>, 'body'> &
  (O extends { readonly body: infer B } ? { readonly body: BodyOf<B> } : unknown);

type BodyOf<B> = Infer<B> &
  (B extends { readonly required: readonly (infer R)[] }
    ? Required<Pick<Infer<B>, Extract<keyof Infer<B>, R>>>
    : unknown);

/** A handler for every operation: if one is missing, this does not compile. */
export type Handlers = { readonly [O in AnyOperation as O['id']]: Handler<O> };
