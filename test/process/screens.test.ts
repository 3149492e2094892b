/** What commands show at a terminal, whole. */
import { describe, expect, it } from 'vitest';
import { prepareWidths, textWidth } from '../../src/output/text-width.ts';
import { startServer } from '../../src/sandbox/server.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import { madeForAll } from '../support/fixtures.ts';
import { homeForEach, machineOf } from '../support/home.ts';
import { org } from './guarded.ts';

const server = madeForAll(() => startServer());
const home = homeForEach();

type Given = { readonly env?: Readonly<Record<string, string>>; readonly columns?: number };

/** The screen of a command, with what differs from run to run named. */
async function screenOf(words: readonly string[], { env, columns = 80 }: Given = {}) {
  const session = home.terminal(words, { columns, rows: 60, env: env ?? machineOf(server) });
  const { code } = await session.exit;
  const screen = (await session.screen())
    .replaceAll(new URL(server.url).host, 'HOST')
    .replaceAll(/credential_[\w-]{12}/g, 'credential_new_12345')
    .replaceAll(home.folder, 'HOME')
    // A long folder for temporary files leaves no room behind it.
    .replace(/(?<=HOME\/iiot)\s+is\s+not\s+there\s+yet/, ' is not there yet');
  return { exit: code, lines: screen.split('\n'), written: session.written() };
}

describe('login status', () => {
  it('says in sentences who is logged in, and how long', async () => {
    const { admin, adminPassword, tenantPath, appPath } = ids;
    const words = ['login', '--account', admin, '--tenant', tenantPath, '--app', appPath, '--profile', 'ci'];
    const env = { IIOT_BASE_URL: server.url, IIOT_PASSWORD: adminPassword };
    expect((await screenOf(words, { env })).lines).toEqual([
      '✓ Logged in to http://HOST as ada@factory.example (profile ci)',
      'Set your organization with: iiot profiles set ci org=ID',
    ]);
    const { lines, exit } = await screenOf(['login', 'status', '--check', '--profile', 'ci'], { env: {} });
    expect(lines.join(' ')).toMatch(
      /^Logged in to HOST as ada@factory\.example \(profile ci\)\. The token expires in (2 h|1 h 59 min) and is renewed automatically\. The platform accepts the login\.$/,
    );
    expect(exit).toBe(0);
  });

  it('leaves nobody to the error', async () => {
    const { lines, exit } = await screenOf(['login', 'status'], { env: { IIOT_BASE_URL: server.url } });
    expect(lines).toEqual(['error: You are not logged in.', 'hint: Run: iiot login']);
    expect(exit).toBe(3);
  });
});

describe('doctor', () => {
  it('is a checklist', async () => {
    const { lines, exit } = await screenOf(['doctor']);
    expect(lines.map((line) => line.replace(/(?<=Node |port )\S+/, 'N'))).toEqual([
      '✓ Node N',
      '✓ Files: HOME/iiot is not there yet',
      '✓ Settings: http://HOST (IIOT_BASE_URL)',
      '✓ No name to resolve: 127.0.0.1 is an IP address',
      '✓ Connected to 127.0.0.1 port N',
      '✓ Platform: it answers with the page "Sandbox" (200 at http://HOST/)',
      '✓ The clock of this machine agrees with that of the platform',
      '✓ Login: sandbox-machine (IIOT_CLIENT_ID)',
      '✓ Test call (list users) works',
    ]);
    expect(exit).toBe(0);
  });

  it('says what to do below what failed, in the width of the terminal, and nothing twice', async () => {
    const { lines, exit, written } = await screenOf(['doctor'], {
      columns: 140,
      env: { IIOT_BASE_URL: 'https://nowhere.invalid' },
    });
    expect(lines.slice(2)).toEqual([
      '✓ Settings: https://nowhere.invalid (IIOT_BASE_URL)',
      '✗ The name nowhere.invalid does not resolve (ENOTFOUND).',
      '  Check the base URL: iiot profiles show --origin',
      'error: 1 check failed: name.',
    ]);
    expect(written).toContain('\u001b[31m✗\u001b[39m');
    expect(exit).toBe(8);
  });

  it.each([80, 140])('wraps at %i columns', async (columns) => {
    const env = { IIOT_BASE_URL: 'http://127.0.0.1:1' };
    const { lines } = await screenOf(['doctor'], { columns, env });
    expect(lines.slice(-3)).toEqual([
      '✗ Connection: cannot reach http://127.0.0.1:1: nothing listens there.',
      '  Check the base URL: iiot profiles show --origin',
      'error: 1 check failed: connection.',
    ]);
  });
});

describe('a new client credential', () => {
  it('is shown with its secret, which is to be saved now', async () => {
    const { lines } = await screenOf(['credentials', 'create', '--name', 'ci']);
    expect(lines.map((line) => line.replace(/(?<=(secret|Created|Client ID) +)\S+$/, '…'))).toEqual([
      '✓ Created client credential ci',
      'Credential ID  credential_new_12345',
      'Name           ci',
      'Client ID      …',
      'Created        …',
      'Client secret  …',
      'Save the secret now, it is shown only once.',
    ]);
  });

  it('in a profile has its next command', async () => {
    const { lines } = await screenOf(['credentials', 'create', '--name', 'ci', '--save-profile', 'ci']);
    expect(lines.at(-1)).toBe('Profile ci is logged in. Next: iiot orgs users list --profile ci');
  });
});

it.each([60, 80, 100, 140])('a list aligns wide and narrow text at %i columns, and fits', async (columns) => {
  await prepareWidths(['停']);
  const { written } = await screenOf(['templates', 'list', '--no-color'], { columns });
  const lines = written.split('\r\n').slice(0, 46);
  expect(lines.length).toBe(46);
  for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns);
  const channels = lines.map((line) => textWidth(line.slice(0, line.search(/CHANNEL|teams|linem|webhook|email/))));
  expect(new Set(channels).size).toBe(1);
});

it('profiles are listed with a star at the one in use', async () => {
  await screenOf(['profiles', 'set', 'default', 'baseUrl=https://platform.example', 'protected=true', `org=${org}`]);
  await screenOf(['profiles', 'set', 'robot', 'baseUrl=https://platform.example'], { env: {} });
  expect((await screenOf(['profiles', 'list'], { columns: 100 })).lines).toEqual([
    'NAME     IN USE  BASE URL                  ORG                                   PROTECTED',
    `default  *       https://platform.example  ${org}  yes`,
    'robot            https://platform.example',
  ]);
  expect((await screenOf(['profiles', 'list'], { columns: 60 })).lines).toEqual([
    'NAME     IN USE  BASE URL                  PROTECTED',
    'default  *       https://platform.example  yes',
    'robot            https://platform.example',
    'Not shown: ORG (use --columns all)',
  ]);
});

it('a schedule has a line for each next time, with its zone', async () => {
  const { lines } = await screenOf(['batches', 'cron', '0 30 2 ? * MON *', '--tz', 'Asia/Tokyo']);
  expect(lines[0]).toBe('At 02:30, only on Monday');
  expect(lines.slice(1)).toHaveLength(3);
  for (const line of lines.slice(1)) expect(line).toMatch(/^ {2}Mon \d{4}-\d\d-\d\d 02:30:00 Asia\/Tokyo \(\+09:00\)$/);
});

it('an import says at its end how long it took, and no zeros', async () => {
  const file = home.file('fleet.csv', 'deviceId,line\npress-0001,3\npress-0002,4\n');
  const { lines } = await screenOf(['devices', 'custom-info', 'import', file]);
  expect(lines).toEqual(['✓ 2 rows: 2 done (less than a second)']);
});

it('an import that is not whole says so, and how long it took, once, and each failure once', async () => {
  const wrong = Array.from({ length: 30 }, (_, at) => `nowhere-${at},4\n`).join('');
  const file = home.file('wrong.csv', `deviceId,line\npress-0001,3\n${wrong}press-0002,\n`);
  const { lines } = await screenOf(['devices', 'custom-info', 'import', file], { columns: 300 });
  expect(lines.map((line) => line.replace(/\(\d+ s\)/, '(less than a second)'))).toEqual([
    'Note: 1 row without a value is not sent.',
    '30 rows (lines 3–32): There is no device …. (404)',
    'error: 31 rows: 1 done, 30 failed (less than a second).',
    expect.stringMatching(/^hint: .* --resume$/),
  ]);
});

it.each(['ndjson', 'csv'] as const)(
  'an import with a line for each row as %s says at its end how long it took',
  async (format) => {
    const file = home.file('fleet.csv', 'deviceId,line\npress-0001,3\nnowhere,4\n');
    const words = ['devices', 'custom-info', 'import', file, '-o', format, '--journal', home.at(format)];
    const { lines, exit } = await screenOf(words);
    const ends = {
      csv: /^error: 2 rows: 1 done, 1 failed \((less than a second|\d+ s)\)\.$/,
      ndjson: /"2 rows: 1 done, 1 failed\."/,
    };
    expect([exit, lines.filter((line) => ends[format].test(line)).length]).toEqual([9, 1]);
    home.file('fleet.csv', 'deviceId,line\npress-0001,3\n');
    const whole = await screenOf([...words.slice(0, -1), home.at(`${format}-whole`)]);
    expect(whole.lines.at(-1)).toBe('1 row: 1 done (less than a second)');
  },
);

describe('the history', () => {
  const entry = (operation: string, about: string, more: object = {}) => ({
    ...{
      at: '2026-01-01T12:00:00.000Z',
      profile: 'plant',
      as: 'ada@factory.example',
      baseUrl: 'https://platform.example',
    },
    ...{ orgId: org, operation, about, outcome: 'done', status: 200, ...more },
  });
  const policy = 'aaaaaaaa-0000-4000-8000-000000000001';
  const past = [
    entry('credentials.create', 'client credential credential_new_12345', { fields: ['name', 'expiredAt'] }),
    entry('credentials.create', 'client credential "Night shift"', { outcome: 'failed', status: 400 }),
    entry('credentials.delete', 'client credential credential_001'),
    entry('policies.update', `alert policy ${policy}`, { fields: ['delay', 'notification.channelIds'] }),
    entry('channels.update', 'channel channel'),
    entry('templates.update', 'template template_001'),
    entry('devices.customInfo.set', 'device press-0001', { fields: ['line'] }),
    entry('devices.customInfo.set', '2 of 3 rows of fleet.csv', { outcome: 'partial', fields: ['line', 'owner'] }),
    entry('batches.create', 'batch batch nightly'),
    entry('orgs.delete', `organization ${org}`),
    entry('api', 'PATCH /api/v1/template/7'),
  ];
  const shown = async (columns: number, ...words: string[]) => {
    home.file('iiot/history.ndjson', past.map((each) => `${JSON.stringify(each)}\n`).join(''));
    return (await screenOf(['history', ...words], { columns })).lines;
  };

  it('shows at 80 columns when, which operation, on what, and the outcome; the noun is that of the operation', async () => {
    expect(await shown(80)).toEqual([
      'AT          OPERATION               ABOUT                                OUTCOME',
      '2026-01-01  api                     PATCH /api/v1/template/7             done',
      '2026-01-01  orgs.delete             0b0f2a1c-1111-4222-8333-4444555566…  done',
      '2026-01-01  batches.create          batch nightly                        done',
      '2026-01-01  devices.customInfo.set  2 of 3 rows of fleet.csv             partial',
      '2026-01-01  devices.customInfo.set  press-0001                           done',
      '2026-01-01  templates.update        template_001                         done',
      '2026-01-01  channels.update         channel                              done',
      '2026-01-01  policies.update         aaaaaaaa-0000-4000-8000-0000000000…  done',
      '2026-01-01  credentials.delete      credential_001                       done',
      '2026-01-01  credentials.create      "Night shift"                        failed',
      '2026-01-01  credentials.create      credential_new_12345                 done',
      'Not shown: PROFILE, AS, STATUS, FIELDS (use --columns all)',
    ]);
  });

  it('shows all of it where there is room', async () => {
    expect((await shown(160)).slice(0, 9)).toEqual([
      'AT          PROFILE  AS                   OPERATION               ABOUT                                 OUTCOME  STATUS  FIELDS',
      '2026-01-01  plant    ada@factory.example  api                     PATCH /api/v1/template/7              done     200',
      `2026-01-01  plant    ada@factory.example  orgs.delete             ${org}  done     200`,
      '2026-01-01  plant    ada@factory.example  batches.create          batch nightly                         done     200',
      '2026-01-01  plant    ada@factory.example  devices.customInfo.set  2 of 3 rows of fleet.csv              partial  200     line, owner',
      '2026-01-01  plant    ada@factory.example  devices.customInfo.set  press-0001                            done     200     line',
      '2026-01-01  plant    ada@factory.example  templates.update        template_001                          done     200',
      '2026-01-01  plant    ada@factory.example  channels.update         channel                               done     200',
      `2026-01-01  plant    ada@factory.example  policies.update         ${policy}  done     200     delay, notification.channelIds`,
    ]);
  });

  it('cuts what was changed before it leaves out the operation', async () => {
    expect((await shown(60)).slice(0, 3)).toEqual([
      'AT          OPERATION               ABOUT            OUTCOME',
      '2026-01-01  api                     PATCH /api/v1/…  done',
      '2026-01-01  orgs.delete             0b0f2a1c-1111-…  done',
    ]);
  });

  it('has the noun for whoever asks for that column', async () => {
    expect((await shown(80, '--columns', 'about', '--limit', '3')).slice(1, 3)).toEqual([
      'PATCH /api/v1/template/7',
      `organization ${org}`,
    ]);
  });
});

it('a question breaks between words where the terminal is narrow', async () => {
  const session = home.terminal(['credentials', 'rotate', 'credential_001'], { columns: 60, env: machineOf(server) });
  await session.waitFor('(y/N)');
  expect((await session.screen()).split('\n').slice(-3)).toEqual([
    'deleted once its successor works and is saved,',
    'and its access tokens become invalid',
    'immediately. (y/N)',
  ]);
  session.type('\u0003');
  expect(await session.exit).toMatchObject({ code: 130 });
});

it('deleting an organization is said to be final before its name is typed', async () => {
  const words = ['orgs', 'delete', '77777777-7777-4777-8777-777777777777'];
  const session = home.terminal(words, { env: machineOf(server) });
  await session.waitFor('type its name');
  expect(await session.screen()).toContain('Deleting an organization cannot be undone.');
  session.type('\u0003');
  expect(await session.exit).toMatchObject({ code: 130 });
});

describe('a dry run', () => {
  const update = ['templates', 'update', 'template_001', '--subject', 'Hot \u001b[2J', '--tag', 'day', '--dry-run'];
  const url = `http://HOST/api/v1/orgs/${ids.root}/notifications/templates/template_001`;
  const curl = (method: string, more: string, address: string) =>
    `curl --fail-with-body -X ${method} -H "Authorization: Bearer $IIOT_TOKEN" -H 'Accept: application/json' ${more}--globoff --path-as-is '${address}'`;
  const type = "-H 'Content-Type: application/json' --data-raw ";

  it('shows the request, its body indented, and a line for curl that can be copied', async () => {
    const { written, exit } = await screenOf([...update, '-q', '--no-color']);
    expect([exit, written.replaceAll(new URL(server.url).host, 'HOST').replaceAll('\r', '')]).toEqual([
      0,
      `PATCH ${url}\n` +
        '  {\n    "subject": "Hot \\u001b[2J",\n    "tags": [\n      "day"\n    ]\n  }\n' +
        `${curl('PATCH', `${type}'{"subject":"Hot \\u001b[2J","tags":["day"]}' `, url)}\n`,
    ]);
  });

  it('sets several requests apart', async () => {
    const words = ['credentials', 'rotate', 'credential_1', '--name', 'ci', '--secret-file', 'x', '--dry-run', '-q'];
    const { written } = await screenOf([...words, '--no-color']);
    const credentials = 'http://HOST/api/v1/oauth2/client-credentials';
    expect(written.replaceAll(new URL(server.url).host, 'HOST').replaceAll('\r', '')).toBe(
      `POST ${credentials}\n  {\n    "name": "ci"\n  }\n${curl('POST', `${type}'{"name":"ci"}' `, credentials)}\n\n` +
        `DELETE ${credentials}/credential_1\n${curl('DELETE', '', `${credentials}/credential_1`)}\n`,
    );
  });

  it('of templates push shows each field that was changed, on one line, and the requests with --verbose alone', async () => {
    home.file(
      'files/hot.txt',
      '---\ntemplateId: template_001\nname: 温度\ntags: []\n---\nLine 3\nis hot, and this is too long.\u001b[2J',
    );
    home.file('files/door.txt', '---\ntemplateId: template_002\n---\nOpen');
    const push = ['templates', 'push', 'files', '--dry-run', '--no-color'];
    const { lines, exit } = await screenOf(push, { columns: 40 });
    expect([exit, lines.slice(-8)]).toEqual([
      0,
      [
        'door.txt (template_002)',
        '  content: Open',
        'hot.txt (template_001)',
        '  name: 温度',
        '  tags: []',
        '  content: Line 3↵is hot, and this is t…',
        '2 templates would be updated. --verbose',
        'shows the requests.',
      ],
    ]);
    const { written } = await screenOf([...push, '-q', '--verbose']);
    expect(written.match(/^\S+(?= )/gm)).toEqual(['PATCH', 'curl', 'PATCH', 'curl']);
  });

  it('of templates push keeps the requests for a program, a line each in a pipe', async () => {
    for (const at of [1, 2]) home.file(`files/${at}.txt`, `---\ntemplateId: template_00${at}\n---\nOpen`);
    const { stdout } = await home.iiot(['templates', 'push', 'files', '--dry-run', '-q'], { env: machineOf(server) });
    const address = `${server.url}/api/v1/orgs/${ids.root}/notifications/templates/template_00`;
    const line = (at: number) => `${curl('PATCH', `${type}'{"content":"Open"}' `, `${address}${at}`)}\n`;
    expect(stdout).toBe(
      `PATCH\t${address}1\t{"content":"Open"}\t${line(1)}PATCH\t${address}2\t{"content":"Open"}\t${line(2)}`,
    );
  });
});
