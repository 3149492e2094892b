import { chmodSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Fetch } from '../../src/network/fetch.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import type { Template } from '../../src/sandbox/world/world.ts';
import { answering } from '../support/administrator.ts';
import { character } from '../support/any-text.ts';
import { personForEach, personsForEach } from '../support/fixtures.ts';
import { platformFetch } from '../support/platform-fetch.ts';
import { errorOf, failed, inBrief, worked } from '../support/seen.ts';
import { templatesFolderForEach, where } from '../support/templates-folder.ts';
import { contents } from '../working-copy/texts.ts';

const list = `/api/v1/orgs/${ids.root}/notifications/templates`;
const someone = personForEach();
const newPerson = personsForEach();
const work = templatesFolderForEach(someone);
const { file, read, stored, edit } = work;
const push = (...words: string[]) => work.run('push', ...words);
/** What was sent since the last time. */
const sent = () => (someone.sent as unknown[]).splice(0) as { request: string; body?: string }[];
const untilCorrect = 'hint: Correct the files; nothing was sent';
const changes = () => sent().filter(({ request }) => !request.startsWith('GET '));

describe('iiot templates push', () => {
  it('sends nothing where nothing was changed', async () => {
    expect(await push('--yes')).toEqual(worked('', 'Up to date.'));
    expect(sent()).toEqual([{ request: `GET ${list}?maxResultCount=100`, body: undefined }]);
  });

  it('sends only what differs, and only the fields that differ', async () => {
    edit('template_001.txt', '- day', '- day\n  - hall 3');
    edit('template_002.txt', 'reports', 'says\r\n');
    edit('template_002.txt', 'name: Door', 'name: The door');
    const rows = 'template_001.txt\tdone\ttags\t\ntemplate_002.txt\tdone\tname, content\t\n';
    expect(await push('--yes')).toEqual(
      worked(rows, 'template_001.txt: tags', 'template_002.txt: name, content', '2 templates: 2 updated.'),
    );
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

  it('sends what version control brought back, text and record, and still finds what another changed', async () => {
    const record = () => read('.iiot/templates.json');
    const before = [read('template_001.txt'), record()];
    edit('template_001.txt', 'reports', 'says');
    await push('--yes');
    const revert = () => {
      writeFileSync(file('template_001.txt'), before[0] ?? '');
      writeFileSync(file('.iiot/templates.json'), before[1] ?? '');
    };
    revert();
    expect((await work.run('diff')).exit).toBe(10);
    expect((await push('--yes')).stdout).toBe('template_001.txt\tdone\tcontent\t\n');
    expect(stored('template_001').content).toContain('reports');
    edit('template_001.txt', 'reports', 'says');
    await push('--yes');
    stored('template_001').content = 'What another has written';
    revert();
    expect((await push('--yes')).exit).toBe(6);
  });

  it('finds what another has set back to what was pushed from here', async () => {
    edit('template_001.txt', 'reports', 'says');
    await push('--yes');
    const { content } = stored('template_001');
    stored('template_001').content = 'Theirs';
    await work.run('pull');
    stored('template_001').content = content;
    edit('template_001.txt', 'Theirs', 'Ours');
    expect((await push('--yes')).exit).toBe(6);
  });

  it('empties what the platform showed as null when it was pulled', async () => {
    for (const field of ['subject', 'tags'] as const) {
      const before = stored('template_001')[field];
      (stored('template_001') as Record<string, unknown>)[field] = null;
      await work.run('pull');
      const pulled = read('template_001.txt');
      expect(pulled).toContain(`\n${field}: null\n`);
      Object.assign(stored('template_001'), { [field]: before });
      sent();
      expect((await push('--force', '--yes')).exit).toBe(0);
      expect(changes().map(({ body }) => body)).toEqual([JSON.stringify({ [field]: field === 'tags' ? [] : '' })]);
      expect(await push('--yes')).toEqual(worked('', 'Up to date.'));
    }
  });

  it('refuses the marks that a merge leaves', async () => {
    edit(
      'template_001.txt',
      /---\n(.*)$/,
      '---\n<<<<<<< Updated upstream\n$1\n=======\nMine\n>>>>>>> Stashed changes\n',
    );
    const wrong = 'its content has a merge conflict: lines <<<<<<< and >>>>>>>';
    expect(await inBrief(push('--yes'))).toEqual(failed(2, `error: template_001.txt: ${wrong}.`));
  });

  it('to another platform needs --force, keeps the record of the first, and has its own record', async () => {
    const record = read('.iiot/templates.json');
    const there = (verb: string, ...words: string[]) => work.run(verb, '--base-url', 'http://127.0.0.1:2', ...words);
    edit('template_001.txt', 'reports', 'says');
    const at = (port: number) => `http://127.0.0.1:${port}, tenant ${ids.tenantId}`;
    const are = `error: The templates in ${work.dir} were pulled from ${at(1)}, but this is ${at(2)}, as sandbox-machine.`;
    const give = 'hint: Log in there with a profile of its own, or';
    expect(await there('push', '--yes')).toEqual(failed(2, are, `${give} push them here with --force`));
    expect(await there('pull')).toEqual(failed(2, are, `${give} another folder, or --force`));
    expect(sent()).toEqual([]);
    expect((await there('diff')).stdout).toContain('+{{deviceName}} says');
    const pushed = await there('push', '--yes', '--force');
    expect(pushed).toMatchObject({ exit: 0, stderr: expect.stringContaining('\n-{{deviceName}} reports') });
    expect(read('.iiot/templates.json')).toBe(record);
    stored('template_001').subject = 'Theirs';
    edit('template_001.txt', 'says', 'tells');
    expect((await there('push', '--yes')).exit).toBe(6);
    expect((await push('--yes')).exit).toBe(6);
    expect((await there('pull', '--force')).exit).toBe(0);
    expect(JSON.parse(read('.iiot/templates.json')).origin).toBe('http://127.0.0.1:2');
    expect((await there('push', '--yes')).stderr).toBe('Up to date.\n');
  });

  it('works on those alone that are named', async () => {
    for (const name of ['template_001.txt', 'template_002.txt', 'template_003.txt']) edit(name, 'reports', 'says');
    expect((await push('template_002', file('template_003.txt'), '--yes')).stdout).toBe(
      'template_002.txt\tdone\tcontent\t\ntemplate_003.txt\tdone\tcontent\t\n',
    );
    expect(await push('nothing', '--yes')).toMatchObject({ exit: 5 });
  });

  it('takes the name of a file as it is typed, whichever form of its letters the file system keeps', async () => {
    edit('template_001.txt', 'reports', 'says');
    renameSync(file('template_001.txt'), file('プレス.txt'.normalize('NFD')));
    expect((await push('プレス.txt', '--yes')).stdout).toBe(`${'プレス.txt'.normalize('NFD')}\tdone\tcontent\t\n`);
  });

  it('notes what the platform may not take for a variable, and sends it', async () => {
    edit('template_001.txt', 'reports', '{{\u00a0line }}');
    edit('template_001.txt', /subject: .*/, 'subject: ｛｛value｝｝');
    const { exit, stderr } = await push('--dry-run');
    expect([exit, ...stderr.split('\n').slice(0, 2)]).toEqual([
      0,
      'Note: template_001.txt: subject has double braces that may not be a variable: line 1: ｛｛value｝｝ (write {{value}}).',
      'Note: template_001.txt: content has double braces that may not be a variable: line 1: {{\\u{a0}line }} (write {{line}}).',
    ]);
  });

  it.each([
    [
      'Write {{ "{{" }}deviceName{{ "}}" }} for {{deviceName}}.',
      'line 1: {{ " (without }}); line 1: {{" }}; line 1: {{ "}}',
    ],
    ['{{`{{ $labels.instance }}`}}', 'line 1: {{` (without }}); line 1: {{ $labels.instance }}'],
    ['{{/* as in {{ .Value }} */}}\nHot', 'line 1: {{/* as in (without }}); line 1: {{ .Value }}'],
    ['{{{{limit}}}} is {{0}}', 'line 1: {{{{limit}}}}; line 1: {{0}}'],
    ['{{value is {{ hot }}', 'line 1: {{value is (without }})'],
    [
      '{{#a}}\n{{b c}}\n{{d e}}\n{{/a}}\n{{x y}}\n{{z 1}}\n{{\u00a0line}}',
      /: line 7: .* \(write \{\{line\}\}\); line 1: .*; and 2 more$/,
    ],
  ])('notes braces that another syntax may have, and sends them: %j', async (content, braces) => {
    writeFileSync(
      file('template_001.txt'),
      read('template_001.txt').replace(/(?<=\n---\n)[\s\S]*/, () => content),
    );
    const { exit, stderr } = await push('--yes');
    const [note = ''] = stderr.split('.\n');
    expect([
      exit,
      note.replace('Note: template_001.txt: content has double braces that may not be a variable: ', ': '),
    ]).toEqual([0, typeof braces === 'string' ? `: ${braces}` : expect.stringMatching(braces)]);
    expect(stored('template_001').content).toBe(content);
  });

  it('takes a {{ that never closes with --yes alone, with a note, and tells what the platform says of it', async () => {
    edit('template_001.txt', /(?<=\n---\n)[\s\S]*/, 'Hot: {{value');
    const note =
      'Note: template_001.txt: content has double braces that may not be a variable: line 1: {{value (without }}).';
    expect(await push()).toMatchObject({ exit: 2, stderr: expect.stringContaining('Confirm with --yes') });
    expect(await push('--dry-run')).toMatchObject({ exit: 0, stderr: expect.stringContaining(note) });
    expect(changes()).toEqual([]);
    const { exit, stdout, stderr } = await push('--yes');
    expect([exit, stdout, stderr.split('\n')[0]]).toEqual([
      9,
      expect.stringContaining('has a variable that does not close'),
      note,
    ]);
  });

  it.each([
    ['content', /(?<=\n---\n)[\s\S]*/, ''],
    ['content', /(?<=\n---\n)[\s\S]*/, '\r\n'],
    ['subject', /subject: .*/, 'subject: ""'],
    ['subject', /subject: .*/, 'subject: null'],
  ] as const)(
    'asks before it empties the %s of a template, with the file, and takes --yes',
    async (field, from, to) => {
      edit('template_001.txt', from, to);
      edit('template_002.txt', 'reports', 'says');
      expect(await push()).toMatchObject({ exit: 2, stderr: expect.stringContaining('Confirm with --yes') });
      const { streams, text } = answering('n\n');
      const { exit } = await someone.iiot(['templates', 'push', work.dir, ...where.split(' ')], {
        ...streams,
        env: { TERM: 'dumb' },
      });
      expect([exit, text(), changes()]).toEqual([
        130,
        expect.stringContaining(`? This empties ${field} of template_001.txt. (y/N)`),
        [],
      ]);
      expect((await push('--yes')).exit).toBe(0);
      expect(stored('template_001')[field]).toBe(to.startsWith('subject') ? '' : to);
    },
  );

  it('does not ask about a text that was empty before', async () => {
    stored('template_001').subject = '';
    await work.run('pull');
    edit('template_001.txt', 'reports', 'says');
    const { streams, text } = answering('y\n');
    await someone.iiot(['templates', 'push', work.dir, ...where.split(' ')], { ...streams, env: { TERM: 'dumb' } });
    expect(text()).not.toContain('empties');
  });

  it('writes a line of the history for each', async () => {
    edit('template_001.txt', 'reports', 'says');
    edit('template_002.txt', '{{time}}', '{{time');
    await push('--yes');
    const filter = '.[] | "\\(.operation) \\(.subject.id) \\(.fields) \\(.outcome)"';
    const { stdout } = await someone.iiot(['history', '-o', 'json', '--jq', filter]);
    expect(stdout).toBe(
      'templates.update template_002 ["content"] failed\ntemplates.update template_001 ["content"] done\n',
    );
  });

  it('goes on after a failure, and ends with 9', async () => {
    edit('template_001.txt', '{{time}}', '{{time');
    edit('template_002.txt', 'reports', 'says');
    const { stdout, ...error } = await errorOf(push('--yes', '-o', 'json'));
    expect(error).toEqual({
      ...{ exit: 9, code: 'partial', message: '2 templates: 1 updated, 1 failed.', details: [] },
      hint: `See what is left: iiot templates diff ${work.dir} ${where}`,
      notices: [
        expect.stringMatching(/^Note: template_001\.txt: content has .*: line 1: \{\{time\. \(without \}\}\)\.$/),
      ],
    });
    const [one, two] = ['template_001', 'template_002'].map((templateId) => ({
      ...{ templateId, file: `${templateId}.txt`, updated: ['content'] },
    }));
    expect(JSON.parse(stdout)).toEqual([
      {
        ...one,
        status: 'failed',
        error: {
          code: 'rejected',
          message: expect.stringContaining('write {{name}}'),
          status: 400,
          requestId: expect.anything(),
        },
      },
      { ...two, status: 'done', error: null },
    ]);
  });

  it('says that it cannot create a template, and ends with 9', async () => {
    writeFileSync(file('new.md'), '---\ntemplateId: new\nname: New\n---\nHello');
    const hint = 'hint: A push cannot create templates: remove each such file, or correct its templateId';
    expect(await push('--yes')).toEqual({
      ...failed(9, 'error: 1 template: 1 not on the platform.', hint),
      stdout: 'new.md\tno_template\t\tIt is not on the platform, and a push cannot create it\n',
    });
    expect(changes()).toEqual([]);
  });

  it.each([
    [
      '---\nname: New\n---\nHello',
      'its front matter has no templateId, and templates cannot be created here: create it on the platform, then pull',
    ],
    ['Hello', 'its front matter is missing: it starts with a line ---'],
  ])('says of a new file that is named, %j, what it lacks, and not that all is well', async (text, lacks) => {
    writeFileSync(file('new.md'), text);
    expect(await push('new.md', '--yes')).toEqual(failed(2, `error: new.md: ${lacks}.`, untilCorrect));
    expect(sent()).toEqual([]);
  });

  it('refuses if no one can confirm, before anything is sent', async () => {
    edit('template_001.txt', 'reports', 'says');
    const what = `update the templates in ${work.dir} of organization ${ids.root}`;
    const sentence = `error: To ${what} at 127.0.0.1:1 you must confirm; cannot prompt: not a terminal.`;
    expect(await push()).toEqual(failed(2, sentence, 'hint: Confirm with --yes'));
    expect(sent()).toEqual([]);
  });

  it('shows with --dry-run what was changed since the pull, and sends nothing at all', async () => {
    edit('template_001.txt', 'reports', 'says');
    const { stdout, ...seen } = await push('--dry-run', '-o', 'json');
    const body = { content: '{{deviceName}} says {{value}} {{unit}} at {{time}}.' };
    const url = `http://127.0.0.1:1${list}/template_001`;
    expect({ ...seen, requests: JSON.parse(stdout) }).toEqual({
      exit: 0,
      stderr: '',
      requests: [
        {
          dryRun: true,
          replaces: ['content'],
          notes: [],
          request: { method: 'PATCH', url, headers: null, contentType: 'application/json', body },
          curl: expect.stringContaining('$IIOT_TOKEN'),
        },
      ],
    });
    rmSync(file('template_001.txt'));
    expect(await push('--dry-run')).toMatchObject({ exit: 0, stdout: '' });
    expect(sent()).toEqual([]);
  });
});

describe('every file is checked first, and nothing is sent where one is wrong', () => {
  it.each([
    [/name: .*/, `name: ${'x'.repeat(201)}`, 'name takes at most 200 characters, but has 201'],
    [/subject: .*/, 'subject: 7', 'subject takes a string'],
    [/reports/, 'LONG', 'content takes at most 50000 characters, but has 50047'],
    [/- teams/, '- sms', 'channelTypes[0] takes one of email, teams, linemessage, webhook'],
    [/tags:\n {2}- day/, 'tags: day', 'tags takes a list'],
    [/subject:/, 'subjet:', 'subjet cannot be changed: name, subject, channelTypes, tags and the content can'],
    [/orgId: .*/, 'orgId: other', 'orgId cannot be changed: name, subject, channelTypes, tags and the content can'],
    [/name: /, 'name: [', 'its front matter is not YAML: see line 4'],
    [/^---/, '', 'its front matter is missing: it starts with a line ---'],
  ])('%s becomes %j', async (from, to, wrong) => {
    edit('template_001.txt', from, to.replace('LONG', 'x'.repeat(50_000)));
    edit('template_002.txt', 'reports', 'says');
    expect(await push('--yes')).toEqual(failed(2, `error: template_001.txt: ${wrong}.`, untilCorrect));
    expect(sent()).toEqual([]);
  });

  it('tells all that is wrong at once', async () => {
    edit('template_001.txt', '- teams', '- sms');
    edit('template_003.txt', '- email', '- sms');
    expect((await errorOf(push('--yes', '-o', 'json'))).details).toHaveLength(2);
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
      /^error: template_001\.txt was changed here \(\S+Z\) and on the platform since the pull\.\nhint: See the difference with: iiot templates diff \S+ template_001\.txt --base-url \S+ --org \S+\. Keep the platform's version with pull --force, or yours with push --force\n$/,
    );
    expect(changes()).toEqual([]);
    expect((await push('template_002', '--yes')).exit).toBe(0);
  });

  it('is not turned back by a file that was not changed', async () => {
    const sentence = 'error: template_001.txt was changed on the platform since the pull.';
    expect(await inBrief(push('--yes'))).toEqual(failed(6, sentence));
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
    expect((await push('--yes')).stdout).toBe('template_002.txt\tdone\tcontent\t\n');
    stored('template_001').name = 'Later';
    expect(await push('--yes')).toMatchObject({ exit: 6 });
  });
});

type Init = Parameters<Fetch>[1];
/** The same person with the same platform behind something that passes requests on, or does not. */
function behind(passes: (send: (body: Init['body']) => Promise<Response>, init: Init) => Response | Promise<Response>) {
  const { platform, folder } = someone;
  const fetch: Fetch = async (url, init) => {
    const { method, headers } = init;
    return passes((body) => platformFetch(platform, new Request(url, { method, headers, body: body ?? null })), init);
  };
  return newPerson({ env: { IIOT_CONFIG_DIR: folder }, fetch });
}

it.each([[[]], [['-o', 'json']]])('says with %j that the platform stored a text differently', async (words) => {
  edit('template_001.txt', 'reports', 'says');
  edit('template_002.txt', 'reports', 'says');
  writeFileSync(file('template_001.txt'), `${read('template_001.txt')}\n\n`);
  const other = behind((send, { method, body }) =>
    send(typeof body === 'string' && method === 'PATCH' ? body.replace(/(\\n)+"/, '"') : body),
  );
  const { exit, stderr } = await other.iiot(['templates', 'push', work.dir, '--yes', ...words]);
  const note = 'template_001.txt: the platform stored content differently from what was sent.';
  const hint = `Take its version: iiot templates pull ${work.dir} template_001.txt ${where}`;
  expect([exit, ...stderr.split('\n').filter((line) => line.includes('differently'))]).toEqual([0, `${note} ${hint}`]);
  expect((await work.run('pull', 'template_001.txt')).exit).toBe(0);
  expect((await work.run('diff')).exit).toBe(0);
});

it('stops where the platform cannot be reached, and says what was not sent', async () => {
  for (const at of [1, 2, 3, 4, 5]) edit(`template_00${at}.txt`, 'reports', 'says');
  const other = behind((send, { method, body }) =>
    method === 'PATCH' ? new Response('{"error":{}}', { status: 503 }) : send(body),
  );
  const words = ['--yes', '-o', 'json', '--jq', 'map(.status) | join(" ")'];
  const { exit, stdout } = await other.iiot(['templates', 'push', work.dir, ...words]);
  expect([exit, stdout]).toEqual([
    8,
    expect.stringMatching(/^(failed|unknown) (failed|unknown) (failed|unknown) not_sent not_sent\n$/),
  ]);
  expect(other.requests.filter((request) => request.startsWith('PATCH'))).toHaveLength(3);
});

it('names those of unknown outcome to be looked up, and no others to be sent', async () => {
  for (const at of [1, 2, 3]) edit(`template_00${at}.txt`, '{{time}}', at === 2 ? '{{time' : 'noon');
  const other = behind((send, { method, body }) =>
    method === 'PATCH' && !String(body).includes('{{time') ? new Response('', { status: 504 }) : send(body),
  );
  const { exit, message, hint } = await errorOf(other.iiot(['templates', 'push', work.dir, '--yes', '-o', 'json']));
  expect([exit, message, hint]).toEqual([
    ...[9, '3 templates: 1 failed, 2 of unknown outcome.'],
    `Check what happened to template_001.txt, template_003.txt: iiot templates diff ${work.dir} template_001.txt template_003.txt ${where}. ` +
      `See what is left: iiot templates diff ${work.dir} template_002.txt ${where}`,
  ]);
});

it('sends no more once ten in a row were not allowed', async () => {
  const { templates } = someone.platform.world;
  const one = stored('template_001');
  for (let at = 10; at < 22; at += 1) templates.set(`t${at}`, { ...one, templateId: `t${at}`, name: '…' });
  await work.run('pull');
  for (let at = 10; at < 22; at += 1) edit(`t${at}.txt`, 'reports', 'says');
  const other = behind((send, { method, body }) =>
    method === 'PATCH' ? Response.json({ error: { message: 'No.' } }, { status: 403 }) : send(body),
  );
  const words = ['templates', 'push', work.dir, '--yes', '-o', 'json'];
  expect(await errorOf(other.iiot(words))).toMatchObject({
    ...{ exit: 4, code: 'forbidden', message: expect.stringMatching(/ 12 templates: 10 failed, 2 not sent\.$/) },
  });
});

it('pulls and pushes any template without sending anything', async () => {
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
      const first = { templateId: 'first', orgId: ids.root, name: 'n', subject: 's', content: 'c' };
      all.set('first', { ...first, channelTypes: [], tags: [] });
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
