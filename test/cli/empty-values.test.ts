/** Texts that are empty by accident, such as "$NOT_SET": nothing that is stored is emptied, unless a switch says so. */
import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/command/command.ts';
import { isField, optionsOf } from '../../src/command/option.ts';
import { groups } from '../../src/commands/index.ts';
import { personForEach } from '../support/fixtures.ts';
import { folderForEach } from '../support/folder.ts';
import { errorOf, failed } from '../support/seen.ts';
import type { Given } from '../support/world.ts';

const someone = personForEach();
const folder = folderForEach();
const policy = 'aaaaaaaa-0000-4000-8000-000000000001';
const commands: readonly Command[] = (await Promise.all(groups.map(({ load }) => load()))).flat();
const changing = commands.filter(({ operation, without }) => operation?.body && !without.fields);

/** The options that give a field of the body, as they are or by a file; a file of JSON may be named after what is missing. */
const options = changing.flatMap((command) =>
  optionsOf(command)
    .filter((option) => option.schema.type !== 'boolean' && (isField(command, option) || option.schema.sets))
    .map(
      ({ long, readsJson }) =>
        [`iiot ${command.name} --${long} ""`, command, long, readsJson ? '' : `--${long}`] as const,
    ),
);

const run = (line: string, given?: Given) =>
  someone.iiot(
    line.split(' ').map((word) => (word === "''" ? '' : word)),
    given,
  );

describe('an empty value', () => {
  it.each(options)('is refused before anything is sent by %s', async (_, { name, arguments: args }, long, named) => {
    const line = [...name.split(' '), ...Object.values(args).flatMap(({ optional }) => (optional ? [] : [policy]))];
    for (const words of [
      [`--${long}`, ''],
      ['--yes', '-o', 'json', `--${long}=`],
    ]) {
      const { exit, stdout, stderr } = await someone.iiot([...line, ...words]);
      expect([exit, stdout, stderr], stderr).toEqual([2, '', expect.stringContaining(named)]);
    }
    expect(someone.requests).toEqual([]);
  });

  const leaveOut = (option: string) => `Give a value, or leave out ${option}`;
  it.each([
    ["templates update t --content ''", 'To empty the content: --clear-content'],
    ["templates update t --tag a --tag ''", 'To empty the tags: --clear-tags'],
    ["templates update t --channel-type ''", 'To empty the channel types: --clear-channel-types'],
    ["templates update t --name ''", leaveOut('--name')],
    [`policies update ${policy} --alert-level ''`, leaveOut('--alert-level')],
    ["channels update c --description ''", 'To empty the description: --clear-description'],
    ["credentials create --name n --expires ''", leaveOut('--expires')],
    ["templates update --rows t.csv --subject ''", 'To empty the subject: --clear-subject'],
    ["each --orgs all -- templates update t --subject ''", 'To empty the subject: --clear-subject'],
  ])('is refused with the way to empty a field or keep it: %s', async (line, hint) => {
    const option = /(--\S+) ''$/.exec(line)?.[1];
    expect(await run(line)).toEqual(failed(2, `error: ${option} is empty.`, `hint: ${hint}`));
  });

  it('is reported together with all other mistakes, with its field', async () => {
    const line = `policies update ${policy} --content '' --content '' --channel-id '' --name '' --delay x --alert-level hot -o json`;
    expect(await errorOf(run(line))).toMatchObject({
      code: 'usage',
      details: [
        { option: '--content', field: 'notification.content', message: 'is empty' },
        { option: '--channel-id', field: 'notification.channelIds', message: 'is empty' },
        { option: '--name', field: 'policyName', message: 'is empty' },
        { option: '--delay' },
        { option: '--alert-level', field: 'alertLevel' },
      ],
      hint: `To empty the content: --clear-content. ${leaveOut('--channel-id')}. ${leaveOut('--name')}`,
    });
  });

  it('may be a blank, the value of a key, or the value of a filter', async () => {
    const blank = ['templates', 'update', 'template_001', '--subject', ' ', '--content', '\n'];
    expect((await someone.iiot(blank)).exit).toBe(0);
    expect((await run('devices custom-info set press-0001 line=')).exit).toBe(0);
    expect((await run(`policies update ${policy} --template-id template_001 --var line= --yes`)).exit).toBe(0);
    expect((await run("templates list --name ''")).exit).toBe(0);
    const bodies = someone.sent.flatMap(({ body }) => body ?? []);
    expect(bodies).toEqual([
      '{"subject":" ","content":"\\n"}',
      '{"line":""}',
      '{"notification":{"templateId":"template_001","variables":{"line":""}}}',
    ]);
  });
});

describe('the text of --content-file', () => {
  const update = 'templates update template_001 --content-file';
  const hint = 'hint: To empty the content: --clear-content';

  it.each([
    ['nothing', ''],
    ['a byte order mark', '\ufeff'],
    ['the line end that echo writes', '\n'],
    ['line ends of Windows', '\r\n\r\n'],
  ])('is refused if it holds only %s', async (_, text) => {
    const file = folder.write('empty.txt', text);
    expect(await run(`${update} ${file}`)).toEqual(failed(2, `error: --content-file ${file} is empty.`, hint));
    const piped = failed(2, 'error: --content-file standard input is empty.', hint);
    expect(await run(`${update} -`, { stdin: text })).toEqual(piped);
    expect(await run(`policies update ${policy} --subject s --yes --content-file -`, { stdin: text })).toEqual(piped);
    expect(someone.requests).toEqual([]);
  });

  it('is refused with the field in JSON', async () => {
    const { details } = await errorOf(
      run(`policies update ${policy} --subject s --content-file - -o json`, { stdin: '' }),
    );
    expect(details).toEqual([{ field: 'notification.content', option: '--content-file', message: 'is empty' }]);
  });

  it('is sent if it is a blank', async () => {
    expect((await run(`${update} -`, { stdin: ' \n' })).exit).toBe(0);
    expect(someone.sent.at(-1)?.body).toBe('{"content":" \\n"}');
  });
});

describe('a --clear- option', () => {
  const [template, channel] = ['templates update template_001', 'channels update channel_email'];
  const ofPolicy = `policies update ${policy}`;
  it.each([
    [`${template} --clear-content --name N`, '{"name":"N","content":""}'],
    [`${template} --clear-subject --clear-content --clear-tags`, '{"subject":"","content":"","tags":[]}'],
    [`${channel} --clear-description --clear-tags`, '{"description":"","tags":[]}'],
    [`${ofPolicy} --clear-description`, '{"description":""}'],
    [`${ofPolicy} --clear-subject --clear-content --yes`, '{"notification":{"subject":"","content":""}}'],
    [
      `${ofPolicy} --channel-id c --subject s --clear-content`,
      '{"notification":{"channelIds":["c"],"subject":"s","content":""}}',
    ],
  ])('empties a field: %s', async (line, body) => {
    const { exit, stdout } = await run(`${line} --dry-run -o json`);
    expect([exit, JSON.parse(stdout).request.body]).toEqual([0, JSON.parse(body)]);
    expect(someone.requests).toEqual([]);
    await run(line);
    expect(someone.sent.flatMap((sent) => sent.body ?? [])).toEqual([body]);
  });

  it.each([
    [`${template} --subject s --clear-subject`, '--subject and --clear-subject cannot be combined.'],
    [`${template} --content-file - --clear-content`, '--content-file and --clear-content cannot be combined.'],
    [`${template} --content c --content-file -`, '--content and --content-file cannot be combined.'],
    [`${template} --body-file - --clear-content`, expect.stringMatching(/^--body-file .* --clear-content\.$/)],
    [`${ofPolicy} --clear-subject --yes`, '--content is required with --subject.'],
    [`${ofPolicy} --template-id t --clear-subject --clear-content --yes`, expect.stringContaining('--template-id')],
    [`${channel} --description d --clear-description`, '--description and --clear-description cannot be combined.'],
  ])('is refused beside a value for the same field: %s', async (line, sentence) => {
    const { message, exit } = await errorOf(run(`${line} -o json`, { stdin: '{}' }));
    expect([exit, message, someone.requests]).toEqual([2, sentence, []]);
  });
});

const json = '{"templateId":"template_001","subject":"","tags":["a",""]}\n';
it.each([
  [
    'empty a field by a --clear- column, and keep it with an empty cell',
    'templates update',
    'templateId,clear-subject,clear-content,name\ntemplate_001,yes,,\ntemplate_002,no,yes,N\n',
    ['{"subject":""}', '{"name":"N","content":""}'],
  ],
  [
    'empty a field inside the notification of a policy',
    'policies update',
    `alertPolicyId,clear-subject,clear-content,channel-id\n${policy},yes,yes,channel_email\n`,
    ['{"notification":{"channelIds":["channel_email"],"subject":"","content":""}}'],
  ],
  ['are sent as they are if they are JSON', 'templates update', json, ['{"subject":"","tags":["a",""]}']],
])('the rows of a file %s', async (_, name, rows, bodies) => {
  const file = folder.write(rows === json ? 'rows.ndjson' : 'rows.csv', rows);
  expect((await run(`${name} --rows ${file} --yes`)).exit).toBe(0);
  expect(someone.sent.flatMap(({ body }) => body ?? [])).toEqual(bodies);
});

it('a body file is sent as it is with its empty texts', async () => {
  const [body, notification] = ['{"name":"","content":""}', '{"subject":"","content":""}'];
  await run('templates update template_001 --body-file -', { stdin: body });
  await run(`policies update ${policy} --notification-file -`, { stdin: notification });
  expect(someone.sent.map((sent) => sent.body)).toEqual([body, `{"notification":${notification}}`]);
});
