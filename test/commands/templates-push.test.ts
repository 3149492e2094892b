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
/** A push at a terminal, where somebody types an answer. */
async function answered(typed: string) {
  const { streams, text } = answering(typed);
  const words = ['templates', 'push', work.dir, ...where.split(' ')];
  const { exit } = await someone.iiot(words, { ...streams, env: { TERM: 'dumb' } });
  return { exit, text: text() };
}
/** What was sent since the last time. */
const sent = () => (someone.sent as unknown[]).splice(0) as { request: string; body?: string }[];
const changes = () => sent().filter(({ request }) => !request.startsWith('GET '));

describe('iiot templates push', () => {
  it('sends nothing without a change', async () => {
    expect(await push('--yes')).toEqual(worked('', 'Up to date.'));
    expect(sent()).toEqual([{ request: `GET ${list}?maxResultCount=100`, body: undefined }]);
  });

  it('sends only the fields that differ', async () => {
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

  it('does not send a field that the file leaves out, but sends an empty list', async () => {
    edit('template_001.txt', /subject:.*\n/, '');
    edit('template_001.txt', 'tags:\n  - day', 'tags: []');
    expect((await push('--yes')).exit).toBe(0);
    expect(changes().map(({ body }) => body)).toEqual(['{"tags":[]}']);
  });

  it('sends what version control restored, but not over a change of others', async () => {
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

  it('reports a conflict if others restored what was pushed from here', async () => {
    edit('template_001.txt', 'reports', 'says');
    await push('--yes');
    const { content } = stored('template_001');
    stored('template_001').content = 'Theirs';
    await work.run('pull');
    stored('template_001').content = content;
    edit('template_001.txt', 'Theirs', 'Ours');
    expect((await push('--yes')).exit).toBe(6);
  });

  it('sends an empty value for a field that was null when it was pulled', async () => {
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

  it('refuses a file with merge conflict markers', async () => {
    edit(
      'template_001.txt',
      /---\n(.*)$/,
      '---\n<<<<<<< Updated upstream\n$1\n=======\nMine\n>>>>>>> Stashed changes\n',
    );
    const wrong = 'its content has a merge conflict: lines <<<<<<< and >>>>>>>';
    expect(await inBrief(push('--yes'))).toEqual(failed(2, `error: template_001.txt: ${wrong}.`));
  });

  it('sends only the named templates', async () => {
    for (const name of ['template_001.txt', 'template_002.txt', 'template_003.txt']) edit(name, 'reports', 'says');
    expect((await push('template_002', file('template_003.txt'), '--yes')).stdout).toBe(
      'template_002.txt\tdone\tcontent\t\ntemplate_003.txt\tdone\tcontent\t\n',
    );
    expect(await push('nothing', '--yes')).toMatchObject({ exit: 5 });
  });

  it('finds a file in either Unicode form of its name', async () => {
    edit('template_001.txt', 'reports', 'says');
    renameSync(file('template_001.txt'), file('プレス.txt'.normalize('NFD')));
    expect((await push('プレス.txt', '--yes')).stdout).toBe(`${'プレス.txt'.normalize('NFD')}\tdone\tcontent\t\n`);
  });

  it('notes odd braces of a field, and first those for which it proposes others', async () => {
    edit('template_001.txt', 'reports', '{{#a}}\n{{b c}}\n{{d e}}\n{{/a}}\n{{x y}}\n{{z 1}}\n{{\u00a0line }}');
    edit('template_001.txt', /subject: .*/, 'subject: ｛｛value｝｝');
    const { exit, stderr } = await push('--dry-run');
    expect([exit, ...stderr.split('\n').slice(0, 2)]).toEqual([
      0,
      expect.stringMatching(/^Note: template_001\.txt: subject .*: line 1: ｛｛value｝｝ \(write \{\{value\}\}\)\.$/),
      expect.stringMatching(
        /^Note: template_001\.txt: content .*: line 7: .*line \}\} \(write \{\{line\}\}\); line 1: \{\{#a\}\}; .*; and 2 more\.$/,
      ),
    ]);
  });

  it('sends a {{ that never closes only with --yes, and reports what the platform says', async () => {
    edit('template_001.txt', /(?<=\n---\n)[\s\S]*/, 'Hot: {{value');
    const note = ': line 1: {{value (without }}).';
    expect(await push()).toMatchObject({ exit: 2, stderr: expect.stringContaining('Confirm with --yes') });
    expect(await push('--dry-run')).toMatchObject({ exit: 0, stderr: expect.stringContaining(note) });
    expect(changes()).toEqual([]);
    const { exit, stdout, stderr } = await push('--yes');
    expect([exit, stderr.split('\n')[0]]).toEqual([9, expect.stringContaining(note)]);
    expect(stdout).toContain('has a variable that does not close');
  });

  it.each([
    ['content', /(?<=\n---\n)[\s\S]*/, ''],
    ['content', /(?<=\n---\n)[\s\S]*/, '\r\n'],
    ['subject', /subject: .*/, 'subject: ""'],
    ['subject', /subject: .*/, 'subject: null'],
  ] as const)('asks before it empties the %s of a template, unless --yes is given: %s', async (field, from, to) => {
    edit('template_001.txt', from, to);
    edit('template_002.txt', 'reports', 'says');
    expect(await push()).toMatchObject({ exit: 2, stderr: expect.stringContaining('Confirm with --yes') });
    const { exit, text } = await answered('n\n');
    const question = `? This empties ${field} of template_001.txt. (y/N)`;
    expect([exit, text, changes()]).toEqual([130, expect.stringContaining(question), []]);
    expect((await push('--yes')).exit).toBe(0);
    expect(stored('template_001')[field]).toBe(to.startsWith('subject') ? '' : to);
  });

  it('does not ask about a text that was empty before', async () => {
    stored('template_001').subject = '';
    await work.run('pull');
    edit('template_001.txt', 'reports', 'says');
    expect((await answered('y\n')).text).not.toContain('empties');
  });

  it('adds a line to the history for each template', async () => {
    edit('template_001.txt', 'reports', 'says');
    edit('template_002.txt', '{{time}}', '{{time');
    await push('--yes');
    const filter = '.[] | "\\(.operation) \\(.subject.id) \\(.fields) \\(.outcome)"';
    const { stdout } = await someone.iiot(['history', '-o', 'json', '--jq', filter]);
    expect(stdout).toBe(
      'templates.update template_002 ["content"] failed\ntemplates.update template_001 ["content"] done\n',
    );
  });

  it('continues after a failure, and ends with 9', async () => {
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
    const of = (templateId: string) => ({ templateId, file: `${templateId}.txt`, updated: ['content'] });
    const [one, two] = ['template_001', 'template_002'].map(of);
    expect(JSON.parse(stdout)).toEqual([
      { ...one, status: 'failed', error: expect.objectContaining({ code: 'rejected', status: 400 }) },
      { ...two, status: 'done', error: null },
    ]);
  });

  it('ends with 9 for a file whose template does not exist', async () => {
    writeFileSync(file('new.md'), '---\ntemplateId: new\nname: New\n---\nHello');
    expect(await inBrief(push('--yes'))).toEqual({
      ...failed(9, 'error: 1 template: 1 not on the platform.'),
      stdout: 'new.md\tno_template\t\tIt is not on the platform, and a push cannot create it\n',
    });
    expect(changes()).toEqual([]);
  });

  it.each([
    ['---\nname: New\n---\nHello', 'has no templateId'],
    ['Hello', 'is missing'],
  ])('refuses a new file that is named: %j', async (text, lacks) => {
    writeFileSync(file('new.md'), text);
    const stderr = expect.stringContaining(`error: new.md: its front matter ${lacks}`);
    expect(await push('new.md', '--yes')).toMatchObject({ exit: 2, stderr });
    expect(sent()).toEqual([]);
  });

  it('sends nothing without a confirmation', async () => {
    edit('template_001.txt', 'reports', 'says');
    const asked = `error: To update the templates in ${work.dir} of organization ${ids.root} at 127.0.0.1:1 you must`;
    expect(await push()).toMatchObject({ exit: 2, stderr: expect.stringContaining(asked) });
    expect(sent()).toEqual([]);
  });

  it('shows with --dry-run what was changed since the pull, without a request', async () => {
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

describe('a push of files with a mistake', () => {
  it.each([
    [/name: .*/, `name: ${'x'.repeat(201)}`, 'name takes at most 200 characters, but has 201'],
    [/subject: .*/, 'subject: 7', 'subject takes a string'],
    [/reports/, 'LONG', 'content takes at most 50000 characters, but has 50047'],
    [/- teams/, '- sms', 'channelTypes[0] takes one of email, teams, linemessage, webhook'],
    [/tags:\n {2}- day/, 'tags: day', 'tags takes a list'],
    [/subject:/, 'subjet:', 'subjet cannot be changed'],
    [/orgId: .*/, 'orgId: other', 'orgId cannot be changed'],
    [/name: /, 'name: [', 'its front matter is not'],
    [/^---/, '', 'its front matter is missing'],
  ])('sends nothing if %s is changed to %j', async (from, to, wrong) => {
    edit('template_001.txt', from, to.replace('LONG', 'x'.repeat(50_000)));
    edit('template_002.txt', 'reports', 'says');
    const { exit, stderr } = await push('--yes');
    expect([exit, stderr]).toEqual([2, expect.stringContaining(`error: template_001.txt: ${wrong}`)]);
    expect(stderr).toContain('\nhint: Correct the files; nothing was sent\n');
    expect(sent()).toEqual([]);
  });

  it('reports the mistakes of all files at once', async () => {
    edit('template_001.txt', '- teams', '- sms');
    edit('template_003.txt', '- email', '- sms');
    expect((await errorOf(push('--yes', '-o', 'json'))).details).toHaveLength(2);
  });

  it('accepts a mistake that the platform already has', async () => {
    stored('template_001').content = '{{ is here';
    await work.run('pull');
    edit('template_001.txt', 'name: ', 'name: New ');
    expect(await push('--yes')).toMatchObject({ exit: 0 });
  });
});

describe('a change on the platform since the pull', () => {
  beforeEach(() => {
    edit('template_002.txt', 'reports', 'says');
    stored('template_001').name = 'There';
  });

  it('is not overwritten by a push, which ends with 6', async () => {
    edit('template_001.txt', 'reports', 'says');
    const { exit, stdout, stderr } = await push('--yes');
    expect([exit, stdout]).toEqual([6, '']);
    expect(stderr).toMatch(
      /^error: template_001\.txt was changed here \(\S+Z\) and on the platform since the pull\.\nhint: See the difference with: iiot templates diff \S+ template_001\.txt --base-url \S+ --org \S+\. Keep the platform's version with pull --force, or yours with push --force\n$/,
    );
    expect(changes()).toEqual([]);
    expect((await push('template_002', '--yes')).exit).toBe(0);
  });

  it('is not undone by a file that was not changed', async () => {
    const sentence = 'error: template_001.txt was changed on the platform since the pull.';
    expect(await inBrief(push('--yes'))).toEqual(failed(6, sentence));
  });

  it('is overwritten with --force', async () => {
    expect((await push('--yes', '--force')).exit).toBe(0);
    expect(changes().map(({ body }) => body)).toEqual(['{"name":"Pressure low"}', expect.stringContaining('says')]);
  });

  it('does not stop a push after a pull', async () => {
    await work.run('pull');
    expect((await push('--yes')).exit).toBe(0);
    expect(changes()).toHaveLength(1);
  });

  it('does not conflict with the same change in the file', async () => {
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

it.each([[[]], [['-o', 'json']]])('a push says with %j that the platform stored a text differently', async (words) => {
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

it('a push stops if the platform is down, and reports what was not sent', async () => {
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

it('a push names the templates of unknown outcome to check', async () => {
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

it('a push stops after ten forbidden templates in a row', async () => {
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

it('a push after a pull sends nothing, whatever the templates are', async () => {
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

it('a pull and a push keep the mode of a file, and do not rewrite an unchanged record', async () => {
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
