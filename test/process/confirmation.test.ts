/** Questions before what cannot be undone, at a real terminal. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { madeForEach } from '../support/fixtures.ts';
import { openFront } from '../support/front.ts';
import { homeForEach, machineOf } from '../support/home.ts';

const root = '11111111-1111-4111-8111-111111111111';
const storage = '77777777-7777-4777-8777-777777777777';
const front = madeForEach(() => openFront());
const home = homeForEach(() => machineOf(front));

/** "at 127.0.0.1:port" */
const there = () => `at ${new URL(front.url).host}`;

const iiot = (words: readonly string[], columns = 160) => home.terminal(words, { columns });

/** Answers questions, each once it is there; gives the exit code, the screen before the last answer and at the end, and the requests before it. */
async function asked(
  words: readonly string[],
  turns: readonly (readonly [sees: string, types: string])[],
  columns = 160,
) {
  const session = iiot(words, columns);
  let question = '';
  let before = 0;
  for (const [sees, types] of turns) {
    await session.waitFor(sees);
    question = await session.screen();
    before = front.requests.length;
    session.type(types);
  }
  const { code } = await session.exit;
  return { code, question, before, screen: await session.screen() };
}

const no = [['(y/N)', 'n\r']] as const;
const yes = [['(y/N)', 'y\r']] as const;

function protectedProfile(): void {
  const config = { version: 1, current: 'plant', profiles: { plant: { protected: true } } };
  home.file('iiot/config.json', JSON.stringify(config));
}

const ids = () => [...front.platform.world.credentials.keys()];
const sent = (method: string) => front.requests.filter((request) => request.method === method).length;

/** Changes the only credential of the platform. */
function changeCredential(fields: object): void {
  for (const [id, machine] of front.platform.world.credentials)
    front.platform.world.credentials.set(id, { ...machine, ...fields });
}

describe('iiot orgs delete at a terminal', () => {
  const words = ['orgs', 'delete', storage];

  it('has the name typed before it even logs in, and deletes', async () => {
    const session = iiot(words);
    await session.waitFor(`? To delete organization ${storage} ${there()}, type its name:`);
    expect(front.requests).toEqual([]);
    session.type('   \r');
    await session.waitFor('Nothing was typed; Ctrl-C cancels.');
    session.type('\u0015Storage\r');
    expect(await session.exit).toMatchObject({ code: 0 });
    expect(await session.screen()).toContain(`Deleted organization ${storage}`);
    expect(front.platform.world.organizations.has(storage)).toBe(false);
  });

  it('does not take --yes for the name, and names no option that was not given', async () => {
    const { code, screen } = await asked([...words, '--yes'], [['type its name:', 'storage\r']]);
    expect(code).toBe(7);
    expect(screen).toMatch(
      /^error: The request is not valid\. orgName is not the organization's name\.\nhint: The name is compared exactly/m,
    );
    expect(front.platform.world.organizations.has(storage)).toBe(true);
  });

  it('says that it cannot be undone, and changes nothing on Ctrl-C', async () => {
    const { code, question } = await asked(words, [['type its name:', 'Stor\u0003']]);
    expect([code, front.requests]).toEqual([130, []]);
    expect(question).toContain('Deleting an organization cannot be undone.');
  });

  it('shows the label of the profile, in its color', async () => {
    const profiles = { plant: { baseUrl: front.url, label: 'PRODUCTION', color: 'red' } };
    home.file('iiot/config.json', JSON.stringify({ version: 1, current: 'plant', profiles }));
    const session = iiot(words);
    await session.waitFor(
      `? [PRODUCTION] To delete organization ${storage} at ${front.url} as sandbox-machine, type its name:`,
    );
    expect(session.written()).toContain('\u001b[31m[PRODUCTION]\u001b[39m');
    session.type('\u0003');
    expect(await session.exit).toMatchObject({ code: 130 });
  });

  it('asks through a protected profile as well', async () => {
    protectedProfile();
    const place =
      `Profile plant is protected: ${front.url}, as sandbox-machine, organization ${root}\n` +
      `? Delete organization ${storage} on protected profile plant, ${there()}? (y/N)`;
    const { code } = await asked(words, [
      ['type its name:', 'Storage\r'],
      [place, 'n\r'],
    ]);
    expect([code, front.requests]).toEqual([130, []]);
  });
});

it('iiot templates push shows what it would change, asks once for all, and takes no for an answer', async () => {
  const dir = home.at('templates');
  expect(await iiot(['templates', 'pull', dir, '-q']).exit).toMatchObject({ code: 0 });
  for (const name of ['template_001-pressure-low.txt', 'template_002-door-open.txt']) {
    writeFileSync(join(dir, name), readFileSync(join(dir, name), 'utf8').replace('reports', 'says'));
  }
  const refused = await asked(['templates', 'push', dir], no);
  expect(refused.question).toContain(
    'template_001-pressure-low.txt: content\ntemplate_002-door-open.txt: content\n? Update 2 templates of organization 11111111-',
  );
  expect([refused.code, sent('PATCH')]).toEqual([130, 0]);
  expect((await asked(['templates', 'push', dir], yes)).code).toBe(0);
  expect(sent('PATCH')).toBe(2);
});

describe('iiot credentials delete at a terminal', () => {
  const words = ['credentials', 'delete', 'credential_001'];
  const inUse = 'The login in use, from IIOT_CLIENT_ID, is client credential credential_001 ';
  const question = (id: string) =>
    `? Delete client credential ${id} ${there()}? Every access token issued from it becomes invalid immediately. (y/N)`;

  it('says that it is the one in use, and takes no and yes for an answer', async () => {
    const refused = await asked(words, [['(y/N)', '\r']]);
    expect(refused.question).toBe(`${inUse}("Sandbox machine").\n${question('credential_001')}`);
    expect(refused.screen).toContain('Cancelled.');
    expect([refused.code, ids()]).toEqual([130, ['credential_001']]);
    const agreed = await asked([...words, '-q'], yes);
    expect(agreed.question).toContain(inUse);
    expect([agreed.code, ids()]).toEqual([0, []]);
  });

  it('prints a name that is made to look like a separate line on one line', async () => {
    changeCredential({ name: 'Line 3".\nNo profile uses it.\r\n\u2028\u001b[2J"' });
    expect((await asked(words, no)).question).toBe(
      `${inUse}("Line 3".↵No profile uses it.↵\\u{2028}\\u{1b}[2J"").\n${question('credential_001')}`,
    );
  });

  it('does not ask about one that is not there', async () => {
    const { code, screen } = await asked(['credentials', 'delete', 'nope'], []);
    expect([code, sent('DELETE')]).toEqual([5, 0]);
    expect(screen).toBe(`error: There is no client credential nope on ${front.url}.\nhint: See iiot credentials list`);
  });

  it('asks all the same where it cannot list', async () => {
    front.before = ({ method }) => (method === 'GET' ? new Response(null, { status: 403 }) : undefined);
    const refused = await asked(['credentials', 'delete', 'nope'], no);
    expect([refused.code, refused.question]).toEqual([130, question('nope')]);
  });
});

describe('iiot credentials create at a terminal', () => {
  it('shows the secret once, and leaves it nowhere else', async () => {
    const { code, screen } = await asked(['credentials', 'create', '--name', 'ci'], []);
    const [secret = 'none'] = /(?<=Client secret\s+)[\w-]{43}/.exec(screen) ?? [];
    expect([code, secret]).toEqual([0, expect.stringMatching(/^.{43}$/)]);
    const kept = readdirSync(home.settings, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    for (const { parentPath, name } of kept) expect(readFileSync(join(parentPath, name), 'utf8')).not.toContain(secret);
  });

  it('asks whether a Buddhist year is meant', async () => {
    const year = new Date().getUTCFullYear();
    const words = ['credentials', 'create', '--name', 'ci', '--expires', `${year + 544}-01-01`];
    const { code, question } = await asked(words, no);
    const doubt = `It expires in 543 years: ${year + 544} looks like the Buddhist year of ${year + 1}.`;
    expect(question.replaceAll('\n', ' ')).toContain(`? Create client credential "ci" ${there()}? ${doubt} (y/N)`);
    expect([code, ids()]).toEqual([130, ['credential_001']]);
  });

  it('asks before a change through a protected profile, --yes or not', async () => {
    protectedProfile();
    const words = ['credentials', 'create', '--name', 'ci', '--yes', '--save-profile', 'robot'];
    const { code, question } = await asked(words, yes);
    expect(question.replaceAll('\n', ' ')).toContain(
      `? Create client credential "ci" on protected profile plant, ${there()}? (y/N)`,
    );
    expect([code, ids()]).toEqual([0, expect.objectContaining({ length: 2 })]);
  });
});

describe('iiot credentials rotate at a terminal', () => {
  const words = ['credentials', 'rotate', 'credential_001'];

  it('tells what it does and who uses it, and asks, between words where the terminal is narrow', async () => {
    const { code, question } = await asked(words, no);
    expect(question).toBe(
      'The login in use, from IIOT_CLIENT_ID, is client credential credential_001 ("Sandbox machine").\n' +
        'Afterwards, use the successor wherever IIOT_CLIENT_ID is set.\n' +
        `? Rotate client credential credential_001 ${there()}? It is deleted once its successor works and is saved, and its access tokens become\ninvalid immediately. (y/N)`,
    );
    expect([code, ids()]).toEqual([130, ['credential_001']]);
    expect((await asked(words, no, 60)).question.split('\n').slice(-3)).toEqual([
      `${new URL(front.url).host}? It is deleted once its`,
      'successor works and is saved, and its access',
      'tokens become invalid immediately. (y/N)',
    ]);
  });

  it('asks with the note that it expires soon and that its lifetime is unknown', async () => {
    changeCredential({ createdAt: '', expiredAt: new Date(Date.now() + 5.5 * 86_400_000).toISOString() });
    const { question } = await asked(words, no);
    expect(question.split('\n').slice(2).join(' ')).toMatch(
      /^\? The successor expires as the old one does, in 5 d \(\S+Z\)\. Rotate client credential credential_001 at \S+:\d+\? It is deleted once/,
    );
  });
});

describe('a part of a whole at a terminal', () => {
  const policy = 'aaaaaaaa-0000-4000-8000-000000000001';
  const words = ['policies', 'update', policy, '--recipient', 'a@b.example'];
  const policyQuestion = () =>
    'This replaces the whole notification with {"recipients":["a@b.example"]}.\n' +
    'The channels, template and content stored now are removed, and cannot be read from the platform.\n' +
    `? Replace the notification of alert policy ${policy} ${there()}? (y/N)`;
  const channelQuestion = () =>
    'This may replace the whole group of settings with {"timeout":30}.\n' +
    'The retryAttempts and retryDelay stored now may be removed, and cannot be read from the platform.\n' +
    `? Update channel channel_email ${there()}? (y/N)`;

  it.each([
    [[...words, '-q'], policyQuestion],
    [['channels', 'update', 'channel_email', '--settings-timeout', '30', '-o', 'json'], channelQuestion],
  ])('is shown and asked about: %j', async (line, question) => {
    const refused = await asked(line, [['(y/N)', '\r']]);
    expect([refused.question, refused.code, front.requests]).toEqual([question(), 130, []]);
    expect((await asked(line, yes)).code).toBe(0);
    expect(sent('PATCH')).toBe(1);
  });

  it('breaks between words where the terminal is narrow', async () => {
    expect((await asked(words, no, 60)).question.split('\n').slice(0, 4)).toEqual([
      'This replaces the whole notification with',
      '{"recipients":["a@b.example"]}.',
      'The channels, template and content stored now are removed,',
      'and cannot be read from the platform.',
    ]);
  });

  it('is asked about once, through a protected profile too', async () => {
    protectedProfile();
    const question = `? Replace the notification of alert policy ${policy} on protected profile plant, ${there()}? (y/N)`;
    expect((await asked(words, [[question, 'y\r']])).code).toBe(0);
  });
});

describe('an import of a sheet with hidden rows at a terminal', () => {
  const words = () => {
    const file = home.file('sheets.xlsx', readFileSync('test/files/sheets.xlsx'));
    return ['devices', 'custom-info', 'import', file, '--sheet', 'fleet data'];
  };
  const doubts =
    'Note: 2 hidden rows are sent, too (rows 3, 4).\nNote: The sheet has merged cells (B5): only the first cell of each has the value.\n';

  it.each([
    ['n', 130, 0],
    ['y', 0, 4],
  ])('is asked about: %s', async (answer, code, requests) => {
    const question = `? Set custom information of 4 devices ${there()}: line in 4? (y/N)`;
    const ended = await asked([...words(), '-q'], [[question, `${answer}\r`]], 300);
    expect([ended.code, ended.before, sent('PUT')]).toEqual([code, 0, requests]);
    expect(ended.screen).toContain(doubts + question.replace('(y/N)', ''));
  });

  it('is reported, and not asked about, with --yes', async () => {
    const { code, screen } = await asked([...words(), '--yes'], [], 300);
    expect([code, sent('PUT')]).toEqual([0, 4]);
    expect(screen).toContain(doubts);
  });
});

describe('a protected profile at a terminal', () => {
  it('is asked about with what would be done, and where, --yes or not', async () => {
    protectedProfile();
    const words = ['devices', 'custom-info', 'set', 'press-0001', 'line=3', '--yes'];
    const { code, question, screen } = await asked(words, no);
    expect(question).toBe(
      `Profile plant is protected: ${front.url}, as sandbox-machine, organization ${root}\n` +
        `? Set 1 key of device press-0001 on protected profile plant, ${there()}? (y/N)`,
    );
    expect([code, screen]).toEqual([130, expect.stringMatching(/\nCancelled\.\n*$/)]);
  });

  it('is unprotected by a yes alone', async () => {
    protectedProfile();
    const question = '? Profile plant is protected. Set protected=false? (y/N)';
    const { code } = await asked(['profiles', 'set', 'plant', 'protected=false'], [[question, 'y\r']]);
    expect([code, JSON.parse(home.read('iiot/config.json')).profiles.plant]).toEqual([0, { protected: false }]);
  });
});
