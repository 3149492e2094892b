import type { Cells } from '../../bulk/csv.ts';
import type { RowContent } from '../../bulk/first-pass.ts';
import type { Row } from '../../bulk/row.ts';
import { segmentProblem } from '../../contract/wire.ts';

/** The input of one request. A Map accepts any key, and keeps the order. */
export type DeviceRow = { readonly deviceId: string; readonly body: ReadonlyMap<string, string | null> };

/** The column or field with the device's id. */
export const deviceColumn = 'deviceId';

/**
 * The request for a row. In a CSV row an empty cell leaves the key unchanged, and the text `nullAs` means null. A JSON row is
 * `{"deviceId": "…", "customInfo": {…}}` with strings or null as values.
 */
export function meaningOf(row: Row, csv: CsvReading | undefined): RowContent<DeviceRow> {
  if ('problem' in row) return { problem: row.problem };
  const found = csv ? fromCells(row.value as Cells, csv) : fromJson(row.value); // the CSV reader returns cells
  if ('problem' in found) return found;
  const problem = segmentProblem(found.key);
  return problem === undefined ? found : { problem: `deviceId ${problem}` };
}

type CsvReading = { readonly nullAs: string | undefined };

function fromCells({ columns, cells }: Cells, { nullAs }: CsvReading): RowContent<DeviceRow> {
  const deviceId = cells[columns.indexOf(deviceColumn)] ?? '';
  const value = () => {
    const body = new Map<string, string | null>();
    for (const [index, key] of columns.entries()) {
      const cell = cells[index];
      if (key === deviceColumn || key === '' || cell === undefined) continue;
      if (cell === nullAs) body.set(key, null);
      else if (cell !== '') body.set(key, cell);
    }
    return { deviceId, body };
  };
  return { key: deviceId, value };
}

const form = '{"deviceId": "…", "customInfo": {…}}';

function fromJson(value: unknown): RowContent<DeviceRow> {
  if (!(value instanceof Map)) return { problem: `is not an object: a row is ${form}` };
  const deviceId: unknown = value.get(deviceColumn);
  const customInfo: unknown = value.get('customInfo');
  if (deviceId === undefined) return { problem: `has no deviceId: a row is ${form}` };
  if (typeof deviceId !== 'string')
    return { problem: `has ${kindOf(deviceId)} as deviceId: write it in quotes, as a string` };
  const problem = strangerIn(value) ?? wrongIn(customInfo);
  if (problem !== undefined) return { problem, key: deviceId };
  const body = customInfo as ReadonlyMap<string, string | null>; // wrongIn has checked every value
  return { key: deviceId, value: () => ({ deviceId, body }) };
}

function strangerIn(row: ReadonlyMap<string, unknown>): string | undefined {
  for (const field of row.keys()) {
    if (field !== deviceColumn && field !== 'customInfo') {
      return `has a field ${JSON.stringify(field)}, which is neither deviceId nor customInfo`;
    }
  }
  return undefined;
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
