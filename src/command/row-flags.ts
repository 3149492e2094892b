import type { Infer, Schema } from '../contract/schema.ts';
import type { Flag } from './option.ts';

type Flags = Readonly<Record<string, Flag>>;

/** The options of a command that reads rows. */
export const rowFlags = {
  format: {
    type: 'string',
    value: 'FORMAT',
    enum: ['csv', 'ndjson', 'json', 'xlsx', 'ods'],
    description: 'Format of the file, by default from its name',
  },
  nullAs: { type: 'string', value: 'TEXT', description: 'Cell of a CSV file or a workbook that means null' },
  concurrency: {
    type: 'integer',
    value: 'N',
    minimum: 1,
    maximum: 256,
    default: 16,
    description: 'Requests in flight',
  },
  rate: { type: 'string', value: 'N/s', description: 'Requests per second of this process (default: no limit)' },
  journal: {
    type: 'string',
    value: 'FILE',
    description: 'Where to record which rows are done (default: FILE.iiot-journal; none for standard input)',
  },
  resume: {
    type: 'boolean',
    description: 'Send what is left: skip the rows that are done and unchanged; the file may be edited',
  },
  repeatUnknown: {
    type: 'boolean',
    description: 'With --resume: also send rows of unknown outcome again',
  },
  skipInvalid: { type: 'boolean', description: 'Skip the invalid rows and send the others' },
  failFast: { type: 'boolean', description: 'Stop at the first row that fails' },
  delimiter: {
    type: 'string',
    value: 'CHARACTER',
    description: 'Separator of the cells of a CSV file; tab for a tab (default: found in the header)',
  },
  encoding: {
    type: 'string',
    value: 'NAME',
    description: 'Encoding of a text file, for example shift_jis (default: utf-8)',
  },
  listSeparator: {
    type: 'string',
    value: 'TEXT',
    description: 'Separator of the values in the cell of a repeatable option (default: none, one value per cell)',
  },
  ignoreColumns: {
    type: 'array',
    items: { type: 'string', description: 'Columns' },
    value: 'A,B',
    description: 'Columns of the file to leave out',
  },
  headerRow: {
    type: 'integer',
    value: 'N',
    minimum: 1,
    maximum: 1_048_576,
    description: 'Line with the column names, or row of a sheet, if a title stands above',
  },
  sheet: { type: 'string', value: 'NAME', description: 'Sheet of a workbook, by default the first visible one' },
  numbersAsIds: {
    type: 'boolean',
    description: 'Accept fractions and numbers of more than 15 digits as IDs, with the digits in the file',
  },
  shard: {
    type: 'string',
    value: 'I/N',
    description: 'Send part I of N, split by ID: for N machines at once, each with its own journal',
  },
  failedFile: {
    type: 'string',
    value: 'FILE',
    description: 'Write failed rows to this file, in the input format; those of a workbook as CSV',
  },
  resultsFile: {
    type: 'string',
    value: 'FILE',
    description: 'Write what the platform returns for each row to this file, as rows for the same command (NDJSON)',
  },
} as const satisfies Flags;

/** The option of a command whose records can be read before they are changed. */
export const beforeFlag = {
  beforeFile: {
    type: 'string',
    value: 'FILE',
    description: 'Write what is stored before the change to this file, as rows (NDJSON); templates update only',
  },
} as const satisfies Flags;

/** `--rows` and the options that go with it, with the topic that explains them. None is for agents, whose files the user does not see. */
export function withRows(flags: Flags): Flags {
  const named = Object.entries(flags).map(([name, flag]) => [name, { ...flag, topic: 'rows', forAgents: 'never' }]);
  return { rows: rowsFlag, ...Object.fromEntries(named) };
}

const rowsFlag: Flag = {
  type: 'string',
  value: 'FILE',
  forAgents: 'never',
  description: 'Run it for each row of this file',
};

/** The arguments and options given. */
export type RowsInput = { readonly file: string } & {
  readonly [K in keyof typeof rowFlags]?: Infer<(typeof rowFlags)[K]> | undefined;
} & { readonly beforeFile?: string | undefined };

const count = (description: string) => ({ type: 'integer', description }) as const;

const rowError = {
  type: ['object', 'null'],
  description: 'What went wrong',
  required: ['code', 'message', 'status', 'requestId'],
  properties: {
    code: { type: 'string', description: 'As error.code' },
    message: { type: 'string', description: 'A sentence' },
    status: { type: ['integer', 'null'], description: 'HTTP status' },
    requestId: { type: ['string', 'null'], description: "The platform's ID of the request" },
  },
};

/** A row in `failures`, and in a line of ndjson, which has its ID and what the platform gave as well. */
const reportedRow: Schema = {
  type: 'object',
  description: 'A row',
  required: ['line', 'status', 'error'],
  properties: {
    line: count('Line of the file, or row of a sheet'),
    status: { type: 'string', description: 'One of done, failed, skipped, not_sent and unknown' },
    error: rowError as unknown as Schema, // JSON Schema has more types than the contract
  },
};

export const summarySchema: Schema = {
  type: 'object',
  description: 'Number of rows by outcome; with -o ndjson and -o csv, one line per row instead',
  required: ['total', 'done', 'failed', 'skipped', 'notSent', 'empty', 'unknown', 'durationSeconds', 'failures'],
  properties: {
    total: count('Rows in all'),
    done: count('Rows that the platform accepted'),
    failed: count('Rows that it refused, or that cannot be sent'),
    skipped: count('Rows that an earlier run finished'),
    notSent: count('Rows that were not sent'),
    empty: count('Rows without a value, which are not sent and not counted elsewhere'),
    unknown: count('Rows that may have been applied, though no response confirms it'),
    durationSeconds: { description: 'How long it took, a number of seconds' },
    failures: {
      type: 'array',
      description: 'The first rows that failed, each with its place, its key, status and error',
      items: reportedRow,
    },
    results: {
      type: 'array',
      description: 'What was created, where rows create something',
      items: { type: 'object', description: 'A row, and the IDs in it' },
    },
  },
};
