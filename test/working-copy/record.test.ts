import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readPullRecord, writeRecord } from '../../src/working-copy/record.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'iiot-test-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const guid = 'abcdef00-0000-4000-8000-000000000001';

/** Organizations of a platform whose IDs are hard for a file system. */
const organizations = [
  'plant',
  'Plant',
  'PLANT',
  'templates',
  'con',
  '.',
  '..',
  '../x',
  'a/b',
  'a b',
  'x'.repeat(300),
  guid,
];

it('keeps one record for each organization, in one folder, whatever its ID is', () => {
  const recordOf = (orgId: string) => new Map([[orgId, { file: `${orgId}.txt`, hashes: new Map([['name', 'x']]) }]]);
  writeRecord(dir, { ...readPullRecord(dir), orgId: 'own', templates: recordOf('own') });
  for (const orgId of organizations) writeRecord(dir, { ...readPullRecord(dir, orgId), templates: recordOf(orgId) });
  expect(readdirSync(dir)).toEqual(['.iiot']);
  const names = readdirSync(join(dir, '.iiot'));
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(organizations.length + 1);
  expect(names.every((name) => /^[a-zA-Z0-9_-]+\.json$/.test(name))).toBe(true);
  for (const orgId of organizations) expect(readPullRecord(dir, orgId).templates).toEqual(recordOf(orgId));
  expect(readPullRecord(dir)).toMatchObject({ orgId: 'own', templates: recordOf('own') });
  expect(readPullRecord(dir, guid.toUpperCase())).toEqual(readPullRecord(dir, guid));
});
