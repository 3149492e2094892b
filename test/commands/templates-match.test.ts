/** Templates of one organization that go to another: found by name or by a list, with values in them. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
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

const replaced = expect.stringMatching(
  /--- platform\/template_001\.txt\n.*\n templateId: prod_1\n.*\n-subject: Old\n\+subject: "Pressure low: .*\n-Old\n.*\n\+\{\{deviceName\}\} reports/s,
);
const cannotGo = (problem: string) => failed(2, `error: The files cannot go to organization ${prod}: ${problem}.`);
const noTemplate = 'no template has the name';
const sum = '1 template: 1 updated.\n';

describe('a push to another organization', () => {
  beforeEach(() => there('prod_1', 'template_001', { subject: 'Old', content: 'Old' }));

  it('finds templates by name, shows what it replaces, and sends the differences', async () => {
    const seen = await push('--yes');
    expect(seen).toEqual({ ...worked('template_001.txt\tdone\tsubject, content\t\n'), stderr: replaced });
    expect(seen.stderr.endsWith(sum)).toBe(true);
    const { subject, content } = stored('template_001');
    expect(changes()).toEqual([{ request: `PATCH ${list}/prod_1`, body: JSON.stringify({ subject, content }) }]);
    expect(await push('--yes')).toEqual(worked('', 'Up to date.'));
    expect(await diff()).toEqual(worked('', 'Up to date.'));
  });

  it('finds a name in either Unicode form of its letters, also with --map', async () => {
    edit('template_001.txt', /name: .*/, 'name: ガス圧力低下');
    there('prod_1', 'template_001', { name: 'ガス圧力低下'.normalize('NFD'), content: 'Old' });
    expect((await push('--yes', 'template_001.txt')).stdout).toBe('template_001.txt\tdone\tcontent\t\n');
    const map = path('map.csv', `name,templateId\n${'ガス圧力低下'.normalize('NFD')},prod_1\n`);
    expect(await work.run('push', '--org', prod, '--map', map, 'template_001.txt', '--yes')).toEqual(
      worked('', 'Up to date.'),
    );
  });

  it('keeps its own record, and leaves the files and the first record unchanged', async () => {
    const before = ['.iiot/templates.json', 'template_001.txt'].map(read);
    await push('--yes');
    expect(['.iiot/templates.json', 'template_001.txt'].map(read)).toEqual(before);
    const records = [`${prod}.json`, `pushed-${prod}.json`];
    expect(readdirSync(file('.iiot')).sort()).toEqual(['.gitignore', ...records, 'templates.json']);
    expect(JSON.parse(read(`.iiot/${prod}.json`))).toMatchObject({
      orgId: prod,
      templates: { prod_1: { file: 'template_001.txt' }, prod_5: { file: 'template_005.txt' } },
    });
    expect(await work.run('push', '--yes')).toEqual(worked('', 'Up to date.'));
    expect(await work.run('pull')).toEqual(worked('', 'Up to date.'));
  });

  it('needs a confirmation, and shows what it replaces only the first time', async () => {
    const asked = `error: To update the templates in ${work.dir} of organization ${prod} at 127.0.0.1:1 you must`;
    expect(await push()).toMatchObject({ exit: 2, stderr: expect.stringContaining(asked) });
    expect(someone.sent).toEqual([]);
    await push('--yes');
    edit('template_001.txt', 'reports', 'says');
    expect((await push('--yes')).stderr).toBe(`template_001.txt: content\n${sum}`);
  });

  it('refuses to overwrite what was changed there since the last push without --force', async () => {
    await push('--yes');
    stored('prod_1').subject = 'Theirs';
    const advice = 'Merge the change into the file, or overwrite it with push --force';
    const hint = `hint: See the difference with: iiot templates diff ${words(' template_001.txt')}. ${advice}`;
    const sentence = 'template_001.txt was changed on the platform since the last push.';
    expect(await push('--yes')).toEqual(failed(6, `error: ${sentence}`, hint));
    expect((await diff()).stderr).toBe(`${sentence}\n1 template differs from the platform.\n${advice}\n`);
    edit('template_001.txt', 'reports', 'says');
    expect((await inBrief(push('--yes'))).stderr).toMatch(
      /was changed here \(\S+\) and on the platform since the last push\.\n$/,
    );
    expect((await push('--yes', '--force')).exit).toBe(0);
    expect(stored('prod_1').subject).toBe('Pressure low: {{deviceName}}');
  });

  it('sends only the named templates, by file or by the ID in it', async () => {
    // What is prod_1 in the file is another template than prod_1 of the other organization.
    edit('template_002.txt', /templateId: .*/, 'templateId: prod_1');
    there('prod_2', 'template_002', { content: 'Old' });
    expect((await push('prod_1', '--yes')).stdout).toBe('template_002.txt\tdone\tcontent\t\n');
    expect((await push('template_001.txt', '--yes')).stdout).toBe('template_001.txt\tdone\tsubject, content\t\n');
    expect(await inBrief(push('prod_3', '--yes'))).toEqual(
      failed(5, `error: prod_3 is neither a template nor a file in ${work.dir}.`),
    );
  });

  it('is compared by diff with the same options, which prints the push command', async () => {
    const update = `Update it with: iiot templates push ${words()}`;
    expect(await diff()).toEqual({ ...failed(10, '1 template differs from the platform.', update), stdout: replaced });
  });

  it('is shown by --dry-run without a request, with the IDs of earlier pushes', async () => {
    const request = ['--dry-run', '-o', 'json', '--jq', '.[0].request.url'];
    expect(await push('template_001', ...request)).toEqual(worked(`http://127.0.0.1:1${list}/TEMPLATE_ID\n`));
    expect(someone.sent).toEqual([]);
    await push('--yes');
    const read = `A dry run does not read the platform. Compare with it: iiot templates diff ${words()}`;
    expect(await push('--dry-run')).toEqual(worked('', read, 'No file was changed since the last push.'));
    edit('template_001.txt', 'reports', 'says');
    expect(await push(...request)).toEqual(worked(`http://127.0.0.1:1${list}/prod_1\n`));
  });

  it('works with a folder that has no record', async () => {
    rmSync(file('.iiot'), { recursive: true });
    expect((await push('--yes')).exit).toBe(0);
    expect(readdirSync(file('.iiot')).sort()).toEqual(['.gitignore', `${prod}.json`, `pushed-${prod}.json`]);
  });

  it('refuses a field that no update can change', async () => {
    edit('template_001.txt', 'subject:', 'subjet:');
    const wrong = 'template_001.txt: subjet cannot be changed: name, subject, channelTypes, tags and the content can';
    expect(await inBrief(push('--yes'))).toEqual(cannotGo(wrong));
  });
});

describe('names of templates for a push with --match name', () => {
  it('are all reported at once if they do not lead to one template', async () => {
    there('prod_1', 'template_001', { content: 'Old' });
    there('prod_2', 'template_002', { name: 'Elsewhere' });
    there('prod_6', 'template_003');
    edit('template_005.txt', /name: .*/, `name: ${stored('template_004').name}`);
    const { details, message } = await errorOf(push('--yes', '-o', 'json'));
    const [, door, third, fourth] = [1, 2, 3, 4].map((at) => stored(`template_00${at}`).name);
    const problems = [
      `template_002.txt: ${noTemplate} "${door}"`,
      `template_003.txt: prod_3 and prod_6 have the name "${third}"`,
      `template_004.txt and template_005.txt have the name "${fourth}"`,
    ];
    expect(`error: ${message}\n`).toBe(cannotGo(problems.join('; ')).stderr);
    expect(details).toEqual(problems.map((each) => ({ field: undefined, message: each })));
    expect(changes()).toEqual([]);
    const { stderr } = await push('--yes');
    const next = `iiot templates push ${words(' template_001')}`;
    expect(stderr.split('\n')).toEqual([
      ...problems.map((each) => `${each}.`),
      expect.stringContaining(`organization ${prod}, for 3 reasons.`),
      `hint: Nothing was sent. To say which template a file goes to, give --map FILE. Send the others: ${next}`,
      '',
    ]);
    expect((await diff()).exit).toBe(2);
    expect((await someone.iiot([...printedLine(stderr), '--yes'])).exit).toBe(0);
  });

  it('are looked up on every page of the list', async () => {
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

  it('names the template of a file, and leaves the name of the template unchanged', async () => {
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
    ['name,templateId\nOther,prod_1\n', `template_001.txt: ${noTemplate} "Pressure low" in --map`],
    ['name,templateId\nPressure low,gone\n', 'template_001.txt: there is no template gone'],
    ['name,templateId\nPressure low,8.94E+19\n', 'template_001.txt: there is no template 8.94E+19'],
    [
      'name,templateId\nPressure low,prod_1\nPressure low,prod_2\n',
      'template_001.txt: prod_1 and prod_2 have the name "Pressure low"',
    ],
  ])('refuses names that do not lead to one template: %j', async (text, problem) => {
    expect(await inBrief(map(text, '--yes'))).toEqual(cannotGo(problem));
    expect(changes()).toEqual([]);
  });

  it('accepts its column names in any spelling', async () => {
    there('prod_1', 'template_001', { name: 'Pressure (production)', content: 'Old' });
    expect((await map('Name,Template ID\nPressure low,prod_1\n', '--yes')).exit).toBe(0);
    expect(changes()).toHaveLength(1);
  });

  it('says that a title above the column names must be removed', async () => {
    const { exit, stderr } = await map('Our templates\n\nname,templateId\nPressure low,prod_1\n', '--yes');
    expect([exit, stderr.split('\n')[1]]).toEqual([2, 'hint: The column names are on line 3: remove what is above']);
  });

  it.each([
    ['name,templateId\nPressure low,\n', 'line 2 has no templateId'],
    ['name\nPressure low\n', 'line 2 has no templateId'],
    ['name,templateId\nA,prod_1\nB,prod_1\n', 'line 3 has template prod_1 again'],
    ['name,templateId\nA\n', 'line 2 has 1 cell; the header has 2'],
  ])('refuses %j before anything is sent', async (text, problem) => {
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
  ])('%j turn %j into %j', async (text, from, to) => {
    write(from);
    expect((await values(text, '--yes')).exit).toBe(0);
    expect(stored('prod_1').content).toBe(to);
    expect(await values(text, '--yes')).toEqual(worked('', 'Up to date.'));
  });

  it('stay texts inside their field, and are filled in before names are matched', async () => {
    there('prod_1', 'template_001', { name: 'Pressure low (North)' });
    edit('template_001.txt', /name: .*/, 'name: Pressure low (${HALL})');
    edit('template_001.txt', /subject: .*/, 'subject: ${SUBJECT}');
    edit('template_001.txt', '- day', '- ${SUBJECT}');
    expect((await values('HALL: North\nSUBJECT: "a\\nname: b # [c]"', '--yes')).exit).toBe(0);
    expect(JSON.parse(changes()[0]?.body ?? '')).toEqual({ subject: 'a\nname: b # [c]', tags: ['a\nname: b # [c]'] });
  });

  it('are found in either Unicode form of their names', async () => {
    write('${ガス} ${ハ゜}'.normalize('NFD'));
    expect((await values('ガス: gas\nハ゜: pa'.normalize('NFC'), '--yes')).exit).toBe(0);
    expect(stored('prod_1').content).toBe('gas pa');
  });

  it('are not looked for in a file without --values', async () => {
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
  ])('are reported with their lines if they are missing for %j', async (text, where) => {
    write(text);
    expect(await inBrief(values('OTHER: x\nNULL: null', '--yes'))).toEqual(
      failed(2, `error: template_001.txt: ${where}, without a value in ${prodYaml()}.`),
    );
    expect(someone.sent).toEqual([]);
  });

  it('are reported for all files at once if they are missing', async () => {
    edit('template_001.txt', /subject: .*/, 'subject: ${HALL}');
    edit('template_002.txt', 'reports', '${HALL}');
    const { details } = await errorOf(push('--values', path('prod.yaml', 'A: b'), '--yes', '-o', 'json'));
    expect(details.map(({ message }: { message: string }) => message.split(',')[0])).toEqual([
      'template_001.txt: line 4 has ${HALL}',
      'template_002.txt: line 11 has ${HALL}',
    ]);
  });

  it('are refused if they make a field of the file too long', async () => {
    edit('template_001.txt', 'reports', '${HALL}');
    const { message } = await errorOf(values(`HALL: "${'x'.repeat(50_000)}"`, '--yes', '-o', 'json'));
    expect(message).toMatch(/^template_001\.txt: content takes at most 50000 characters/);
    expect(someone.sent).toEqual([]);
  });

  it.each([
    ...['HALL: [', 'A: b\nA: c'].map((text, at) => [text, `is not YAML or JSON: see line ${at + 1}`]),
    ...['- North', ''].map((text) => [text, 'does not hold values, as in "HALL: North"']),
    ['HALL: [a]', 'has a value for HALL that is not text'],
    ['A: &a x\nHALL: *a', 'has a value for HALL that is not text'],
    ['- '.repeat(2600), 'has more than 5,000 words and marks, or more than 64 KiB'],
  ])('are refused in the file %j', async (text = '', problem) => {
    expect(await inBrief(values(text, '--yes'))).toEqual(failed(2, `error: --values ${prodYaml()} ${problem}.`));
    expect(someone.sent).toEqual([]);
  });

  it('are also filled in for the first organization, and a pull keeps the file', async () => {
    edit('template_001.txt', 'reports', '${HALL}');
    const file = path('dev.yaml', 'HALL: reports');
    expect(await work.run('push', '--values', file, '--yes')).toEqual(worked('', 'Up to date.'));
    expect((await work.run('pull')).stdout).toBe('template_001.txt\tkept\n');
    expect(read('template_001.txt')).toContain('${HALL}');
  });
});

describe('a folder of templates of one organization', () => {
  it('goes to another organization only with --match name', async () => {
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
  ])('is refused for its own organization with %j', async (words, hint) => {
    const sentence = `error: The templates in ${work.dir} belong to organization ${ids.root} itself.`;
    expect(await work.run('push', '--org', ids.root.toUpperCase(), ...words)).toEqual(
      failed(2, sentence, `hint: ${hint}`),
    );
  });

  it('is refused with both --match and --map', async () => {
    expect(await inBrief(push('--map', 'map.csv'))).toEqual(failed(2, 'error: --match and --map cannot be combined.'));
  });
});
