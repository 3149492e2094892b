import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { ids } from '../../src/sandbox/world/ids.ts';
import type { Template } from '../../src/sandbox/world/world.ts';
import { character } from '../support/any-text.ts';
import { personForEach } from '../support/fixtures.ts';
import { templatesFolderForEach } from '../support/templates-folder.ts';
import { person } from '../support/world.ts';
import { contents } from '../working-copy/texts.ts';

const list = `/api/v1/orgs/${ids.root}/notifications/templates`;
const someone = personForEach();
const work = templatesFolderForEach(someone);
const { file, read, stored, edit } = work;
const push = (...words: string[]) => work.run('push', ...words);
/** What was sent since the last time. */
const sent = () => (someone.sent as unknown[]).splice(0) as { request: string; body?: string }[];
const changes = () => sent().filter(({ request }) => !request.startsWith('GET '));

describe('iiot templates push', () => {
  it('sends nothing where nothing was changed', async () => {
    expect(await push('--yes')).toEqual({
      exit: 0,
      stdout: '',
      stderr: 'Up to date.\n',
    });
    expect(sent()).toEqual([{ request: `GET ${list}?maxResultCount=100`, body: undefined }]);
  });

  it('sends only what differs, and only the fields that differ', async () => {
    edit('template_001.txt', '- day', '- day\n  - hall 3');
    edit('template_002.txt', 'reports', 'says\r\n');
    edit('template_002.txt', 'name: Door', 'name: The door');
    expect(await push('--yes')).toEqual({
      exit: 0,
      stdout: 'template_001.txt\tupdated\ttags\t\ntemplate_002.txt\tupdated\tname, content\t\n',
      stderr: 'template_001.txt: tags\ntemplate_002.txt: name, content\n2 templates: 2 updated.\n',
    });
    expect(changes()).toEqual([
      { request: `PATCH ${list}/template_001`, body: '{"tags":["day","hall 3"]}' },
      {
        request: `PATCH ${list}/template_002`,
        body: '{"name":"The door open","content":"{{deviceName}} says\\r\\n {{value}} {{unit}} at {{time}}."}',
      },
    ]);
    expect((await push('--yes')).stdout).toBe('');
    expect((await work.run('pull')).stderr).toBe('Up to date.\n');
  });

  it('leaves a field alone that a file leaves out, and empties a list that is empty there', async () => {
    edit('template_001.txt', /subject:.*\n/, '');
    edit('template_001.txt', 'tags:\n  - day', 'tags: []');
    expect((await push('--yes')).exit).toBe(0);
    expect(changes().map(({ body }) => body)).toEqual(['{"tags":[]}']);
  });

  it('works on those alone that are named', async () => {
    for (const name of ['template_001.txt', 'template_002.txt', 'template_003.txt']) edit(name, 'reports', 'says');
    expect((await push('template_002', file('template_003.txt'), '--yes')).stdout).toBe(
      'template_002.txt\tupdated\tcontent\t\ntemplate_003.txt\tupdated\tcontent\t\n',
    );
    expect(await push('nothing', '--yes')).toMatchObject({ exit: 5 });
  });

  it('writes a line of the history for each', async () => {
    edit('template_001.txt', 'reports', 'says');
    edit('template_002.txt', 'reports', '{{1}}');
    await push('--yes');
    const filter = '.[] | "\\(.operation) \\(.about) \\(.fields) \\(.outcome)"';
    const { stdout } = await someone.iiot(['history', '-o', 'json', '--jq', filter]);
    expect(stdout).toBe(
      'templates.update template template_002 ["content"] failed\ntemplates.update template template_001 ["content"] done\n',
    );
  });

  it('goes on after a failure, and ends with 9', async () => {
    edit('template_001.txt', 'reports', '{{1}}');
    edit('template_002.txt', 'reports', 'says');
    const { exit, stdout, stderr } = await push('--yes', '-o', 'json');
    expect([exit, JSON.parse(stderr).error]).toEqual([
      9,
      {
        code: 'partial',
        message: '2 templates: 1 updated, 1 failed.',
        details: [],
        hint: `See what is left: iiot templates diff ${work.dir}`,
      },
    ]);
    expect(JSON.parse(stdout)).toEqual([
      {
        templateId: 'template_001',
        file: 'template_001.txt',
        status: 'failed',
        updated: ['content'],
        error: expect.stringContaining('write {{name}}'),
      },
      {
        templateId: 'template_002',
        file: 'template_002.txt',
        status: 'updated',
        updated: ['content'],
        error: null,
      },
    ]);
  });

  it('says that it cannot create a template, and ends with 9', async () => {
    writeFileSync(file('new.md'), '---\ntemplateId: new\nname: New\n---\nHello');
    const { exit, stdout, stderr } = await push('--yes');
    expect([exit, stdout, stderr, changes()]).toEqual([
      9,
      'new.md\tno-template\t\tIt is not on the platform, and a push cannot create it\n',
      'error: 1 template: 1 not on the platform.\n' +
        'hint: A push cannot create templates: remove each such file, or correct its templateId\n',
      [],
    ]);
  });

  it.each([
    [
      '---\nname: New\n---\nHello',
      'its front matter has no templateId, and templates cannot be created here: create it on the platform, then pull',
    ],
    ['Hello', 'its front matter is missing: it starts with a line ---'],
  ])('says of a new file that is named, %j, what it lacks, and not that all is well', async (text, lacks) => {
    writeFileSync(file('new.md'), text);
    expect(await push('new.md', '--yes')).toEqual({
      exit: 2,
      stdout: '',
      stderr: `error: new.md: ${lacks}.\nhint: Nothing is sent until the files are correct\n`,
    });
    expect(sent()).toEqual([]);
  });

  it('refuses where nobody can agree, before anything is sent', async () => {
    edit('template_001.txt', 'reports', 'says');
    expect(await push()).toEqual({
      exit: 2,
      stdout: '',
      stderr: `error: To update the templates in ${work.dir} of organization ${ids.root} you must confirm; cannot prompt: not a terminal.\nhint: Confirm with --yes\n`,
    });
    expect(sent()).toEqual([]);
  });

  it('shows with --dry-run what was changed since the pull, and sends nothing at all', async () => {
    edit('template_001.txt', 'reports', 'says');
    const { exit, stdout, stderr } = await push('--dry-run', '-o', 'json');
    expect([exit, stderr, JSON.parse(stdout)]).toEqual([
      0,
      '',
      {
        dryRun: true,
        replaces: ['content'],
        request: {
          method: 'PATCH',
          url: `http://127.0.0.1:1${list}/template_001`,
          contentType: 'application/json',
          body: { content: '{{deviceName}} says {{value}} {{unit}} at {{time}}.' },
        },
        curl: expect.stringContaining('$IIOT_TOKEN'),
      },
    ]);
    rmSync(file('template_001.txt'));
    expect(await push('--dry-run')).toMatchObject({ exit: 0, stdout: '' });
    expect(sent()).toEqual([]);
  });
});

describe('every file is checked first, and nothing is sent where one is wrong', () => {
  it.each([
    [/name: .*/, `name: ${'x'.repeat(201)}`, 'name takes at most 200 characters, and has 201'],
    [/subject: .*/, 'subject: 7', 'subject takes a string'],
    [/reports/, 'LONG', 'content takes at most 50000 characters, and has 50047'],
    [/- teams/, '- sms', 'channelTypes[0] takes one of email, teams, linemessage, webhook'],
    [/tags:\n {2}- day/, 'tags: day', 'tags takes a list'],
    [/reports/, '{{value', 'line 1 of the content opens a variable with {{ that does not close'],
    [/subject:/, 'subjet:', 'subjet cannot be changed: name, subject, channelTypes, tags and the content can'],
    [/orgId: .*/, 'orgId: other', 'orgId cannot be changed: name, subject, channelTypes, tags and the content can'],
    [/name: /, 'name: [', 'its front matter is not YAML: see line 4'],
    [/^---/, '', 'its front matter is missing: it starts with a line ---'],
  ])('%s becomes %j', async (from, to, wrong) => {
    edit('template_001.txt', from, to.replace('LONG', 'x'.repeat(50_000)));
    edit('template_002.txt', 'reports', 'says');
    const { exit, stdout, stderr } = await push('--yes');
    expect([exit, stdout, stderr.split('\n').slice(0, 2)]).toEqual([
      2,
      '',
      [expect.stringContaining(`template_001.txt: ${wrong}`), 'hint: Nothing is sent until the files are correct'],
    ]);
    expect(sent()).toEqual([]);
  });

  it('tells all that is wrong at once', async () => {
    edit('template_001.txt', 'reports', '{{value');
    edit('template_003.txt', '- email', '- sms');
    const { stderr } = await push('--yes', '-o', 'json');
    expect(JSON.parse(stderr).error.details).toHaveLength(2);
  });

  it('does not refuse what the platform has already', async () => {
    stored('template_001').content = '{{ is here';
    await work.run('pull');
    edit('template_001.txt', 'name: ', 'name: New ');
    expect(await push('--yes')).toMatchObject({ exit: 0 });
  });
});

describe('what was changed on the platform since the pull', () => {
  beforeEach(() => {
    edit('template_002.txt', 'reports', 'says');
    stored('template_001').name = 'There';
  });

  it('is never overwritten: nothing is sent, and it ends with 6', async () => {
    edit('template_001.txt', 'reports', 'says');
    const { exit, stdout, stderr } = await push('--yes');
    expect([exit, stdout]).toEqual([6, '']);
    expect(stderr).toMatch(
      /^error: template_001\.txt was changed here \(\S+Z\) and on the platform since the pull\.\nhint: See the difference with: iiot templates diff \S+ template_001\.txt\. Keep the platform's version with pull --force, or yours with push --force\n$/,
    );
    expect(changes()).toEqual([]);
    expect((await push('template_002', '--yes')).exit).toBe(0);
  });

  it('is not turned back by a file that was not changed', async () => {
    expect(await push('--yes')).toMatchObject({
      exit: 6,
      stderr: expect.stringMatching(/^error: template_001\.txt was changed on the platform since the pull\./),
    });
  });

  it('is overwritten with --force', async () => {
    expect((await push('--yes', '--force')).exit).toBe(0);
    expect(changes().map(({ body }) => body)).toEqual(['{"name":"Pressure low"}', expect.stringContaining('says')]);
  });

  it('is pushed after a pull', async () => {
    await work.run('pull');
    expect((await push('--yes')).exit).toBe(0);
    expect(changes()).toHaveLength(1);
  });

  it('is no conflict where both have the same', async () => {
    edit('template_001.txt', /name: .*/, 'name: There');
    expect((await push('--yes')).stdout).toBe('template_002.txt\tupdated\tcontent\t\n');
    stored('template_001').name = 'Later';
    expect(await push('--yes')).toMatchObject({ exit: 6 });
  });
});

it.each([[[]], [['-o', 'json']]])('says with %j that the platform stored a text differently', async (words) => {
  edit('template_001.txt', 'reports', 'says');
  edit('template_002.txt', 'reports', 'says');
  writeFileSync(file('template_001.txt'), `${read('template_001.txt')}\n\n`);
  const { platform } = someone;
  const other = person({
    env: { IIOT_CONFIG_DIR: someone.folder },
    fetch: (url, { method, headers, body }) => {
      const trimmed = typeof body === 'string' && method === 'PATCH' ? body.replace(/(\\n)+"/, '"') : body;
      return platform.fetch(new Request(url, { method, headers, ...(trimmed !== undefined && { body: trimmed }) }));
    },
  });
  const { exit, stderr } = await other.iiot(['templates', 'push', work.dir, '--yes', ...words]);
  expect([exit, stderr.split('\n').filter((line) => line.includes('differently'))]).toEqual([
    0,
    [
      'template_001.txt: the platform stored content differently from what was sent. ' +
        `Take its version: iiot templates pull ${work.dir} template_001.txt`,
    ],
  ]);
  expect((await work.run('pull', 'template_001.txt')).exit).toBe(0);
  expect((await work.run('diff')).exit).toBe(0);
  other.leave();
});

it('stops where the platform cannot be reached, and says what was not sent', async () => {
  for (const at of [1, 2, 3, 4, 5]) edit(`template_00${at}.txt`, 'reports', 'says');
  const { platform } = someone;
  const other = person({
    env: { IIOT_CONFIG_DIR: someone.folder },
    fetch: async (url, { method, headers, body = null }) =>
      method === 'PATCH'
        ? new Response('', { status: 503 })
        : platform.fetch(new Request(url, { method, headers, body })),
  });
  const words = ['--yes', '-o', 'json', '--jq', 'map(.status) | join(" ")'];
  const { exit, stdout } = await other.iiot(['templates', 'push', work.dir, ...words]);
  expect([exit, stdout]).toEqual([
    8,
    expect.stringMatching(/^(failed|unknown) (failed|unknown) (failed|unknown) not-sent not-sent\n$/),
  ]);
  expect(other.requests.filter((request) => request.startsWith('PATCH'))).toHaveLength(3);
  other.leave();
});

it('pulls and pushes any template without sending anything', { timeout: 60_000 }, async () => {
  const text = fc.string({ unit: character, maxLength: 20 });
  const template = fc.record({
    name: text,
    subject: fc.oneof(text, fc.constant(null)),
    content: fc.oneof(text, fc.constantFrom(...Object.values(contents), null)),
    channelTypes: fc.array(text, { maxLength: 2 }),
    tags: fc.oneof(fc.array(text, { maxLength: 2 }), fc.constant(null)),
    extra: fc.jsonValue({ maxDepth: 2 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(template, { minLength: 1, maxLength: 5 }), async (templates) => {
      const { templates: all } = someone.platform.world;
      all.clear();
      rmSync(work.dir, { recursive: true, force: true });
      all.set('first', {
        templateId: 'first',
        orgId: ids.root,
        name: 'n',
        subject: 's',
        content: 'c',
        channelTypes: [],
        tags: [],
      });
      // What a platform may answer, beside what the sandbox itself would store.
      for (const [at, each] of templates.entries()) {
        all.set(`t${at}`, { templateId: `t${at}`, orgId: ids.root, ...each } as unknown as Template);
      }
      expect((await work.run('pull')).exit).toBe(0);
      expect((await push('--yes')).exit).toBe(0);
      expect((await work.run('diff')).exit).toBe(0);
      expect(changes()).toEqual([]);
    }),
    { numRuns: process.env.IIOT_TEST_LONG === '1' ? 100 : 20 },
  );
});

it('keeps the mode of a file, and writes no record where there is nothing new', async () => {
  chmodSync(file('template_001.txt'), 0o664);
  stored('template_001').name = 'There';
  await work.run('pull');
  const before = statSync(file('.iiot/templates.json')).mtimeMs;
  await push('--yes');
  expect([statSync(file('template_001.txt')).mode & 0o777, statSync(file('.iiot/templates.json')).mtimeMs]).toEqual([
    0o664,
    before,
  ]);
});
