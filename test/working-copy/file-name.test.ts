import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { comparableName, fileNameOf } from '../../src/working-copy/file-name.ts';
import { character } from '../support/any-text.ts';

const free = () => false;

it.each(['template_001', 'Template-A', '42', '0b0f1a9e-5c7d-4e21-9a3b-6f1d2c3b4a50'])('keeps %s as it is', (id) => {
  expect(fileNameOf(id, 'md', free)).toBe(`${id}.md`);
});

it.each([
  ['../x', /^x-[0-9a-f]{8}\.md$/],
  ['a/b', /^a-b-[0-9a-f]{8}\.md$/],
  ['C:\\x', /^C-x-[0-9a-f]{8}\.md$/],
  ['CON', /^CON-template-[0-9a-f]{8}\.md$/],
  ['com1', /^com1-template-[0-9a-f]{8}\.md$/],
  ['.iiot', /^iiot-[0-9a-f]{8}\.md$/],
  ['-rf', /^rf-[0-9a-f]{8}\.md$/],
  ['nul.txt', /^nul-txt-[0-9a-f]{8}\.md$/],
  ['x. ', /^x-[0-9a-f]{8}\.md$/],
  ['🏭', /^template-[0-9a-f]{8}\.md$/],
  ['..', /^template-[0-9a-f]{8}\.md$/],
  ['\ud800', /^template-[0-9a-f]{8}\.md$/],
  ['a\0b\n', /^a-b-[0-9a-f]{8}\.md$/],
  ['x'.repeat(300), /^x{80}-[0-9a-f]{8}\.md$/],
])('makes a name of %j that every system takes', (id, name) => {
  expect(fileNameOf(id, 'md', free)).toMatch(name);
});

it('gives every id a name of its own where case does not count', () => {
  const id = fc.oneof(
    fc.constantFrom('a', 'A', 'a/b', 'A/b', 'a-b', 'con', 'CON', 'é', 'e\u0301', 'ß', 'SS', '../a', 'x'.repeat(300)),
    fc.string({ unit: character, maxLength: 12 }),
  );
  fc.assert(
    fc.property(fc.uniqueArray(id, { minLength: 1, maxLength: 40 }), (ids) => {
      const taken = new Set<string>();
      for (const each of ids) {
        const name = fileNameOf(each, 'txt', (wanted) => taken.has(comparableName(wanted)));
        expect(name).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,160}\.txt$/);
        expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)\./i);
        taken.add(comparableName(name));
      }
      expect(taken.size).toBe(ids.length);
    }),
  );
});

it('goes on to a longer hash where even that name is taken', () => {
  const first = fileNameOf('a/b', 'md', free);
  const second = fileNameOf('a/b', 'md', (name) => name === first);
  expect([second.startsWith(first.slice(0, -3)), second.length]).toEqual([true, first.length + 8]);
});

it('is the name of a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'iiot-test-'));
  const ids = ['../x', 'a/b', 'CON', '🏭', 'x'.repeat(300), '\0', '.', '..', ''];
  for (const id of ids) writeFileSync(join(folder, fileNameOf(id, 'html', free)), id);
  expect(readdirSync(folder)).toHaveLength(ids.length);
  rmSync(folder, { recursive: true });
});
