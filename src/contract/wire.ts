import { jsonText } from '../text/json-write.ts';
import { fieldsOf } from '../text/record.ts';
import { check, type Findings } from './check.ts';
import type { Operation, Parameter } from './operation.ts';
import type { Infer } from './schema.ts';

export type Simplify<T> = { [K in keyof T]: T[K] };
type RequiredNames<P> = { [K in keyof P]: P[K] extends { readonly required: true } ? K : never }[keyof P];

/** The input of an operation: its parameters by name, and the body if it has one. */
export type OperationInput<O extends Operation> = Simplify<
  { [K in RequiredNames<O['params']>]: Infer<O['params'][K]> } & {
    [K in Exclude<keyof O['params'], RequiredNames<O['params']>>]?: Infer<O['params'][K]> | undefined;
  } & (O extends { readonly body: object } ? { body: object } : unknown)
>;

/** The input of an operation that is not known at compile time. */
export type AnyInput = { readonly body?: object; readonly [parameter: string]: unknown };

/** A request as the interface describes it: a path below the base URL, percent-encoded, with its query. */
export type WireRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly body?: { readonly type: string; readonly text: string };
};

/** Checks a whole input. Findings have the platform's names of fields. */
export function checkInput(operation: Operation, input: AnyInput): Findings {
  const found = Object.entries(operation.params).map(([name, parameter]) =>
    checkParameter(name, parameter, input[name]),
  );
  if (operation.body) found.push(check(operation.body, input.body ?? {}));
  return { problems: found.flatMap((each) => each.problems), warnings: found.flatMap((each) => each.warnings) };
}

function checkParameter(name: string, parameter: Parameter, value: unknown): Findings {
  const refuse = (message: string) => ({ problems: [{ field: name, message }], warnings: [] });
  if (value === undefined) return parameter.required ? refuse('is required') : { problems: [], warnings: [] };
  const findings = check(parameter, value, name);
  if (findings.problems.length > 0 || parameter.in !== 'path') return findings;
  const problem = segmentProblem(String(value));
  return problem ? refuse(problem) : findings;
}

/** Why a text cannot be one path segment: URLs resolve "." and ".." away (WHATWG URL 4.4), and change control characters and lone surrogates. */
export function segmentProblem(text: string): string | undefined {
  if (text === '') return 'takes a string that is not empty';
  if (text === '.' || text === '..') return 'cannot be a dot segment: URLs resolve it away';
  if (/[\0-\x1f\x7f]/.test(text)) return 'cannot hold control characters';
  if (/[\ud800-\udfff]/u.test(text)) return 'cannot hold half of a surrogate pair';
  return undefined;
}

/** The request for an input that has passed {@link checkInput}. Absent parameters and fields are not sent. */
export function toRequest(operation: Operation, input: AnyInput): WireRequest {
  const query: [string, string][] = [];
  for (const [name, parameter] of Object.entries(operation.params)) {
    const value = input[name];
    if (parameter.in !== 'query' || value === undefined) continue;
    // Arrays repeat the name, as ASP.NET binds them: a comma would be part of the value.
    for (const one of Array.isArray(value) ? value : [value]) query.push([name, String(one)]);
  }
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
  const request = { method: operation.method, path, query };
  if (!operation.body || input.body === undefined) return request;
  const type = operation.bodyType ?? 'application/json';
  if (type === 'application/json') return { ...request, body: { type, text: jsonText(input.body) } };
  const fields = [...fieldsOf(input.body)].map(([name, value]): [string, string] => [name, String(value)]);
  return { ...request, body: { type, text: new URLSearchParams(fields).toString() } };
}

export function target(request: Pick<WireRequest, 'path' | 'query'>): string {
  if (request.query.length === 0) return request.path;
  const pairs = request.query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return `${request.path}?${pairs.join('&')}`;
}

/** The input of a request that the sandbox has received: the texts of path and query as the types that the contract checks. */
export function readParameters(
  operation: Operation,
  path: Readonly<Record<string, string>>,
  query: URLSearchParams,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(operation.params)) {
    const words = parameter.in === 'path' ? [path[name]].filter((word) => word !== undefined) : query.getAll(name);
    if (words.length === 0) continue;
    const word = words.at(-1) ?? '';
    const isNumber = parameter.type === 'integer' && /^-?\d{1,15}$/.test(word);
    const last = isNumber ? Number(word) : word;
    input[name] = parameter.type === 'array' ? words : last;
  }
  return input;
}

/** The absolute URL of a request below a base URL, which may have a path of its own. */
export function requestUrl(base: string, request: Pick<WireRequest, 'path' | 'query'>): string {
  return `${base.replace(/\/+$/, '')}${target(request)}`;
}
