import fc from 'fast-check';
import type { TemplateDocument } from '../../src/working-copy/template.ts';
import { character } from '../support/any-text.ts';

/** Contents that an editor, a checkout or a careless reader would change. */
export const contents: Readonly<Record<string, string>> = {
  nothing: '',
  CRLF: 'one\r\ntwo\r\n',
  'a lone CR': 'one\rtwo',
  'front matter of its own': '---\ntitle: x\n---\ntext\n---\n',
  'a line that ends front matter, first': '---\n',
  'trailing blanks': 'one  \n\ttwo\t \n\n\n   ',
  'no line end': 'one',
  'a byte order mark': '\ufeffone\ufeff',
  'NUL and control characters': 'a\0b\u001b[31mc\u0085d\u2028e',
  'half of a pair': 'a\ud800b',
  'emoji and composed letters': '👩‍🚀 e\u0301 é 停止',
  '50,000 characters': `${'x'.repeat(49_990)}\r\n{{name}}`,
  YAML: 'name: [\n- {{a}}: "\'\n...\n',
};

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\n', '\r\n', '---', ' ', '\t', '"', "'", ':', '#', '{{', '}}', '\ud83d'),
    fc.string({ unit: character, maxLength: 3 }),
  ),
});
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    anyText,
    fc.constantFrom('yes', 'null', '~', '1:30', '0x1f', '1e3', '2026-01-01', '-', '<<', '*a', '&a', '!!str'),
    fc.integer(),
    fc.bigInt({ min: 2n ** 60n, max: 2n ** 70n }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(anyText, tie('value')), { maxLength: 3 }).map((members) => new Map(members)),
  ),
})).value;

/** Any template that a platform could list. */
export const anyTemplate: fc.Arbitrary<TemplateDocument> = fc.record({
  templateId: anyText.filter((id) => id !== ''),
  fields: fc
    .tuple(
      fc.record(
        { name: anyText, subject: anyText, channelTypes: fc.array(anyText), tags: fc.array(anyText) },
        { requiredKeys: [] },
      ),
      fc.array(fc.tuple(anyText, anyJson), { maxLength: 4 }),
    )
    .map(
      ([known, others]) =>
        new Map<string, unknown>([...Object.entries(known), ...others.filter(([name]) => !reserved.has(name))]),
    ),
  content: fc.oneof(anyText, fc.constantFrom(...Object.values(contents))),
});

const reserved = new Set(['templateId', 'content', 'name', 'subject', 'channelTypes', 'tags']);
