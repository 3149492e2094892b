import { globPattern } from '../text/glob.ts';
import type { Random } from './world/seed.ts';

/** A fault instead of a response. `reset` cuts the connection before the request is carried out, `reset-after` after it was, and `hang` never responds. */
export type Fault =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: number }
  | { readonly kind: 'reset' | 'reset-after' | 'hang' };

export type FaultRule = {
  readonly text: string;
  readonly method: string | undefined;
  /** Matches the path as in the request line, percent-encoded. */
  readonly path: RegExp;
  readonly fault: Fault;
  /** From 0 to 1. */
  readonly chance: number;
};

const form = 'A rule is [METHOD ]PATH-GLOB=STATUS|reset|hang[:PERCENT%], "PUT /platform/**=503:5%" for example';

/** Parses a rule such as "PUT /platform/**=503:5%". Returns a sentence if it is invalid. */
export function readFault(text: string): FaultRule | string {
  const parts = /^(?:(\S+) +)?(\S+?)=([^=\s]+(?:,retry-after=[^=\s]+)?)$/.exec(text.trim());
  if (!parts) return `${form}; this has no path, or nothing after "=".`;
  const [, method, glob = '', what = ''] = parts;
  if (method && !/^(GET|POST|PUT|PATCH|DELETE)$/i.test(method))
    return `${form}; ${method} is not a method of the platform.`;
  if (!/^[/*]/.test(glob)) return `${form}; a path begins with / or *.`;
  const [, outcome = '', percent] = /^(.*?)(?::([^:]*))?$/.exec(what) ?? [];
  const chance = percent === undefined ? 1 : readPercent(percent);
  if (chance === undefined) return `${form}; a percentage is above 0% and at most 100%.`;
  const fault = readOutcome(outcome);
  if (!fault) return `${form}; a status is from 400 to 599, optionally with ",retry-after=SECONDS".`;
  return { text, method: method?.toUpperCase(), path: globPattern(glob), fault, chance };
}

function readPercent(text: string): number | undefined {
  const percent = Number(/^(\d{1,3}(?:\.\d+)?)%$/.exec(text)?.[1]);
  return percent > 0 && percent <= 100 ? percent / 100 : undefined;
}

function readOutcome(text: string): Fault | undefined {
  if (text === 'reset' || text === 'reset-after' || text === 'hang') return { kind: text };
  const [, status, seconds] = /^([45]\d\d)(?:,retry-after=(\d{1,6}))?$/.exec(text) ?? [];
  if (!status) return undefined;
  return { kind: 'status', status: Number(status), ...(seconds !== undefined && { retryAfter: Number(seconds) }) };
}

/** The first rule that matches a request and whose chance comes up. */
export function chooseFault(
  rules: readonly FaultRule[],
  random: Random,
  method: string,
  path: string,
): FaultRule | undefined {
  return rules.find(
    (rule) =>
      (!rule.method || rule.method === method) && rule.path.test(path) && (rule.chance === 1 || random() < rule.chance),
  );
}
