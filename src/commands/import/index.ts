import { command } from '../../command/command.ts';
import { dryRunOfRowsSchema } from '../../command/dry-run-schema.ts';
import { setCustomInfo } from '../../contract/devices.ts';
import { summarySchema } from './summary-schema.ts';

const { body: _fromRows, ...operation } = setCustomInfo;

export const importCustomInfo = command({
  name: 'devices custom-info import',
  withheld: 'reads and writes files, and reports as it goes',
  operation,
  summary: 'Set custom information of a fleet from a file',
  description:
    'Sends one request for each row: keys that a device does not have are created, keys that it has are overwritten, and all others stay. ' +
    'The result is a count of rows; with -o ndjson or -o csv it is one line per row.\n\n' +
    'CSV has a column deviceId, then one column per key; an empty cell leaves the key unchanged, and a row without a value is not sent. Cells are separated by , ; tab or |, ' +
    'found in the header. The file is UTF-8, or UTF-16 with a byte order mark, unless --encoding names another encoding.\n\n' +
    'A sheet of a workbook has the same columns; numbers are as the sheet shows them, and dates are ISO 8601. ' +
    'A device ID that a spreadsheet may have changed is refused: numbers of more than 15 digits, fractions, dates. ' +
    'Hidden rows are sent too, after a question at a terminal.\n\n' +
    'NDJSON has {"deviceId": "…", "customInfo": {…}} on each line, and JSON is an array of those.\n\n' +
    'Every row is checked before the first is sent. Rows of one device are sent in the order of the file. ' +
    'A row whose response was lost is sent again, and overwrites what someone else wrote in the meantime.\n\n' +
    'Rows that are done are recorded in a journal beside the file (FILE.iiot-journal), so that --resume can continue after any ' +
    'interruption; when every row is done, the journal is removed.\n\n--resume also takes a file that was edited: it skips the rows that are ' +
    'done and unchanged, says how many it will send, and asks first.',
  changes: 'final',
  arguments: {
    file: {
      type: 'string',
      value: 'FILE',
      description: 'CSV, NDJSON, JSON or a workbook (.xlsx, .ods); - is standard input',
    },
  },
  flags: {
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
      description: 'Skip the rows that are done and unchanged; without a journal, start from the first row',
    },
    onError: {
      type: 'string',
      value: 'WHAT',
      enum: ['continue', 'stop'],
      description: 'continue: send the good rows even if others are bad; stop: end at the first row that fails',
    },
    delimiter: {
      type: 'string',
      value: 'CHARACTER',
      description: 'Separator of the cells of a CSV file; tab for a tab (default: found in the header)',
    },
    encoding: {
      type: 'string',
      value: 'NAME',
      description: 'Encoding of a text file, for example windows-1252 (default: utf-8)',
    },
    sheet: { type: 'string', value: 'NAME', description: 'Sheet of a workbook (default: the first)' },
    numbersAsIds: {
      type: 'boolean',
      description: 'Accept numbers of more than 15 digits and fractions as device IDs, with the digits in the file',
    },
    shard: {
      type: 'string',
      value: 'I/N',
      description: 'Import part I of N, split by device: for N machines at once, each with its own journal',
    },
    failedTo: {
      type: 'string',
      value: 'FILE',
      description: 'Write rows that failed here, in the format of the input; those of a workbook as CSV',
    },
  },
  examples: [
    { line: 'iiot devices custom-info import fleet.csv --dry-run', says: 'Check every row; nothing is sent' },
    {
      line: 'iiot devices custom-info import fleet.csv --failed-to failed.csv',
      says: 'Send all, and keep what failed',
    },
    { line: 'iiot devices custom-info import fleet.csv --resume', says: 'Continue after Ctrl-C, a crash or an outage' },
    { line: 'iiot devices custom-info import fleet.csv --shard 3/8', says: 'The third of eight machines' },
    {
      line: "printf 'deviceId,line\\npress-0001,3\\n' | iiot devices custom-info import - --format csv",
      says: 'From another program',
    },
  ],
  result: summarySchema,
  dryRun: dryRunOfRowsSchema,
  // Loaded only when it runs.
  run: async (input, context) => (await import('./run.ts')).runImport(input, context),
});
