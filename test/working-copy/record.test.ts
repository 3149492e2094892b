import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { fileNameOf } from '../../src/working-copy/file-name.ts';
import { readOtherRecord, readPullRecord, writeRecord } from '../../src/working-copy/record.ts';
import { folderForEach } from '../support/folder.ts';

const folder = folderForEach();
let dir = '';
beforeEach(() => {
  dir = folder.at('');
});

const guid = 'abcdef00-0000-4000-8000-000000000001';

const here = { base: 'https://platform.example' };
const readOther = (orgId: string, place = here, from?: typeof here) => readOtherRecord(dir, orgId, place, from);

/** Organizations of a platform whose IDs are hard for a file system. */
const organizations = [...'plant|Plant|PLANT|templates|con|.|..|../x|a/b|a b'.split('|'), 'x'.repeat(300), guid];

it('the folder of templates has one record per organization ID', () => {
  const recordOf = (orgId: string) => new Map([[orgId, { file: `${orgId}.txt`, hashes: new Map([['name', 'x']]) }]]);
  writeRecord(dir, { ...readPullRecord(dir), orgId: 'own', templates: recordOf('own') });
  for (const orgId of organizations) writeRecord(dir, { ...readOther(orgId), templates: recordOf(orgId) });
  expect(readdirSync(dir)).toEqual(['.iiot']);
  const names = readdirSync(join(dir, '.iiot'));
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(organizations.length + 1);
  expect(names.every((name) => /^[a-zA-Z0-9_-]+\.json$/.test(name))).toBe(true);
  for (const orgId of organizations) expect(readOther(orgId).templates).toEqual(recordOf(orgId));
  expect(readPullRecord(dir)).toMatchObject({ orgId: 'own', templates: recordOf('own') });
  expect(readOther(guid.toUpperCase())).toEqual(readOther(guid));
});

const own = { base: 'https://own.example' };
const acme = { tenant: 'acme' };

it('the folder of templates has one record per base URL and tenant', () => {
  const bases = ['https://h.example', 'http://h.example', 'https://h.example:8443', 'https://h.example/prod'];
  const places = [...bases, 'https://h.example/staging'].flatMap((base) => [
    { base, ...acme },
    { base, tenant: 'globex' },
  ]);
  const all = [...places, { ...own, tenant: 'globex' }, { ...own, tenant: 'third' }];
  for (const place of all)
    writeRecord(dir, { ...readOther(guid, place, { ...own, ...acme }), place, templates: new Map() });
  const names = readdirSync(join(dir, '.iiot'));
  expect([names.length, new Set(names.map((name) => name.toLowerCase())).size]).toEqual([all.length, all.length]);
  for (const place of all) expect(readOther(guid, place, { ...own, ...acme }).place).toEqual(place);
});

it('a record of another platform by an earlier version is found', () => {
  const name = fileNameOf({ templateId: `${guid}@platform.example` }, 'json', () => false);
  mkdirSync(join(dir, '.iiot'));
  const text = { version: 1, origin: here.base, orgId: guid, templates: {} };
  writeFileSync(join(dir, '.iiot', name), JSON.stringify(text));
  expect(readOther(guid, { ...here, ...acme }, own)).toMatchObject({ name, place: here, isOld: true });
  for (const base of ['http://platform.example', 'https://platform.example/prod'])
    expect(readOther(guid, { base }, own).name).not.toBe(name);
});

it('a record has base URL and tenant in addition to the origin', () => {
  const place = { base: 'https://h.example/prod', tenant: 'acme', tenantId: guid };
  const record = { ...readPullRecord(dir), orgId: 'own', place };
  writeRecord(dir, record);
  expect(readFileSync(join(dir, '.iiot/templates.json'), 'utf8').split('\n').slice(1, 7)).toEqual([
    '"version": 1,',
    '"origin": "https://h.example",',
    '"base": "https://h.example/prod",',
    '"tenant": "acme",',
    `"tenantId": "${guid}",`,
    '"orgId": "own",',
  ]);
  expect(readPullRecord(dir)).toEqual({ ...record, isOld: false });
});
