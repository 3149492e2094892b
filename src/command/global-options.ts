import type { Infer } from '../contract/schema.ts';
import { boolean, integer, list, text } from '../contract/shared.ts';
import { formats } from '../output/result.ts';
import { type Flag, ownOption } from './option.ts';

/** The options of every command. */
const globalFlags = {
  profile: text('Profile to use', { value: 'NAME' }),
  baseUrl: text('Base URL (overrides the profile)', { value: 'URL' }),
  org: text('Organization ID, for commands that act in one (overrides the profile)', { value: 'ID' }),
  output: text('Output format', { short: 'o', value: 'FORMAT', enum: formats, default: 'table' }),
  json: boolean('Short for -o json'),
  quiet: boolean('Do not print notices or progress', { short: 'q' }),
  columns: text('Fields to show, in this order; all for every field (table and csv)', { value: 'A,B' }),
  jq: text('Filter the result with a jq expression', { value: 'EXPR' }),
  forSpreadsheet: boolean('Make csv safe for spreadsheets: add a byte order mark and defuse formulas'),
  yes: boolean('Answer yes, except for a protected profile or a name to type', { short: 'y' }),
  noInput: boolean('Never prompt; fail if something is missing'),
  confirmProfile: { ...list('Allow changes with this protected profile', text('Profile')), value: 'NAME' },
  readOnly: boolean('Refuse every change before anything is sent'),
  verbose: boolean('Print a line for each request to stderr', { short: 'v' }),
  debug: boolean('Print headers and bodies too, with secrets masked'),
  requestTimeout: text('Timeout of each request', { value: 'DURATION', default: '30s' }),
  retries: integer('Retries of a request that is safe to repeat; 5 for each row of an import', {
    value: 'N',
    minimum: 0,
    maximum: 100,
    default: 3,
  }),
  caFile: text("More certificate authorities, in addition to the system's", { value: 'FILE' }),
  clientCert: text('Client certificate for a gateway (PEM or PKCS#12)', { value: 'FILE' }),
  clientKey: text('Private key of the client certificate, if in another file', { value: 'FILE' }),
  noColor: boolean('Do not use color'),
  help: boolean('Show help', { short: 'h' }),
  version: boolean('Show the version', { short: 'V' }),
} as const satisfies Readonly<Record<string, Flag>>;

/** Only for commands that change the platform: elsewhere a dry run makes no sense. */
export const dryRunFlag = boolean('Check and print the request; send nothing');

/** The global options that were given. Absent is not the same as false. */
export type GlobalInput = {
  readonly [K in keyof typeof globalFlags]?: Infer<(typeof globalFlags)[K]> | undefined;
} & { readonly dryRun?: boolean | undefined };

export const globalOptions = Object.entries(globalFlags).map(([name, schema]) => ownOption(name, schema));

export const aliases: Readonly<Record<string, string>> = { list: 'ls', delete: 'rm' };
