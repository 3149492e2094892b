import { command } from '../command.ts';
import { setCustomInfo } from '../contract/devices.ts';
import { summarySchema } from './import-schema.ts';

export const importCustomInfo = command({
  name: 'devices custom-info import',
  operation: setCustomInfo,
  summary: 'Set custom information of a fleet from a file',
  description:
    'Sends one request for each row: keys that a device does not have are created, those it has are overwritten, all others stay. ' +
    'CSV has a column deviceId, then one column a key; an empty cell leaves the key alone. NDJSON has {"deviceId": "…", "customInfo": {…}} ' +
    'a line, JSON an array of those. Every row is checked before the first is sent. Rows that are done are recorded in a journal beside the ' +
    'file (FILE.iiot-journal), so that --resume can go on after any end; when every row is done, the journal is removed. Rows of one device ' +
    'are sent in the order of the file. A row whose answer was lost is sent again: what somebody else wrote meanwhile is overwritten. ' +
    'The result counts the rows; with -o ndjson or -o csv it is a line for each row.',
  changes: 'final',
  arguments: { file: { type: 'string', value: 'FILE', description: 'CSV, NDJSON or JSON; - is standard input' } },
  flags: {
    format: {
      type: 'string',
      value: 'FORMAT',
      enum: ['csv', 'ndjson', 'json'],
      description: 'By default from the name',
    },
    nullAs: { type: 'string', value: 'TEXT', description: 'Cell of a CSV file that means null' },
    concurrency: {
      type: 'integer',
      value: 'N',
      minimum: 1,
      maximum: 256,
      description: 'Requests under way, 16 unless told',
    },
    rate: { type: 'string', value: 'N/s', description: 'Requests a second, as many as go unless told' },
    journal: { type: 'string', value: 'FILE', description: 'Where to record what is done; needed for standard input' },
    resume: { type: 'boolean', description: 'Go on where the journal ends; without a journal, begin' },
    onError: {
      type: 'string',
      value: 'WHAT',
      enum: ['continue', 'stop'],
      description: 'continue: send the good rows of a file with bad ones; stop: end at the first row that fails',
    },
    failedTo: { type: 'string', value: 'FILE', description: 'Write rows that failed here, in the format of the input' },
  },
  examples: [
    { line: 'iiot devices custom-info import fleet.csv --dry-run', says: 'Is every row good? Nothing is sent' },
    {
      line: 'iiot devices custom-info import fleet.csv --failed-to failed.csv',
      says: 'Send all, and keep what failed',
    },
    { line: 'iiot devices custom-info import fleet.csv --resume', says: 'Go on after Ctrl-C, a crash or an outage' },
    {
      line: "printf 'deviceId,line\\npress-0001,3\\n' | iiot devices custom-info import - --format csv",
      says: 'From another program',
    },
  ],
  result: summarySchema,
  // Nothing of the work is loaded before it is asked for.
  run: async (input, context) => (await import('./import-run.ts')).runImport(input, context),
});
