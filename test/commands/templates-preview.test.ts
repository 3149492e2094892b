import { symlinkSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { personForEach } from '../support/fixtures.ts';
import { folderForEach } from '../support/folder.ts';
import { failed, worked } from '../support/seen.ts';

const someone = personForEach();
const { at: file, write } = folderForEach();

beforeEach(() => {
  const front = 'templateId: template_hot\nname: Hot\nsubject: "{{deviceName}} is hot"';
  write('hot.md', `---\n${front}\n---\n{{deviceName}}: {{ value }} {{device.line}}\r\n{{#if x}}{{1}}\n`);
});

const preview = (...words: string[]) => someone.iiot(['templates', 'preview', ...words]);

const leftAs = (text: string) => `Left as it is, on ${text}`;

describe('iiot templates preview', () => {
  it('fills in the variables of a file, and names missing, unused and unknown ones', async () => {
    const values = ['--var', 'deviceName=Press 7', '--var', 'device.line=3', '--var', 'unit=°C'];
    const left = [leftAs('line 2: {{#if x}}'), leftAs('line 2: {{1}}')];
    const missing = 'Without a value: value. Give it with --var value=VALUE';
    expect(await preview(file('hot.md'), ...values)).toEqual(
      worked(
        'Press 7: {{ value }} 3\r\n{{#if x}}{{1}}\n',
        ...['Subject: Press 7 is hot', missing, 'Not in the template: unit', ...left],
      ),
    );
    expect(someone.requests).toEqual([]);
  });

  it('fills in names of any script in either form of their letters, and explains odd braces', async () => {
    const [name, twoParts] = ['ガス圧', 'ガス圧'.normalize('NFD')];
    const content = `{{${twoParts}}} {{ชื่อเครื่อง}} {{\u00a0unit }} ｛｛time｝｝`;
    write('asia.txt', `---\ntemplateId: t\nname: A\n---\n${content}`);
    for (const typed of [name, twoParts])
      expect(await preview(file('asia.txt'), '--var', `${typed}=9`, '--var', 'ชื่อเครื่อง=ปั๊ม')).toEqual(
        worked(
          '9 ปั๊ม {{\u00a0unit }} ｛｛time｝｝',
          leftAs('line 1: {{\\u{a0}unit }} (write {{unit}})'),
          leftAs('line 1: ｛｛time｝｝ (write {{time}})'),
        ),
      );
  });

  it('prints the filled template as JSON', async () => {
    const { exit, stdout, stderr } = await preview(file('hot.md'), '--var', 'value=<81 & "more">', '-o', 'json');
    expect([exit, stderr, JSON.parse(stdout)]).toEqual([
      0,
      '',
      {
        templateId: 'template_hot',
        file: file('hot.md'),
        subject: '{{deviceName}} is hot',
        content: '{{deviceName}}: <81 & "more"> {{device.line}}\r\n{{#if x}}{{1}}\n',
        variables: ['deviceName', 'value', 'device.line'],
        missing: ['deviceName', 'device.line'],
        unused: [],
        notUnderstood: ['{{#if x}}', '{{1}}'],
      },
    ]);
  });

  it.each([
    ['id', 'template_hot\n'],
    ['yaml', expect.stringContaining('\nsubject: "{{deviceName}} is hot"\n')],
    ['csv', expect.stringMatching(/^templateId,file,subject,content,.*\r\ntemplate_hot,/)],
  ])('prints the filled template as %s', async (format, stdout) => {
    expect(await preview(file('hot.md'), '-o', format)).toEqual({ exit: 0, stdout, stderr: '' });
  });

  it('finds a template of the platform by its ID', async () => {
    const filled = '{{deviceName}} reports 3 {{unit}} at {{time}}.';
    expect(await preview('template_001', '--var', 'value=3', '-q')).toEqual(worked(filled));
    const sentence = 'error: There is no template template_999 on the platform, and no such file here.';
    const hint = 'hint: See iiot templates list --org 11111111-1111-4111-8111-111111111111';
    expect(await preview('template_999')).toEqual(failed(5, sentence, hint));
  });

  it.each([
    ['nothing.md', /^error: \S+nothing\.md does not exist\.\n/],
    ['plain.md', /plain\.md: its front matter/],
    ['broken.md', /broken\.md: its front matter .*: see line 3\./],
    ['link.md', /link\.md: it is a link, and links are not followed\./],
    ['', / is a folder\.\nhint: See all of it with: iiot templates preview --serve \S+\n/],
  ])('refuses %j, and shows nothing of its content', async (name, sentence) => {
    write('plain.md', 'a secret');
    write('broken.md', '---\nsecret: [\n---\n');
    symlinkSync(file('hot.md'), file('link.md'));
    const { exit, stdout, stderr } = await preview(file(name));
    expect([exit, stdout, stderr]).toEqual([2, '', expect.stringMatching(sentence)]);
    expect(stderr).not.toContain('secret');
  });

  it.each([
    ['--port without --serve', '', ['--port', '8080'], /^error: --port needs --serve\./],
    ['--serve with a folder that does not exist', 'no', ['--serve'], /^error: The folder .* does not exist/],
    ['--serve with a file', 'hot.md', ['--serve'], / is not a folder\./],
  ])('refuses %s', async (_, name, words, sentence) => {
    expect(await preview(file(name), ...words)).toEqual({ ...failed(2), stderr: expect.stringMatching(sentence) });
  });
});
