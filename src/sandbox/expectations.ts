import { globPattern } from './faults.ts';
import type { LogEntry } from './log.ts';
import type { ObservedRequest } from './outcome.ts';
import { pathOf } from './router.ts';

/** One request that is expected: a line of the file. */
export type Expectation = {
  /** As it was written. */
  readonly text: string;
  readonly method: string;
  readonly path: RegExp;
  /** Any, where it is not said. */
  readonly status: number | undefined;
};

/** Expected and not made, or made and not expected. In the order in which a reader would look for them. */
type Difference = { readonly kind: 'missing' | 'unexpected'; readonly request: string };

export type SeenRequest = Pick<LogEntry, 'method' | 'path' | 'outcome'>;

/** What a platform's `observe` was told, as the comparison takes it. */
export function seenRequestOf({ request, answer }: ObservedRequest): SeenRequest {
  const outcome = typeof answer === 'string' ? answer : answer.status;
  return { method: request.method, path: pathOf(request), outcome };
}

/**
 * Reads a list of expected requests: a line each, "METHOD PATH-GLOB [STATUS]", with empty lines and lines that begin with # left out.
 * A sentence says which line cannot be read.
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

const signIn = /\/portal\/external-login$|^\/identity\/|^\/signin-oidc$|\/api\/v1\/auth\/tokens$/;
const namesSignIn = /\/(external-login|identity|signin-oidc|auth\/tokens)/;

/**
 * Compares requests with a list, in order. Requests of a login are left out unless the list names one: a script is not about them.
 * What differs is told as the shortest way from the list to what was made (the longest common subsequence is what they share).
 */
export function compareRequests(expected: readonly Expectation[], all: readonly SeenRequest[]): readonly Difference[] {
  const made = expected.some(({ text }) => namesSignIn.test(text)) ? all : all.filter(({ path }) => !signIn.test(path));
  const [begin, end] = sharedEnds(expected, made);
  return differencesOf(
    expected.slice(begin, expected.length - end).slice(0, furthest),
    made.slice(begin, made.length - end).slice(0, furthest),
  );
}

// The table of the comparison grows with the square; whoever is that far off is told of the beginning.
const furthest = 5000;

/** How many requests fit from the beginning on, and how many of the others to the end. What fits at once belongs to a longest common subsequence. */
function sharedEnds(expected: readonly Expectation[], made: readonly SeenRequest[]): readonly [number, number] {
  const shorter = Math.min(expected.length, made.length);
  const fitting = (row: number, column: number) => {
    const [want, have] = [expected[row], made[column]];
    return want !== undefined && have !== undefined && fits(want, have);
  };
  let begin = 0;
  while (begin < shorter && fitting(begin, begin)) begin++;
  let end = 0;
  while (end < shorter - begin && fitting(expected.length - 1 - end, made.length - 1 - end)) end++;
  return [begin, end];
}

function differencesOf(expected: readonly Expectation[], made: readonly SeenRequest[]): readonly Difference[] {
  const shared = commonLengths(expected, made);
  const differences: Difference[] = [];
  let row = 0;
  let column = 0;
  while (row < expected.length || column < made.length) {
    const [want, have] = [expected[row], made[column]];
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

/** How many requests the rests of both lists share, from each pair of places on. */
function commonLengths(expected: readonly Expectation[], made: readonly SeenRequest[]): readonly Uint32Array[] {
  const lengths = Array.from({ length: expected.length + 1 }, () => new Uint32Array(made.length + 1));
  for (let row = expected.length - 1; row >= 0; row--) {
    for (let column = made.length - 1; column >= 0; column--) {
      const [want, have] = [expected[row], made[column]];
      const both = want && have && fits(want, have);
      const next = (lengths[row + 1]?.[column + 1] ?? 0) + 1;
      const skip = Math.max(lengths[row + 1]?.[column] ?? 0, lengths[row]?.[column + 1] ?? 0);
      const place = lengths[row];
      if (place) place[column] = both ? Math.max(next, skip) : skip;
    }
  }
  return lengths;
}

function fits({ method, path, status }: Expectation, made: SeenRequest): boolean {
  return method === made.method && path.test(made.path) && (status === undefined || status === made.outcome);
}
