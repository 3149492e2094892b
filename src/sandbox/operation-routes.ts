import type { Operation } from '../contract/operation.ts';
import { type AnyOperation, operations, operationsByName } from '../contract/operations.ts';
import { type AnyInput, checkInput, readParameters } from '../contract/wire.ts';
import { fieldsOf, isRecord } from '../text/record.ts';
import { parseBody, readBytes } from './body.ts';
import {
  type Caller,
  type HandledRequest,
  type Handlers,
  invalid,
  invalidField,
  type RouteResponse,
  type State,
} from './handler.ts';
import * as authentication from './identity/authentication.ts';
import * as batches from './operations/batches.ts';
import * as channels from './operations/channels.ts';
import * as credentials from './operations/credentials.ts';
import * as devices from './operations/devices.ts';
import * as orgs from './operations/orgs.ts';
import * as policies from './operations/policies.ts';
import * as templates from './operations/templates.ts';
import { queryOf, type RoutedRequest, requestOrigin, type SandboxRoute } from './router.ts';

const handlers: Handlers = {
  ...authentication,
  ...batches,
  ...channels,
  ...credentials,
  ...devices,
  ...orgs,
  ...policies,
  ...templates,
};

const handlerOf = new Map(
  Object.entries(operationsByName).map(([name, operation]) => [operation, handlers[name as keyof Handlers]]),
);

export function operationRoutes(state: State): SandboxRoute[] {
  return operations.map((first) => {
    const { method, path, errors }: Operation = first;
    const others = operations.filter((each) => each !== first && each.path === path && each.method === method);
    return {
      method,
      path: path.replace('{form_action}', authentication.formAction),
      errors,
      handle: (incoming) => perform(state, choose(first, others, incoming.request), incoming),
    };
  });
}

/** Of operations with the same path and method (step 5 and the renewal), the last one whose query is complete. */
function choose(first: AnyOperation, others: readonly AnyOperation[], request: Request): AnyOperation {
  const query = queryOf(request);
  const isComplete = ({ params }: Operation) =>
    Object.entries(params).every(([name, { in: place, required }]) => place === 'path' || !required || query.has(name));
  return others.findLast(isComplete) ?? first;
}

/** Checks in the order of a real platform: route, bearer (401), input (400), and then the handler's own (404, 403, 404, 409). */
async function perform(state: State, operation: AnyOperation, incoming: RoutedRequest): Promise<RouteResponse> {
  const { request, cookies, parameters } = incoming;
  const caller =
    operation.security === 'bearer'
      ? authentication.authenticate(state, request.headers.get('authorization'))
      : undefined;
  const bytes = await readBytes(request);
  let input: AnyInput = readParameters(
    operation,
    { form_action: authentication.formAction, ...parameters },
    queryOf(request),
  );
  const { body: schema, bodyType = 'application/json', wrapper }: Operation = operation;
  if (schema) {
    const body = parseBody(bodyType, request.headers.get('content-type'), bytes);
    input = { ...input, body: wrapper && state.batchBody === 'input' ? unwrap(body, wrapper) : body };
  }
  const { problems } = checkInput(operation, input);
  if (problems.length > 0) throw invalid(problems);
  const response = handle(operation, input, {
    ...state,
    caller,
    cookies,
    origin: requestOrigin(request),
    hasBody: bytes.byteLength > 0,
  });
  if (caller && operation.method !== 'GET') {
    state.changes.unshift({
      at: new Date(state.clock.now()).toISOString(),
      method: request.method,
      url: request.url,
      body: bytes.byteLength > 65_536 ? undefined : input.body,
      caller: caller.kind === 'user' ? caller.account.account : caller.credential.clientId,
      ids: Object.values(parameters),
    });
    state.changes.splice(50);
  }
  return response;
}

/** "an object named input" may mean the DTO itself, or the DTO inside {"input": …}. */
function unwrap(body: object, wrapper: string): object {
  const inner = fieldsOf(body).get(wrapper);
  if (!isRecord(inner)) throw invalidField(wrapper, 'is required');
  return inner;
}

function handle(
  operation: AnyOperation,
  input: AnyInput,
  call: HandledRequest & { caller: Caller | undefined },
): RouteResponse {
  // Each handler takes the input of its own operation, which checkInput has just validated, and a caller if its operation needs one.
  const handler = handlerOf.get(operation) as (input: AnyInput, call: HandledRequest) => RouteResponse;
  return handler(input, call);
}
