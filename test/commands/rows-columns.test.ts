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
} as const;
type Name = keyof typeof commands;

/** The command whose ID a text of rows has. */
function commandOf(text: string): Name {
  if (/alertPolicyId/i.test(text)) return 'policies';
  if (text.includes('channelId')) return 'channels';
  if (text.includes('templateId')) return 'templates';
  return text.includes('cron') ? 'batches' : 'policies';
}

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
  it.each<[string, string, unknown, (readonly string[])?]>([
    ['options', `alertPolicyId,alert-level,name\n${one},>80,Hot\n`, [[one, { alertLevel: '>80', policyName: 'Hot' }]]],
    [
      'fields of the platform',
      `alertPolicyId,alertLevel,policyName\n${one},>80,Hot\n`,
      [[one, { alertLevel: '>80', policyName: 'Hot' }]],
    ],
    [
      'a path',
      `alertPolicyId,notification.channelIds,notification.templateId\n${one},channel_email,t\n`,
      [[one, { notification: { channelIds: ['channel_email'], templateId: 't' } }]],
    ],
    [
      'any case, and blanks around',
      `ALERTPOLICYID, Alert-Level ,NOTIFICATION.subject,Content\n${one},>80,s,c\n`,
      [[one, { alertLevel: '>80', notification: { subject: 's', content: 'c' } }]],
    ],
    [
      'any width, and underscores',
      `ａｌｅｒｔＰｏｌｉｃｙＩＤ,alert_level,ｎａｍｅ\n${one},>80,Hot\n`,
      [[one, { alertLevel: '>80', policyName: 'Hot' }]],
    ],
    [
      'units and durations',
      `alertPolicyId,delay\n${one},5m\n${two},90\n`,
      [
        [one, { delay: 300 }],
        [two, { delay: 90 }],
      ],
    ],
    [
      'no option where a cell is empty',
      `alertPolicyId,delay,description\n${one},5,\n${two},,x\n`,
      [
        [one, { delay: 5 }],
        [two, { description: 'x' }],
      ],
    ],
    ['a column without a name, which says nothing', `alertPolicyId,,delay\n${one},,5\n`, [[one, { delay: 5 }]]],
    [
      'pairs of options',
      'channelId,enabled\na,true\nb,FALSE\nc, Yes \nd,no\ne,1\nf,0\n',
      [...'abcdef'].map((id, at) => [id, { isEnabled: at % 2 === 0 }]),
    ],
    ['pairs by the field', 'channelId,isEnabled\na,no\n', [['a', { isEnabled: false }]]],
    [
      'pairs with names of their own',
      'Name,cron,enabled,run-on-startup\nn,0 0 2 * * ?,yes,0\n',
      [
        [
          'batches',
          { orgId: expect.any(String), Name: 'n', CronExpression: '0 0 2 * * ?', IsEnabled: true, RunOnStartup: false },
        ],
      ],
    ],
    ['a column that stands several times', 'templateId,tag,Tags,tag\nt,a,,b\n', [['t', { tags: ['a', 'b'] }]]],
    [
      'a cell that is split',
      'templateId;tag\nt;a, b,,c\n',
      [['t', { tags: ['a', 'b', 'c'] }]],
      ['--list-separator', ','],
    ],
    ['a comma that belongs to a value', 'templateId;tag\nt;Hall 3, north\n', [['t', { tags: ['Hall 3, north'] }]]],
    [
      'options that clear a list',
      'templateId,clear-tags,name\nt,yes,\nu,no,x\n',
      [
        ['t', { tags: [] }],
        ['u', { name: 'x' }],
      ],
    ],
    [
      'pairs of a key and a value',
      `alertPolicyId,channel-id,template-id,var,var\n${one},c,t,line=3,__proto__=x=y\n`,
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
      `alertPolicyId,template-id,var\n${one},t,line=3|hall=4\n`,
      [[one, { notification: { templateId: 't', variables: { line: '3', hall: '4' } } }]],
      ['--list-separator', '|', '--delimiter', ','],
    ],
    [
      'options of the line, which hold for each',
      `alertPolicyId,delay\n${one},5\n${two},\n`,
      [
        [one, { delay: 5, alertLevel: '>80' }],
        [two, { alertLevel: '>80' }],
      ],
      ['--alert-level', '>80'],
    ],
    ['lists of the line', 'templateId\nt\n', [['t', { tags: ['a', 'b'] }]], ['--tag', 'a', '--tag', 'b']],
    ['the argument of the line', 'delay\n5\n', [[one, { delay: 5 }]], [one]],
    [
      'objects, by lines',
      '{"templateId":"t","tags":["a","Hall 3, north"]}\n{"templateId":"u","name":"x"}\n',
      [
        ['t', { tags: ['a', 'Hall 3, north'] }],
        ['u', { name: 'x' }],
      ],
    ],
    [
      'objects of an array',
      '[{"templateId":"t","channel-type":["email"],"tag":"one"}]',
      [['t', { channelTypes: ['email'], tags: ['one'] }]],
    ],
    [
      'inner objects',
      `{"alertPolicyId":"${one}","notification":{"channelIds":["channel_email","channel_sms"],"templateId":"template_001","variables":{"10":"a","__proto__":"b"}}}\n`,
      [[one, { notification: { ...notified, variables: JSON.parse('{"10":"a","__proto__":"b"}') } }]],
    ],
    [
      'inner settings',
      '{"channelId":"c","commonSettings":{"timeout":5,"retryDelay":"7"}}\n',
      [['c', { commonSettings: { timeout: 5, retryDelay: 7 } }]],
    ],
    [
      'any items of a list that may have any',
      '{"channelId":"c","recipients":["a@b.example",5,{"x":[1]}]}\n',
      [['c', { recipients: ['a@b.example', 5, { x: [1] }] }]],
    ],
    [
      'a configuration in the row',
      '{"channelId":"c","config":{"host":"mail","port":25,"to":[]}}\n{"channelId":"d","Config":{}}\n',
      [
        ['c', { config: { host: 'mail', port: 25, to: [] } }],
        ['d', { config: {} }],
      ],
    ],
    [
      'actions in the row',
      '{"Name":"n","cron":"0 0 2 * * ?","enabled":true,"RunOnStartup":"no","Actions":[{"a":1},2]}\n',
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
      '{"templateId":"t","tags":[],"name":"x"}\n{"templateId":"u","channelTypes":[]}\n',
      [
        ['t', { tags: [], name: 'x' }],
        ['u', { channelTypes: [] }],
      ],
    ],
    [
      'an empty object',
      `{"alertPolicyId":"${one}","notification":{"templateId":"t","variables":{}}}\n`,
      [[one, { notification: { templateId: 't', variables: {} } }]],
    ],
  ])('has %s', async (_, text, expected, words) => {
    expect(await requestsOf(commandOf(text), text, words)).toEqual(expected);
  });

  it('has the list that this tool wrote into its cell, with and without a separator', async () => {
    const rows = 'templateId,tags\nt,"[""day"",""Hall 3, north""]"\nu,[]\n';
    for (const words of [[], ['--list-separator', ',']])
      expect(await requestsOf('templates', rows, words)).toEqual([
        ['t', { tags: ['day', 'Hall 3, north'] }],
        ['u', { tags: [] }],
      ]);
  });

  it('has the JSON of a configuration in its cell', async () => {
    expect(await requestsOf('channels', 'channelId,config\nc,"{""a"":1}"\n')).toEqual([['c', { config: { a: 1 } }]]);
  });

  it('goes back as the list that has it, without what cannot be set, and null changes nothing', async () => {
    for (const format of ['csv', 'ndjson']) {
      const { stdout } = await someone.iiot(['templates', 'list', '--all', '-q', '-o', format]);
      const stored = JSON.parse((await someone.iiot(['templates', 'list', '--all', '-q', '-o', 'json'])).stdout);
      const file = someone.file(`list.${format}`, stdout);
      const words = ['templates', 'update', '--rows', file, '--yes'];
      expect(await someone.iiot([...words, '--jq', '.done'])).toMatchObject({ exit: 0, stdout: `${stored.length}\n` });
      const after = JSON.parse((await someone.iiot(['templates', 'list', '--all', '-q', '-o', 'json'])).stdout);
      expect(after).toEqual(stored);
    }
    const listed = '{"clientCredentialId":"credential_001","name":"a","clientId":"b","scopes":null}\n';
    const deleted = await someone.iiot([
      'credentials',
      'delete',
      '--rows',
      someone.file('c.ndjson', listed),
      '--dry-run',
      '--jq',
      '.[].request.method',
    ]);
    expect([deleted.exit, deleted.stdout]).toEqual([0, 'DELETE\n']);
    expect(deleted.stderr).toContain('name, clientId, scopes are left out: iiot credentials delete does not set them.');
    const rows = '{"templateId":"t","name":"x","subject":null}\n';
    expect(await requestsOf('templates', rows)).toEqual([['t', { name: 'x' }]]);
  });

  it('is a row of what --rows has reported, whose status and place are left out', async () => {
    const reported = {
      csv: 'line,name,status,code,message,clientCredentialId,clientId,secretFile\n2,a,done,,,credential_001,b,s/a\n',
      ndjson:
        '{"line":2,"name":"a","status":"done","error":null,"clientCredentialId":"credential_001","secretFile":"s/a"}\n',
    };
    for (const [format, text] of Object.entries(reported)) {
      const words = ['credentials', 'delete', '--rows', someone.file(`made.${format}`, text), '--dry-run'];
      const { exit, stdout, stderr } = await someone.iiot([...words, '--jq', '.[].request.url | split("/")[-1]']);
      expect([exit, stdout]).toEqual([0, 'credential_001\n']);
      expect(stderr).toMatch(
        /^Note: line, name, status, .*, secretFile are left out: iiot credentials delete does not/m,
      );
    }
    expect(await refusalOf('policies', `alertPolicyId,delay,status\n${one},5,done\n`)).toBe(
      'error: rows.csv has a column "status", which iiot policies update does not have.',
    );
  });

  it('is not what a dry run has printed, which says so', async () => {
    const file = someone.file('rows.csv', `alertPolicyId,delay\n${one},5\n`);
    const printed = async (format: string) =>
      (await someone.iiot(['policies', 'update', '--rows', file, '--dry-run', '-o', format])).stdout;
    const [csv, ndjson] = [await printed('csv'), await printed('ndjson')];
    expect((await rehearsed('policies', ndjson)).stderr.split('\n')[0]).toBe(
      'Line 1 has the members of what a dry run prints; give the file that it read.',
    );
    expect(await refusalOf('policies', csv)).toBe('error: rows.csv has the columns of what a dry run prints.');
  });

  it('of an answer of the platform says how to leave out what the command does not have', async () => {
    const answer = `{"alertPolicyId":"${one}","delay":5,"isEnabled":true,"dataStreamIds":[]}\n`;
    const { stderr } = await rehearsed('policies', answer);
    expect(stderr.split('\n')[0]).toBe(
      'Line 1 has 2 members that iiot policies update does not have: "isEnabled", "dataStreamIds"; ' +
        'to leave columns out: --ignore-columns=isEnabled,dataStreamIds.',
    );
    const left = ['--ignore-columns', 'isEnabled,dataStreamIds'];
    expect(await requestsOf('policies', answer, left)).toEqual([[one, { delay: 5 }]]);
  });

  it('says what to write for a time without a zone, and that an apostrophe of --for-spreadsheet is sent', async () => {
    const file = someone.file('e.csv', 'name,expires\nn,2027-03-01 13:30\n');
    const made = await someone.iiot(['credentials', 'create', '--rows', file, '--secret-dir', 's', '--dry-run']);
    expect(made.stderr.split('\n')[0]).toBe(
      'Line 2: expires has no time zone in 2027-03-01 13:30: write 2027-03-01T13:30:00Z for UTC, in a spreadsheet as text.',
    );
    const { stderr } = await rehearsed('templates', "templateId,name\nt,'-Alarm\n");
    expect(stderr).toBe(
      `Note: Line 2, name: "'-Alarm" has the apostrophe that --for-spreadsheet writes, and is sent with it.\n`,
    );
  });

  it('leaves out the columns of --ignore-columns, which have to be there', async () => {
    const words = ['--ignore-columns', 'name, Hall'];
    expect(await requestsOf('policies', `alertPolicyId,name,hall,Alert Level\n${one},a,b,>80\n`, words)).toEqual([
      [one, { alertLevel: '>80' }],
    ]);
    expect(await requestsOf('policies', `{"alertPolicyId":"${one}","name":"a","HALL":1,"delay":5}\n`, words)).toEqual([
      [one, { delay: 5 }],
    ]);
    expect(await refusalOf('policies', `alertPolicyId,delay\n${one},5\n`, ['--ignore-columns', 'dely'])).toBe(
      'error: rows.csv has no column "dely" for --ignore-columns.',
    );
  });

  it.each(['fleet.csv', 'fleet.ndjson'])(
    'leaves out a key of --ignore-columns in either form of its letters, in %s',
    async (name) => {
      const [key, twoParts] = ['ガス圧', 'ガス圧'.normalize('NFD')];
      const text = name.endsWith('csv')
        ? `deviceId,${twoParts},line\npress-0001,9,3\n`
        : `{"deviceId":"press-0001","customInfo":{"${twoParts}":"9","line":"3"}}\n`;
      const words = [
        'devices',
        'custom-info',
        'import',
        someone.file(name, text),
        '--ignore-columns',
        key ?? '',
        '--yes',
      ];
      expect((await someone.iiot(words)).exit).toBe(0);
      expect(someone.sent.map(({ body }) => body)).toEqual(['{"line":"3"}']);
    },
  );

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
      'Line 2: delay cannot be null.',
    );
  });

  it('with nothing but its ID is not sent, and that is said', async () => {
    const ran = await rehearsed('templates', 'templateId,name\nt,\nu,x\n,\n', ['--jq', '.[].templateId']);
    expect(ran).toEqual({ exit: 0, stdout: 'u\n', stderr: 'Note: 2 rows without a value are not sent.\n' });
  });
});

const unknown = (what: string, command: string) => `${what}, which iiot ${command} does not have`;

describe('refuses', () => {
  it.each<[string, string, string, (readonly string[])?]>([
    [
      'an unknown column, with the nearest',
      'alertPolicyId,alert-levl\n',
      `error: rows.csv has a column ${unknown('"alert-levl"', 'policies update')} (did you mean "alert-level"?).`,
    ],
    [
      'an unknown member',
      `{"alertPolicyId":"${one}","dely":5}\n`,
      `Line 1 has a member ${unknown('"dely"', 'policies update')} (did you mean "delay"?); to leave columns out: --ignore-columns=dely.`,
    ],
    [
      'an unknown member inside',
      `{"alertPolicyId":"${one}","notification":{"channels":["a"]}}\n`,
      `Line 1 has a member ${unknown('"notification.channels"', 'policies update')}; to leave columns out: --ignore-columns=notification.channels.`,
    ],
    [
      'an inner object without members',
      `{"alertPolicyId":"${one}","delay":5,"notification":{}}\n`,
      `Line 1 has a member ${unknown('"notification"', 'policies update')}; to leave columns out: --ignore-columns=notification.`,
    ],
    [
      'a column twice',
      'alertPolicyId,delay,Delay\n',
      'error: rows.csv has two columns that mean the same: "delay" is column 2, and "Delay" is column 3.',
    ],
    [
      'an option and its field',
      'alertPolicyId,name,policyName\n',
      'error: rows.csv has two columns that mean the same: "name" is column 2, and "policyName" is column 3.',
    ],
    [
      'the same in a column and in the line',
      `alertPolicyId,delay\n${one},5\n`,
      'error: rows.csv has a column "delay", which the command line also gives.',
      ['--delay', '6'],
    ],
    [
      'the argument in both',
      `alertPolicyId,delay\n${one},5\n`,
      'error: rows.csv has a column "alertPolicyId", which the command line also gives.',
      [one],
    ],
    [
      'a member and an option',
      `{"alertPolicyId":"${one}","delay":5}\n`,
      'Line 1 has a member "delay", which the command line also gives.',
      ['--delay', '6'],
    ],
    ['a row without an ID', 'channelId,name\n,x\n', 'Line 2 has no channelId.'],
    ['an ID that is a number', '{"channelId":5,"name":"x"}\n', 'Line 1: channelId takes a string: write it in quotes.'],
    [
      'a value by the words of the command',
      `alertPolicyId,delay\n${one},soon\n`,
      'Line 2: delay takes whole seconds, or a duration such as 90s, 5m, 2h, not "soon".',
    ],
    [
      'a value by the words of the interface',
      `alertPolicyId,alertLevel\n${one},80\n`,
      'Line 2: alertLevel takes a comparison operator and a number, such as ">80".',
    ],
    [
      'several problems of a row at once',
      `alertPolicyId,alertLevel,delay,subject\nx,80,-1,s\n`,
      'Line 2: delay takes whole seconds, or a duration such as 90s, 5m, 2h, not "-1"; alertPolicyId takes a UUID such as ' +
        '3f2504e0-4f89-41d3-9a0c-0305e82c3301; alertLevel takes a comparison operator and a number, such as ">80".',
    ],
    [
      'another word for true or false',
      'channelId,enabled\nc,maybe\n',
      'Line 2: enabled takes true or false, not "maybe".',
    ],
    [
      'the name of something of JavaScript',
      'templateId,clear-tags\nt,constructor\n',
      'Line 2: clear-tags takes true or false, not "constructor".',
    ],
    [
      'a word that is none of its words',
      'templateId,channel-type\nt,fax\n',
      'Line 2: channel-type takes one of email, teams, linemessage, webhook.',
    ],
    [
      'values that look like several',
      'templateId;tag\nt;day,night\n',
      'Line 2: tag looks like several values: write one as ["day, night"], or say what is between them with --list-separator ,.',
    ],
    [
      'values with an ideographic comma',
      'templateId,tag\nt,夜勤、日勤\n',
      `Line 2: tag looks like several values: write one as ["day, night"], or say what is between them with --list-separator '、'.`,
    ],
    ['a pair without a value', `alertPolicyId,var\n${one},line\n`, 'Line 2: var takes KEY=VALUE.'],
    ['a key twice', `alertPolicyId,var,var\n${one},a=1,a=2\n`, 'Line 2: var names "a" more than once.'],
    [
      'several unknown columns at once',
      `alertPolicyId,Policy,dely\n`,
      'error: rows.csv has 2 columns that iiot policies update does not have: "Policy", "dely" (did you mean "delay"?).',
    ],
    [
      'another organization',
      'templateId,name,orgId\nt,x,22222222-2222-4222-8222-222222222222\n',
      'Line 2: orgId is "22222222-2222-4222-8222-222222222222", but the rows go to organization 11111111-1111-4111-8111-111111111111.',
    ],
    ...["['day']", '[day]', '[1]'].map((cell): [string, string, string, (readonly string[])?] => [
      `${cell}, which begins as a list and is none`,
      `templateId;tags\nt;${cell}\n`,
      'Line 2: tags begins with [ but is not a list: write ["day", "night"], and a text that begins with [ as ["[day]"].',
    ]),
    [
      'JSON that names a file',
      '{"channelId":"c","config":"/etc/passwd"}\n',
      'Line 1: config takes JSON, not the name of a file.',
    ],
    [
      'a cell that names a file',
      'channelId,config\nc,"""/etc/passwd"""\n',
      'Line 2: config takes JSON, not the name of a file.',
    ],
    [
      'an object that is a number',
      `{"alertPolicyId":"${one}","templateId":"t","variables":5}\n`,
      'Line 1: variables takes an object.',
    ],
    ['a row that is not an object', '[5]', 'Row 1 is not an object: a row has a member for each option.'],
    [
      'rows of JSON by their number and ID, as they may be on one line',
      '[{"templateId":"t","name":"x"},{"templateId":"u","name":5}]',
      'Row 2 (u): name takes a string.',
    ],
    [
      'a separator for what has lists',
      '{"templateId":"t"}\n',
      'error: --list-separator is for CSV and workbooks; the format is ndjson.',
      ['--list-separator', ','],
    ],
    [
      'an empty separator',
      'templateId\n',
      'error: --list-separator takes the text between the values of a cell.',
      ['--list-separator', ''],
    ],
    [
      'a name of every object',
      'templateId,__proto__\n',
      `error: rows.csv has a column ${unknown('"__proto__"', 'templates update')}.`,
    ],
    [
      'a member of every object',
      '{"templateId":"t","__proto__":{"tags":["x"]}}\n',
      `Line 1 has a member ${unknown('"__proto__"', 'templates update')}; to leave columns out: --ignore-columns=__proto__.`,
    ],
    [
      'a path to it',
      'alertPolicyId,notification.__proto__\n',
      `error: rows.csv has a column ${unknown('"notification.__proto__"', 'policies update')}.`,
    ],
    [
      'control characters, which are shown as such',
      'templateId,"na\nme\u202e"\n',
      `error: rows.csv has a column ${unknown('"na\\nme\\u{202e}"', 'templates update')}.`,
    ],
    [
      'a name as long as the file',
      `templateId,${'x'.repeat(500_000)}\n`,
      `error: rows.csv has a column ${unknown(`"${'x'.repeat(80)}…"`, 'templates update')}.`,
    ],
    [
      'unknown columns by the hundred thousand',
      `templateId${',x'.repeat(100_000)}\n`,
      `error: rows.csv has a column ${unknown('"x"', 'templates update')}.`,
    ],
    [
      'a row of another length than such a header',
      `templateId${','.repeat(50_000)}${',tag'.repeat(50_000)}\nt,a\n`,
      'Line 2 has 2 cells; the header has 100001.',
    ],
    [
      'an inner object that never ends',
      `{"alertPolicyId":"x",${'"notification":{'.repeat(5000)}${'}'.repeat(5001)}\n`,
      'Line 1 is nested more than 64 levels deep, which no platform reads.',
    ],
  ])('%s', async (_, text, expected, words) => {
    expect(await refusalOf(commandOf(text), text, words)).toBe(expected);
  });

  it.each<[readonly string[], readonly string[]]>([
    [
      ['templates', 'update'],
      ['contentFile', 'bodyFile'],
    ],
    [
      ['policies', 'update'],
      ['contentFile', 'notificationFile', 'bodyFile'],
    ],
    [
      ['channels', 'update'],
      ['configFile', 'bodyFile'],
    ],
    [
      ['batches', 'create'],
      ['actionsFile', 'bodyFile'],
    ],
    [
      ['credentials', 'create', '--secret-dir', 'sec'],
      ['secretFile', 'saveProfile', 'force', 'secretDir', 'bodyFile'],
    ],
  ])('%j whatever names a file or a profile, agrees, or opens an editor: %j', async (command, names) => {
    const spellings = names.flatMap((name) => [
      name,
      name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      name.replace(/[A-Z]/g, (letter) => ` ${letter}`).toUpperCase(),
    ]);
    const outside = someone.file('outside.txt', 'SECRET');
    for (const name of spellings)
      for (const file of [
        someone.file('rows.csv', `name,${name}\nx,${outside}\n`),
        someone.file('rows.ndjson', `${JSON.stringify({ name: 'x', [name]: outside })}\n`),
      ]) {
        const { exit, stdout, stderr } = await someone.iiot([...command, '--rows', file, '--yes']);
        expect([name, exit, stdout, someone.requests]).toEqual([name, 2, '', []]);
        expect(stderr).toContain(`${JSON.stringify(name)}, which only the command line takes: `);
      }
  });

  it.each(['--save-profile p', '--secret-file f', '--force'])('%s together with --rows', async (words) => {
    const file = someone.file('rows.csv', 'name\na\n');
    const line = ['credentials', 'create', '--rows', file, '--secret-dir', 'sec', '--yes', ...words.split(' ')];
    const { exit, stderr } = await someone.iiot(line);
    expect([exit, stderr.split('\n')[0]]).toEqual([
      2,
      `error: ${words.split(' ')[0]} cannot be combined with --rows: it is for one client credential.`,
    ]);
  });

  it('a title above the header, with the line of the header', async () => {
    const { exit, stderr } = await rehearsed('templates', 'Notification templates,\ntemplateId,name\nt,x\n');
    expect([exit, stderr]).toEqual([
      2,
      expect.stringContaining('hint: The column names are on line 2: add --header-row=2'),
    ]);
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
    '--failed-file x',
    '--repeat-unknown',
    '--shard 1/2',
    '--list-separator ,',
  ])('%s without --rows', async (words) => {
    const { exit, stderr } = await someone.iiot(['channels', 'update', 'c', '--name', 'x', ...words.split(' ')]);
    expect([exit, stderr.split('\n')[0]]).toEqual([
      2,
      `error: ${words.split(' ')[0]} needs --rows FILE; see iiot help rows.`,
    ]);
  });

  it('writes no secret to --secret-dir without --rows', async () => {
    const line = 'credentials create --name a --secret-dir sec --yes';
    expect(await someone.iiot(line.split(' '))).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('error: --secret-dir needs --rows FILE; without, use --secret-file.'),
    });
    expect(someone.requests).toEqual([]);
  });
});
