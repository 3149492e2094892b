import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { personForEach } from '../support/fixtures.ts';
import { failed, inBrief, worked } from '../support/seen.ts';
import { templatesFolderForEach, where } from '../support/templates-folder.ts';

const someone = personForEach();
const work = templatesFolderForEach(someone);
const { file, stored, edit } = work;
const diff = (...words: string[]) => work.run('diff', ...words);

const patch =
  '--- platform/template_001.txt\n+++ folder/template_001.txt\n@@ -1,6 +1,6 @@\n ---\n templateId: template_001\n-name: Pressure low\n' +
  '+name: New\n subject: "Pressure low: {{deviceName}}"\n channelTypes:\n   - teams\n';

const oneDiffers = '1 template differs from the platform.';
const updateIt = (names = '') => `Update it with: iiot templates push ${work.dir}${names} ${where}`;

describe('iiot templates diff', () => {
  it('ends with 0 if nothing differs', async () => {
    expect(await diff()).toEqual(worked('', 'Up to date.'));
  });

  it('shows what a push would change, and ends with 10', async () => {
    edit('template_001.txt', /name: .*/, 'name: New');
    expect(await diff()).toEqual({ ...failed(10, oneDiffers, updateIt()), stdout: patch });
  });

  it('prints a push command with the same names', async () => {
    edit('template_001.txt', /name: .*/, 'name: New');
    edit('template_002.txt', /name: .*/, 'name: New, too');
    const { stderr } = await diff('template_001');
    expect(stderr).toBe(`${oneDiffers}\n${updateIt(' template_001')}\n`);
    const [, ...line] = stderr.split('with: ')[1]?.trim().split(' ') ?? [];
    const pushed = { exit: 0, stdout: 'template_001.txt\tdone\tname\t\n' };
    expect(await someone.iiot([...line, '--yes'])).toMatchObject(pushed);
    expect(stored('template_002').name).not.toBe('New, too');
  });

  it('colors added and removed lines, and prints no summary with -q', async () => {
    edit('template_001.txt', /name: .*/, 'name: New');
    expect(await diff('-q')).toEqual({ exit: 10, stdout: patch, stderr: '' });
    const { exit, stdout, stderr } = await someone.iiot(['templates', 'diff', work.dir], { env: { FORCE_COLOR: '1' } });
    expect([exit, stderr]).toEqual([10, `${oneDiffers}\n${updateIt()}\n`]);
    expect(stdout).toContain('\u001b[31m-name: Pressure low\u001b[39m\n\u001b[32m+name: New\u001b[39m\n');
  });

  it.each(['json', 'ndjson', 'yaml'])('prints the result as %s without an error', async (format) => {
    edit('template_001.txt', /name: .*/, 'name: New');
    const { exit, stdout, stderr } = await diff('-o', format);
    expect({ exit, stderr }).toEqual({ exit: 10, stderr: '' });
    expect([parse(stdout)].flat()).toEqual([
      { templateId: 'template_001', file: 'template_001.txt', status: 'changed', fields: ['name'], diff: patch },
    ]);
  });

  it('escapes line ends and control characters', async () => {
    edit('template_001.txt', /reports/, '\u001b[2J\r\n\u202e');
    const { stdout } = await diff();
    expect(stdout).toContain('+{{deviceName}} \\u{1b}[2J\\r\n+\\u{202e} {{value}}');
    expect(stdout).toContain('.\n\\ No newline at end of file\n');
  });

  it.each([
    ['form', 'ガス圧力低下'.normalize('NFD'), 'ガス圧力低下'],
    ['dashes', 'Line 3 – low', 'Line 3 ‐ low'],
    ['spaces', 'Line 3\u00a0low', 'Line 3 low'],
    ['width', 'Line　3 low', 'Line 3 low'],
  ])('says that lines which look the same differ in %s', async (difference, there, here) => {
    Object.assign(stored('template_001'), { name: there, content: 'a\nb' });
    edit('template_001.txt', /name: .*/, `name: ${here}`);
    edit('template_001.txt', /^.*reports.*$/m, 'b\na');
    const [, after] = (await diff('template_001')).stdout.split('No newline at end of file\n').slice(-2);
    expect(after).toBe(`# Looks the same, but differs in ${difference}: name: ${here}\n`);
  });

  it('ignores comments and quotes in the front matter', async () => {
    edit('template_001.txt', /name: (.*)/, '# Ours\nname: "$1"');
    expect((await diff()).exit).toBe(0);
  });

  it('names platform changes, files without a template, and templates without a file', async () => {
    stored('template_001').content = 'There';
    edit('template_002.txt', 'reports', 'here');
    stored('template_002').content = 'There';
    rmSync(file('template_003.txt'));
    someone.platform.world.templates.delete('template_004');
    const { exit, stdout, stderr } = await diff('--columns', 'templateId,file,status,fields');
    expect([exit, stdout]).toEqual([
      10,
      'template_001\ttemplate_001.txt\tbehind\tcontent\ntemplate_002\ttemplate_002.txt\tconflict\tcontent\n' +
        'template_004\ttemplate_004.txt\tno_template\t\ntemplate_003\t\tno_file\t\n',
    ]);
    expect(stderr).toMatch(
      /^template_001\.txt was changed on the platform since the pull\.\ntemplate_002\.txt was changed here \(.*Z\) and on the platform since the pull\.\n3 templates differ from the platform\.\nPull first: iiot templates pull \S+ --base-url \S+ --org \S+\n$/,
    );
    const text = (await diff('-q')).stdout;
    expect(text).toContain('template_004.txt: no template template_004 on the platform\n');
    expect(text).toContain('template_003: no file');
  });

  it('says what to do with a file whose template does not exist', async () => {
    someone.platform.world.templates.delete('template_004');
    const hint = 'A push cannot create templates: remove each such file, or correct its templateId';
    const stdout = 'template_004.txt: no template template_004 on the platform\n';
    expect(await diff()).toEqual({ ...failed(10, oneDiffers, hint), stdout });
  });

  it('ends with 0 for a template without a file', async () => {
    rmSync(file('template_003.txt'));
    expect(await diff()).toEqual(worked('template_003: no file in the folder\n'));
  });

  it('compares only the named templates', async () => {
    edit('template_001.txt', 'reports', 'says');
    edit('template_002.txt', 'reports', 'says');
    expect(JSON.parse((await diff('template_002', '-o', 'json')).stdout)).toHaveLength(1);
    expect((await diff('template_003.txt')).exit).toBe(0);
  });

  it.each([
    [[], /^error: new\.txt: /],
    [['-o', 'json'], /^\{"error":.*new\.txt: /],
  ])('ends with 2 and only an error for an invalid file, with %j', async (words, sentence) => {
    writeFileSync(file('new.txt'), '---\nname: New\n---\nHello');
    expect(await diff(...words)).toEqual({ ...failed(2), stderr: expect.stringMatching(sentence) });
  });

  it('ends with 2 for a file that a push would refuse, and shows the others', async () => {
    edit('template_001.txt', /subject: .*/, 'subject: 7');
    edit('template_002.txt', /name: .*/, 'name: New');
    const sentence = 'error: template_001.txt: subject takes a string.';
    const stdout = expect.stringContaining('+name: New');
    expect(await inBrief(diff(), 2)).toEqual({ ...failed(2, sentence, 'hint: Correct the files'), stdout });
  });

  it('refuses a folder that does not exist', async () => {
    const hint = `hint: Get the templates with: iiot templates pull ${file('nothing')}`;
    expect(await someone.iiot(['templates', 'diff', file('nothing')])).toEqual(
      failed(2, `error: The folder ${file('nothing')} does not exist.`, hint),
    );
  });

  it('compares 25,000 lines that all differ', async () => {
    stored('template_001').content = 'a\n'.repeat(25_000);
    await work.run('pull');
    edit('template_001.txt', /a\n/g, 'b\n');
    const { stdout } = await diff('-o', 'json');
    const [{ diff: shown }] = JSON.parse(stdout);
    expect([shown.match(/^-a$/gm).length, shown.match(/^\+b$/gm).length]).toEqual([25_000, 25_000]);
  });
});
