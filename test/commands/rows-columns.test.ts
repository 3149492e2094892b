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

/** The body of each request by the end of its path. */
async function requestsOf(name: Name, text: string, words: readonly string[] = []) {
  const { exit, stdout, stderr } = await rehearsed(name, text, [...words, '-o', 'ndjson']);
  expect({ exit, errors: stderr.replace(/^Note: .*\n/gm, '') }).toEqual({ exit: 0, errors: '' });
  const rows = stdout.split('\n').filter(Boolean);
  const requests = rows.map((row) => JSON.parse(row).request);
  const bodies = Object.fromEntries(requests.map(({ url, body }) => [url.split('/').at(-1), body]));
  expect(Object.keys(bodies)).toHaveLength(rows.length);
  return bodies;
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
    [
      'columns named as options',
      `alertPolicyId,alert-level,name\n${one},>80,Hot\n`,
      { [one]: { alertLevel: '>80', policyName: 'Hot' } },
    ],
    [
      'columns named as fields of the platform',
      `alertPolicyId,alertLevel,policyName\n${one},>80,Hot\n`,
      { [one]: { alertLevel: '>80', policyName: 'Hot' } },
    ],
    [
      'a column named as a path of fields',
      `alertPolicyId,notification.channelIds,notification.templateId\n${one},channel_email,t\n`,
      { [one]: { notification: { channelIds: ['channel_email'], templateId: 't' } } },
    ],
    [
      'column names in any letter case, with blanks around them',
      `ALERTPOLICYID, Alert-Level ,NOTIFICATION.subject,Content\n${one},>80,s,c\n`,
      { [one]: { alertLevel: '>80', notification: { subject: 's', content: 'c' } } },
    ],
    [
      'column names in full-width letters and with underscores',
      `ａｌｅｒｔＰｏｌｉｃｙＩＤ,alert_level,ｎａｍｅ\n${one},>80,Hot\n`,
      { [one]: { alertLevel: '>80', policyName: 'Hot' } },
    ],
    [
      'durations with and without a unit',
      `alertPolicyId,delay\n${one},5m\n${two},90\n`,
      { [one]: { delay: 300 }, [two]: { delay: 90 } },
    ],
    [
      'its cells, without the empty ones',
      `alertPolicyId,delay,description\n${one},5,\n${two},,x\n`,
      { [one]: { delay: 5 }, [two]: { description: 'x' } },
    ],
    ['a configuration as JSON in a cell', 'channelId,config\nc,"{""a"":1}"\n', { c: { config: { a: 1 } } }],
    ['its columns, without those that have no name', `alertPolicyId,,delay\n${one},,5\n`, { [one]: { delay: 5 } }],
    [
      'a column for a pair of options',
      'channelId,enabled\na,true\nb,FALSE\nc, Yes \nd,no\ne,1\nf,0\n',
      Object.fromEntries([...'abcdef'].map((id, at) => [id, { isEnabled: at % 2 === 0 }])),
    ],
    ['a column for a pair of options, named as its field', 'channelId,isEnabled\na,no\n', { a: { isEnabled: false } }],
    [
      'columns of settings and lists',
      'channelId,settings-timeout,recipient,recipient\nc,5,a@b.example,ops\n',
      { c: { commonSettings: { timeout: 5 }, recipients: ['a@b.example', 'ops'] } },
    ],
    ['a list in several columns of the same name', 'templateId,tag,Tags,tag\nt,a,,b\n', { t: { tags: ['a', 'b'] } }],
    [
      'a cell that --list-separator splits',
      'templateId;tag\nt;a, b,,c\n',
      { t: { tags: ['a', 'b', 'c'] } },
      ['--list-separator', ','],
    ],
    ['a value that has a comma', 'templateId;tag\nt;Hall 3, north\n', { t: { tags: ['Hall 3, north'] } }],
    [
      'a column that clears a list',
      'templateId,clear-tags,name\nt,yes,\nu,no,x\n',
      { t: { tags: [] }, u: { name: 'x' } },
    ],
    [
      'columns of keys with values',
      `alertPolicyId,channel-id,template-id,var,var\n${one},c,t,line=3,__proto__=x=y\n`,
      {
        [one]: {
          notification: { channelIds: ['c'], templateId: 't', variables: JSON.parse('{"line":"3","__proto__":"x=y"}') },
        },
      },
    ],
    [
      'several keys with values in one cell',
      `alertPolicyId,template-id,var\n${one},t,line=3|hall=4\n`,
      { [one]: { notification: { templateId: 't', variables: { line: '3', hall: '4' } } } },
      ['--list-separator', '|', '--delimiter', ','],
    ],
    [
      'options of the command line, which apply to each row',
      `alertPolicyId,delay\n${one},5\n${two},\n`,
      { [one]: { delay: 5, alertLevel: '>80' }, [two]: { alertLevel: '>80' } },
      ['--alert-level', '>80'],
    ],
    ['a list of the command line', 'templateId\nt\n', { t: { tags: ['a', 'b'] } }, ['--tag', 'a', '--tag', 'b']],
    ['the argument of the command line', 'delay\n5\n', { [one]: { delay: 5 } }, [one]],
    [
      'NDJSON objects',
      '{"templateId":"t","tags":["a","Hall 3, north"]}\n{"templateId":"u","name":"x"}\n',
      { t: { tags: ['a', 'Hall 3, north'] }, u: { name: 'x' } },
    ],
    [
      'objects of a JSON array',
      '[{"templateId":"t","channel-type":["email"],"tag":"one"}]',
      { t: { channelTypes: ['email'], tags: ['one'] } },
    ],
    [
      'the members of inner objects',
      `{"alertPolicyId":"${one}","notification":{"channelIds":["channel_email","channel_sms"],"templateId":"template_001","variables":{"10":"a","__proto__":"b"}}}\n`,
      { [one]: { notification: { ...notified, variables: JSON.parse('{"10":"a","__proto__":"b"}') } } },
    ],
    [
      'inner settings, and any items of a list whose items may be anything',
      '{"channelId":"c","commonSettings":{"timeout":5,"retryDelay":"7"},"recipients":["a@b.example",5,{"x":[1]}]}\n',
      { c: { commonSettings: { timeout: 5, retryDelay: 7 }, recipients: ['a@b.example', 5, { x: [1] }] } },
    ],
    [
      'a configuration in a JSON row',
      '{"channelId":"c","config":{"host":"mail","port":25,"to":[]}}\n{"channelId":"d","Config":{}}\n',
      { c: { config: { host: 'mail', port: 25, to: [] } }, d: { config: {} } },
    ],
    [
      'actions in a JSON row',
      '{"Name":"n","cron":"0 0 2 * * ?","enabled":true,"RunOnStartup":"no","Actions":[{"a":1},2]}\n',
      {
        batches: {
          ...{ orgId: expect.any(String), Name: 'n', CronExpression: '0 0 2 * * ?' },
          ...{ IsEnabled: true, RunOnStartup: false, Actions: [{ a: 1 }, 2] },
        },
      },
    ],
    [
      'empty lists, which replace the stored ones',
      '{"templateId":"t","tags":[],"name":"x"}\n{"templateId":"u","channelTypes":[]}\n',
      { t: { tags: [], name: 'x' }, u: { channelTypes: [] } },
    ],
    [
      'an empty inner object',
      `{"alertPolicyId":"${one}","notification":{"templateId":"t","variables":{}}}\n`,
      { [one]: { notification: { templateId: 't', variables: {} } } },
    ],
  ])('sets the request from %s', async (_, text, expected, words) => {
    expect(await requestsOf(commandOf(text), text, words)).toEqual(expected);
  });

  it('may have a list as JSON in a cell, with and without --list-separator', async () => {
    const rows = 'templateId,tags\nt,"[""day"",""Hall 3, north""]"\nu,[]\n';
    for (const words of [[], ['--list-separator', ',']])
      expect(await requestsOf('templates', rows, words)).toEqual({
        t: { tags: ['day', 'Hall 3, north'] },
        u: { tags: [] },
      });
  });

  it('of a list is sent without the fields that cannot be set, and null changes nothing', async () => {
    const listed = '{"clientCredentialId":"credential_001","name":"a","clientId":"b","scopes":null}\n';
    const words = ['credentials', 'delete', '--rows', someone.file('c.ndjson', listed)];
    const deleted = await someone.iiot([...words, '--dry-run', '--jq', '.[].request.method']);
    expect([deleted.exit, deleted.stdout]).toEqual([0, 'DELETE\n']);
    expect(deleted.stderr).toContain('name, clientId, scopes are left out: iiot credentials delete does not set them.');
    const rows = '{"templateId":"t","name":"x","subject":null}\n';
    expect(await requestsOf('templates', rows)).toEqual({ t: { name: 'x' } });
  });

  it('of the results of an earlier run can be sent, without its status and place', async () => {
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

  it('of the output of a dry run is refused as such', async () => {
    const file = someone.file('rows.csv', `alertPolicyId,delay\n${one},5\n`);
    const printed = async (format: string) =>
      (await someone.iiot(['policies', 'update', '--rows', file, '--dry-run', '-o', format])).stdout;
    const [csv, ndjson] = [await printed('csv'), await printed('ndjson')];
    expect((await rehearsed('policies', ndjson)).stderr.split('\n')[0]).toBe(
      'Line 1 has the members of what a dry run prints; give the file that it read.',
    );
    expect(await refusalOf('policies', csv)).toMatch(/^error: rows\.csv has the columns of .* dry run/);
  });

  it('with unknown members gets the option that leaves them out', async () => {
    const answer = `{"alertPolicyId":"${one}","delay":5,"isEnabled":true,"dataStreamIds":[]}\n`;
    const { stderr } = await rehearsed('policies', answer);
    expect(stderr.split('\n')[0]).toBe(
      'Line 1 has 2 members that iiot policies update does not have: "isEnabled", "dataStreamIds"; ' +
        'to leave columns out: --ignore-columns=isEnabled,dataStreamIds.',
    );
    const left = ['--ignore-columns', 'isEnabled,dataStreamIds'];
    expect(await requestsOf('policies', answer, left)).toEqual({ [one]: { delay: 5 } });
  });

  it('is sent with the apostrophe that --for-spreadsheet writes, and a note', async () => {
    const { stderr } = await rehearsed('templates', "templateId,name\nt,'-Alarm\n");
    expect(stderr).toBe(
      `Note: Line 2, name: "'-Alarm" has the apostrophe that --for-spreadsheet writes, and is sent with it.\n`,
    );
  });

  it('is sent without the columns of --ignore-columns', async () => {
    const words = ['--ignore-columns', 'name, Hall'];
    expect(await requestsOf('policies', `alertPolicyId,name,hall,Alert Level\n${one},a,b,>80\n`, words)).toEqual({
      [one]: { alertLevel: '>80' },
    });
    expect(await requestsOf('policies', `{"alertPolicyId":"${one}","name":"a","HALL":1,"delay":5}\n`, words)).toEqual({
      [one]: { delay: 5 },
    });
  });

  it.each(['fleet.csv', 'fleet.ndjson'])(
    'is sent without the key of --ignore-columns in either form of its letters: %s',
    async (name) => {
      const [key, twoParts] = ['ガス圧', 'ガス圧'.normalize('NFD')];
      const text = name.endsWith('csv')
        ? `deviceId,${twoParts},line\npress-0001,9,3\n`
        : `{"deviceId":"press-0001","customInfo":{"${twoParts}":"9","line":"3"}}\n`;
      const words = ['devices', 'custom-info', 'import', someone.file(name, text), '--yes'];
      expect((await someone.iiot([...words, '--ignore-columns', key ?? ''])).exit).toBe(0);
      expect(someone.sent.map(({ body }) => body)).toEqual(['{"line":"3"}']);
    },
  );

  it('may have null in a field that takes it, from --null-as and from JSON', async () => {
    const words = ['credentials', 'create', '--secret-dir', someone.folder, '--dry-run', '--jq', '.[].request.body'];
    const run = (name: string, text: string, more: readonly string[] = []) =>
      someone.iiot([...words, '--rows', someone.file(name, text), ...more]);
    const csv = await run('a.csv', 'name,expires\na,-\nb,\n', ['--null-as', '-']);
    const json = await run('a.ndjson', '{"name":"a","expiredAt":null}\n{"name":"b"}\n');
    for (const { exit, stdout } of [csv, json]) {
      const bodies = stdout.trim().split('\n');
      expect([exit, JSON.parse(`[${bodies}]`)]).toEqual([0, [{ name: 'a', expiredAt: null }, { name: 'b' }]]);
    }
    expect(await refusalOf('policies', `alertPolicyId,delay\n${one},-\n`, ['--null-as', '-'])).toBe(
      'Line 2: delay cannot be null.',
    );
  });

  it('with only its ID is not sent, and a note says so', async () => {
    const ran = await rehearsed('templates', 'templateId,name\nt,\nu,x\n,\n', ['--jq', '.[].templateId']);
    expect(ran).toEqual({ exit: 0, stdout: 'u\n', stderr: 'Note: 2 rows without a value are not sent.\n' });
  });
});

const unknown = (what: string, command: string) => `${what}, which iiot ${command} does not have`;

describe('--rows', () => {
  it.each<[string, string, string, (readonly string[])?]>([
    [
      'an unknown column, with the nearest name',
      'alertPolicyId,alert-levl\n',
      `error: rows.csv has a column ${unknown('"alert-levl"', 'policies update')} (did you mean "alert-level"?).`,
    ],
    [
      'an unknown member',
      `{"alertPolicyId":"${one}","dely":5}\n`,
      `Line 1 has a member ${unknown('"dely"', 'policies update')} (did you mean "delay"?); to leave columns out: --ignore-columns=dely.`,
    ],
    [
      'an unknown inner member',
      `{"alertPolicyId":"${one}","notification":{"channels":["a"]}}\n`,
      `Line 1 has a member ${unknown('"notification.channels"', 'policies update')}; to leave columns out: --ignore-columns=notification.channels.`,
    ],
    [
      'an inner object without members',
      `{"alertPolicyId":"${one}","delay":5,"notification":{}}\n`,
      `Line 1 has a member ${unknown('"notification"', 'policies update')}; to leave columns out: --ignore-columns=notification.`,
    ],
    [
      'the same column twice',
      'alertPolicyId,delay,Delay\n',
      'error: rows.csv has two columns that mean the same: "delay" is column 2, and "Delay" is column 3.',
    ],
    [
      'a column that the command line also gives',
      `alertPolicyId,delay\n${one},5\n`,
      'error: rows.csv has a column "delay", which the command line also gives.',
      ['--delay', '6'],
    ],
    [
      'a member that the command line also gives',
      `{"alertPolicyId":"${one}","delay":5}\n`,
      expect.stringMatching(/^Line 1 has a member "delay", which the command line/),
      ['--delay', '6'],
    ],
    ['a row without an ID', 'channelId,name\n,x\n', 'Line 2 has no channelId.'],
    [
      'an ID that is a number',
      '{"channelId":5,"name":"x"}\n',
      expect.stringMatching(/^Line 1: channelId takes a string/),
    ],
    [
      'several problems of a row at once',
      `alertPolicyId,alertLevel,delay,subject\nx,80,-1,s\n`,
      expect.stringMatching(
        /^Line 2: delay takes .*, not "-1"; alertPolicyId takes a UUID .*; alertLevel takes .* ">80"/,
      ),
    ],
    [
      'another word for true or false',
      'channelId,enabled\nc,maybe\n',
      'Line 2: enabled takes true or false, not "maybe".',
    ],
    [
      'a word of JavaScript for true or false',
      'templateId,clear-tags\nt,constructor\n',
      expect.stringMatching(/^Line 2: clear-tags .* not "constructor"\.$/),
    ],
    [
      'an unknown word for a field with fixed words',
      'templateId,channel-type\nt,fax\n',
      'Line 2: channel-type takes one of email, teams, linemessage, webhook.',
    ],
    [
      'a value that looks like several values',
      'templateId;tag\nt;day,night\n',
      'Line 2: tag looks like several values: write one as ["day, night"], or say what is between them with --list-separator ,.',
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
      `${cell}, which looks like a list in JSON`,
      `templateId;tags\nt;${cell}\n`,
      'Line 2: tags begins with [ but is not a list: write ["day", "night"], and a text that begins with [ as ["[day]"].',
    ]),
    [
      'a configuration in JSON that names a file',
      '{"channelId":"c","config":"/etc/passwd"}\n',
      'Line 1: config takes JSON, not the name of a file.',
    ],
    [
      'an object that is a number',
      `{"alertPolicyId":"${one}","templateId":"t","variables":5}\n`,
      'Line 1: variables takes an object.',
    ],
    ['a row that is not an object', '[5]', expect.stringMatching(/^Row 1 is not an object/)],
    [
      'a row of a JSON array, which it names by its number and ID',
      '[{"templateId":"t","name":"x"},{"templateId":"u","name":5}]',
      'Row 2 (u): name takes a string.',
    ],
    [
      'a list separator for NDJSON',
      '{"templateId":"t"}\n',
      'error: --list-separator is for CSV and workbooks; the format is ndjson.',
      ['--list-separator', ','],
    ],
    [
      'an empty list separator',
      'templateId\n',
      'error: --list-separator takes the text between the values of a cell.',
      ['--list-separator', ''],
    ],
    [
      'a column with the name of a property of all objects',
      'templateId,__proto__\n',
      `error: rows.csv has a column ${unknown('"__proto__"', 'templates update')}.`,
    ],
    [
      'a member with the name of a property of all objects',
      '{"templateId":"t","__proto__":{"tags":["x"]}}\n',
      `Line 1 has a member ${unknown('"__proto__"', 'templates update')}; to leave columns out: --ignore-columns=__proto__.`,
    ],
    [
      'a path to a property of all objects',
      'alertPolicyId,notification.__proto__\n',
      `error: rows.csv has a column ${unknown('"notification.__proto__"', 'policies update')}.`,
    ],
    [
      'control characters in a column name, which it escapes',
      'templateId,"na\nme\u202e"\n',
      `error: rows.csv has a column ${unknown('"na\\nme\\u{202e}"', 'templates update')}.`,
    ],
    [
      'a very long column name, which it shortens',
      `templateId,${'x'.repeat(500_000)}\n`,
      `error: rows.csv has a column ${unknown(`"${'x'.repeat(80)}…"`, 'templates update')}.`,
    ],
  ])('refuses %s', async (_, text, expected, words) => {
    expect(await refusalOf(commandOf(text), text, words)).toEqual(expected);
  });

  it.each<[string, ...string[]]>([
    ['templates update', 'contentFile', 'bodyFile'],
    ['policies update', 'contentFile', 'notificationFile', 'bodyFile'],
    ['channels update', 'configFile', 'bodyFile'],
    ['batches create', 'actionsFile', 'bodyFile'],
    ['credentials create --secret-dir sec', 'secretFile', 'saveProfile', 'force', 'secretDir', 'bodyFile'],
  ])('of iiot %s refuses columns that name a file or a profile, or confirm', async (command, ...names) => {
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
        const { exit, stdout, stderr } = await someone.iiot([...command.split(' '), '--rows', file, '--yes']);
        expect([name, exit, stdout, someone.requests]).toEqual([name, 2, '', []]);
        expect(stderr).toContain(`${JSON.stringify(name)}, which only the command line takes: `);
      }
  });

  it.each(['--save-profile p', '--secret-file f', '--force'])(
    'refuses %s of a single client credential',
    async (words) => {
      const file = someone.file('rows.csv', 'name\na\n');
      const line = ['credentials', 'create', '--rows', file, '--secret-dir', 'sec', '--yes', ...words.split(' ')];
      const { exit, stderr } = await someone.iiot(line);
      expect([exit, stderr.split('\n')[0]]).toEqual([
        2,
        `error: ${words.split(' ')[0]} cannot be combined with --rows: it is for one client credential.`,
      ]);
    },
  );

  it('refuses a title above the header, and names the line of the header', async () => {
    const { exit, stderr } = await rehearsed('templates', 'Notification templates,\ntemplateId,name\nt,x\n');
    expect([exit, stderr]).toEqual([
      2,
      expect.stringContaining('hint: The column names are on line 2: add --header-row=2'),
    ]);
  });

  it('takes a hundred thousand values in one row', async () => {
    const text = `{"templateId":"t","tags":[${'"a",'.repeat(100_000)}"b"]}`;
    expect((await requestsOf('templates', text)).t.tags).toHaveLength(100_001);
  });

  it.each([
    '--format csv',
    '--journal x',
    '--resume',
    '--failed-file x',
    '--repeat-unknown',
    '--shard 1/2',
    '--list-separator ,',
  ])('is required for %s', async (words) => {
    const { exit, stderr } = await someone.iiot(['channels', 'update', 'c', '--name', 'x', ...words.split(' ')]);
    expect([exit, stderr.split('\n')[0]]).toEqual([
      2,
      `error: ${words.split(' ')[0]} needs --rows FILE; see iiot help rows.`,
    ]);
  });

  it('is required for --secret-dir', async () => {
    const line = 'credentials create --name a --secret-dir sec --yes';
    expect(await someone.iiot(line.split(' '))).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('error: --secret-dir needs --rows FILE; without, use --secret-file.'),
    });
    expect(someone.requests).toEqual([]);
  });
});
