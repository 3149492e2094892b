import { globPattern } from './faults.ts';
import type { LogEntry } from './log.ts';
import type { ObservedRequest } from './outcome.ts';
import { pathOf } from './router.ts';

/** One expected request: a line of the file. */
export type Expectation = {
  /** The line as written. */
  readonly text: string;
  readonly method: string;
  readonly path: RegExp;
  /** Undefined for any status. */
  readonly status: number | undefined;
};

/** A request that was expected but not made, or made but not expected. In the order that a reader expects. */
type Difference = { readonly kind: 'missing' | 'unexpected'; readonly request: string };

export type SeenRequest = Pick<LogEntry, 'method' | 'path' | 'outcome'>;

/** Converts what `observe` of a platform gets for the comparison. */
export function seenRequestOf({ request, outcome }: ObservedRequest): SeenRequest {
  const end = typeof outcome === 'string' ? outcome : outcome.status;
  return { method: request.method, path: pathOf(request), outcome: end };
}

/**
 * Parses a list of expected requests, one per line: "METHOD PATH-GLOB [STATUS]". Empty lines and lines that begin with # are skipped.
 * Returns a sentence if a line cannot be parsed.
 */
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

/**
 * Compares requests with a list, in order. Requests of a login are ignored unless the list names one, because scripts are not about them.
 * The differences are the shortest edit from the list to the requests made (what they share is their longest common subsequence).
 */
export function compareRequests(expected: readonly Expectation[], all: readonly SeenRequest[]): readonly Difference[] {
  const requests = expected.some(({ text }) => namesLogin.test(text))
    ? all
    : all.filter(({ path }) => !loginSteps.test(path));
  const [begin, end] = sharedEnds(expected, requests);
  return differencesOf(
    expected.slice(begin, expected.length - end).slice(0, furthest),
    requests.slice(begin, requests.length - end).slice(0, furthest),
  );
}

// The comparison's table grows with the square, so only the first differences of longer lists are reported.
const furthest = 5000;

/** How many requests match at the beginning, and how many of the others at the end. Such matches always belong to a longest common subsequence. */
function sharedEnds(expected: readonly Expectation[], requests: readonly SeenRequest[]): readonly [number, number] {
  const shorter = Math.min(expected.length, requests.length);
  const fitting = (row: number, column: number) => {
    const [want, have] = [expected[row], requests[column]];
    return want !== undefined && have !== undefined && fits(want, have);
  };
  let begin = 0;
  while (begin < shorter && fitting(begin, begin)) begin++;
  let end = 0;
  while (end < shorter - begin && fitting(expected.length - 1 - end, requests.length - 1 - end)) end++;
  return [begin, end];
}

function differencesOf(expected: readonly Expectation[], requests: readonly SeenRequest[]): readonly Difference[] {
  const shared = commonLengths(expected, requests);
  const differences: Difference[] = [];
  let row = 0;
  let column = 0;
  while (row < expected.length || column < requests.length) {
    const [want, have] = [expected[row], requests[column]];
    const rest = shared[row + 1]?.[column + 1] ?? 0;
    if (want && have && fits(want, have) && rest + 1 === shared[row]?.[column]) {
      row++;
      column++;
    } else if (want && (!have || (shared[row + 1]?.[column] ?? 0) >= (shared[row]?.[column + 1] ?? 0))) {
      differences.push({ kind: 'missing', request: want.text });
      row++;
    } else if (have) {
      differences.push({ kind: 'unexpected', request: `${have.method} ${have.path} ${have.outcome}` });
      column++;
    }
  }
  return differences;
}

/** For each pair of positions, how many requests the rests of both lists share. */
function commonLengths(expected: readonly Expectation[], requests: readonly SeenRequest[]): readonly Uint32Array[] {
  const lengths = Array.from({ length: expected.length + 1 }, () => new Uint32Array(requests.length + 1));
  for (let row = expected.length - 1; row >= 0; row--) {
    for (let column = requests.length - 1; column >= 0; column--) {
      const [want, have] = [expected[row], requests[column]];
      const both = want && have && fits(want, have);
      const next = (lengths[row + 1]?.[column + 1] ?? 0) + 1;
      const skip = Math.max(lengths[row + 1]?.[column] ?? 0, lengths[row]?.[column + 1] ?? 0);
      const place = lengths[row];
      if (place) place[column] = both ? Math.max(next, skip) : skip;
    }
  }
  return lengths;
}

function fits({ method, path, status }: Expectation, request: SeenRequest): boolean {
  return method === request.method && path.test(request.path) && (status === undefined || status === request.outcome);
}
