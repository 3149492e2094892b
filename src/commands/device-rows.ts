import type { Command } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { dryRunResult } from '../command/dry-run.ts';
import type { RowsInput } from '../command/row-flags.ts';
import { baseUrl } from '../command/target.ts';
import { setCustomInfo } from '../contract/devices.ts';
import { segmentProblem, type WireRequest } from '../contract/wire.ts';
import { usage } from '../failure.ts';
import type { Result } from '../output/result.ts';
import type { Cells } from '../rows/csv.ts';
import type { Row, RowContent } from '../rows/row.ts';
import { jsonText } from '../text/json-write.ts';
import { asTyped, columnNames } from './rows/as-typed.ts';
import type { CellReading, CheckedRows, RowKind } from './rows/kind.ts';

import { runRows } from './rows/run.ts';

/** Sends rows of custom information. */
export function sendDeviceRows(command: Command, input: RowsInput, context: Context): Promise<Result> {
  return runRows({ ...rowKind(columnNames(input.ignoreColumns)), ...asTyped(command, input, context) }, input, context);
}

/** The column or field with the device's ID. */
const key = 'deviceId';

const rowKind = (ignored: readonly string[]): Omit<RowKind<WireRequest>, 'line' | 'meaning'> => ({
  operation: setCustomInfo,
  key,
  one: 'device',
  columns: {
    required: key,
    isId: (column) => column === key,
    judge(columns, file) {
      const missing = ignored.find((name) => !columns.includes(name));
      if (missing) throw usage(`${file} has no column ${JSON.stringify(missing)} for --ignore-columns.`);
    },
  },
  reader: (csv) => reader(csv, new Set(ignored)),
  // A body that says the same in another order is sent again.
  contentOf: ({ body }) => body?.text ?? '',
  question: ({ total, source }) => ({ action: `Import ${total} rows of ${source.name}` }),
  rehearse,
  async open(context, bulk) {
    const platform = await context.bulkPlatform(bulk);
    return (request) => platform.send(setCustomInfo, request).then(nothing);
  },
});

const nothing = () => undefined;

/** "Check, print the request and a curl line, send nothing": for the first row, with the number of rows. */
async function rehearse(rows: CheckedRows<WireRequest>, context: Context) {
  const { total, bad, empty, source } = rows;
  const first = await firstOf(rows);
  source.close();
  const request = first && (await dryRunResult([{ request: first }], baseUrl(context), context.world.platform));
  const shown = request?.kind === 'record' ? request : undefined;
  return {
    kind: 'record',
    value: {
      ...{ dryRun: true, total, invalid: bad, empty, request: null, curl: null, replaces: [], notes: [] },
      ...(shown?.value as object | undefined), // a rehearsal is an object
    },
    columns: [
      { field: 'total', header: 'ROWS', keep: 'whole' },
      { field: 'invalid', header: 'INVALID', keep: 'whole' },
      ...(shown?.columns ?? []),
    ],
  } as const;
}

async function firstOf({ read, meaningOf }: CheckedRows<WireRequest>): Promise<WireRequest | undefined> {
  for await (const rows of read()) {
    for (const row of rows) {
      const meaning = meaningOf(row);
      if ('value' in meaning && !meaning.isEmpty) return meaning.value();
    }
  }
  return undefined;
}

/**
 * In a CSV row an empty cell leaves the key unchanged, and the text `nullAs` means null. A JSON row is
 * `{"deviceId": "…", "customInfo": {…}}` with strings or null as values.
 */
function reader(csv: CellReading | undefined, ignored: ReadonlySet<string>): (row: Row) => RowContent<WireRequest> {
  const read = csv ? cellsReader(csv, ignored) : (value: unknown) => fromJson(value, ignored);
  return (row) => {
    if ('problem' in row) return { problem: row.problem, ...(row.key && { key: row.key }) };
    const found = read(row.value as Cells); // the CSV reader returns cells, and the other accepts anything
    if ('problem' in found) return found;
    const problem = found.key === '' ? 'is empty' : segmentProblem(found.key);
    return problem === undefined ? found : { problem: `deviceId ${problem}`, field: key };
  };
}

const [pathBefore = '', pathBehind = ''] = setCustomInfo.path.split('{deviceId}');

/** The same as `toRequest`, but builds the parts shared by all rows only once. */
function requestOf(deviceId: string, body: string): WireRequest {
  return {
    method: setCustomInfo.method,
    path: pathBefore + encodeURIComponent(deviceId) + pathBehind,
    query: [],
    body: { type: 'application/json', text: body },
  };
}

function cellsReader({ nullAs }: CellReading, ignored: ReadonlySet<string>): (cells: Cells) => RowContent<WireRequest> {
  let known: readonly string[] | undefined;
  let device = 0;
  let names: readonly (string | undefined)[] = [];
  const readHeader = (columns: readonly string[]) => {
    known = columns;
    device = columns.indexOf(key);
    names = columns.map((name, at) =>
      at === device || name === '' || ignored.has(name) ? undefined : `${JSON.stringify(name)}:`,
    );
  };
  // Joined at once: a text added up piece by piece takes twice as long by the time it is sent.
  const bodyOf = (cells: readonly string[]) => {
    const parts = ['{'];
    for (let at = 0; at < names.length; at += 1) {
      const name = names[at];
      const cell = cells[at];
      if (name === undefined || cell === undefined || (cell === '' && nullAs !== '')) continue;
      if (parts.length > 1) parts.push(',');
      parts.push(name, cell === nullAs ? 'null' : JSON.stringify(cell));
    }
    parts.push('}');
    return parts.join('');
  };
  const isValue = (cell: string, at: number) => cell !== '' && names[at] !== undefined;
  return ({ columns, cells }) => {
    if (columns !== known) readHeader(columns);
    const deviceId = cells[device] ?? '';
    const isEmpty = nullAs !== '' && !cells.some(isValue);
    return { key: deviceId, value: () => requestOf(deviceId, bodyOf(cells)), isEmpty };
  };
}

const form = '{"deviceId": "…", "customInfo": {…}}';

function fromJson(value: unknown, ignored: ReadonlySet<string>): RowContent<WireRequest> {
  if (!(value instanceof Map)) return { problem: `is not an object: a row is ${form}` };
  const kept = (member: unknown) =>
    member instanceof Map && ignored.size > 0 ? new Map([...member].filter(([name]) => !ignored.has(name))) : member;
  const deviceId: unknown = value.get(key);
  const customInfo: unknown = kept(value.get('customInfo'));
  if (deviceId === undefined) return { problem: `has no deviceId: a row is ${form}`, field: key };
  if (typeof deviceId !== 'string')
    return { problem: `has ${kindOf(deviceId)} as deviceId: write it in quotes, as a string`, field: key };
  const problem = unknownMemberIn(value, ignored) ?? wrongIn(customInfo);
  if (problem !== undefined) return { problem, key: deviceId };
  const isEmpty = customInfo instanceof Map && customInfo.size === 0;
  return { key: deviceId, value: () => requestOf(deviceId, jsonText(customInfo)), isEmpty };
}

function unknownMemberIn(row: ReadonlyMap<string, unknown>, ignored: ReadonlySet<string>): string | undefined {
  const field = [...row.keys()].find((name) => name !== key && name !== 'customInfo' && !ignored.has(name));
  return field === undefined
    ? undefined
    : `has a field ${JSON.stringify(field)}, which is neither deviceId nor customInfo: a row is ${form}, and jq makes one with {deviceId, customInfo: del(.deviceId)}`;
}

function wrongIn(customInfo: unknown): string | undefined {
  if (customInfo === undefined) return `has no customInfo: a row is ${form}`;
  if (!(customInfo instanceof Map)) return `has ${kindOf(customInfo)} as customInfo, which takes an object of strings`;
  for (const [key, value] of customInfo) {
    if (value === null || typeof value === 'string') continue;
    const how =
      typeof value === 'object' ? 'write its JSON as one string, in quotes' : 'write it in quotes, as a string';
    return `has ${kindOf(value)} as the value of ${JSON.stringify(key)}, which takes a string or null: ${how}`;
  }
  return undefined;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Map) return 'an object';
  return typeof value === 'boolean' ? String(value) : `a ${typeof value}`;
}
