import type { Infer } from '../contract/schema.ts';
import { formats } from '../output/result.ts';
import { type Flag, kebab, type Option } from './option.ts';

/** The options of every command. */
const globalFlags = {
  profile: { type: 'string', value: 'NAME', description: 'Profile to use' },
  baseUrl: { type: 'string', value: 'URL', description: 'Base URL (overrides the profile)' },
  org: {
    type: 'string',
    value: 'ID',
    description: 'Organization ID, for commands that act in one (overrides the profile)',
  },
  output: {
    type: 'string',
    short: 'o',
    value: 'FORMAT',
    enum: formats,
    default: 'table',
    description: 'Output format',
  },
  json: { type: 'boolean', description: 'Short for -o json' },
  quiet: { type: 'boolean', short: 'q', description: 'Do not print notices or progress' },
  columns: {
    type: 'string',
    value: 'A,B',
    description: 'Fields to show, in this order; all for every field (table and csv)',
  },
  jq: { type: 'string', value: 'EXPR', description: 'Filter the result with a jq expression' },
  forSpreadsheet: {
    type: 'boolean',
    description: 'Make csv safe for spreadsheets: add a byte order mark and defuse formulas',
  },
  yes: { type: 'boolean', short: 'y', description: 'Answer yes, except for a protected profile or a name to type' },
  noInput: { type: 'boolean', description: 'Never prompt; fail if something is missing' },
  confirmProfile: {
    type: 'array',
    value: 'NAME',
    items: { type: 'string', description: 'Profile' },
    description: 'Allow changes with this protected profile',
  },
  readOnly: { type: 'boolean', description: 'Refuse every change before anything is sent' },
  verbose: { type: 'boolean', short: 'v', description: 'Print a line for each request to stderr' },
  debug: { type: 'boolean', description: 'Print headers and bodies too, with secrets masked' },
  requestTimeout: { type: 'string', value: 'DURATION', default: '30s', description: 'Timeout of each request' },
  retries: {
    type: 'integer',
    value: 'N',
    minimum: 0,
    maximum: 100,
    default: 3,
    description: 'Retries of a request that is safe to repeat; 5 for each row of an import',
  },
  caFile: { type: 'string', value: 'FILE', description: "More certificate authorities, in addition to the system's" },
  clientCert: { type: 'string', value: 'FILE', description: 'Client certificate for a gateway (PEM or PKCS#12)' },
  clientKey: {
    type: 'string',
    value: 'FILE',
    description: 'Private key of the client certificate, if in another file',
  },
  noColor: { type: 'boolean', description: 'Do not use color' },
  help: { type: 'boolean', short: 'h', description: 'Show help' },
  version: { type: 'boolean', short: 'V', description: 'Show the version' },
} as const satisfies Readonly<Record<string, Flag>>;

/** Only for commands that change the platform: elsewhere a dry run makes no sense. */
export const dryRunFlag = {
  type: 'boolean',
  description: 'Check, print the request and a curl line, send nothing',
} as const satisfies Flag;

/** The global options given; absent is not the same as false. */
export type GlobalInput = {
  readonly [K in keyof typeof globalFlags]?: Infer<(typeof globalFlags)[K]> | undefined;
} & { readonly dryRun?: boolean | undefined };

/** The options of every command, as options. */
export const globalOptions: readonly Option[] = Object.entries(globalFlags).map(([name, schema]) => ({
  name,
  long: kebab(name),
  schema,
}));

/** Short forms of command names. */
export const aliases: Readonly<Record<string, string>> = { list: 'ls', delete: 'rm' };
