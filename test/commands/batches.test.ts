import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { personForEach, personsForEach } from '../support/fixtures.ts';
import { respondingWith } from '../support/responses.ts';
import { failed, inBrief } from '../support/seen.ts';
import type { Given } from '../support/world.ts';

const root = '11111111-1111-4111-8111-111111111111';
const request = `POST /api/v1/orgs/${root}/batches`;
const nightly = ['--name', 'Nightly', '--cron', '0 0 2 * * ?', '--enabled', '--no-run-on-startup'];
const sent = `{"orgId":"${root}","Name":"Nightly","CronExpression":"0 0 2 * * ?","IsEnabled":true,"RunOnStartup":false}`;
const someone = personForEach();
const newPerson = personsForEach();

const create = (words: readonly string[], given?: Given) => someone.iiot(['batches', 'create', ...words], given);

describe('iiot batches create', () => {
  it('sends the fields of the interface, and prints the created batch', async () => {
    const { exit, stdout, stderr } = await create([...nightly, '-o', 'json']);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      batchId: 'batch_001',
      orgId: root,
      name: 'Nightly',
      cronExpression: '0 0 2 * * ?',
      isEnabled: true,
      runOnStartup: false,
      actions: [],
      createdAt: '2026-01-01T12:00:00.000Z',
    });
    expect(someone.sent).toEqual([{ request, body: sent }]);
  });

  it('sends --disabled as false and --run-on-startup as true', async () => {
    await create(['--name', 'n', '--cron', '0 0 2 * * ?', '--disabled', '--run-on-startup']);
    expect(someone.sent[0]?.body).toBe(
      `{"orgId":"${root}","Name":"n","CronExpression":"0 0 2 * * ?","IsEnabled":false,"RunOnStartup":true}`,
    );
  });

  it('sends any JSON list of --actions-file as the actions', async () => {
    const actions = '[{"type":"report","10":1,"2":null},"run",[7]]';
    await create([...nightly, '--actions-file', someone.file('actions.json', actions)]);
    expect(someone.sent[0]?.body).toBe(`${sent.slice(0, -1)},"Actions":${actions}}`);
  });

  it('adds the organization to a body without one', async () => {
    const body = '{"Later":[],"Name":"n","CronExpression":"0 0 2 * * ?","IsEnabled":true,"RunOnStartup":true}';
    const whole = body.replace('{', `{"orgId":"${root}",`);
    await create(['--body-file', '-'], { stdin: body });
    await create(['--body-file', '-'], { stdin: whole.replace('"n"', '"m"') });
    expect(someone.sent.map((each) => each.body)).toEqual([whole, whole.replace('"n"', '"m"')]);
  });

  it('sends a file with a wrapped body unchanged, and checks what is inside', async () => {
    const other = newPerson({ batchBody: 'input' });
    const inside = '{"Later":[],"Name":"n","CronExpression":"0 0 2 * * ?","IsEnabled":true,"RunOnStartup":true}';
    const words = ['batches', 'create', '--body-file', '-'];
    const whole = `{"input":${inside.replace('{', `{"orgId":"${root}",`)}}`;
    expect((await other.iiot(words, { stdin: `{"input":${inside}}` })).exit).toBe(0);
    await other.iiot(['profiles', 'set', 'default', 'batchBody=input']);
    expect((await other.iiot(words, { stdin: whole.replace('"n"', '"m"') })).exit).toBe(0);
    expect(other.sent.map(({ body }) => body)).toEqual([whole, whole.replace('"n"', '"m"')]);
    for (const wrong of ['{"input":{}}', '{"input":[]}', `{"input":${inside},"x":1}`])
      expect(await other.iiot(words, { stdin: wrong })).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining('--body-file: Name is required; CronExpression is required'),
      });
  });

  const wrap = 'This platform may want the body wrapped: iiot profiles set default batchBody=input';
  const help = 'See iiot batches create --help';

  it('wraps the body if the profile says so', async () => {
    const other = newPerson({ batchBody: 'input' });
    const sentence = 'error: The request is not valid. input is required.';
    expect(await other.iiot(['batches', 'create', ...nightly])).toEqual(
      failed(7, sentence, `hint: ${wrap}`, 'HTTP 400 · request request-000002'),
    );
    await other.iiot(['profiles', 'set', 'default', 'batchBody=input']);
    expect((await other.iiot(['batches', 'create', ...nightly])).exit).toBe(0);
    expect(other.sent.map(({ body }) => body)).toEqual([sent, `{"input":${sent}}`]);
  });

  it.each([
    [undefined, help],
    [{ message: 'input cannot be null' }, wrap],
    [{ errors: { Name: ['The Name field is required.'], CronExpression: ['is required'] } }, wrap],
    [{ detail: [{ loc: ['body', 'input'], msg: 'Field required', type: 'missing' }] }, wrap],
    [{ error: 'Missing field: orgId' }, wrap],
    [{ errors: { 'Actions[1].Name': ['The Name field is required.'] } }, help],
    [{ errors: { Owner: ['The Owner field is required.'] } }, help],
    [{ errors: { Name: ['The Name field is required.'], RunOnStartup: ['takes a time'] } }, help],
    [{ message: 'The cron expression runs too often.' }, help],
    [{ errors: { Name: ['Inputs are not allowed here'] } }, help],
  ])('hints at batchBody=input only if the platform misses what was sent: %j', async (answer, hint) => {
    const other = newPerson({ fetch: respondingWith(400, answer) });
    const { exit, stderr } = await other.iiot(['batches', 'create', ...nightly]);
    expect([exit, stderr.split('\n')[1]]).toEqual([7, `hint: ${hint}`]);
    await other.iiot(['profiles', 'set', 'default', 'batchBody=dto']);
    expect((await other.iiot(['batches', 'create', ...nightly])).stderr.split('\n')[1]).toBe(`hint: ${help}`);
  });

  it('hints at batchBody=dto if the platform misses what was sent wrapped', async () => {
    const other = newPerson({ fetch: respondingWith(400, { errors: { Name: ['The Name field is required.'] } }) });
    await other.iiot(['profiles', 'set', 'default', 'batchBody=input']);
    const { stderr } = await other.iiot(['batches', 'create', ...nightly]);
    expect(stderr.split('\n')[1]).toBe(
      'hint: This platform may not want the body wrapped: iiot profiles set default batchBody=dto',
    );
  });

  it.each([
    [[], 'Missing: --name, --cron, --enabled or --disabled, --run-on-startup or --no-run-on-startup.'],
    [['--name', 'n', '--enabled'], 'Missing: --cron, --run-on-startup or --no-run-on-startup.'],
    [[...nightly.slice(2), '--name', 'x'.repeat(101)], '--name takes at most 100 characters, but has 101.'],
    [[...nightly, '--actions-file', 'BODY {}'], '--actions-file takes a list.'],
    [[...nightly, '--actions-file', 'BODY [1,]'], '--actions-file FILE is not JSON: see line 1.'],
    [['--body-file', 'BODY {}', '--name', 'n'], '--body-file is the whole body and cannot be combined with --name.'],
    [
      ['--body-file', 'BODY {}'],
      '--body-file: Name is required; CronExpression is required; IsEnabled is required; RunOnStartup is required.',
    ],
  ])('refuses %j, and sends nothing', async (words, sentence) => {
    const path = join(someone.folder, 'body.json');
    const typed = words.map((word) => (word.startsWith('BODY ') ? someone.file('body.json', word.slice(5)) : word));
    expect(await inBrief(create(typed))).toEqual(failed(2, `error: ${sentence.replace('FILE', path)}`));
    expect(someone.requests).toEqual([]);
  });

  const withCron = (cron: string) => create(['--name', 'n', '--cron', cron, '--enabled', '--run-on-startup']);
  const withRow = (cron: string) =>
    create(['--rows', someone.file('rows.csv', `name,cron,enabled,run-on-startup\nA,"${cron}",yes,no\n`), '--yes']);

  it.each([
    ['Unix cron', '0 6 * * 1-5', '0 0 6 ? * MON-FRI'],
    ['AWS', 'cron(0 8 1 * ? *)', '0 0 8 1 * ?'],
  ])('offers the Quartz form of an expression of %s', async (_, cron, quartz) => {
    const { stderr } = await withRow(cron);
    expect(stderr).toMatch(/^Line 2: cron takes a Quartz cron expression: /);
    expect(stderr).toContain(`; in Quartz it is "${quartz}".\n`);
    expect(await withCron(cron)).toEqual({
      ...{ exit: 2, stdout: '' },
      stderr: expect.stringContaining(`\nhint: In Quartz it is: --cron "${quartz}"\n`),
    });
    expect(someone.requests).toEqual([]);
  });

  it.each([
    ['two days', '0 0 2 13 * FRI', 'takes both'],
    ['day numbers', '0 30 9 * * 1-5', '"0 30 9 ? * SUN-THU" (1 is Sunday in Quartz)'],
    ['a day that never comes', '0 0 0 31 2 ?', 'it never runs'],
  ])('sends an expression with %s, with a note', async (_, cron, piece) => {
    const typed = await withCron(cron);
    expect([typed.exit, typed.stderr]).toEqual([0, expect.stringContaining(piece)]);
    expect(typed.stderr).toMatch(/^Note: --cron is doubtful: .*\n$/);
    expect((await withRow(cron)).stderr).toContain(typed.stderr.replace('Note: ', 'Note: Line 2: '));
    expect(someone.sent.map(({ body }) => JSON.parse(body ?? '').CronExpression)).toEqual([cron, cron]);
  });

  it('sends other blanks of an expression as spaces, with a note', async () => {
    const note = 'Note: The cron expression has blanks that are not spaces, such as U+00A0; they are sent as spaces.';
    const cron = '0\u00a00\u00a02\u3000* * ?';
    const body = `{"Name":"m","CronExpression":"${cron}","IsEnabled":true,"RunOnStartup":true}`;
    const typed = await withCron(cron);
    const whole = await create(['--body-file', '-'], { stdin: body });
    const ofRow = await withRow(cron);
    expect([typed.exit, whole.exit, ofRow.exit]).toEqual([0, 0, 0]);
    expect([typed.stderr, whole.stderr]).toEqual([`${note}\n`, `${note}\n`]);
    expect(ofRow.stderr).toContain(`Note: Line 2: ${note.replace('Note: ', '')}\n`);
    expect(someone.sent.map((each) => JSON.parse(each.body ?? '').CronExpression)).toEqual(
      Array(3).fill('0 0 2 * * ?'),
    );
  });

  it('sends any text as the organization, and names it if it is not found', async () => {
    const hint =
      'hint: Check the organization hall 3/a (from --org, IIOT_ORG or the profile). ' +
      'Some platforms cannot find an ID with a slash, even when it is percent-encoded';
    expect(await create([...nightly, '--org', 'hall 3/a'])).toEqual(
      failed(5, 'error: There is no organization hall 3/a.', hint, 'HTTP 404 · request request-000002'),
    );
    expect(someone.sent[0]?.request).toBe('POST /api/v1/orgs/hall%203%2Fa/batches');
  });
});
