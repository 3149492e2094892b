import type { Infer, Schema } from '../contract/schema.ts';
import { boolean, integer, list, object, record, text, textOrNull } from '../contract/shared.ts';
import type { Flag } from './option.ts';

type Flags = Readonly<Record<string, Flag>>;

const file = { value: 'FILE' } as const;

export const rowFlags = {
  format: text('Format of the file, by default from its name', {
    value: 'FORMAT',
    enum: ['csv', 'ndjson', 'json', 'xlsx', 'ods'],
  }),
  nullAs: text('Cell of a CSV file or a workbook that means null', { value: 'TEXT' }),
  concurrency: integer('Requests in flight', { value: 'N', minimum: 1, maximum: 256, default: 16 }),
  rate: text('Requests per second of this process (default: no limit)', { value: 'N/s' }),
  patience: text('How long to wait while the platform fails or cannot be reached (default: 10m)', {
    value: 'DURATION',
  }),
  journal: text('Where to record which rows are done (default: FILE.iiot-journal; none for standard input)', file),
  resume: boolean('Send what is left: skip the rows that are done and unchanged; the file may be edited'),
  repeatUnknown: boolean('With --resume: also send rows of unknown outcome again'),
  skipInvalid: boolean('Skip the invalid rows and send the others'),
  failFast: boolean('Stop at the first row that fails'),
  delimiter: text('Separator of the cells of a CSV file; tab for a tab (default: found in the header)', {
    value: 'CHARACTER',
  }),
  encoding: text('Encoding of a text file, for example shift_jis (default: utf-8)', { value: 'NAME' }),
  listSeparator: text(
    'Separator of the values in the cell of a repeatable option (default: none, one value per cell)',
    { value: 'TEXT' },
  ),
  ignoreColumns: { ...list('Columns of the file to leave out', text('Columns')), value: 'A,B' },
  headerRow: integer('Line with the column names, or row of a sheet, if a title stands above', {
    value: 'N',
    minimum: 1,
    maximum: 1_048_576,
  }),
  sheet: text('Sheet of a workbook, by default the first visible one', { value: 'NAME' }),
  numbersAsIds: boolean('Accept fractions and numbers of more than 15 digits as IDs, with the digits in the file'),
  shard: text('Send part I of N, split by ID: for N machines at once, each with its own journal', { value: 'I/N' }),
  failedFile: text('Write failed rows to this file, in the input format; those of a workbook as CSV', file),
  resultsFile: text(
    'Write what the platform returns for each row to this file, as rows for the same command (NDJSON)',
    file,
  ),
} as const satisfies Flags;

/** The option of a command whose records can be read before they are changed. */
export const beforeFlag = {
  beforeFile: text(
    'Write what is stored before the change to this file, as rows (NDJSON); templates update only',
    file,
  ),
} as const satisfies Flags;

/** `--rows` and the options that go with it, with the topic that explains them. None is for agents, whose files the user does not see. */
export function withRows(flags: Flags): Flags {
  const named = Object.entries(flags).map(([name, flag]) => [name, { ...flag, topic: 'rows', forAgents: 'never' }]);
  return { rows: rowsFlag, ...Object.fromEntries(named) };
}

const rowsFlag: Flag = text('Run it for each row of this file', { ...file, forAgents: 'never' });

export type RowsInput = { readonly file: string } & {
  readonly [K in keyof typeof rowFlags]?: Infer<(typeof rowFlags)[K]> | undefined;
} & { readonly beforeFile?: string | undefined };

const rowError = {
  ...record('What went wrong', {
    code: text('As error.code'),
    message: text('A sentence'),
    status: { type: ['integer', 'null'], description: 'HTTP status' },
    requestId: textOrNull("The platform's ID of the request"),
  }),
  type: ['object', 'null'],
};

/** A row in `failures`, and part of a line of ndjson, which also has the row's ID and the platform's result. */
const reportedRow = record('A row', {
  line: integer('Line of the file, or row of a sheet'),
  status: text('One of done, failed, skipped, not_sent and unknown'),
  error: rowError as unknown as Schema, // JSON Schema has more types than the contract
});

export const summarySchema: Schema = object(
  'Number of rows by outcome; with -o ndjson and -o csv, one line per row instead',
  {
    total: integer('Rows in all'),
    done: integer('Rows that the platform accepted'),
    failed: integer('Rows that it refused, or that cannot be sent'),
    skipped: integer('Rows that an earlier run finished'),
    notSent: integer('Rows that were not sent'),
    empty: integer('Rows without a value, which are not sent and not counted elsewhere'),
    unknown: integer('Rows that may have been applied, though no response confirms it'),
    durationSeconds: { description: 'How long it took, a number of seconds' },
    baseUrl: text('Base URL of the platform'),
    profile: text('Profile in use'),
    orgId: textOrNull('Organization of the rows'),
    file: textOrNull('Path of the file; null for standard input'),
    failures: list('The first rows that failed, each with its place, its key, status and error', reportedRow),
    results: list('What was created, where rows create something', {
      type: 'object',
      description: 'A row, and the IDs in it',
    }),
  },
  {
    required: [
      ...(['total', 'done', 'failed', 'skipped', 'notSent', 'empty', 'unknown', 'durationSeconds'] as const),
      ...(['baseUrl', 'profile', 'orgId', 'file', 'failures'] as const),
    ],
  },
);
