import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Fetch } from '../../src/network/fetch.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import type { Template } from '../../src/sandbox/world/world.ts';
import { personsForEach } from '../support/fixtures.ts';
import { folderForEach } from '../support/folder.ts';
import { failed, inBrief, worked } from '../support/seen.ts';
import { asPulledBefore, onlyFive, where } from '../support/templates-folder.ts';
import type { Person } from '../support/world.ts';

const newPerson = personsForEach();
const folder = folderForEach();
let someone: Person;
let dir: string;

beforeEach(() => {
  someone = newPerson();
  onlyFive(someone);
  dir = folder.at('templates');
});

const upToDate = worked('', 'Up to date.');
const [pressure, door] = ['template_001-pressure-low.txt', 'template_002-door-open.txt'];
const pull = (...words: string[]) => someone.iiot(['templates', 'pull', dir, ...words]);
const file = (name: string) => join(dir, name);
const read = (name: string) => readFileSync(file(name), 'utf8');
const stored = (id: string) => someone.platform.world.templates.get(id) as Template;
const edit = (name: string, from: string, to: string) => writeFileSync(file(name), read(name).replace(from, to));

/** Nothing but these templates on the platform. */
function only(...templates: Partial<Template>[]): void {
  const { templates: all } = someone.platform.world;
  all.clear();
  for (const [at, template] of templates.entries()) {
    const templateId = template.templateId ?? `template_${at}`;
    const rest = { orgId: ids.root, name: 'n', subject: 's', content: 'c', channelTypes: ['email'], tags: [] };
    all.set(templateId, { ...rest, ...template, templateId });
  }
}

describe('iiot templates pull', () => {
  it('writes a file for each template, and a record of them', async () => {
    const others = ['template_003-tool-worn.txt', 'template_004-line-stopped.txt', 'template_005-oil-change.txt'];
    const names = [pressure, door, ...others];
    const rows = names.map((name) => `${name}\tcreated\n`);
    expect(await pull()).toEqual(worked(rows.join(''), '5 templates: 5 created.'));
    expect(readdirSync(dir)).toEqual(['.iiot', ...names]);
    expect(read(pressure)).toBe(
      '---\ntemplateId: template_001\nname: Pressure low\nsubject: "Pressure low: {{deviceName}}"\nchannelTypes:\n  - teams\n' +
        `tags:\n  - day\norgId: ${ids.root}\n---\n${stored('template_001').content}`,
    );
    expect(JSON.parse(read('.iiot/templates.json'))).toMatchObject({
      version: 1,
      orgId: ids.root,
      templates: { template_001: { file: pressure, hashes: { name: expect.any(String) } } },
    });
    expect(someone.sent.map(({ request }) => request)).toEqual([
      `GET /api/v1/orgs/${ids.root}/notifications/templates?maxResultCount=100`,
    ]);
  });

  it('does not write files that are unchanged or changed only here', async () => {
    await pull();
    const before = readdirSync(dir).map((name) => statSync(file(name)).mtimeMs);
    expect(await pull()).toEqual(upToDate);
    expect(readdirSync(dir).map((name) => statSync(file(name)).mtimeMs)).toEqual(before);
    edit(pressure, 'Pressure', 'No pressure');
    expect(await pull()).toEqual(worked(`${pressure}\tkept\n`, '5 templates: 1 kept, 4 up to date.'));
    expect(read(pressure)).toContain('No pressure');
  });

  it('names a file after the ID and the name, and never renames it', async () => {
    only({ name: 'Öl prüfen, Halle 3!' }, { name: '温度 high' }, { name: '../../etc/passwd\u202e' }, { name: '' });
    await pull();
    const names = ['template_0-ol-prufen-halle-3.txt', 'template_1.txt', 'template_2-etc-passwd.txt', 'template_3.txt'];
    expect(readdirSync(dir)).toEqual(['.iiot', ...names]);
    stored('template_0').name = 'Check the oil';
    expect((await pull()).stdout).toBe('template_0-ol-prufen-halle-3.txt\tupdated\n');
    asPulledBefore(dir);
    stored('template_0').name = 'Oil';
    expect((await pull()).stdout).toBe('template_0.txt\tupdated\n');
    expect(readdirSync(dir)).toEqual(['.iiot', ...[0, 1, 2, 3].map((at) => `template_${at}.txt`)]);
  });

  it('updates a renamed file from the platform, and keeps its comments', async () => {
    await pull();
    writeFileSync(file('hot.md'), read(pressure).replace('name:', '# Agreed with hall 3.\nname:'));
    rmSync(file(pressure));
    stored('template_001').content = 'New';
    expect(await pull('-o', 'json')).toMatchObject({ exit: 0, stderr: '' });
    expect(read('hot.md')).toMatch(/\n# Agreed with hall 3.\nname: Pressure low\n[\s\S]*\n---\nNew$/);
    expect(readdirSync(dir)).not.toContain(pressure);
  });

  it('leaves a file in conflict unchanged, updates the others, and ends with 6', async () => {
    only({}, {}, { ...({ lastModificationTime: '2026-01-01T11:00:00Z' } as object) });
    await pull();
    edit('template_2-n.txt', '\nc', '\nhere');
    Object.assign(stored('template_2'), { content: 'there' });
    stored('template_1').content = 'newer';
    const before = read('template_2-n.txt');
    const { exit, stdout, stderr } = await pull();
    expect([exit, stdout]).toEqual([6, 'template_1-n.txt\tupdated\ntemplate_2-n.txt\tconflict\n']);
    expect(stderr.replace(/\(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\) and/, '(TIME) and')).toBe(
      '3 templates: 1 updated, 1 in conflict, 1 up to date.\n' +
        'error: template_2-n.txt was changed here (TIME) and on the platform (2026-01-01T11:00:00Z) since the pull.\n' +
        `hint: See the difference with: iiot templates diff ${dir} template_2-n.txt ${where}. --force takes the platform's\n`,
    );
    expect([read('template_2-n.txt'), read('template_1-n.txt').endsWith('newer')]).toEqual([before, true]);
    expect(await pull('--force')).toMatchObject({ exit: 0, stdout: 'template_2-n.txt\tupdated\n' });
    expect(read('template_2-n.txt')).toMatch(/there$/);
  });

  it('reports a conflict for a changed file if the record is missing', async () => {
    await pull();
    edit(pressure, 'Pressure', 'No pressure');
    rmSync(file('.iiot'), { recursive: true });
    const { exit, stderr } = await pull();
    const sentence = `error: ${pressure} differs from the platform, and there is no record of its pull.`;
    expect([exit, stderr.split('\n')[1]]).toEqual([6, sentence]);
  });

  it('keeps a misspelt field of a file', async () => {
    await pull();
    edit(pressure, 'subject:', 'subjet:');
    edit(door, 'orgId', '# orgId');
    const before = [read(pressure), read(door)];
    expect((await pull()).stdout).toBe(`${pressure}\tkept\n${door}\tkept\n`);
    stored('template_001').content = 'there';
    expect((await pull()).stdout).toBe(`${pressure}\tconflict\n${door}\tkept\n`);
    rmSync(file('.iiot'), { recursive: true });
    expect((await pull()).stdout).toBe(`${pressure}\tconflict\n${door}\tupdated\n`);
    expect(read(pressure)).toBe(before[0]);
  });

  it('updates fields that only the platform writes after a push', async () => {
    await pull();
    Object.assign(stored('template_001'), { version: 2 });
    edit(pressure, 'Pressure', 'No pressure');
    await someone.iiot(['templates', 'push', dir, '--yes']);
    expect((await pull()).stdout).toBe(`${pressure}\tupdated\n`);
    expect(read(pressure)).toMatch(/No pressure[\s\S]*\nversion: 2\n---/);
  });

  it('updates only the named templates, by ID or by file', async () => {
    expect(await pull('template_003')).toMatchObject({ exit: 0, stdout: 'template_003-tool-worn.txt\tcreated\n' });
    stored('template_003').name = 'x';
    expect(await pull(file('template_003-tool-worn.txt'), 'template_004')).toMatchObject({
      stdout: 'template_003-tool-worn.txt\tupdated\ntemplate_004-line-stopped.txt\tcreated\n',
    });
    const hint = '\nhint: Give the ID of a template, or its file\n';
    expect(await pull('template_999')).toMatchObject({ exit: 5, stderr: expect.stringContaining(hint) });
  });

  it('keeps and names a file whose template was deleted', async () => {
    await pull();
    someone.platform.world.templates.delete('template_001');
    const sum = '5 templates: 1 not on the platform, 4 up to date.';
    expect(await pull()).toEqual(worked(`${pressure}\tno_template\n`, sum));
    expect(read(pressure)).toContain('template_001');
  });
});

it('iiot templates pull, diff and push print JSON that matches the schemas of their help', async () => {
  const valid = async (name: string, ...words: string[]) => {
    const { stdout } = await someone.iiot(['templates', name, dir, ...words, '-o', 'json']);
    const help = await someone.iiot(['help', 'templates', name, '-o', 'json']);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const isValid = ajv.validate(JSON.parse(help.stdout).result, JSON.parse(stdout));
    expect([isValid, ajv.errorsText()]).toEqual([true, 'No errors']);
    return JSON.parse(stdout).length;
  };
  expect(await valid('pull')).toBe(5);
  edit(pressure, '{{time}}', '{{time');
  edit(door, 'reports', 'says');
  rmSync(file('template_003-tool-worn.txt'));
  writeFileSync(file('new.md'), '---\ntemplateId: new\n---\n');
  expect([await valid('diff'), await valid('push', '--yes'), await valid('pull')]).toEqual([4, 3, 3]);
});

describe('a folder for iiot templates pull', () => {
  it('is refused with the same template in two files', async () => {
    await pull();
    writeFileSync(file('copy.md'), read(pressure));
    const sentence = `error: Template template_001 is in copy.md and in ${pressure}.`;
    expect(await pull()).toEqual(failed(2, sentence, 'hint: Remove one of them'));
  });

  it.each(['<<<<<<< HEAD\n', '', '[]', '{"version":1,"templates":{"a":1}}'])(
    'is refused with the unreadable record %j',
    async (text) => {
      await pull();
      writeFileSync(file('.iiot/templates.json'), text);
      const why = 'cannot be understood, so iiot cannot tell what was pulled';
      expect(await inBrief(pull('--force'))).toEqual(failed(2, `error: ${file('.iiot/templates.json')} ${why}.`));
      expect(read('.iiot/templates.json')).toBe(text);
    },
  );

  it('has a conflict in a file that lost its front matter', async () => {
    await pull();
    writeFileSync(file(pressure), 'Just text');
    writeFileSync(file('README.md'), '# Ours');
    writeFileSync(file('new.md'), '---\nname: x\n---\n');
    const { exit, stdout, stderr } = await pull();
    expect([exit, stdout]).toEqual([6, `${pressure}\tconflict\n`]);
    expect(stderr).toMatch(/^new\.md: its front matter has no templateId, .*\. It stays as it is\.\n5 templates: 1 in/);
    expect(stderr).toContain(`\nerror: ${pressure} cannot be read: its front matter is`);
    expect([read(pressure), read('README.md')]).toEqual(['Just text', '# Ours']);
    expect((await pull('--force')).stdout).toBe(`${pressure}\tupdated\n`);
  });

  it('may have links to other places, which are not followed or written through', async () => {
    const outside = folder.write('outside.txt', 'mine');
    mkdirSync(dir);
    symlinkSync(outside, file(pressure));
    const { exit, stderr } = await pull('template_001');
    expect([exit, stderr, readFileSync(outside, 'utf8')]).toEqual([0, '1 template: 1 created.\n', 'mine']);
    expect(readdirSync(dir).filter((name) => name !== '.iiot')).toEqual([
      expect.stringMatching(/^template_001-[0-9a-f]{8}-pressure-low\.txt$/),
      pressure,
    ]);
    rmSync(file('.iiot'), { recursive: true });
    symlinkSync(join(dir, '..'), file('.iiot'));
    const sentence = `error: ${file('.iiot')} is not a folder.`;
    expect(await pull()).toEqual(failed(2, sentence, 'hint: Remove it, and pull again'));
  });

  it('is refused with a record that is a link to an endless device', async () => {
    mkdirSync(file('.iiot'), { recursive: true });
    symlinkSync('/dev/zero', file('.iiot/templates.json'));
    const sentence = `error: ${file('.iiot/templates.json')} is not a regular file of up to 64 MiB.`;
    expect(await inBrief(pull())).toEqual(failed(2, sentence));
  });

  it('is refused if it is a file', async () => {
    writeFileSync(dir, '');
    expect(await pull()).toEqual(failed(2, `error: ${dir} is not a folder.`, 'hint: Name the folder of the templates'));
  });
});

describe('a list of the platform', () => {
  const with_ = (...items: object[]) => {
    const fetch: Fetch = async () => Response.json({ items, totalCount: items.length });
    someone = newPerson({ fetch, env: { IIOT_TOKEN: 'token-1' } });
  };

  it('without the content of templates ends with 7 and a hint', async () => {
    with_({ templateId: 'a', name: 'n' }, { templateId: 'b', content: null });
    const update = 'iiot templates update <templateId> --content-file FILE';
    const hint = `hint: Without it, templates cannot be compared with files. Set it with: ${update}`;
    expect(await pull()).toEqual(
      failed(7, "error: The platform's list of templates does not include their content.", hint),
    );
    expect(folder.names()).toEqual([]);
  });

  it('without an end is read only up to 80 million characters', async () => {
    const content = 'x'.repeat(1_000_000);
    let sent = 0;
    const endless: Fetch = async () => {
      const items = [...Array(20).keys()].map((index) => ({ templateId: `t${sent}-${index}`, content }));
      sent += 1;
      return Response.json({ items, totalCount: 1_000_000_000 });
    };
    someone = newPerson({ fetch: endless, env: { IIOT_TOKEN: 'token-1' } });
    const what = 'The list of templates has no end, or is too long to compare with files';
    const hint = 'hint: See it with: iiot templates list --limit 10 -o json';
    expect(await pull()).toEqual(failed(8, `error: ${what}: 80 with 80,001,840 characters were read.`, hint));
    expect([sent, folder.names()]).toEqual([4, []]);
  });

  it('is refused above 20,000 templates, or above 64 KiB besides a content', async () => {
    with_(...[...Array(20_001).keys()].map((index) => ({ templateId: `t${index}`, content: '' })));
    expect((await pull()).stderr).toMatch(/^error: The list of templates has no end, .*: 20,001 with /);
    const by = Object.fromEntries([...Array(8000).keys()].map((key) => [`name ${key}`, key]));
    with_({ templateId: 'a', content: 'x'.repeat(100_000), by });
    const sentence = 'error: Template a has more than 64 KiB besides its content, too much for a file.';
    expect(await pull()).toEqual(failed(8, sentence, 'hint: See it with: iiot templates list -o json'));
    expect(folder.names()).toEqual([]);
  });

  it('may have fields in another case, an id, missing fields and unknown fields', async () => {
    with_({ Id: 7, Name: 'n', Content: 'c', version: 12345678901, by: { name: 'Ada', __proto: [] } }, { id: 'b' });
    expect(await pull()).toMatchObject({ exit: 0 });
    expect(read('7-n.txt')).toBe(
      '---\ntemplateId: "7"\nname: "n"\nId: 7\nversion: 12345678901\nby:\n  name: Ada\n  __proto: []\n---\nc',
    );
    expect(read('b.txt')).toBe('---\ntemplateId: b\nid: b\n---\n');
    expect(await pull()).toEqual(upToDate);
  });

  it('without IDs is refused', async () => {
    with_({ name: 'n', content: 'c' });
    expect(await pull()).toMatchObject({ exit: 8, stdout: '' });
  });

  it('without templates leaves the folder up to date', async () => {
    with_();
    expect(await pull()).toEqual(upToDate);
  });
});
