/** Templates of one organization that go to another: found by name or by a list, with values in them. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ids } from '../../src/sandbox/world/ids.ts';
import type { Template } from '../../src/sandbox/world/world.ts';
import { personForEach } from '../support/fixtures.ts';
import { printedLine } from '../support/printed.ts';
import { errorOf, failed, inBrief, worked } from '../support/seen.ts';
import { templatesFolderForEach } from '../support/templates-folder.ts';

const prod = ids.withDevices;
const list = `/api/v1/orgs/${prod}/notifications/templates`;
const someone = personForEach();
const work = templatesFolderForEach(someone);
const { file, read, stored, edit } = work;
const byName = ['--org', prod, '--match', 'name'];
const push = (...words: string[]) => work.run('push', ...byName, ...words);
const diff = (...words: string[]) => work.run('diff', ...byName, ...words);
const words = (names = '') => `${work.dir}${names} --base-url http://127.0.0.1:1 --org ${prod} --match name`;
const path = (name: string, content: string) => someone.file(name, content);
const changes = () => someone.sent.filter(({ request }) => !request.startsWith('GET '));

/** Puts a template into the other organization: that of the file, under another ID. */
function there(templateId: string, from: string, more: Partial<Template> = {}): void {
  someone.platform.world.templates.set(templateId, { ...stored(from), templateId, orgId: prod, ...more });
}

beforeEach(() => {
  for (const at of [1, 2, 3, 4, 5]) there(`prod_${at}`, `template_00${at}`);
});

const replaced =
  'template_001.txt: subject, content\n--- platform/template_001.txt\n+++ folder/template_001.txt\n@@ -1,10 +1,10 @@\n ---\n templateId: prod_1\n' +
  ' name: Pressure low\n-subject: Old\n+subject: "Pressure low: {{deviceName}}"\n channelTypes:\n   - teams\n tags:\n   - day\n ---\n' +
  '-Old\n\\ No newline at end of file\n+{{deviceName}} reports {{value}} {{unit}} at {{time}}.\n\\ No newline at end of file\n';
const sum = '1 template: 1 updated.\n';

describe('a push to another organization', () => {
  beforeEach(() => there('prod_1', 'template_001', { subject: 'Old', content: 'Old' }));

  it('finds the templates by name, shows what it replaces, and sends what differs', async () => {
    expect(await push('--yes')).toEqual({
      ...worked('template_001.txt\tdone\tsubject, content\t\n'),
      stderr: replaced + sum,
    });
    const { subject, content } = stored('template_001');
    expect(changes()).toEqual([{ request: `PATCH ${list}/prod_1`, body: JSON.stringify({ subject, content }) }]);
    expect(await push('--yes')).toEqual(worked('', 'Up to date.'));
    expect(await diff()).toEqual(worked('', 'Up to date.'));
  });

  it('finds a name whose letters have two parts there and one here, in the list as in --map', async () => {
    edit('template_001.txt', /name: .*/, 'name: ガス圧力低下');
    there('prod_1', 'template_001', { name: 'ガス圧力低下'.normalize('NFD'), content: 'Old' });
    expect((await push('--yes', 'template_001.txt')).stdout).toBe('template_001.txt\tdone\tcontent\t\n');
    const map = path('map.csv', `name,templateId\n${'ガス圧力低下'.normalize('NFD')},prod_1\n`);
    expect(await work.run('push', '--org', prod, '--map', map, 'template_001.txt', '--yes')).toEqual(
      worked('', 'Up to date.'),
    );
  });

  it('has its own record, and leaves alone the files and that of the first organization', async () => {
    const before = ['.iiot/templates.json', 'template_001.txt'].map(read);
    await push('--yes');
    expect(['.iiot/templates.json', 'template_001.txt'].map(read)).toEqual(before);
    expect(readdirSync(file('.iiot')).sort()).toEqual([
      '.gitignore',
      `${prod}.json`,
      `pushed-${prod}.json`,
      'templates.json',
    ]);
    expect(JSON.parse(read(`.iiot/${prod}.json`))).toMatchObject({
      orgId: prod,
      templates: { prod_1: { file: 'template_001.txt' }, prod_5: { file: 'template_005.txt' } },
    });
    expect(await work.run('push', '--yes')).toEqual(worked('', 'Up to date.'));
    expect(await work.run('pull')).toEqual(worked('', 'Up to date.'));
  });

  it('shows what it replaces the first time only, and needs to be agreed to', async () => {
    const sentence = `error: To update the templates in ${work.dir} of organization ${prod} at 127.0.0.1:1 you must confirm; cannot prompt: not a terminal.`;
    expect(await push()).toEqual(failed(2, sentence, 'hint: Confirm with --yes'));
    expect(someone.sent).toEqual([]);
    await push('--yes');
    edit('template_001.txt', 'reports', 'says');
    expect((await push('--yes')).stderr).toBe(`template_001.txt: content\n${sum}`);
  });

  it('finds what was changed there since the last push, and overwrites it with --force', async () => {
    await push('--yes');
    stored('prod_1').subject = 'Theirs';
    const hint = `hint: See the difference with: iiot templates diff ${words(' template_001.txt')}. Merge the change into the file, or overwrite it with push --force`;
    const sentence = 'template_001.txt was changed on the platform since the last push.';
    expect(await push('--yes')).toEqual(failed(6, `error: ${sentence}`, hint));
    expect((await diff()).stderr).toBe(
      `${sentence}\n1 template differs from the platform.\nMerge the change into the file, or overwrite it with push --force\n`,
    );
    edit('template_001.txt', 'reports', 'says');
    expect((await inBrief(push('--yes'))).stderr).toMatch(
      /was changed here \(\S+\) and on the platform since the last push\.\n$/,
    );
    expect((await push('--yes', '--force')).exit).toBe(0);
    expect(stored('prod_1').subject).toBe('Pressure low: {{deviceName}}');
  });

  it('works on those alone that are named, by file or by the ID in it', async () => {
    // What is prod_1 in the file is another template than prod_1 of the other organization.
    edit('template_002.txt', /templateId: .*/, 'templateId: prod_1');
    there('prod_2', 'template_002', { content: 'Old' });
    expect((await push('prod_1', '--yes')).stdout).toBe('template_002.txt\tdone\tcontent\t\n');
    expect((await push('template_001.txt', '--yes')).stdout).toBe('template_001.txt\tdone\tsubject, content\t\n');
    expect(await inBrief(push('prod_3', '--yes'))).toEqual(
      failed(5, `error: prod_3 is neither a template nor a file in ${work.dir}.`),
    );
  });

  it('is compared by diff with the same options, which names the push with them', async () => {
    const shown = replaced.split('\n').slice(1).join('\n');
    expect(await diff()).toEqual({
      ...failed(10, '1 template differs from the platform.', `Update it with: iiot templates push ${words()}`),
      stdout: shown,
    });
  });

  it('is shown by a dry run without a request, which knows the IDs of earlier pushes', async () => {
    const request = ['--dry-run', '-o', 'json', '--jq', '.[0].request.url'];
    expect(await push('template_001', ...request)).toEqual(worked(`http://127.0.0.1:1${list}/TEMPLATE_ID\n`));
    expect(someone.sent).toEqual([]);
    await push('--yes');
    const read = `A dry run does not read the platform. Compare with it: iiot templates diff ${words()}`;
    expect(await push('--dry-run')).toEqual(worked('', read, 'No file was changed since the last push.'));
    edit('template_001.txt', 'reports', 'says');
    expect(await push(...request)).toEqual(worked(`http://127.0.0.1:1${list}/prod_1\n`));
  });

  it('is refused for a protected profile', async () => {
    const config = { version: 1, current: 'plant', profiles: { plant: { protected: true } } };
    writeFileSync(join(someone.folder, 'config.json'), JSON.stringify(config));
    const sentence = 'error: Profile plant is protected; cannot prompt: not a terminal.';
    expect(await inBrief(push('--yes'))).toEqual(failed(2, sentence));
    expect(someone.sent).toEqual([]);
  });

  it('takes a folder without a record for that of another organization', async () => {
    rmSync(file('.iiot'), { recursive: true });
    expect((await push('--yes')).exit).toBe(0);
    expect(readdirSync(file('.iiot')).sort()).toEqual(['.gitignore', `${prod}.json`, `pushed-${prod}.json`]);
  });

  it('refuses a field that no update can change, as a push to the first organization does', async () => {
    edit('template_001.txt', 'subject:', 'subjet:');
    const wrong = 'template_001.txt: subjet cannot be changed: name, subject, channelTypes, tags and the content can';
    expect(await inBrief(push('--yes'))).toEqual(
      failed(2, `error: The files cannot go to organization ${prod}: ${wrong}.`),
    );
  });

  it('does not say that a file without front matter was sent', async () => {
    edit('template_001.txt', /^---/, '');
    expect(await inBrief(push('--yes'))).toEqual(
      failed(2, 'error: template_001.txt: its front matter is missing: it starts with a line ---.'),
    );
  });
});

describe('names that do not lead from one file to one template', () => {
  it('are all reported at once, and nothing is sent', async () => {
    there('prod_1', 'template_001', { content: 'Old' });
    there('prod_2', 'template_002', { name: 'Elsewhere' });
    there('prod_6', 'template_003');
    edit('template_005.txt', /name: .*/, `name: ${stored('template_004').name}`);
    const { details, message } = await errorOf(push('--yes', '-o', 'json'));
    const [, door, third, fourth] = [1, 2, 3, 4].map((at) => stored(`template_00${at}`).name);
    const problems = [
      `template_002.txt: no template has the name "${door}"`,
      `template_003.txt: prod_3 and prod_6 have the name "${third}"`,
      `template_004.txt and template_005.txt have the name "${fourth}"`,
    ];
    expect(message).toBe(`The files cannot go to organization ${prod}: ${problems.join('; ')}.`);
    expect(details).toEqual(problems.map((each) => ({ field: undefined, message: each })));
    expect(changes()).toEqual([]);
    const { stderr } = await push('--yes');
    const next = `iiot templates push ${words(' template_001')}`;
    expect(stderr.split('\n')).toEqual([
      ...problems.map((each) => `${each}.`),
      `error: The files cannot go to organization ${prod}, for 3 reasons.`,
      `hint: Nothing was sent. To say which template a file goes to, give --map FILE. Send the others: ${next}`,
      '',
    ]);
    expect((await diff()).exit).toBe(2);
    expect((await someone.iiot([...printedLine(stderr), '--yes'])).exit).toBe(0);
  });

  it('are found on every page of the list', async () => {
    for (let at = 0; at < 120; at += 1) there(`a_${at}`, 'template_001', { name: `Other ${at}` });
    there('last', 'template_001', { name: 'Last', content: 'Old' });
    edit('template_001.txt', /name: .*/, 'name: Last');
    expect((await push('template_001', '--yes')).exit).toBe(0);
    expect(changes().map(({ request }) => request)).toEqual([`PATCH ${list}/last`]);
  });
});

describe('--map', () => {
  const map = (text: string, ...more: string[]) =>
    work.run('push', '--org', prod, '--map', path('map.csv', text), 'template_001', ...more);
  const mapped = () => join(someone.folder, 'map.csv');

  it('says which template a file goes to, and keeps its name', async () => {
    there('prod_1', 'template_001', { name: 'Pressure (production)', content: 'Old' });
    const text = '\ufeffname;templateId\r\n"Pressure low";prod_1\r\n';
    expect((await map(text, '--dry-run', '-o', 'json', '--jq', '.[].request.url')).stdout).toContain('/prod_1\n');
    expect((await map(text, '--yes')).exit).toBe(0);
    expect(changes()).toEqual([
      { request: `PATCH ${list}/prod_1`, body: JSON.stringify({ content: stored('template_001').content }) },
    ]);
    expect(await map(text, '--yes')).toEqual(worked('', 'Up to date.'));
  });

  it.each([
    ['name,templateId\nOther,prod_1\n', 'template_001.txt: no template has the name "Pressure low" in --map'],
    ['name,templateId\nPressure low,gone\n', 'template_001.txt: there is no template gone'],
    ['name,templateId\nPressure low,8.94E+19\n', 'template_001.txt: there is no template 8.94E+19'],
    [
      'name,templateId\nPressure low,prod_1\nPressure low,prod_2\n',
      'template_001.txt: prod_1 and prod_2 have the name "Pressure low"',
    ],
  ])('%j is refused for its names', async (text, problem) => {
    expect(await inBrief(map(text, '--yes'))).toEqual(
      failed(2, `error: The files cannot go to organization ${prod}: ${problem}.`),
    );
    expect(changes()).toEqual([]);
  });

  it('has its columns in any spelling', async () => {
    there('prod_1', 'template_001', { name: 'Pressure (production)', content: 'Old' });
    expect((await map('Name,Template ID\nPressure low,prod_1\n', '--yes')).exit).toBe(0);
    expect(changes()).toHaveLength(1);
  });

  it('says what to do about a title, without an option that it does not have', async () => {
    const { exit, stderr } = await map('Our templates\n\nname,templateId\nPressure low,prod_1\n', '--yes');
    expect([exit, stderr.split('\n')[1]]).toEqual([2, 'hint: The column names are on line 3: remove what is above']);
  });

  it.each([
    ['name,templateId\nPressure low,\n', 'line 2 has no templateId'],
    ['name\nPressure low\n', 'line 2 has no templateId'],
    ['name,templateId\nA,prod_1\nB,prod_1\n', 'line 3 has template prod_1 again'],
    ['name,templateId\nA\n', 'line 2 has 1 cell; the header has 2'],
  ])('%j is refused, before anything is sent', async (text, problem) => {
    const { exit, message } = await errorOf(map(text, '--yes', '-o', 'json'));
    expect([exit, message.replace(`${mapped()}: `, '').replace(/\.$/, '')]).toEqual([2, problem]);
    expect(someone.sent).toEqual([]);
  });
});

describe('--values', () => {
  const values = (text: string, ...more: string[]) =>
    push('template_001', '--values', path('prod.yaml', text), ...more);
  /** The content of the first file, which begins in its line 11. */
  const write = (content: string) =>
    writeFileSync(
      file('template_001.txt'),
      `${read('template_001.txt').split('---\n').slice(0, 2).join('---\n')}---\n${content}`,
    );
  const prodYaml = () => join(someone.folder, 'prod.yaml');

  it.each([
    ['HALL: North', '${HALL}', 'North'],
    ['HALL: North', '${HALL}${HALL}, ${HALL}', 'NorthNorth, North'],
    ['HALL: North', '$${HALL} $HALL $$ $', '${HALL} $HALL $$ $'],
    ['HALL: North', '${{price}} {{${HALL}}}', '${{price}} {{North}}'],
    ['{"HALL": "${NAME} $& $1", "NAME": "x"}', '${HALL}', '${NAME} $& $1'],
    ['HALL: 1.10\nN: 007\nT: yes\nD: 2026-01-01\nE: ""', '${HALL} ${N} ${T} ${D} (${E})', '1.10 007 yes 2026-01-01 ()'],
    ['HALL: |\n  a\n  b\n__proto__: c', '${HALL}${__proto__}', 'a\nb\nc'],
  ])('%j turns %j into %j', async (text, from, to) => {
    write(from);
    expect((await values(text, '--yes')).exit).toBe(0);
    expect(stored('prod_1').content).toBe(to);
    expect(await values(text, '--yes')).toEqual(worked('', 'Up to date.'));
  });

  it('are texts in fields: none becomes another field, and names are matched with them', async () => {
    there('prod_1', 'template_001', { name: 'Pressure low (North)' });
    edit('template_001.txt', /name: .*/, 'name: Pressure low (${HALL})');
    edit('template_001.txt', /subject: .*/, 'subject: ${SUBJECT}');
    edit('template_001.txt', '- day', '- ${SUBJECT}');
    expect((await values('HALL: North\nSUBJECT: "a\\nname: b # [c]"', '--yes')).exit).toBe(0);
    expect(JSON.parse(changes()[0]?.body ?? '')).toEqual({ subject: 'a\nname: b # [c]', tags: ['a\nname: b # [c]'] });
  });

  it('are found whether a letter has one part or two', async () => {
    write('${ガス} ${ハ゜}'.normalize('NFD'));
    expect((await values('ガス: gas\nハ゜: pa'.normalize('NFC'), '--yes')).exit).toBe(0);
    expect(stored('prod_1').content).toBe('gas pa');
  });

  it('are not used for a file that happens to have ${', async () => {
    write('${HALL} $${HALL}');
    expect((await push('template_001', '--yes')).exit).toBe(0);
    expect(stored('prod_1').content).toBe('${HALL} $${HALL}');
  });

  it.each([
    ['${HALL} and\n${NAME} ${HALL}', 'line 11 has ${HALL}, line 12 has ${NAME}'],
    ['one\n\ntwo ${', 'line 13 has ${'],
    ['${}', 'line 11 has ${}'],
    ['${ NULL }', 'line 11 has ${ NULL }'],
    ['${NULL}', 'line 11 has ${NULL}'],
  ])('%j without a value is reported with its line, and nothing is sent', async (text, where) => {
    write(text);
    expect(await values('OTHER: x\nNULL: null', '--yes')).toEqual(
      failed(
        2,
        `error: template_001.txt: ${where}, without a value in ${prodYaml()}.`,
        'hint: Correct the files; nothing was sent',
      ),
    );
    expect(someone.sent).toEqual([]);
  });

  it('tells the line of a field, and all files at once', async () => {
    edit('template_001.txt', /subject: .*/, 'subject: ${HALL}');
    edit('template_002.txt', 'reports', '${HALL}');
    const { details } = await errorOf(push('--values', path('prod.yaml', 'A: b'), '--yes', '-o', 'json'));
    expect(details.map(({ message }: { message: string }) => message.split(',')[0])).toEqual([
      'template_001.txt: line 4 has ${HALL}',
      'template_002.txt: line 11 has ${HALL}',
    ]);
  });

  it.each([
    [
      `HALL: "${'x'.repeat(50_000)}"`,
      expect.stringMatching(/^template_001\.txt: content takes at most 50000 characters/),
    ],
  ])('are checked in the file', async (text, problem) => {
    edit('template_001.txt', 'reports', '${HALL}');
    const { message } = await errorOf(values(text, '--yes', '-o', 'json'));
    expect(message.replace(/\.$/, '')).toEqual(problem);
    expect(someone.sent).toEqual([]);
  });

  it.each([
    ['HALL: [', 'is not YAML or JSON: see line 1'],
    ['A: b\nA: c', 'is not YAML or JSON: see line 2'],
    ['- North', 'does not hold values, as in "HALL: North"'],
    ['', 'does not hold values, as in "HALL: North"'],
    ['HALL: [a]', 'has a value for HALL that is not text'],
    ['A: &a x\nHALL: *a', 'has a value for HALL that is not text'],
    ['- '.repeat(2600), 'has more than 5,000 words and marks, or more than 64 KiB'],
  ])('%j is refused', async (text, problem) => {
    expect(await inBrief(values(text, '--yes'))).toEqual(failed(2, `error: --values ${prodYaml()} ${problem}.`));
    expect(someone.sent).toEqual([]);
  });

  it('go to the first organization as well, where a pull keeps the file', async () => {
    edit('template_001.txt', 'reports', '${HALL}');
    const file = path('dev.yaml', 'HALL: reports');
    expect(await work.run('push', '--values', file, '--yes')).toEqual(worked('', 'Up to date.'));
    expect((await work.run('pull')).stdout).toBe('template_001.txt\tkept\n');
    expect(read('template_001.txt')).toContain('${HALL}');
  });
});

describe('an organization', () => {
  it('that is not the one of the folder needs --match', async () => {
    const sentence = `error: The templates in ${work.dir} belong to organization ${ids.root}, but --org is ${prod}.`;
    const hint = `hint: Give --org ${ids.root}, or another folder`;
    for (const verb of ['push', 'diff'])
      expect(await work.run(verb, '--org', prod)).toEqual(
        failed(2, sentence, `${hint}, or find its templates with --match name`),
      );
    expect(await work.run('pull', '--org', prod)).toEqual(failed(2, sentence, hint));
    expect(someone.sent).toEqual([]);
  });

  it.each([
    [['--match', 'name'], 'Leave out --match'],
    [['--map', 'map.csv'], 'Leave out --map'],
  ])('that is the one of the folder is not matched with %j', async (words, hint) => {
    const sentence = `error: The templates in ${work.dir} belong to organization ${ids.root} itself.`;
    expect(await work.run('push', '--org', ids.root.toUpperCase(), ...words)).toEqual(
      failed(2, sentence, `hint: ${hint}`),
    );
  });

  it('is matched in one way', async () => {
    expect(await inBrief(push('--map', 'map.csv'))).toEqual(failed(2, 'error: --match and --map cannot be combined.'));
  });

  it.each([
    ['{"version":1,"templates":{}', 'cannot be understood, so iiot cannot tell what was pulled'],
    ['{"version":1,"orgId":"other","templates":{}}', 'cannot be understood, so iiot cannot tell what was pulled'],
  ])('whose record is %j is not written to', async (text, problem) => {
    mkdirSync(file('.iiot'), { recursive: true });
    writeFileSync(file(`.iiot/${prod}.json`), text);
    expect(await inBrief(push('--yes'))).toEqual(failed(2, `error: ${file(`.iiot/${prod}.json`)} ${problem}.`));
    expect([someone.sent, readFileSync(file(`.iiot/${prod}.json`), 'utf8')]).toEqual([[], text]);
  });
});
