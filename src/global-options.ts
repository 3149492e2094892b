import type { Flag } from './command.ts';
import { formats } from './output/result.ts';

/** The options of every command. */
export const globalFlags = {
  profile: { type: 'string', value: 'NAME', description: 'Profile to use' },
  baseUrl: { type: 'string', value: 'URL', description: "The platform, over the profile's" },
  org: { type: 'string', value: 'ID', description: "The organization, over the profile's" },
  output: {
    type: 'string',
    short: 'o',
    value: 'FORMAT',
    enum: formats,
    default: 'table',
    description: 'Format of the result',
  },
  json: { type: 'boolean', description: 'Short for -o json' },
  quiet: { type: 'boolean', short: 'q', description: 'No notices, no progress' },
  columns: { type: 'string', value: 'A,B', description: 'Fields to show, in this order (table and csv)' },
  jq: { type: 'string', value: 'EXPR', description: 'Filter the whole result with a jq expression' },
  csvSafe: { type: 'boolean', description: 'Defuse csv cells that spreadsheets take for formulas' },
  yes: { type: 'boolean', short: 'y', description: 'Agree to what would be asked; never stands in for a typed name' },
  noInput: { type: 'boolean', description: 'Never ask: what is missing is an error' },
  protectedProfile: { type: 'string', value: 'NAME', description: 'Agree to changes through this protected profile' },
  verbose: { type: 'boolean', short: 'v', description: 'A line for each request on stderr' },
  debug: { type: 'boolean', description: 'Headers and bodies too, secrets masked' },
  timeout: { type: 'string', value: 'DURATION', default: '30s', description: 'Per request' },
  retries: {
    type: 'integer',
    value: 'N',
    minimum: 0,
    maximum: 100,
    default: 3,
    description: 'Repeats where that is safe; a row of an import has 5',
  },
  caFile: { type: 'string', value: 'FILE', description: "Further certificate authorities, beside the system's" },
  noColor: { type: 'boolean', description: 'No colour' },
  help: { type: 'boolean', short: 'h', description: 'Show help' },
} as const satisfies Readonly<Record<string, Flag>>;

/** Only where something on the platform changes: elsewhere there is nothing to rehearse. */
export const dryRunFlag = {
  type: 'boolean',
  description: 'Check, print the request and a curl line, send nothing',
} as const satisfies Flag;

type Value<F> = F extends { readonly enum: readonly (infer E)[] }
  ? E
  : F extends { readonly type: 'boolean' }
    ? true
    : F extends { readonly type: 'integer' }
      ? number
      : string;

/** What was typed of them; absent is not false. */
export type GlobalInput = {
  readonly [K in keyof typeof globalFlags]?: Value<(typeof globalFlags)[K]> | undefined;
} & { readonly dryRun?: boolean | undefined };
