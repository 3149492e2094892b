import fc from 'fast-check';
import { expect, it } from 'vitest';
import { comparableName } from '../../src/text/alike.ts';
import { fileNameOf } from '../../src/working-copy/file-name.ts';
import { character } from '../support/any-text.ts';
import { folderForEach } from '../support/folder.ts';

const free = () => false;
const folder = folderForEach();

it.each(['template_001', 'Template-A', '42', '0b0f1a9e-5c7d-4e21-9a3b-6f1d2c3b4a50'])(
  'the file name of the template %s is its ID',
  (id) => {
    expect(fileNameOf({ templateId: id }, 'md', free)).toBe(`${id}.md`);
  },
);

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
])('the ID %j becomes a file name for every system', (id, name) => {
  expect(fileNameOf({ templateId: id }, 'md', free)).toMatch(name);
});

it.each([
  ['Oil change', 'template_5-oil-change.md'],
  ['Größe: Öl/Wasser', 'template_5-grosse-ol-wasser.md'],
  ['Café №7', 'template_5-cafe-no7.md'],
  ['  --Door  open-- ', 'template_5-door-open.md'],
  ['CON', 'template_5-con.md'],
  ['..\\..\\x.exe', 'template_5-x-exe.md'],
  ['温度 7', 'template_5.md'],
  ['Насос A', 'template_5.md'],
  ['🏭', 'template_5.md'],
  ['', 'template_5.md'],
  [null, 'template_5.md'],
  ['\ud800Hot\u202e', 'template_5-hot.md'],
  ['a b '.repeat(100_000), `template_5-${'a-b-'.repeat(10).slice(0, -1)}.md`],
])('the file name includes the template name %j', (name, expected) => {
  expect(fileNameOf({ templateId: 'template_5', name }, 'md', free)).toBe(expected);
});

it('the file name has a hash if another template has the same one', () => {
  const taken = (name: string) => name === 'a-b.md';
  expect([
    fileNameOf({ templateId: 'a', name: 'b' }, 'md', taken),
    fileNameOf({ templateId: 'A', name: 'b', isAmbiguous: true }, 'md', free),
  ]).toEqual([expect.stringMatching(/^a-[0-9a-f]{8}-b\.md$/), expect.stringMatching(/^A-[0-9a-f]{8}-b\.md$/)]);
});

it('every ID has a different file name, ignoring case', () => {
  const id = fc.oneof(
    fc.constantFrom('a', 'A', 'a/b', 'A/b', 'a-b', 'con', 'CON', 'é', 'e\u0301', 'ß', 'SS', '../a', 'x'.repeat(300)),
    fc.string({ unit: character, maxLength: 12 }),
  );
  const template = fc.record({ templateId: id, name: fc.oneof(id, fc.string({ maxLength: 60 }), fc.constant(null)) });
  const options = { minLength: 1, maxLength: 40, selector: ({ templateId }: { templateId: string }) => templateId };
  fc.assert(
    fc.property(fc.uniqueArray(template, options), (templates) => {
      const taken = new Set<string>();
      for (const each of templates) {
        const name = fileNameOf(each, 'txt', (wanted) => taken.has(comparableName(wanted)));
        expect(name).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,200}\.txt$/);
        expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)\./i);
        taken.add(comparableName(name));
      }
      expect(taken.size).toBe(templates.length);
    }),
  );
});

it('the file name has a longer hash if the name with a hash is taken', () => {
  const first = fileNameOf({ templateId: 'a/b' }, 'md', free);
  const second = fileNameOf({ templateId: 'a/b' }, 'md', (name) => name === first);
  expect([second.startsWith(first.slice(0, -3)), second.length]).toEqual([true, first.length + 8]);
});

it('files can be created with names made of hostile IDs', () => {
  const ids = ['../x', 'a/b', 'CON', '🏭', 'x'.repeat(300), '\0', '.', '..', ''];
  for (const id of ids) folder.write(fileNameOf({ templateId: id, name: id }, 'html', free), id);
  expect(folder.names()).toHaveLength(ids.length);
});
