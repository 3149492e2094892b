import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical } from '../../src/text/json-write.ts';
import { openFrontMatter } from '../../src/working-copy/front-matter.ts';
import type { TemplateDocument } from '../../src/working-copy/template.ts';
import { expectLinear } from '../support/linear.ts';
import { anyTemplate, contents } from './texts.ts';

const { read, write, rewrite } = await openFrontMatter();
const press: TemplateDocument = {
  templateId: 'template_001',
  fields: new Map<string, unknown>([
    ['name', 'Press'],
    ['subject', 'Press: {{name}}'],
    ['tags', ['day', 'no']],
  ]),
  content: 'Hot\n',
};

const shown = (found: ReturnType<typeof read>) =>
  found && 'templateId' in found
    ? { id: found.templateId, fields: canonical(found.fields), content: found.content }
    : found;

describe('a template file', () => {
  it('consists of front matter for YAML 1.1 and 1.2 and the content', () => {
    expect(write(press)).toBe(
      '---\ntemplateId: template_001\nname: Press\nsubject: "Press: {{name}}"\ntags:\n  - day\n  - "no"\n---\nHot\n',
    );
  });

  it.each(Object.entries(contents))('keeps %s unchanged', (_, content) => {
    expect(shown(read(write({ ...press, content })))).toEqual(shown({ ...press, content }));
  });

  it('keeps any template unchanged', () => {
    fc.assert(
      fc.property(anyTemplate, (template) => {
        expect(shown(read(write(template)))).toEqual(shown(template));
      }),
      { numRuns: 100 },
    );
  });

  it('replaces an earlier version', () => {
    fc.assert(
      fc.property(anyTemplate, anyTemplate, (earlier, template) => {
        expect(shown(read(rewrite(write(earlier), template)))).toEqual(shown(template));
      }),
      { numRuns: 60 },
    );
  });

  it('has no control characters in its front matter', () => {
    const odd = 'a\0\u001b[2J\u0085\u2028\u202e\ufeff\u{e0041}\ud800';
    const text = write({ ...press, templateId: odd, fields: new Map<string, unknown>([[odd, [odd]]]) });
    expect(text).not.toMatch(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u);
    expect(read(text)).toMatchObject({ templateId: odd });
  });

  it('keeps comments, order and quotes when it is replaced', () => {
    const earlier =
      "---\n# The press of hall 3.\ntags: [day] # and night\nname: 'Press'\ntemplateId: template_001\n---\nold";
    expect(rewrite(earlier, { ...press, fields: new Map(press.fields).set('name', 'Press 7') })).toBe(
      '---\n# The press of hall 3.\ntags:\n  - day\n  - "no"\nname: \'Press 7\'\ntemplateId: template_001\nsubject: "Press: {{name}}"\n---\nHot\n',
    );
    const same =
      '---\ntemplateId: template_001 # 1\nname: "Press"\nsubject: \'Press: {{name}}\'\ntags: [day, "no"]\n---\nold';
    expect(rewrite(same, press)).toBe(same.replace('tags: [day, "no"]', 'tags: [ day, "no" ]').replace('old', 'Hot\n'));
  });
});

describe('an edited template file', () => {
  it.each([
    ['CRLF in its front matter', '---\r\ntemplateId: a\r\nname: n\r\n---\r\nx\ny\r\n', 'x\ny\r\n'],
    ['a byte order mark before it', '\ufeff---\ntemplateId: a\nname: n\n---\nx', 'x'],
    ['blanks behind its lines', '---  \ntemplateId: a\nname: n\n---\t\nx', 'x'],
    ['an end without a line end', '---\ntemplateId: a\nname: n\n---', ''],
  ])('may have %s', (_, text, content) => {
    expect(read(text)).toEqual({ templateId: 'a', fields: new Map([['name', 'n']]), content });
  });

  it('may have a number as its ID, and keeps long numbers', () => {
    expect(read('---\ntemplateId: 12345678901234567890\nversion: 98765432109876543210\n---\n')).toEqual({
      templateId: '12345678901234567890',
      fields: new Map([['version', 98765432109876543210n]]),
      content: '',
    });
  });

  const notYaml = (line: number) => `its front matter is not YAML: see line ${line}`;
  const noFields = 'its front matter does not hold fields, as in "name: Line 3"';
  it.each([
    [
      '---\nname: x\n---\n',
      'its front matter has no templateId, and templates cannot be created here: create it on the platform, then pull',
    ],
    [`---\ntemplateId: a\n${'x: 1\n'.repeat(30_000)}---\n`, 'its front matter is larger than 128 KiB'],
    ['---\ntemplateId: a\nx', 'its front matter does not end: a line --- is missing'],
    ['---\ntemplateId: a\nname: [x\n---\n', notYaml(4)],
    ['---\ntemplateId: a\ntemplateId: b\n---\n', notYaml(3)],
    ['---\n- a\n---\n', noFields],
    ['---\njust words\n---\n', noFields],
    ['---\n---\n', noFields],
    ['---\ntemplateId: a\ncontent: b\n---\nc', 'its content is in the front matter and below it'],
    [
      `---\ntemplateId: a\na: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefgh'].map((name, at) => `${name}: &${name} [${`*${'abcdefgh'[at]},`.repeat(9)}]`).join('\n')}\n---\n`,
      'its front matter is not YAML that can be read',
    ],
  ])('is refused with the reason: %.40j', (text, wrong) => {
    expect(read(text)).toEqual({ wrong });
  });

  it.each([
    ['5,000 words and marks', 'x: [abcdefghij]\n', 900, 'has too many parts: more than 5,000 words and marks'],
    ['64 KiB beside a content', `x: ${'y'.repeat(35_000)}\n`, 2, 'is larger than 64 KiB without a content'],
    ['128 KiB with a content', `x: ${'y'.repeat(45_000)}\n`, 2, 'is larger than 128 KiB'],
  ])('may have up to %s', (_, line, times, wrong) => {
    expect(read(`---\ntemplateId: a\ncontent: ${'c'.repeat(50_000)}\n${line.repeat(times)}---\n`)).toEqual({
      wrong: `its front matter ${wrong}`,
    });
  });

  it('may have 50,000 characters and hundreds of other fields', () => {
    const fields = new Map([...Array(400).keys()].map((index) => [`field${index}`, `a value, ${index}`]));
    for (const content of [`${'\u0001'.repeat(15_000)}\ud800`, `${'x'.repeat(50_000)}\ud800`]) {
      const template = { ...press, fields, content };
      expect(shown(read(write(template)))).toEqual(shown(template));
    }
  });

  it.each(['a: !x !x ', '- {0,', '&a ', 'k', ',', '['])('is refused in linear time if it is full of "%s"', (piece) =>
    expectLinear(
      (length) =>
        piece === 'k'
          ? [...Array(length / 10).keys()].map((index) => `k${index}: 1\n`).join('')
          : piece.repeat(length / piece.length),
      131_000,
      (lines) => expect(read(`---\n${lines}\n---\n`)).toHaveProperty('wrong'),
    ),
  );

  it.each(['', 'text', '# Templates\n\n---\n', '----\na: b\n---\n', ' ---\na: b\n---\n'])(
    'is ignored without front matter: %j',
    (text) => {
      expect(read(text)).toBeUndefined();
    },
  );
});
