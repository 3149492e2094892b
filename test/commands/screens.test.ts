/** What commands show at a terminal, whole. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { personForEach } from '../support/fixtures.ts';

const base = 'http://127.0.0.1:1';
const org = '11111111-1111-4111-8111-111111111111';
const someone = personForEach();

/** A command at a terminal: its exit code, and the lines of stdout and of stderr. */
async function shown(words: readonly string[], columns = 80, env = {}) {
  const { exit, stdout, stderr } = await someone.iiot(words, { columns, env });
  const [lines = [], notes = []] = [stdout, stderr].map((text) => text.split('\n').slice(0, -1));
  return { exit, lines, notes };
}

/** A file of the person; gives its path. */
function file(name: string, content: string): string {
  const path = join(someone.folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

it('credentials create --save-profile prints the next command', async () => {
  const { notes } = await shown(['credentials', 'create', '--name', 'ci', '--save-profile', 'ci']);
  expect(notes.at(-1)).toBe('Profile ci is logged in. Next: iiot orgs users list --profile ci');
});

it('the list of profiles has a star at the one in use', async () => {
  const address = 'baseUrl=https://platform.example';
  await shown(['profiles', 'set', 'default', address, 'protected=true', `org=${org}`]);
  await shown(['profiles', 'set', 'robot', address]);
  expect((await shown(['profiles', 'list'], 100)).lines).toEqual([
    'NAME     IN USE  BASE URL                  ORG                                   PROTECTED',
    `default  *       https://platform.example  ${org}  yes`,
    'robot            https://platform.example',
  ]);
  expect(await shown(['profiles', 'list'], 60)).toEqual({
    exit: 0,
    lines: [
      'NAME     IN USE  BASE URL                  PROTECTED',
      'default  *       https://platform.example  yes',
      'robot            https://platform.example',
    ],
    notes: ['Not shown: ORG (use --columns all)'],
  });
});

it('a schedule has a line for each next run, with its time zone', async () => {
  expect((await shown(['batches', 'cron', '0 30 2 ? * MON *', '--tz', 'Asia/Tokyo'])).lines).toEqual([
    'At 02:30, only on Monday',
    '  Mon 2026-01-05 02:30:00 Asia/Tokyo (+09:00)',
    '  Mon 2026-01-12 02:30:00 Asia/Tokyo (+09:00)',
    '  Mon 2026-01-19 02:30:00 Asia/Tokyo (+09:00)',
  ]);
});

describe('an import', () => {
  const load = ['devices', 'custom-info', 'import', '--yes'];

  it('ends with its duration, without zero counts', async () => {
    const fleet = file('fleet.csv', 'deviceId,line\npress-0001,3\npress-0002,4\n');
    expect((await shown([...load, fleet])).lines).toEqual(['✓ 2 rows: 2 done (less than a second)']);
  });

  it('with failures names each of them once, and ends with its duration', async () => {
    const wrong = Array.from({ length: 30 }, (_, at) => `nowhere-${at},4\n`).join('');
    const fleet = file('wrong.csv', `deviceId,line\npress-0001,3\n${wrong}press-0002,\n`);
    const { notes } = await shown([...load, fleet], 300);
    expect(notes.map((line) => line.replace(/\(\d+ s\)/, '(less than a second)'))).toEqual([
      'Note: 1 row without a value is not sent.',
      '30 rows (lines 3–32): There is no device …. (404)',
      'error: 31 rows: 1 done, 30 failed (less than a second).',
      expect.stringMatching(/^hint: .* --resume --base-url http:\/\/127\.0\.0\.1:1$/),
    ]);
  });

  it('with failures wraps sentences between words, but not the command to copy', async () => {
    const fleet = file('fleet.csv', 'deviceId,line,Line\npress-0001,3,4\nnowhere,4,4\n');
    expect((await shown([...load, fleet], 40)).notes).toEqual([
      'Note: the column "Line" differs from',
      '"line" only in case.',
      'Line 3, nowhere: There is no device',
      'nowhere. (404)',
      'error: 2 rows: 1 done, 1 failed (less',
      'than a second), at http://127.0.0.1:1,',
      'profile default,',
      `${fleet}.`,
      'hint: Fix these rows, in',
      fleet,
      'or on the platform, then send them (in a',
      'script, with --yes):',
      `iiot devices custom-info import ${fleet} --resume --base-url http://127.0.0.1:1`,
    ]);
  });
});

describe('the history', () => {
  const facts = { at: '2025-12-01T12:00:00.000Z', profile: 'default', account: 'ada@factory.example', error: null };
  const entry = (operation: string, [type, id]: readonly [string, string], more: object = {}) => ({
    ...facts,
    baseUrl: base,
    orgId: org,
    operation,
    subject: { type, id },
    fields: [],
    outcome: 'done',
    status: 200,
    ...more,
  });
  const policy = 'aaaaaaaa-0000-4000-8000-000000000001';
  const past = [
    entry('credentials.create', ['client_credential', 'credential_new_12345'], { fields: ['name', 'expiredAt'] }),
    entry('credentials.create', ['client_credential', 'Night shift'], { outcome: 'failed', status: 400 }),
    entry('policies.update', ['alert_policy', policy], { fields: ['delay', 'notification.channelIds'] }),
    entry('channels.update', ['channel', 'channel']),
    entry('devices.customInfo.set', ['device', 'press-0001'], { fields: ['line'] }),
    entry('devices.customInfo.set', ['file', 'fleet.csv'], { outcome: 'partial', fields: ['line', 'owner'] }),
    entry('batches.create', ['batch', 'batch nightly']),
    entry('orgs.delete', ['organization', org]),
    entry('api', ['request', 'PATCH /api/v1/template/7']),
  ];
  const history = (columns: number, ...words: string[]) => {
    file('history.ndjson', past.map((each) => `${JSON.stringify(each)}\n`).join(''));
    const seen = shown(['history', ...words], columns);
    // Each begins with its ID.
    return seen.then((each) => ({ ...each, lines: each.lines.map((line) => line.slice(9)) }));
  };

  it('shows time, profile, operation, subject and outcome at 80 columns', async () => {
    expect(await history(80)).toEqual({
      exit: 0,
      lines: [
        'AT (UTC)    PROFILE  OPERATION               SUBJECT           OUTCOME',
        '2025-12-01  default  api                     PATCH /api/v1/t…  done',
        '2025-12-01  default  orgs.delete             11111111-1111-4…  done',
        '2025-12-01  default  batches.create          batch nightly     done',
        '2025-12-01  default  devices.customInfo.set  fleet.csv         partial',
        '2025-12-01  default  devices.customInfo.set  press-0001        done',
        '2025-12-01  default  channels.update         channel           done',
        '2025-12-01  default  policies.update         aaaaaaaa-0000-4…  done',
        '2025-12-01  default  credentials.create      Night shift       failed',
        '2025-12-01  default  credentials.create      credential_new_…  done',
      ],
      notes: ['Not shown: AS, FIELDS, STATUS (use --columns all)'],
    });
  });

  it('does not shorten profile, operation and outcome at any width', async () => {
    expect((await history(60)).lines.slice(0, 3)).toEqual([
      'PROFILE  OPERATION               SUBJECT   OUTCOME',
      'default  api                     PATCH /…  done',
      'default  orgs.delete             1111111…  done',
    ]);
    expect((await history(30)).lines[9]).toBe('default  credentials.create      crede…  done');
  });
});

describe('the label of a profile', () => {
  const disable = ['channels', 'update', 'channel_email', '--disabled', '--dry-run'];
  const first = async (words: readonly string[], label: object, env = {}) => {
    const plant = { baseUrl: `${base}/`, ...label };
    file('config.json', JSON.stringify({ version: 1, current: 'plant', profiles: { plant } }));
    const { lines, notes } = await shown(words, 80, env);
    return { line: lines[0], note: notes[0] };
  };
  const production = { label: 'PRODUCTION', color: 'red' };

  it.each([
    [production, {}, '[PRODUCTION] Dry run with profile plant'],
    [{ label: 'PRODUCTION' }, {}, '[PRODUCTION] Dry run with profile plant'],
    [{ color: 'red' }, {}, '[plant] Dry run with profile plant'],
    [{ label: 'a\u001b[2Jb' }, {}, '[a\\u{1b}[2Jb] Dry run with profile plant'],
    [production, { IIOT_BASE_URL: 'http://127.0.0.1:2' }, undefined],
    [{}, {}, undefined],
  ])('is shown before a dry run on its own platform only: %j %j', async (label, env, note) => {
    expect((await first(disable, label, env)).note).toBe(note);
  });

  it('is shown in the color of the profile', async () => {
    const env = { NO_COLOR: undefined, FORCE_COLOR: '1' };
    const painted = '\u001b[31m[PRODUCTION]\u001b[39m Dry run with profile plant';
    expect((await first(disable, production, env)).note).toBe(painted);
  });

  it('is the first line of login status, and a field in JSON', async () => {
    const status = ['login', 'status'];
    expect((await first(status, production)).line).toBe('[PRODUCTION]');
    expect((await first([...status, '--jq', '.label'], production)).line).toBe('PRODUCTION');
  });

  it('is not shown in a pipe', async () => {
    await first(disable, production);
    expect((await someone.iiot(disable)).stderr).toBe('');
  });
});

describe('a dry run', () => {
  const templates = `${base}/api/v1/orgs/${org}/notifications/templates`;
  const curl = (method: string, more: string, address: string) =>
    `curl --fail-with-body -X ${method} -H "Authorization: Bearer $IIOT_TOKEN" -H 'Accept: application/json' ${more}--globoff --path-as-is '${address}'`;
  const type = "-H 'Content-Type: application/json' --data-raw ";

  it('shows the request, its indented body, and a curl command', async () => {
    const words = ['templates', 'update', 'template_001', '--subject', 'Hot \u001b[2J', '--tag', 'day'];
    expect(await someone.iiot([...words, '--dry-run', '-q'], { columns: 80 })).toEqual({
      exit: 0,
      stdout:
        `PATCH ${templates}/template_001\n` +
        '  {\n    "subject": "Hot \\u001b[2J",\n    "tags": [\n      "day"\n    ]\n  }\n' +
        `${curl('PATCH', `${type}'{"subject":"Hot \\u001b[2J","tags":["day"]}' `, `${templates}/template_001`)}\n`,
      stderr: '',
    });
  });

  it('separates several requests with an empty line', async () => {
    const words = ['credentials', 'rotate', 'credential_1', '--name', 'ci', '--secret-file', 'x', '--dry-run', '-q'];
    const credentials = `${base}/api/v1/oauth2/client-credentials`;
    expect((await someone.iiot(words, { columns: 80 })).stdout).toBe(
      `POST ${credentials}\n  {\n    "name": "ci"\n  }\n${curl('POST', `${type}'{"name":"ci"}' `, credentials)}\n\n` +
        `DELETE ${credentials}/credential_1\n${curl('DELETE', '', `${credentials}/credential_1`)}\n`,
    );
  });

  it('of templates push shows each changed field in one line, and requests with --verbose', async () => {
    const hot = file(
      'files/hot.txt',
      '---\ntemplateId: template_001\nname: 温度\ntags: []\n---\nLine 3\nis hot, and this is too long.\u001b[2J',
    );
    file('files/door.txt', '---\ntemplateId: template_002\n---\nOpen');
    const push = ['templates', 'push', dirname(hot), '--dry-run'];
    const { exit, lines } = await shown(push, 40);
    expect([exit, lines]).toEqual([
      0,
      [
        'door.txt (template_002)',
        '  content: Open',
        'hot.txt (template_001)',
        '  name: 温度',
        '  tags: []',
        '  content: Line 3↵is hot, and this is t…',
        '2 templates would be updated. --verbose shows the requests.',
      ],
    ]);
    const verbose = await shown([...push, '-q', '--verbose']);
    expect(verbose.lines.join('\n').match(/^\S+(?= )/gm)).toEqual(['PATCH', 'curl', 'PATCH', 'curl']);
  });

  it('of templates push prints one line for each request in a pipe', async () => {
    for (const at of [1, 2]) file(`files/${at}.txt`, `---\ntemplateId: template_00${at}\n---\nOpen`);
    const { stdout } = await someone.iiot(['templates', 'push', join(someone.folder, 'files'), '--dry-run', '-q']);
    const line = (at: number) => {
      const address = `${templates}/template_00${at}`;
      return `PATCH\t${address}\t{"content":"Open"}\t${curl('PATCH', `${type}'{"content":"Open"}' `, address)}\n`;
    };
    expect(stdout).toBe(line(1) + line(2));
  });
});
