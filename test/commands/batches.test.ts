import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { personForEach, personsForEach } from '../support/fixtures.ts';
import { respondingWith } from '../support/responses.ts';
import { failed, inBrief, worked } from '../support/seen.ts';
import type { Given } from '../support/world.ts';

const root = '11111111-1111-4111-8111-111111111111';
const request = `POST /api/v1/orgs/${root}/batches`;
const nightly = ['--name', 'Nightly', '--cron', '0 0 2 * * ?', '--enabled', '--no-run-on-startup'];
const sent = `{"orgId":"${root}","Name":"Nightly","CronExpression":"0 0 2 * * ?","IsEnabled":true,"RunOnStartup":false}`;
const someone = personForEach();
const newPerson = personsForEach();

const create = (words: readonly string[], given?: Given) => someone.iiot(['batches', 'create', ...words], given);

describe('iiot batches create', () => {
  it('sends the object itself, named as the interface names it, and prints what was created', async () => {
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

  it('prints the id alone with -o id', async () => {
    expect(await create([...nightly, '-o', 'id'])).toEqual(worked('batch_001\n'));
  });

  it('tells false from absent', async () => {
    await create(['--name', 'n', '--cron', '0 0 2 * * ?', '--disabled', '--run-on-startup']);
    expect(someone.sent[0]?.body).toBe(
      `{"orgId":"${root}","Name":"n","CronExpression":"0 0 2 * * ?","IsEnabled":false,"RunOnStartup":true}`,
    );
  });

  it('reads the actions from a file, whatever their shape', async () => {
    const actions = '[{"type":"report","10":1,"2":null},"run",[7]]';
    await create([...nightly, '--actions-file', someone.file('actions.json', actions)]);
    expect(someone.sent[0]?.body).toBe(`${sent.slice(0, -1)},"Actions":${actions}}`);
  });

  it('adds the organization to a body that does not name one, and leaves the rest unchanged', async () => {
    const body = '{"Later":[],"Name":"n","CronExpression":"0 0 2 * * ?","IsEnabled":true,"RunOnStartup":true}';
    const whole = body.replace('{', `{"orgId":"${root}",`);
    await create(['--body-file', '-'], { stdin: body });
    await create(['--body-file', '-'], { stdin: whole.replace('"n"', '"m"') });
    expect(someone.sent.map((each) => each.body)).toEqual([whole, whole.replace('"n"', '"m"')]);
  });

  it('sends a body that is wrapped in the file unchanged, and checks what is inside', async () => {
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

  it('reads the fields of a file in any case, and sends them as the interface writes them', async () => {
    const words = ['--body-file', '-'];
    const body = `{"orgid":"${root}","name":"n","cronExpression":"0 0 2 * * ?","isEnabled":true,"RUNONSTARTUP":false}`;
    await create(words, { stdin: body });
    expect((await create(words, { stdin: body.replace('0 0 2', '0 75 2') })).stderr).toContain(
      'error: --body-file: CronExpression takes a Quartz cron expression: the minutes field has "75"',
    );
    expect((await create(words, { stdin: body.replace('"name"', '"title"') })).stderr).toContain(
      'error: --body-file: Name is required.',
    );
    const sent = { orgId: root, Name: 'n', CronExpression: '0 0 2 * * ?', IsEnabled: true, RunOnStartup: false };
    expect(someone.sent.map((each) => each.body)).toEqual([JSON.stringify(sent)]);
  });

  const wrap = 'This platform may want the body wrapped: iiot profiles set default batchBody=input';
  const help = 'See iiot batches create --help';

  it('wraps the body where the profile says that the platform reads it so', async () => {
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
  ])('says how to wrap the body only where a platform misses what was sent: %j', async (answer, hint) => {
    const other = newPerson({ fetch: respondingWith(400, answer) });
    const { exit, stderr } = await other.iiot(['batches', 'create', ...nightly]);
    expect([exit, stderr.split('\n')[1]]).toEqual([7, `hint: ${hint}`]);
    await other.iiot(['profiles', 'set', 'default', 'batchBody=dto']);
    expect((await other.iiot(['batches', 'create', ...nightly])).stderr.split('\n')[1]).toBe(`hint: ${help}`);
  });

  it('says how not to wrap it where the profile says so and the platform misses what was sent', async () => {
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
    [
      ['--body-file', 'BODY {"Name":1,"CronExpression":"x","IsEnabled":"yes","RunOnStartup":0}'],
      '--body-file: Name takes a string; CronExpression takes a Quartz cron expression: it has 1 field; Quartz takes six, seconds first, or seven with a year; IsEnabled takes true or false; RunOnStartup takes true or false.',
    ],
    [
      [...nightly.slice(0, 2), '--cron', '0 0 2 ? * ?', ...nightly.slice(4)],
      '--cron takes a Quartz cron expression: exactly one of day of month and day of week must be "?", as in "0 0 2 ? * *".',
    ],
  ])('refuses %j, and sends nothing', async (words, sentence) => {
    const path = join(someone.folder, 'body.json');
    const typed = words.map((word) => (word.startsWith('BODY ') ? someone.file('body.json', word.slice(5)) : word));
    expect(await inBrief(create(typed))).toEqual(failed(2, `error: ${sentence.replace('FILE', path)}`));
    expect(someone.requests).toEqual([]);
  });

  it('sends both days, with a note', async () => {
    const { exit, stderr } = await create([...nightly.slice(0, 2), '--cron', '0 0 2 13 * FRI', ...nightly.slice(4)]);
    const note = 'Note: --cron is doubtful: only Quartz.NET 4 and later takes both';
    expect([exit, stderr]).toEqual([0, expect.stringContaining(note)]);
    expect(someone.requests.at(-1)).toMatch(/^POST .*batches$/);
  });

  const five = 'it has five fields, as Unix cron has; Quartz takes six, seconds first, or seven with a year';
  const nickname = '"@daily" is a nickname of Unix cron; Quartz takes six fields, seconds first, or seven with a year';
  const aws = 'its minutes come first and its year last, as in AWS; Quartz has seconds first';
  const spring = 'its days of the week start at 0, as in Spring; in Quartz 1 is Sunday';
  it.each([
    ['*/5 * * * *', five, '0 */5 * * * ?'],
    ['0 6 * * 1-5', five, '0 0 6 ? * MON-FRI'],
    ['@daily', nickname, '0 0 0 * * ?'],
    ['0/5 8-17 ? * MON-FRI *', aws, '0 0/5 8-17 ? * MON-FRI'],
    ['cron(0 8 1 * ? *)', aws, '0 0 8 1 * ?'],
    ['0 0 9 * * 0', spring, '0 0 9 ? * SUN'],
  ])('recognizes %s of another system, and offers its Quartz form', async (other, refusal, quartz) => {
    const sentence = `error: --cron takes a Quartz cron expression: ${refusal}.`;
    expect(await create(['--name', 'n', '--cron', other, '--enabled', '--run-on-startup'])).toEqual(
      failed(2, sentence, `hint: In Quartz it is: --cron "${quartz}"`),
    );
    expect(someone.requests).toEqual([]);
  });

  it('offers the Quartz form of each row of another system', async () => {
    const rows = ['name,cron,enabled,run-on-startup', 'A,0 8 1 * ? *,yes,no', 'B,0 6 * * 1-5,yes,no'];
    const path = someone.file('batches.csv', rows.join('\n'));
    const { stderr } = await create(['--rows', path, '--yes']);
    expect(stderr.split('\n').slice(0, 2)).toEqual([
      `Line 2: cron takes a Quartz cron expression: ${aws}; in Quartz it is "0 0 8 1 * ?".`,
      `Line 3: cron takes a Quartz cron expression: ${five}; in Quartz it is "0 0 6 ? * MON-FRI".`,
    ]);
  });

  it('says which day a number is in Quartz, and offers names for both readings', async () => {
    const rows = ['name,cron,enabled,run-on-startup', 'A,0 30 9 * * 1-5,yes,no'];
    const note =
      'only Quartz.NET 4 and later takes both a day of month and a day of week, and runs on either day; every engine ' +
      'takes "0 30 9 ? * SUN-THU" (1 is Sunday in Quartz); with 1 as Monday, as in Spring and Unix, it is "0 30 9 ? * MON-FRI".';
    const { stderr } = await create(['--rows', someone.file('batches.csv', rows.join('\n')), '--yes']);
    expect(stderr).toContain(`Note: Line 2: --cron is doubtful: ${note}\n`);
    expect((await create([...nightly.slice(0, 2), '--cron', '0 30 9 * * 1-5', ...nightly.slice(4)])).stderr).toBe(
      `Note: --cron is doubtful: ${note}\n`,
    );
  });

  it('sends spaces for the blanks of a page, with a note', async () => {
    const note = 'Note: The cron expression has blanks that are not spaces, such as U+00A0; they are sent as spaces.';
    const cron = '0\u00a00\u00a02\u3000* * ?';
    const body = `{"Name":"n","CronExpression":"${cron}","IsEnabled":true,"RunOnStartup":true}`;
    const rows = `name,cron,enabled,run-on-startup\nA,${cron},yes,no\n`;
    const typed = await create([...nightly.slice(0, 2), '--cron', cron, ...nightly.slice(4)]);
    const whole = await create(['--body-file', '-'], { stdin: body });
    const ofRow = await create(['--rows', someone.file('batches.csv', rows), '--yes']);
    expect([typed.exit, whole.exit, ofRow.exit]).toEqual([0, 0, 0]);
    expect([typed.stderr, whole.stderr]).toEqual([`${note}\n`, `${note}\n`]);
    expect(ofRow.stderr).toContain(`Note: Line 2: ${note.replace('Note: ', '')}\n`);
    expect(someone.sent.map((each) => JSON.parse(each.body ?? '').CronExpression)).toEqual(
      Array(3).fill('0 0 2 * * ?'),
    );
  });

  it('notes an expression that never fires, and sends it', async () => {
    const { exit, stderr } = await create([...nightly.slice(0, 2), '--cron', '0 0 0 31 2 ?', ...nightly.slice(4)]);
    expect([exit, stderr]).toEqual([0, 'Note: --cron is doubtful: it never runs: none of its months has that day.\n']);
  });

  it('takes a name of 100 characters, however they are counted', async () => {
    for (const name of ['x'.repeat(100), 'é'.repeat(100), '😀'.repeat(50)]) {
      expect(await create(['--name', name, ...nightly.slice(2), '-o', 'id'])).toMatchObject({ exit: 0, stderr: '' });
    }
    expect((await create(['--name', '😀'.repeat(51), ...nightly.slice(2), '-o', 'id'])).stderr).toBe(
      'Note: --name has 51 characters but 102 UTF-16 units, which the platform may count; it takes 100.\n',
    );
  });

  it('says that a name already exists, and whose it may be', async () => {
    await create(nightly);
    const hint = 'hint: It may be from an earlier run of this command';
    expect(await create(nightly)).toEqual(
      failed(6, 'error: A batch named Nightly already exists.', hint, 'HTTP 409 · request request-000003'),
    );
  });

  it('takes any organization, since the interface gives its id no form, and says which was not found', async () => {
    const hint =
      'hint: Check the organization hall 3/a (from --org, IIOT_ORG or the profile). ' +
      'Some platforms cannot find an ID with a slash, even when it is percent-encoded';
    expect(await create([...nightly, '--org', 'hall 3/a'])).toEqual(
      failed(5, 'error: There is no organization hall 3/a.', hint, 'HTTP 404 · request request-000002'),
    );
    expect(someone.sent[0]?.request).toBe('POST /api/v1/orgs/hall%203%2Fa/batches');
  });

  it('rehearses with --dry-run, without asking what cannot be answered there', async () => {
    const { exit, stdout } = await create([...nightly, '--dry-run', '-o', 'json']);
    expect([exit, JSON.parse(stdout).request.body]).toEqual([0, JSON.parse(sent)]);
    expect(someone.requests).toEqual([]);
  });
});
