import { globPattern } from '../text/glob.ts';
import type { LogEntry, ObservedRequest } from './outcome.ts';
import { pathOf } from './router.ts';

export type Expectation = {
  /** The line as it was written. */
  readonly text: string;
  readonly method: string;
  readonly path: RegExp;
  /** Undefined for any status. */
  readonly status: number | undefined;
};

/** A request that was expected but not made, or made but not expected. */
type Difference = { readonly kind: 'missing' | 'unexpected'; readonly request: string };

export type SeenRequest = Pick<LogEntry, 'method' | 'path' | 'outcome'>;

export function seenRequestOf({ request, outcome }: ObservedRequest): SeenRequest {
  const result = typeof outcome === 'string' ? outcome : outcome.status;
  return { method: request.method, path: pathOf(request), outcome: result };
}

/** Parses a list of expected requests, one a line: "METHOD PATH-GLOB [STATUS]". Returns a sentence if a line cannot be parsed. */
export function readExpectations(text: string): readonly Expectation[] | string {
  const found: Expectation[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const written = line.trim();
    if (written === '' || written.startsWith('#')) continue;
    const [, method, glob, status] = /^(GET|POST|PUT|PATCH|DELETE) +([/*]\S*)(?: +(\d{3}))?$/.exec(written) ?? [];
    if (!method || !glob)
      return `Line ${index + 1} is not METHOD PATH-GLOB [STATUS], "PUT /platform/** 204" for example.`;
    found.push({ text: written, method, path: globPattern(glob), status: status ? Number(status) : undefined });
  }
  return found;
}

const loginSteps = /\/portal\/external-login$|^\/identity\/|^\/signin-oidc$|\/api\/v1\/auth\/tokens$/;
const namesLogin = /\/(external-login|identity|signin-oidc|auth\/tokens)/;

// Finding more differences takes seconds, so for lists that differ more only the first ones are reported.
const mostDifferences = 1000;

/** Compares requests with a list, in order, by the shortest edit. Requests of a login count only if the list names one. */
export async function compareRequests(
  expected: readonly Expectation[],
  all: readonly SeenRequest[],
): Promise<readonly Difference[]> {
  const { diffArrays } = await import('../text/diff.ts');
  const made = expected.some(({ text }) => namesLogin.test(text))
    ? all
    : all.filter(({ path }) => !loginSteps.test(path));
  const comparator = (want: unknown, have: unknown) => fits(want as Expectation, have as SeenRequest); // in the order of the lists
  const compare = (begin: number, end?: number) =>
    diffArrays<Expectation | SeenRequest>(expected.slice(begin, end), made.slice(begin, end), {
      comparator,
      maxEditLength: 2 * mostDifferences,
    });
  const firstDifference = expected.findIndex((want, at) => !made[at] || !fits(want, made[at]));
  const start = firstDifference === -1 ? expected.length : firstDifference;
  const changes = compare(0) ?? compare(start, start + mostDifferences) ?? [];
  return changes.filter(({ added, removed }) => added || removed).flatMap(({ value }) => value.map(differenceOf));
}

function differenceOf(one: Expectation | SeenRequest): Difference {
  if ('text' in one) return { kind: 'missing', request: one.text };
  return { kind: 'unexpected', request: `${one.method} ${one.path} ${one.outcome}` };
}

function fits({ method, path, status }: Expectation, request: SeenRequest): boolean {
  return method === request.method && path.test(request.path) && (status === undefined || status === request.outcome);
}
