import { checkRequest } from '../command/body.ts';
import { command } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { dryRunOfRowsSchema } from '../command/dry-run-schema.ts';
import { readJsonFile } from '../command/read-file.ts';
import { importFlags, keyRowFlags, summarySchema, withRows } from '../command/row-flags.ts';
import { noteTwins } from '../command/twins.ts';
import { setCustomInfo } from '../contract/devices.ts';
import { type Failure, type FailureDetail, refusedInput, usage } from '../failure.ts';
import { fieldsOf } from '../text/record.ts';

const set = command({
  name: 'devices custom-info set',
  operation: setCustomInfo,
  changes: 'final',
  result: {
    type: 'object',
    description: 'What was set',
    required: ['deviceId', 'customInfo'],
    properties: {
      deviceId: { type: 'string', description: 'Device' },
      customInfo: setCustomInfo.body,
    },
  },
  arguments: {
    deviceId: { type: 'string', description: 'Device' },
    pairs: {
      type: 'string',
      value: 'KEY=VALUE',
      repeated: true,
      optional: true,
      description: 'Key and its value; KEY= is an empty string',
    },
  },
  flags: {
    null: {
      type: 'array',
      items: { type: 'string', description: 'Key' },
      value: 'KEY',
      description: 'Key whose value becomes null',
    },
    fromFile: { type: 'string', value: 'FILE', description: 'JSON object of keys and values; - is standard input' },
  },
  examples: [
    { line: 'iiot devices custom-info set press-0001 line=3 "owner=Night shift"', says: 'Two keys; the others stay' },
    { line: 'iiot devices custom-info set press-0001 --null calibratedAt', says: 'A key without a value' },
    {
      line: 'iiot devices custom-info set --rows fleet.csv',
      says: 'One device a row, as iiot devices custom-info import',
    },
  ],
  rows: {
    flags: withRows(keyRowFlags),
    async run(_set, { rows, ...input }, context) {
      if (['deviceId', 'null', 'fromFile', 'bodyFile'].some((name) => input[name] !== undefined))
        throw usage('With --rows, the devices and their keys are in the file.', 'Leave out the other arguments');
      const { sendDeviceRows } = await import('./device-rows.ts');
      return sendDeviceRows('devices custom-info set --rows', { ...input, file: String(rows) }, context);
    },
  },
  async run(input, context) {
    const { deviceId } = input;
    const body = await keysOf(input, context);
    if (body.size === 0) throw usage('There is nothing to set.', 'Give KEY=VALUE, --null KEY or --from-file FILE');
    const request = { deviceId, body };
    checkRequest(set, setCustomInfo, request, context);
    noteTwins('keys', body.keys(), context);
    const keys = `${body.size} ${body.size === 1 ? 'key' : 'keys'} of device ${deviceId}`;
    return {
      kind: 'change',
      operation: setCustomInfo,
      input: request,
      about: `device ${deviceId}`,
      action: `Set ${keys}`,
      explain,
      result: () => ({
        kind: 'done',
        value: { deviceId, customInfo: body },
        sentence: `Set ${keys}`,
        id: 'deviceId',
      }),
    };
  },
});

function explain(failure: Failure): Failure {
  if (failure.kind !== 'not_found') return failure;
  return failure.with({ hint: 'Check the ID and the platform: iiot profiles show' });
}

type KeyInput = {
  readonly pairs?: readonly string[];
  readonly null?: readonly string[] | undefined;
  readonly fromFile?: string | undefined;
  readonly bodyFile?: string | undefined;
};

/** All keys in the order given, in a Map, so that `__proto__` and "10" are ordinary keys. A key given twice is a usage error. */
async function keysOf(input: KeyInput, context: Context): Promise<Map<string, unknown>> {
  if (input.bodyFile !== undefined && (input.fromFile !== undefined || input.pairs?.length || input.null?.length)) {
    throw usage('--body-file is the whole body and cannot be combined with another argument.', 'Give one or the other');
  }
  const option = input.bodyFile === undefined ? '--from-file' : '--body-file';
  const file = input.bodyFile ?? input.fromFile;
  const fromFile = file === undefined ? new Map() : await readJsonFile(file, option, context);
  if (!(fromFile instanceof Map)) throw usage(`${option} must hold a JSON object.`);
  const keys = new Map<string, unknown>(fieldsOf(fromFile));
  const problems: FailureDetail[] = [];
  const add = (key: string, value: string | null, where: string) => {
    if (keys.has(key)) problems.push({ option: where, message: `gives the key "${key}" twice` });
    keys.set(key, value);
  };
  for (const pair of input.pairs ?? []) {
    const split = pair.indexOf('=');
    if (split < 0) problems.push({ option: pair, message: 'is not KEY=VALUE' });
    else add(pair.slice(0, split), pair.slice(split + 1), 'KEY=VALUE');
  }
  for (const key of input.null ?? []) add(key, null, '--null');
  if (problems.length > 0) throw refusedInput(problems, 'See iiot devices custom-info set --help');
  return keys;
}

const { body: _fromRows, ...operation } = setCustomInfo;

const importCustomInfo = command({
  name: 'devices custom-info import',
  withheld: 'reads and writes files, and reports as it goes',
  alone: 'it has a journal for one import',
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
  flags: importFlags,
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
  run: async (input, context) =>
    (await import('./device-rows.ts')).sendDeviceRows('devices custom-info import', input, context),
});

export const commands = [set, importCustomInfo];
