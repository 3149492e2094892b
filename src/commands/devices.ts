import { checkRequest } from '../command/body.ts';
import { command } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { readJsonFile } from '../command/read-json.ts';
import { setCustomInfo } from '../contract/devices.ts';
import { type Failure, type FailureDetail, refusedInput, usage } from '../failure.ts';
import { fieldsOf } from '../text/record.ts';
import { importCustomInfo } from './import/index.ts';

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
  ],
  async run(input, context) {
    const { deviceId } = input;
    const body = await keysOf(input, context);
    if (body.size === 0) throw usage('There is nothing to set.', 'Give KEY=VALUE, --null KEY or --from-file FILE');
    const request = { deviceId, body };
    checkRequest(set, setCustomInfo, request, context);
    warnOfTwins(body, context);
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

function warnOfTwins(body: ReadonlyMap<string, unknown>, context: Context): void {
  const seen = new Map<string, string>();
  for (const key of body.keys()) {
    const twin = seen.get(key.toLowerCase());
    if (twin !== undefined) context.notice(`Note: the keys "${twin}" and "${key}" differ only in case.`);
    seen.set(key.toLowerCase(), key);
  }
}

export const commands = [set, importCustomInfo];
