import type { FieldProblem } from '../contract/check.ts';
import type { Operation } from '../contract/operation.ts';
import type { operationsByName } from '../contract/operations.ts';
import type { Infer } from '../contract/schema.ts';
import type { OperationInput } from '../contract/wire.ts';
import type { Identity } from './identity/identity.ts';
import type { Secrets } from './identity/secrets.ts';
import type { LogEntry, SandboxOutcome, WorldChange } from './outcome.ts';
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
  /** How many requests there were, and the latest fifty, newest first. */
  readonly log: { count: number; readonly latest: LogEntry[] };
  respond(request: Request): Promise<SandboxOutcome>;
};

export type Caller =
  | { readonly kind: 'user'; readonly account: Account }
  | { readonly kind: 'machine'; readonly credential: Credential };

export type HandledRequest = State & {
  /** Scheme, host and port of the request: the {base_url} of the interface. */
  readonly origin: string;
  readonly cookies: Readonly<Record<string, string>>;
  readonly hasBody: boolean;
};

/** Handles an operation whose caller and input have been checked against the contract. Throws a Refusal for errors that depend on the world. */
export type Handler<O extends Operation> = (input: HandlerInput<O>, call: CallOf<O>) => RouteResponse;

type CallOf<O extends Operation> = O extends { readonly security: 'bearer' }
  ? HandledRequest & { readonly caller: Caller }
  : HandledRequest;

type HandlerInput<O extends Operation> = Omit<OperationInput<O>, 'body'> &
  (O extends { readonly body: infer B } ? { readonly body: BodyOf<B> } : unknown);

type BodyOf<B> = Infer<B> &
  (B extends { readonly required: readonly (infer R)[] }
    ? Required<Pick<Infer<B>, Extract<keyof Infer<B>, R>>>
    : unknown);

/** A handler for every operation, which a file of `operations/` or `identity/` exports under the name of the operation. */
export type Handlers = {
  readonly [Name in keyof typeof operationsByName]: Handler<(typeof operationsByName)[Name]>;
};

export type RouteResponse = {
  readonly status: number;
  /** JSON, unless `text` is set. */
  readonly body?: unknown;
  readonly text?: { readonly type: string; readonly content: string };
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly { readonly name: string; readonly value: string }[];
};

/** A response that ends the handling of a request early: thrown anywhere below a route, caught in one place. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly problems: readonly FieldProblem[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    {
      problems = [],
      headers = {},
    }: { problems?: readonly FieldProblem[]; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.problems = problems;
    this.headers = headers;
  }
}

/** 400 for input that violates the contract, with all problems at once. */
export function invalid(problems: readonly FieldProblem[]): Refusal {
  return new Refusal(400, 'Validation', 'The request is not valid.', { problems });
}

export function invalidField(field: string, message: string): Refusal {
  return invalid([{ field, message }]);
}

/** 401 with the challenge of RFC 6750: with `error` only if there was a token. */
export function unauthenticated(message: string, challenge = 'Bearer'): Refusal {
  return new Refusal(401, 'Unauthenticated', message, { headers: { 'www-authenticate': challenge } });
}

/** 404 for one thing, written as at the beginning of a sentence: "Alert policy". */
export function notFound(thing: string, id: string): Refusal {
  const code = thing.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase());
  return new Refusal(404, `${code}NotFound`, `There is no ${thing.toLowerCase()} ${id}.`);
}

/** The error body in ABP's form; the interface shows none. */
function abpError({ code, message, problems }: Refusal): object {
  const validationErrors = problems.map((problem) => ({
    message: `${problem.field || 'The body'} ${problem.message}.`,
    members: problem.field ? [problem.field] : [],
  }));
  return {
    error: {
      code,
      message,
      details: validationErrors.map((each) => each.message).join('\n') || null,
      data: {},
      validationErrors: problems.length > 0 ? validationErrors : null,
    },
  };
}

/** The error body in the form of problem details (RFC 9457), as ASP.NET Core writes it: paths in Pascal case, and all of a kind of field under it. */
function problemDetails({ status, message, problems }: Refusal): object {
  if (problems.length === 0) return { title: message, status };
  const errors: Record<string, string[]> = {};
  for (const { field, message: mistake } of problems) {
    // What cannot be converted has the path of JSON, and hides what only it could have told.
    const path = /^takes (a|true)\b/.test(mistake)
      ? `$.${field}`
      : field.replace(/(^|\.)[a-z]/g, (at) => at.toUpperCase());
    errors[path] = [...(errors[path] ?? []), `${field || 'The body'} ${mistake}.`];
  }
  return { title: 'One or more validation errors occurred.', status, errors };
}

/** How a platform writes its errors, about which the interface says nothing. */
export type ErrorForm = 'abp' | 'problem-details';

export function refusalResponse(refusal: Refusal, form: ErrorForm | 'oauth'): RouteResponse {
  const { status, headers } = refusal;
  if (form === 'oauth') return { status, body: oauthError(refusal), headers };
  if (form === 'abp') return { status, body: abpError(refusal), headers: { _AbpErrorFormat: 'true', ...headers } };
  const text = { type: 'application/problem+json; charset=utf-8', content: JSON.stringify(problemDetails(refusal)) };
  return { status, text, headers };
}

/** The error body of OAuth 2.0 (RFC 6749, 5.2), only for the token endpoint. */
function oauthError({ code, message, problems }: Refusal): object {
  const unsupported = problems.some(
    ({ field, message: mistake }) => field === 'grant_type' && mistake !== 'is required',
  );
  // OAuth's own codes are in snake case, unlike those of all other refusals.
  const known = code.includes('_') ? code : unsupported ? 'unsupported_grant_type' : 'invalid_request';
  const description = [message, ...problems.map((problem) => `${problem.field} ${problem.message}.`)].join(' ');
  return { error: known, error_description: description };
}
