import { checkRequest } from '../command/body.ts';
import { type Command, command } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { dryRunOfEachSchema } from '../command/dry-run-schema.ts';
import { readJsonFile } from '../command/read-file.ts';
import { type RowsInput, rowFlags, summarySchema, withRows } from '../command/row-flags.ts';
import { noteTwins } from '../command/twins.ts';
import { setCustomInfo } from '../contract/devices.ts';
import { record, text } from '../contract/shared.ts';
import { type FailureDetail, refusedInput, usage } from '../failure.ts';
import { fieldsOf } from '../text/record.ts';

const set = command({
  name: 'devices custom-info set',
  changes: { undoable: false },
  operation: setCustomInfo,
  result: record('What was set', { deviceId: text('Device'), customInfo: setCustomInfo.body }),
  arguments: {
    deviceId: text('Device'),
    pairs: text('Key and its value; KEY= is an empty string', { value: 'KEY=VALUE', repeated: true, optional: true }),
  },
  flags: { null: { type: 'array', items: text('Key'), value: 'KEY', description: 'Key whose value becomes null' } },
  examples: {
    'iiot devices custom-info set press-0001 line=3 "owner=Night shift"': 'Two keys; the others stay',
    'iiot devices custom-info set press-0001 --null calibratedAt': 'A key without a value',
  },
  async run(input, context) {
    const { deviceId } = input;
    const body = await readCustomInfo(input, context);
    if (body.size === 0) throw usage('There is nothing to set.', 'Give KEY=VALUE, --null KEY or --body-file FILE');
    const request = { deviceId, body };
    checkRequest(set, setCustomInfo, request, context);
    if (!isRow(input)) {
      noteTwins('device ID', [deviceId], context);
      noteTwins('key', body.keys(), context);
    }
    const keys = `${body.size} ${body.size === 1 ? 'key' : 'keys'} of device ${deviceId}`;
    return {
      kind: 'change',
      operation: setCustomInfo,
      input: request,
      subject: { type: 'device', id: deviceId },
      action: `Set ${keys}`,
      explain: (failure) =>
        failure.kind === 'not_found'
          ? failure.with({ hint: 'Check the ID and the platform: iiot profiles show' })
          : failure,
      result: () => ({ kind: 'done', value: { deviceId, customInfo: body }, sentence: `Set ${keys}`, id: 'deviceId' }),
    };
  },
});

/** Whether the input comes from a row, whose columns are the keys. */
const isRow = (input: object): input is { readonly customInfo: Map<string, unknown> } => 'customInfo' in input;

type KeyInput = {
  readonly pairs?: readonly string[];
  readonly null?: readonly string[] | undefined;
  readonly bodyFile?: string | undefined;
};

/** Reads all keys, in the order given. In a Map, `__proto__` and "10" are ordinary keys. @throws usage for a key that is given twice */
async function readCustomInfo(input: KeyInput, context: Context): Promise<Map<string, unknown>> {
  if (isRow(input)) return input.customInfo;
  const { bodyFile } = input;
  const stored = bodyFile === undefined ? new Map() : await readJsonFile(bodyFile, '--body-file', context);
  if (!(stored instanceof Map)) throw usage('--body-file must hold a JSON object.');
  const keys = new Map<string, unknown>(fieldsOf(stored));
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
const { rows: _isAnArgument, ...fileFlags } = withRows(rowFlags);

const importCustomInfo: Command = command({
  name: 'devices custom-info import',
  without: { agents: 'reads and writes files, and reports as it goes', each: 'it has a journal for one import' },
  changes: { undoable: false, dryRun: dryRunOfEachSchema },
  shell: { ends: { partial: 'some rows failed, or are of unknown outcome' } },
  operation,
  summary: 'Set custom information of a fleet from a file',
  description:
    'Sends one request for each row: keys that a device does not have are created, keys that it has are overwritten, and all others stay. ' +
    'CSV and workbooks have a column deviceId, then one column per key; an empty cell leaves the key unchanged. NDJSON has ' +
    '{"deviceId": "…", "customInfo": {…}} on each line, and JSON is an array of those. Every row is checked before the first is sent.',
  arguments: { file: text('CSV, NDJSON, JSON or a workbook (.xlsx, .ods); - is standard input', { value: 'FILE' }) },
  flags: fileFlags,
  examples: {
    'iiot devices custom-info import fleet.csv --dry-run': 'Check every row; nothing is sent',
    'iiot devices custom-info import fleet.csv --failed-file failed.csv --yes': 'Send all, and keep what failed',
    'iiot devices custom-info import fleet.csv --resume --yes': 'Continue after Ctrl-C, a crash or an outage',
    'iiot devices custom-info import fleet.csv --shard 3/8 --yes': 'The third of eight machines',
    "printf 'deviceId,line\\npress-0001,3\\n' | iiot devices custom-info import - --format csv --yes":
      'From another program',
  },
  result: summarySchema,
  async run(input, context) {
    const { runRows } = await import('./rows/run.ts');
    return runRows(set, importRows, input as RowsInput, context, importCustomInfo);
  },
});

/** Each row of an import is a call of `set`, with every column but deviceId as a key. */
const importRows = {
  one: 'device',
  many: 'devices',
  key: 'deviceId',
  others: 'customInfo',
  results: ['customInfo'],
} as const;

export const commands = [set, importCustomInfo];
