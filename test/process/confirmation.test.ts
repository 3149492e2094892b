/** Questions before what cannot be undone, at a real terminal. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { madeForEach } from '../support/fixtures.ts';
import { openFront } from '../support/front.ts';
import { homeForEach, machineOf } from '../support/home.ts';

const storage = '77777777-7777-4777-8777-777777777777';
const front = madeForEach(() => openFront());
const home = homeForEach(() => machineOf(front));

const iiot = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  home.terminal(words, { env, columns: 160 });

function protectedProfile(): void {
  const config = { version: 1, current: 'plant', profiles: { plant: { protected: true } } };
  home.file('iiot/config.json', JSON.stringify(config));
}

const ids = () => [...front.platform.world.credentials.keys()];

describe('iiot orgs delete at a terminal', () => {
  it('has the name typed before it even logs in, and deletes', async () => {
    const session = iiot(['orgs', 'delete', storage]);
    await session.waitFor(`? To delete organization ${storage} of ${front.url}, type its name:`);
    expect(front.requests).toEqual([]);
    session.type('   \r');
    await session.waitFor('Nothing was typed; Ctrl-C cancels.');
    session.type('\u0015Storage\r');
    expect(await session.exit).toMatchObject({ code: 0 });
    expect(await session.screen()).toContain(`Deleted organization ${storage}`);
    expect(front.platform.world.organizations.has(storage)).toBe(false);
  });

  it('does not take --yes for the name', async () => {
    const session = iiot(['orgs', 'delete', storage, '--yes']);
    await session.waitFor('type its name:');
    session.type('yes\r');
    expect(await session.exit).toMatchObject({ code: 7 });
    expect(front.platform.world.organizations.has(storage)).toBe(true);
  });

  it('leaves everything as it is on Ctrl-C', async () => {
    const session = iiot(['orgs', 'delete', storage]);
    await session.waitFor('type its name:');
    session.type('Stor\u0003');
    expect(await session.exit).toMatchObject({ code: 130 });
    expect(front.requests).toEqual([]);
  });

  it('asks through a protected profile as well', async () => {
    protectedProfile();
    const session = iiot(['orgs', 'delete', storage]);
    await session.waitFor('type its name:');
    session.type('Storage\r');
    await session.waitFor(
      `Profile plant is protected: ${front.url}, organization 11111111-1111-4111-8111-111111111111\n` +
        `? Delete organization ${storage} on protected profile plant? (y/N)`,
    );
    session.type('n\r');
    expect(await session.exit).toMatchObject({ code: 130 });
    expect(front.requests).toEqual([]);
  });
});

describe('iiot templates push at a terminal', () => {
  it('shows what it would change, asks once for all, and takes no for an answer', { timeout: 60_000 }, async () => {
    const dir = home.at('templates');
    expect(await iiot(['templates', 'pull', dir, '-q']).exit).toMatchObject({ code: 0 });
    for (const name of ['template_001-pressure-low.txt', 'template_002-door-open.txt']) {
      writeFileSync(join(dir, name), readFileSync(join(dir, name), 'utf8').replace('reports', 'says'));
    }
    const said =
      'template_001-pressure-low.txt: content\ntemplate_002-door-open.txt: content\n? Update 2 templates of organization 11111111-';
    for (const [key, code] of [
      ['n', 130],
      ['y', 0],
    ] as const) {
      const session = iiot(['templates', 'push', dir]);
      await session.waitFor('(y/N)');
      expect(await session.screen()).toContain(said);
      expect(front.requests.filter(({ method }) => method === 'PATCH')).toEqual([]);
      session.type(`${key}\r`);
      expect(await session.exit).toMatchObject({ code });
    }
    expect(front.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(2);
  });
});

describe('iiot credentials delete at a terminal', () => {
  it('says that it is the one in use, and takes no and yes for an answer', async () => {
    const session = iiot(['credentials', 'delete', 'credential_001']);
    await session.waitFor('? Delete client credential credential_001?');
    expect(await session.screen()).toBe(
      'The login in use, from IIOT_CLIENT_ID, is client credential credential_001 ("Sandbox machine").\n' +
        '? Delete client credential credential_001? Every access token issued from it becomes invalid immediately. (y/N)',
    );
    session.type('\r');
    expect(await session.exit).toMatchObject({ code: 130 });
    expect(await session.screen()).toContain('Cancelled.');
    expect(ids()).toEqual(['credential_001']);
    const agreed = iiot(['credentials', 'delete', 'credential_001', '-q']);
    await agreed.waitFor('(y/N)');
    expect(await agreed.screen()).toContain('The login in use, from IIOT_CLIENT_ID, is client credential');
    agreed.type('y\r');
    expect(await agreed.exit).toMatchObject({ code: 0 });
    expect(ids()).toEqual([]);
  });

  it('says a name that is written to look like a line of its own on one line', async () => {
    const [machine] = front.platform.world.credentials.values();
    const name = 'Line 3".\nNo profile uses it.\r\n\u2028\u001b[2J"';
    if (machine) front.platform.world.credentials.set(machine.clientCredentialId, { ...machine, name });
    const session = iiot(['credentials', 'delete', 'credential_001'], { COLUMNS: '160' });
    await session.waitFor('(y/N)');
    expect(await session.screen()).toBe(
      'The login in use, from IIOT_CLIENT_ID, is client credential credential_001 ' +
        '("Line 3".↵No profile uses it.↵\\u{2028}\\u{1b}[2J"").\n' +
        '? Delete client credential credential_001? Every access token issued from it becomes invalid immediately. (y/N)',
    );
    session.type('\r');
    expect(await session.exit).toMatchObject({ code: 130 });
  });

  it('does not ask about one that is not there', async () => {
    const session = iiot(['credentials', 'delete', 'nope']);
    expect(await session.exit).toMatchObject({ code: 5 });
    expect(await session.screen()).toBe(
      `error: There is no client credential nope on ${front.url}.\nhint: See iiot credentials list`,
    );
    expect(front.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });

  it('asks all the same where it cannot list', async () => {
    front.before = ({ method }) => (method === 'GET' ? new Response(null, { status: 403 }) : undefined);
    const session = iiot(['credentials', 'delete', 'nope']);
    await session.waitFor('(y/N)');
    expect(await session.screen()).toBe(
      '? Delete client credential nope? Every access token issued from it becomes invalid immediately. (y/N)',
    );
    session.type('y\r');
    expect(await session.exit).toMatchObject({ code: 5 });
  });
});

describe('iiot credentials create at a terminal', () => {
  it('shows the secret once, and leaves it nowhere else', async () => {
    const session = iiot(['credentials', 'create', '--name', 'ci']);
    expect(await session.exit).toMatchObject({ code: 0 });
    const [secret = 'none'] = /(?<=Client secret\s+)[\w-]{43}/.exec(await session.screen()) ?? [];
    expect(secret).not.toBe('none');
    const kept = readdirSync(home.settings, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    for (const { parentPath, name } of kept) expect(readFileSync(join(parentPath, name), 'utf8')).not.toContain(secret);
  });

  it('asks before a change through a protected profile, --yes or not', async () => {
    protectedProfile();
    const session = iiot(['credentials', 'create', '--name', 'ci', '--yes', '--save-profile', 'robot']);
    await session.waitFor('(y/N)');
    expect((await session.screen()).replaceAll('\n', ' ')).toContain(
      '? Create client credential "ci" on protected profile plant? (y/N)',
    );
    session.type('y\r');
    expect(await session.exit).toMatchObject({ code: 0 });
    expect(ids()).toHaveLength(2);
  });
});

describe('iiot credentials rotate at a terminal', () => {
  it('tells what it does and who uses it, and asks', async () => {
    const session = iiot(['credentials', 'rotate', 'credential_001']);
    await session.waitFor('(y/N)');
    expect(await session.screen()).toBe(
      'The login in use, from IIOT_CLIENT_ID, is client credential credential_001 ("Sandbox machine").\n' +
        'Afterwards, whatever sets IIOT_CLIENT_ID needs the successor.\n' +
        '? Rotate client credential credential_001? It is deleted once its successor works and is saved, and its access tokens become invalid immediately. (y/N)',
    );
    session.type('n\r');
    expect(await session.exit).toMatchObject({ code: 130 });
    expect(ids()).toEqual(['credential_001']);
  });
});

describe('iiot credentials rotate of one that soon expires, whose lifetime nobody knows', () => {
  it('has it in its question', async () => {
    const [machine] = front.platform.world.credentials.values();
    if (!machine) throw new Error('There is no credential.');
    const expiredAt = new Date(Date.now() + 5.5 * 86_400_000).toISOString();
    front.platform.world.credentials.set(machine.clientCredentialId, { ...machine, createdAt: '', expiredAt });
    const session = iiot(['credentials', 'rotate', 'credential_001']);
    await session.waitFor('(y/N)');
    expect((await session.screen()).split('\n').slice(2).join(' ')).toMatch(
      /^\? The successor expires as the old one does, in 5 d \(\S+Z\)\. Rotate client credential credential_001\? It is deleted once/,
    );
    session.type('n\r');
    expect(await session.exit).toMatchObject({ code: 130 });
  });
});

describe('a part of a whole at a terminal', () => {
  const policy = 'aaaaaaaa-0000-4000-8000-000000000001';
  const policyQuestion =
    'This replaces the whole notification with {"recipients":["a@b.example"]}.\n' +
    'The channels, template and content stored now are removed, and cannot be read from the platform.\n' +
    `? Replace the notification of alert policy ${policy}? (y/N)`;
  const channelQuestion =
    'This may replace the whole group of settings with {"timeout":30}.\n' +
    'The retryAttempts and retryDelay stored now may be removed, and cannot be read from the platform.\n' +
    '? Update channel channel_email? (y/N)';

  it.each([
    [['policies', 'update', policy, '--recipient', 'a@b.example', '-q'], policyQuestion],
    [['channels', 'update', 'channel_email', '--settings-timeout', '30', '-o', 'json'], channelQuestion],
  ])('is shown and asked about: %j', async (words, question) => {
    const refused = iiot(words);
    await refused.waitFor('(y/N)');
    expect(await refused.screen()).toBe(question);
    refused.type('\r');
    expect(await refused.exit).toMatchObject({ code: 130 });
    expect(front.requests).toEqual([]);
    const agreed = iiot(words);
    await agreed.waitFor('(y/N)');
    agreed.type('y\r');
    expect(await agreed.exit).toMatchObject({ code: 0 });
    expect(front.requests.map(({ method }) => method)).toContain('PATCH');
  });

  it('breaks between words where the terminal is narrow', async () => {
    const session = home.terminal(['policies', 'update', policy, '--recipient', 'a@b.example'], {
      columns: 60,
      env: machineOf(front),
    });
    await session.waitFor('(y/N)');
    expect((await session.screen()).split('\n').slice(0, 4)).toEqual([
      'This replaces the whole notification with',
      '{"recipients":["a@b.example"]}.',
      'The channels, template and content stored now are removed,',
      'and cannot be read from the platform.',
    ]);
    session.type('n\r');
    expect(await session.exit).toMatchObject({ code: 130 });
  });

  it('is asked about once, through a protected profile too', async () => {
    protectedProfile();
    const session = iiot(['policies', 'update', policy, '--recipient', 'a@b.example']);
    await session.waitFor(`? Replace the notification of alert policy ${policy} on protected profile plant? (y/N)`);
    session.type('y\r');
    expect(await session.exit).toMatchObject({ code: 0 });
  });
});

describe('an import of a sheet with hidden rows at a terminal', () => {
  const words = () => {
    const file = home.file('sheets.xlsx', readFileSync('test/files/sheets.xlsx'));
    return ['devices', 'custom-info', 'import', file, '--sheet', 'fleet data'];
  };
  const doubts =
    '2 rows are hidden in the sheet, and imported like the others. The sheet has merged cells (1): only the first cell of each has the value.';
  const puts = () => front.requests.filter(({ method }) => method === 'PUT').length;

  it.each([
    ['n', 130, 0],
    ['y', 0, 4],
  ])('is asked about: %s', async (answer, code, requests) => {
    const session = home.terminal([...words(), '-q'], { columns: 300 });
    await session.waitFor(`? Import 4 rows of ${home.at('sheets.xlsx')}? ${doubts} (y/N)`);
    expect(front.requests).toEqual([]);
    session.type(`${answer}\r`);
    expect(await session.exit).toMatchObject({ code });
    expect(puts()).toBe(requests);
  });

  it('is told and not asked about with --yes', async () => {
    const session = home.terminal([...words(), '--yes'], { columns: 300 });
    expect(await session.exit).toMatchObject({ code: 0 });
    expect(await session.screen()).toContain('Note: 2 rows are hidden in the sheet, and imported like the others.\n');
    expect(puts()).toBe(4);
  });
});

describe('a protected profile at a terminal', () => {
  it('is asked about with what would be done, and where, --yes or not', async () => {
    protectedProfile();
    const session = iiot(['devices', 'custom-info', 'set', 'press-0001', 'line=3', '--yes']);
    await session.waitFor('(y/N)');
    expect(await session.screen()).toBe(
      `Profile plant is protected: ${front.url}, organization 11111111-1111-4111-8111-111111111111\n` +
        '? Set 1 key of device press-0001 on protected profile plant? (y/N)',
    );
    session.type('n\r');
    expect(await session.exit).toMatchObject({ code: 130 });
    expect(await session.screen()).toMatch(/\nCancelled\.\n*$/);
  });

  it('is unprotected by a yes alone', async () => {
    protectedProfile();
    const session = iiot(['profiles', 'set', 'plant', 'protected=false']);
    await session.waitFor('? Profile plant is protected. Set protected=false? (y/N)');
    session.type('y\r');
    expect(await session.exit).toMatchObject({ code: 0 });
    const { profiles } = JSON.parse(home.read('iiot/config.json'));
    expect(profiles.plant).toEqual({ protected: false });
  });
});
