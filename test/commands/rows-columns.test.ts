/** What the columns and members of a row mean, as the requests that a dry run shows. */
import { describe, expect, it } from 'vitest';
import { personForEach } from '../support/fixtures.ts';

const someone = personForEach();
const policy = (last: number) => `aaaaaaaa-0000-4000-8000-00000000000${last}`;
const [one, two] = [policy(1), policy(2)];
const commands = {
  policies: ['policies', 'update'],
  channels: ['channels', 'update'],
  templates: ['templates', 'update'],
  batches: ['batches', 'create'],
  devices: ['devices', 'custom-info', 'set'],
} as const;
type Name = keyof typeof commands;

/** A dry run of a text as rows: by its name a CSV file or one of objects. */
const rehearsed = (name: Name, text: string, words: readonly string[] = []) => {
  const file = someone.file(
    text.startsWith('{') ? 'rows.ndjson' : text.startsWith('[') ? 'rows.json' : 'rows.csv',
    text,
  );
  return someone.iiot([...commands[name], '--rows', file, '--dry-run', ...words]);
};

/** The end of each path and the body of each request. */
async function requestsOf(name: Name, text: string, words: readonly string[] = []) {
  const { exit, stdout, stderr } = await rehearsed(name, text, [...words, '-o', 'ndjson']);
  expect({ exit, errors: stderr.replace(/^Note: .*\n/gm, '') }).toEqual({ exit: 0, errors: '' });
  const rows = stdout.split('\n').filter(Boolean);
  return rows.map((row) => {
    const { url, body } = JSON.parse(row).request;
    return [url.split('/').at(-1), body];
  });
}

/** The first line of what a command says that refuses its rows, and the file's folder left out. */
async function refusalOf(...given: Parameters<typeof rehearsed>) {
  const { exit, stdout, stderr } = await rehearsed(...given);
  expect([exit, stdout, someone.requests]).toEqual([2, '', []]);
  return stderr.split('\n')[0]?.replace(`${someone.folder}/`, '');
}

const notified = { channelIds: ['channel_email', 'channel_sms'], templateId: 'template_001' };

describe('a row', () => {
  it.each<[string, Name, string, readonly string[], unknown]>([
    [
      'options',
      'policies',
      `alertPolicyId,alert-level,name\n${one},>80,Hot\n`,
      [],
      [[one, { alertLevel: '>80', policyName: 'Hot' }]],
    ],
    [
      'fields of the platform',
      'policies',
      `alertPolicyId,alertLevel,policyName\n${one},>80,Hot\n`,
      [],
      [[one, { alertLevel: '>80', policyName: 'Hot' }]],
    ],
    [
      'a path',
      'policies',
      `alertPolicyId,notification.channelIds,notification.templateId\n${one},channel_email,t\n`,
      [],
      [[one, { notification: { channelIds: ['channel_email'], templateId: 't' } }]],
    ],
    [
      'any case, and blanks around',
      'policies',
      `ALERTPOLICYID, Alert-Level ,NOTIFICATION.subject,Content\n${one},>80,s,c\n`,
      [],
      [[one, { alertLevel: '>80', notification: { subject: 's', content: 'c' } }]],
    ],
    [
      'units and durations',
      'policies',
      `alertPolicyId,delay\n${one},5m\n${two},90\n`,
      [],
      [
        [one, { delay: 300 }],
        [two, { delay: 90 }],
      ],
    ],
    [
      'no option where a cell is empty',
      'policies',
      `alertPolicyId,delay,description\n${one},5,\n${two},,x\n`,
      [],
      [
        [one, { delay: 5 }],
        [two, { description: 'x' }],
      ],
    ],
    [
      'a column without a name, which says nothing',
      'policies',
      `alertPolicyId,,delay\n${one},,5\n`,
      [],
      [[one, { delay: 5 }]],
    ],
    [
      'pairs of options',
      'channels',
      'channelId,enable\na,true\nb,FALSE\nc, Yes \nd,no\ne,1\nf,0\n',
      [],
      [...'abcdef'].map((id, at) => [id, { isEnabled: at % 2 === 0 }]),
    ],
    ['pairs by the field', 'channels', 'channelId,isEnabled\na,no\n', [], [['a', { isEnabled: false }]]],
    [
      'pairs with names of their own',
      'batches',
      'Name,cron,enabled,run-on-startup\nn,0 0 2 * * ?,yes,0\n',
      [],
      [
        [
          'batches',
          { orgId: expect.any(String), Name: 'n', CronExpression: '0 0 2 * * ?', IsEnabled: true, RunOnStartup: false },
        ],
      ],
    ],
    [
      'a column that stands several times',
      'templates',
      'templateId,tag,Tags,tag\nt,a,,b\n',
      [],
      [['t', { tags: ['a', 'b'] }]],
    ],
    [
      'a cell that is split',
      'templates',
      'templateId;tag\nt;a, b,,c\n',
      ['--list-separator', ','],
      [['t', { tags: ['a', 'b', 'c'] }]],
    ],
    [
      'a comma that belongs to a value',
      'templates',
      'templateId;tag\nt;Hall 3, north\n',
      [],
      [['t', { tags: ['Hall 3, north'] }]],
    ],
    [
      'options that clear a list',
      'templates',
      'templateId,clear-tags,name\nt,yes,\nu,no,x\n',
      [],
      [
        ['t', { tags: [] }],
        ['u', { name: 'x' }],
      ],
    ],
    [
      'pairs of a key and a value',
      'policies',
      `alertPolicyId,channel-id,template-id,var,var\n${one},c,t,line=3,__proto__=x=y\n`,
      [],
      [
        [
          one,
          {
            notification: {
              channelIds: ['c'],
              templateId: 't',
              variables: JSON.parse('{"line":"3","__proto__":"x=y"}'),
            },
          },
        ],
      ],
    ],
    [
      'pairs in one cell',
      'policies',
      `alertPolicyId,template-id,var\n${one},t,line=3|hall=4\n`,
      ['--list-separator', '|', '--delimiter', ','],
      [[one, { notification: { templateId: 't', variables: { line: '3', hall: '4' } } }]],
    ],
    [
      'options of the line, which hold for each',
      'policies',
      `alertPolicyId,delay\n${one},5\n${two},\n`,
      ['--alert-level', '>80'],
      [
        [one, { delay: 5, alertLevel: '>80' }],
        [two, { alertLevel: '>80' }],
      ],
    ],
    ['lists of the line', 'templates', 'templateId\nt\n', ['--tag', 'a', '--tag', 'b'], [['t', { tags: ['a', 'b'] }]]],
    ['the argument of the line', 'policies', 'delay\n5\n', [one], [[one, { delay: 5 }]]],
    [
      'objects, by lines',
      'templates',
      '{"templateId":"t","tags":["a","Hall 3, north"]}\n{"templateId":"u","name":"x"}\n',
      [],
      [
        ['t', { tags: ['a', 'Hall 3, north'] }],
        ['u', { name: 'x' }],
      ],
    ],
    [
      'objects of an array',
      'templates',
      '[{"templateId":"t","channel-type":["email"],"tag":"one"}]',
      [],
      [['t', { channelTypes: ['email'], tags: ['one'] }]],
    ],
    [
      'inner objects',
      'policies',
      `{"alertPolicyId":"${one}","notification":{"channelIds":["channel_email","channel_sms"],"templateId":"template_001","variables":{"10":"a","__proto__":"b"}}}\n`,
      [],
      [[one, { notification: { ...notified, variables: JSON.parse('{"10":"a","__proto__":"b"}') } }]],
    ],
    [
      'inner settings',
      'channels',
      '{"channelId":"c","commonSettings":{"timeout":5,"retryDelay":"7"}}\n',
      [],
      [['c', { commonSettings: { timeout: 5, retryDelay: 7 } }]],
    ],
    [
      'any items of a list that may have any',
      'channels',
      '{"channelId":"c","recipients":["a@b.example",5,{"x":[1]}]}\n',
      [],
      [['c', { recipients: ['a@b.example', 5, { x: [1] }] }]],
    ],
    [
      'a configuration in the row',
      'channels',
      '{"channelId":"c","config":{"host":"mail","port":25,"to":[]}}\n{"channelId":"d","config-file":{}}\n',
      [],
      [
        ['c', { config: { host: 'mail', port: 25, to: [] } }],
        ['d', { config: {} }],
      ],
    ],
    [
      'actions in the row',
      'batches',
      '{"Name":"n","cron":"0 0 2 * * ?","enabled":true,"RunOnStartup":"no","Actions":[{"a":1},2]}\n',
      [],
      [
        [
          'batches',
          {
            orgId: expect.any(String),
            Name: 'n',
            CronExpression: '0 0 2 * * ?',
            IsEnabled: true,
            RunOnStartup: false,
            Actions: [{ a: 1 }, 2],
          },
        ],
      ],
    ],
    [
      'empty lists, which replace the stored ones',
      'templates',
      '{"templateId":"t","tags":[],"name":"x"}\n{"templateId":"u","channelTypes":[]}\n',
      [],
      [
        ['t', { tags: [], name: 'x' }],
        ['u', { channelTypes: [] }],
      ],
    ],
    [
      'an empty object',
      'policies',
      `{"alertPolicyId":"${one}","notification":{"templateId":"t","variables":{}}}\n`,
      [],
      [[one, { notification: { templateId: 't', variables: {} } }]],
    ],
    [
      'the columns of an import',
      'devices',
      'deviceId,line,__proto__\npress-1,3,x\n',
      [],
      [['custom-info', JSON.parse('{"line":"3","__proto__":"x"}')]],
    ],
  ])('has %s', async (_, name, text, words, expected) => {
    // As texts: members with odd names count, and the order of all.
    const shown = await (name === 'devices' ? deviceRequest(text) : requestsOf(name, text, words));
    expect(shown).toEqual(expected);
  });

  const deviceRequest = async (text: string) => {
    const { stdout } = await rehearsed('devices', text, ['-o', 'json']);
    const { url, body } = JSON.parse(stdout).request;
    return [[url.split('/').at(-1), body]];
  };

  it('takes files from cells, and whole bodies', async () => {
    const content = someone.file('a.txt', 'Line\n3\n');
    const body = someone.file('b.json', '{"name":"from a file"}');
    const rows = `templateId,content-file,body-file\nt,${content},\nu,,${body}\n`;
    expect(await requestsOf('templates', rows)).toEqual([
      ['t', { content: 'Line\n3\n' }],
      ['u', { name: 'from a file' }],
    ]);
    const config = someone.file('c.json', '{"a":1}');
    expect(await requestsOf('channels', `channelId,config\nc,${config}\n`)).toEqual([['c', { config: { a: 1 } }]]);
  });

  it('takes null where the field does, by a cell that means it and from JSON', async () => {
    const words = ['credentials', 'create', '--secret-dir', someone.folder, '--dry-run', '--jq', '.[].request.body'];
    const run = (name: string, text: string, more: readonly string[] = []) =>
      someone.iiot([...words, '--rows', someone.file(name, text), ...more]);
    const csv = await run('a.csv', 'name,expires\na,-\nb,\n', ['--null-as', '-']);
    const json = await run('a.ndjson', '{"name":"a","expiredAt":null}\n{"name":"b"}\n');
    for (const { exit, stdout } of [csv, json])
      expect([
        exit,
        stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ]).toEqual([0, [{ name: 'a', expiredAt: null }, { name: 'b' }]]);
    expect(await refusalOf('policies', `alertPolicyId,delay\n${one},-\n`, ['--null-as', '-'])).toBe(
      'Line 2: delay takes no null.',
    );
  });

  it('with nothing but its ID is not sent, and that is said', async () => {
    const ran = await rehearsed('templates', 'templateId,name\nt,\nu,x\n,\n', ['--jq', '.[].templateId']);
    expect(ran).toEqual({ exit: 0, stdout: 'u\n', stderr: 'Note: 2 rows without a value are not sent.\n' });
  });
});

const unknown = (what: string, command: string) => `${what}, which iiot ${command} does not have`;

describe('refuses', () => {
  it.each<[string, Name, string, readonly string[], string]>([
    [
      'an unknown column, with the nearest',
      'policies',
      'alertPolicyId,alert-levl\n',
      [],
      `error: rows.csv has a column ${unknown('"alert-levl"', 'policies update')} (did you mean "alert-level"?).`,
    ],
    [
      'an unknown member',
      'policies',
      `{"alertPolicyId":"${one}","dely":5}\n`,
      [],
      `Line 1 has a member ${unknown('"dely"', 'policies update')} (did you mean "delay"?).`,
    ],
    [
      'an unknown member inside',
      'policies',
      `{"alertPolicyId":"${one}","notification":{"channels":["a"]}}\n`,
      [],
      `Line 1 has a member ${unknown('"notification.channels"', 'policies update')}.`,
    ],
    [
      'an inner object without members',
      'policies',
      `{"alertPolicyId":"${one}","delay":5,"notification":{}}\n`,
      [],
      `Line 1 has a member ${unknown('"notification"', 'policies update')}.`,
    ],
    [
      'a column twice',
      'policies',
      'alertPolicyId,delay,Delay\n',
      [],
      'error: rows.csv has the column "Delay" twice: it is column 2 and column 3.',
    ],
    [
      'an option and its field',
      'policies',
      'alertPolicyId,name,policyName\n',
      [],
      'error: rows.csv has the column "policyName" twice: it is column 2 and column 3.',
    ],
    [
      'the same in a column and in the line',
      'policies',
      `alertPolicyId,delay\n${one},5\n`,
      ['--delay', '6'],
      'error: rows.csv has a column "delay", which the command line gives too.',
    ],
    [
      'the argument in both',
      'policies',
      `alertPolicyId,delay\n${one},5\n`,
      [one],
      'error: rows.csv has a column "alertPolicyId", which the command line gives too.',
    ],
    [
      'a member and an option',
      'policies',
      `{"alertPolicyId":"${one}","delay":5}\n`,
      ['--delay', '6'],
      'Line 1 has a member "delay", which the command line gives too.',
    ],
    ['a row without an ID', 'channels', 'channelId,name\n,x\n', [], 'Line 2 has no channelId.'],
    ['an ID that is a number', 'channels', '{"channelId":5,"name":"x"}\n', [], 'Line 1 has no channelId.'],
    [
      'a value by the words of the command',
      'policies',
      `alertPolicyId,delay\n${one},soon\n`,
      [],
      'Line 2: delay takes whole seconds, or a duration such as 90s, 5m, 2h.',
    ],
    [
      'a value by the words of the interface',
      'policies',
      `alertPolicyId,alertLevel\n${one},80\n`,
      [],
      'Line 2: alertLevel takes a comparison operator and a number, such as ">80".',
    ],
    [
      'several problems of a row at once',
      'policies',
      `alertPolicyId,alertLevel,delay,subject\nx,80,-1,s\n`,
      [],
      'Line 2: delay takes whole seconds, or a duration such as 90s, 5m, 2h; alertPolicyId takes a UUID such as ' +
        '3f2504e0-4f89-41d3-9a0c-0305e82c3301; alertLevel takes a comparison operator and a number, such as ">80".',
    ],
    [
      'another word for true or false',
      'channels',
      'channelId,enable\nc,maybe\n',
      [],
      'Line 2: enable takes true or false.',
    ],
    [
      'the name of something of JavaScript',
      'templates',
      'templateId,clear-tags\nt,constructor\n',
      [],
      'Line 2: clear-tags takes true or false.',
    ],
    [
      'a word that is none of its words',
      'templates',
      'templateId,channel-type\nt,fax\n',
      [],
      'Line 2: channel-type takes one of email, teams, linemessage, webhook.',
    ],
    [
      'values that look like several',
      'templates',
      'templateId;tag\nt;day,night\n',
      [],
      'Line 2: tag looks like several values: say what is between them with --list-separator ,.',
    ],
    ['a pair without a value', 'policies', `alertPolicyId,var\n${one},line\n`, [], 'Line 2: var takes KEY=VALUE.'],
    ['a key twice', 'policies', `alertPolicyId,var,var\n${one},a=1,a=2\n`, [], 'Line 2: var names "a" more than once.'],
    [
      'what contradicts itself',
      'templates',
      'templateId,content,content-file\nt,a,b\n',
      [],
      'Line 2: --content and --content-file contradict each other.',
    ],
    [
      'a file that is not there',
      'templates',
      'templateId,content-file\nt,/nowhere/a.txt\n',
      [],
      'Line 2: --content-file /nowhere/a.txt does not exist.',
    ],
    [
      'standard input for a row',
      'templates',
      'templateId,content-file\nt,-\n',
      [],
      'Line 2: --content-file cannot be standard input for each row.',
    ],
    ['a row that is no object', 'templates', '[5]', [], 'Line 1 is not an object: a row has a member for each option.'],
    [
      'a separator for what has lists',
      'templates',
      '{"templateId":"t"}\n',
      ['--list-separator', ','],
      'error: --list-separator is the text between values of a cell; JSON has lists: ["day", "night"].',
    ],
    [
      'an empty separator',
      'templates',
      'templateId\n',
      ['--list-separator', ''],
      'error: --list-separator is the text between values of a cell; JSON has lists: ["day", "night"].',
    ],
    [
      'a name of every object',
      'templates',
      'templateId,__proto__\n',
      [],
      `error: rows.csv has a column ${unknown('"__proto__"', 'templates update')}.`,
    ],
    [
      'a member of every object',
      'templates',
      '{"templateId":"t","__proto__":{"tags":["x"]}}\n',
      [],
      `Line 1 has a member ${unknown('"__proto__"', 'templates update')}.`,
    ],
    [
      'a path to it',
      'policies',
      'alertPolicyId,notification.__proto__\n',
      [],
      `error: rows.csv has a column ${unknown('"notification.__proto__"', 'policies update')}.`,
    ],
    [
      'control characters, which are shown as such',
      'templates',
      'templateId,"\u001b[31mna\nme\u202e"\n',
      [],
      `error: rows.csv has a column ${unknown('"\\u001b[31mna\\nme\\u{202e}"', 'templates update')}.`,
    ],
    [
      'a name as long as the file',
      'templates',
      `templateId,${'x'.repeat(500_000)}\n`,
      [],
      `error: rows.csv has a column ${unknown(`"${'x'.repeat(80)}…"`, 'templates update')}.`,
    ],
    [
      'unknown columns by the hundred thousand',
      'templates',
      `templateId${',x'.repeat(100_000)}\n`,
      [],
      `error: rows.csv has a column ${unknown('"x"', 'templates update')}.`,
    ],
    [
      'a row of another length than such a header',
      'templates',
      `templateId${','.repeat(50_000)}${',tag'.repeat(50_000)}\nt,a\n`,
      [],
      'Line 2 has 2 cells; the header has 100001.',
    ],
    [
      'an inner object that never ends',
      'policies',
      `{"alertPolicyId":"x",${'"notification":{'.repeat(5000)}${'}'.repeat(5001)}\n`,
      [],
      'Line 1 is nested more than 64 levels deep, which no platform reads.',
    ],
  ])('%s', async (_, name, text, words, expected) => {
    expect(await refusalOf(name, text, words)).toBe(expected);
  });

  it('long lists in no time: a hundred thousand values of one row', async () => {
    const text = `{"templateId":"t","tags":[${'"a",'.repeat(100_000)}"b"]}`;
    const [[, { tags }]] = (await requestsOf('templates', text)) as [[string, { tags: string[] }]];
    expect(tags.length).toBe(100_001);
  });

  it.each([
    '--format csv',
    '--journal x',
    '--resume',
    '--failed-to x',
    '--repeat-unknown',
    '--shard 1/2',
    '--results x',
    '--list-separator ,',
  ])('%s without --rows', async (words) => {
    const { exit, stderr } = await someone.iiot(['channels', 'update', 'c', '--name', 'x', ...words.split(' ')]);
    expect([exit, stderr.split('\n')[0]]).toEqual([
      2,
      `error: ${words.split(' ')[0]} goes with --rows FILE; see iiot help rows.`,
    ]);
  });
});
