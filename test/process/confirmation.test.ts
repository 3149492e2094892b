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

  it('asks for the name before it logs in, and then deletes', async () => {
    const session = iiot(words);
    await session.waitFor(`? To delete organization ${storage} ${there()}, type its name:`);
    expect(front.requests).toEqual([]);
    session.type('   \r');
    await session.waitFor('Nothing was typed');
    session.type('\u0015Storage\r');
    expect(await session.exit).toMatchObject({ code: 0 });
    expect(await session.screen()).toContain(`Deleted organization ${storage}`);
    expect(front.platform.world.organizations.has(storage)).toBe(false);
  });

  it('asks for the name even with --yes, and refuses another name', async () => {
    const { code, screen } = await asked([...words, '--yes'], [['type its name:', 'storage\r']]);
    expect(code).toBe(7);
    expect(screen).toMatch(/^error: .*orgName.*\nhint: The name is compared/m);
    expect(front.platform.world.organizations.has(storage)).toBe(true);
  });

  it('says that it cannot be undone, and changes nothing on Ctrl-C', async () => {
    const { code, question } = await asked(words, [['type its name:', 'Stor\u0003']]);
    expect([code, front.requests]).toEqual([130, []]);
    expect(question).toContain('Deleting an organization cannot be undone.');
  });

  it('shows the label of the profile in its color', async () => {
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

  it('asks for the name and then for a confirmation on a protected profile', async () => {
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

it('iiot templates push shows all changes, asks once, and sends nothing after no', async () => {
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
  const question = (id: string) =>
    `? Delete client credential ${id} ${there()}? Every access token issued from it becomes invalid immediately. (y/N)`;

  it('warns that the credential is in use, and deletes it only after yes', async () => {
    const refused = await asked(words, [['(y/N)', '\r']]);
    expect(refused.question).toContain(`credential_001 ("Sandbox machine").\n${question('credential_001')}`);
    expect(refused.screen).toContain('Cancelled.');
    expect([refused.code, ids()]).toEqual([130, ['credential_001']]);
    const agreed = await asked([...words, '-q'], yes);
    expect(agreed.question).toContain('IIOT_CLIENT_ID');
    expect([agreed.code, ids()]).toEqual([0, []]);
  });

  it('shows a name with line breaks on one line', async () => {
    changeCredential({ name: 'Line 3".\nNo profile uses it.\r\n\u2028\u001b[2J"' });
    expect((await asked(words, no)).question).toContain(
      `("Line 3".↵No profile uses it.↵\\u{2028}\\u{1b}[2J"").\n${question('credential_001')}`,
    );
  });

  it('does not ask about a credential that does not exist', async () => {
    const { code, screen } = await asked(['credentials', 'delete', 'nope'], []);
    expect([code, sent('DELETE'), screen.includes('(y/N)')]).toEqual([5, 0, false]);
  });

  it('asks even when it cannot list the credentials', async () => {
    front.before = ({ method }) => (method === 'GET' ? new Response(null, { status: 403 }) : undefined);
    const refused = await asked(['credentials', 'delete', 'nope'], no);
    expect([refused.code, refused.question]).toEqual([130, question('nope')]);
  });
});

describe('iiot credentials create at a terminal', () => {
  it('shows the secret once, and keeps it in no file', async () => {
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
    expect(question.replaceAll('\n', ' ')).toContain(`${there()}? It expires in 543 years: `);
    expect(question).toContain('Buddhist year');
    expect([code, ids()]).toEqual([130, ['credential_001']]);
  });
});

describe('iiot credentials rotate at a terminal', () => {
  const words = ['credentials', 'rotate', 'credential_001'];

  it('shows what it does, and wraps the question to the width of the terminal', async () => {
    const { code, question } = await asked(words, no);
    expect(question.slice(question.indexOf('\n') + 1)).toBe(
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

  it('notes when the successor expires', async () => {
    changeCredential({ createdAt: '', expiredAt: new Date(Date.now() + 5.5 * 86_400_000).toISOString() });
    const { question } = await asked(words, no);
    expect(question.split('\n').slice(2).join(' ')).toMatch(
      /^\? The successor expires .* in 5 d \(\S+Z\)\. Rotate client credential credential_001 at \S+:\d+\? It is deleted once/,
    );
  });
});

describe('a change that removes stored values, at a terminal,', () => {
  const policy = 'aaaaaaaa-0000-4000-8000-000000000001';
  const words = ['policies', 'update', policy, '--recipient', 'a@b.example'];

  it.each([
    [[...words, '-q'], '{"recipients":["a@b.example"]}', `Replace the notification of alert policy ${policy}`],
    [
      ['channels', 'update', 'channel_email', '--settings-timeout', '30'],
      '{"timeout":30}',
      'Update channel channel_email',
    ],
  ])('shows the new values and asks: %j', async (line, values, action) => {
    const refused = await asked(line, [['(y/N)', '\r']]);
    expect(refused.question).toContain(values);
    expect(refused.question).toContain(`\n? ${action} ${there()}? (y/N)`);
    expect([refused.code, front.requests]).toEqual([130, []]);
    expect((await asked(line, yes)).code).toBe(0);
    expect(sent('PATCH')).toBe(1);
  });

  it('asks once on a protected profile', async () => {
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
  const notes = /^Note: 2 hidden rows .*\nNote: .*merged cells \(B5\).*$/m;

  it.each([
    ['n', 130, 0],
    ['y', 0, 4],
  ])('notes them, and after the answer %s ends with %i and has sent %i rows', async (answer, code, requests) => {
    const question = `? Set custom information of 4 devices ${there()}: line in 4? (y/N)`;
    const ended = await asked([...words(), '-q'], [[question, `${answer}\r`]], 300);
    expect([ended.code, ended.before, sent('PUT')]).toEqual([code, 0, requests]);
    expect(ended.screen).toMatch(notes);
  });

  it('notes them, and asks nothing with --yes', async () => {
    const { code, screen } = await asked([...words(), '--yes'], [], 300);
    expect([code, sent('PUT')]).toEqual([0, 4]);
    expect(screen).toMatch(notes);
  });
});

describe('a protected profile at a terminal', () => {
  it('asks what to change and where, even with --yes', async () => {
    protectedProfile();
    const words = ['devices', 'custom-info', 'set', 'press-0001', 'line=3', '--yes'];
    const { code, question, screen } = await asked(words, no);
    expect(question).toBe(
      `Profile plant is protected: ${front.url}, as sandbox-machine, organization ${root}\n` +
        `? Set 1 key of device press-0001 on protected profile plant, ${there()}? (y/N)`,
    );
    expect([code, screen]).toEqual([130, expect.stringMatching(/\nCancelled\.\n*$/)]);
  });

  it('loses its protection only after yes', async () => {
    protectedProfile();
    const question = '? Profile plant is protected. Set protected=false? (y/N)';
    const { code } = await asked(['profiles', 'set', 'plant', 'protected=false'], [[question, 'y\r']]);
    expect([code, JSON.parse(home.read('iiot/config.json')).profiles.plant]).toEqual([0, { protected: false }]);
  });
});
