import { describe, expect, it } from 'vitest';
import { startServer } from '../../src/sandbox/server.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import { madeForEach } from '../support/fixtures.ts';
import { homeForAll, homeForEach } from '../support/home.ts';

/** What the screen shows, and what the person then types. */
type Turn = { readonly sees: string | RegExp; readonly types: string };

type Style = { readonly name: string; readonly env: Readonly<Record<string, string>>; readonly drawn: boolean };

const styles: readonly Style[] = [
  { name: 'drawn without colour', env: { NO_COLOR: '1' }, drawn: true },
  { name: 'for a screen reader', env: { ACCESSIBLE: '1' }, drawn: false },
];

/** Each style has a platform of its own, and waits for its keys most of the time. */
const sideBySide = { concurrent: true } as const;

describe.each(styles)('questions $name', sideBySide, ({ env, drawn }) => {
  const server = madeForEach(() => startServer({ now: () => Date.UTC(2026, 0, 1, 12) }));
  const home = homeForEach(() => ({ LANG: 'C.UTF-8', ...env }));

  /** Tells a story in a terminal: the whole screen at its end, the exit code, and everything that was written. */
  async function told(words: readonly string[], turns: readonly Turn[]) {
    const session = home.terminal(words, { columns: 140 });
    for (const { sees, types } of turns) {
      await session.waitFor(sees);
      session.type(types);
    }
    const { code } = await session.exit;
    const screen = (await session.screen())
      .replaceAll(server.url, 'SANDBOX')
      .replaceAll(new URL(server.url).host, 'HOST')
      .replaceAll(/ \(UUID[^)]*\)/g, '')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
    // Plain lines say how far a login is where it takes longer than a second.
    const lines = screen.split('\n').filter((line) => !/^Logging in: step \d of 5$/.test(line));
    return { lines, code, written: session.written() };
  }

  const tick = drawn ? '✓ ' : '';
  const question = (text: string) => (drawn ? `? ${text}` : text);
  const yes = (text: string, typed: 'y' | 'n' | '') => {
    const said = typed === 'y' ? 'Yes' : 'No';
    return drawn ? `? ${text} ${said}` : `${text} (y/N)${typed && ` ${typed}`}`;
  };

  const toLogIn = async () => {
    const { lines, code, written } = await told(
      ['login', '--tenant', ids.tenantPath, '--app', ids.appPath],
      [
        { sees: 'Base URL', types: `${server.url}\r` },
        { sees: 'Account', types: `${ids.admin}\r` },
        { sees: 'Password for', types: 'mistyped\r' },
        { sees: /refuses the login[\s\S]*Password for/, types: `${ids.adminPassword}\r` },
        { sees: 'Organization ID', types: 'Line 3\r' },
        {
          sees: drawn ? 'Enter a UUID' : /Enter a UUID[\s\S]*Organization ID/,
          types: `${drawn ? '\x7f'.repeat(6) : ''}${ids.root}\r`,
        },
      ],
    );
    const asked = 'Organization ID:';
    expect({ lines, code }).toEqual({
      lines: [
        question('Base URL of the platform (for example https://platform.example): SANDBOX'),
        question(`Account (email): ${ids.admin}`),
        question(`Password for ${ids.admin} at HOST: (hidden)`),
        expect.stringContaining('(401)'),
        question(`Password for ${ids.admin} at HOST: (hidden)`),
        `${tick}Logged in to SANDBOX as ${ids.admin} (profile default)`,
        ...(drawn ? [] : [`${asked} Line 3`, 'Enter a UUID such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301']),
        question(`${asked} ${ids.root}`),
        `${tick}Set org of profile default`,
        expect.stringMatching(/^Next: /),
      ],
      code: 0,
    });
    const next = await told(['orgs', 'users', 'list', '--limit', '1', '-o', 'id'], []);
    expect(next).toMatchObject({ code: 0, lines: ['ada', expect.stringMatching(/^1 of 2,000/)] });
    expect(written).not.toContain(ids.adminPassword);
    expectStyle(written);
  };

  const toCreateBatch = async () => {
    const { lines, code, written } = await told(
      ['batches', 'create', '--org', ids.root, '-o', 'id'],
      [
        { sees: 'Name of the batch', types: 'Nightly\r' },
        { sees: 'Quartz cron expression', types: '0 0 2 * * ?\r' },
        { sees: 'Enable it?', types: 'y\r' },
        { sees: 'Run it on startup?', types: '\r' },
      ],
    );
    expect({ lines, code }).toEqual({
      lines: [
        question('Name of the batch at HOST: Nightly'),
        question('Quartz cron expression: 0 0 2 * * ?'),
        yes('Enable it?', 'y'),
        yes('Run it on startup?', ''),
        '0 0 2 * * ?: At 02:00, every day',
        "Next, if the platform's time zone is UTC: TIME, TIME, TIME",
        'batch_001',
      ],
      code: 0,
    });
    expectStyle(written);
  };

  const toDeleteOrganization = async () => {
    const { lines, code, written } = await told(
      ['orgs', 'delete', ids.empty],
      [
        { sees: 'type its name', types: ' \r' },
        {
          sees: drawn ? 'Nothing was typed' : /Nothing was typed[\s\S]*type its name/,
          types: drawn ? '\x7fLine 7\r' : 'Line 7\r',
        },
      ],
    );
    const asked = `To delete organization ${ids.empty} at HOST, type its name:`;
    const refused = expect.stringContaining('Nothing was typed');
    expect({ lines, code }).toEqual({
      lines: [
        expect.stringContaining('cannot be undone'),
        ...(drawn ? [`? ${asked} Line 7`] : [asked, refused, `${asked} Line 7`]),
        `${tick}Deleted organization ${ids.empty}`,
      ],
      code: 0,
    });
    expectStyle(written);
  };

  const toDeleteProfile = async () => {
    const { lines, code, written } = await told(
      ['profiles', 'delete', 'default'],
      [{ sees: 'Delete profile default', types: 'n\r' }],
    );
    expect({ lines, code }).toEqual({
      lines: [yes('Delete profile default and its login?', 'n'), 'Cancelled.'],
      code: 130,
    });
    expectStyle(written);
  };

  it('lead through a login, a new batch and two deletions', async () => {
    for (const asked of [toLogIn, toCreateBatch, toDeleteOrganization, toDeleteProfile]) await asked();
  });

  /** Where nothing may be redrawn, nothing is: no escape at all, and the line only ever goes on. Drawn, no colour where none is wanted. */
  function expectStyle(written: string): void {
    if (!drawn) expect(written).not.toMatch(/\u001b|\r(?!\n|\r)/);
    else expect(written).not.toMatch(/\u001b\[[\d;]*m/);
  }
});

describe('at a terminal with prompts switched off', () => {
  const home = homeForAll(() => ({
    IIOT_BASE_URL: 'http://127.0.0.1:1',
    IIOT_TOKEN: 'a-token',
    IIOT_TENANT: 'acme',
    IIOT_APP: 'console',
    CI: 'true',
  }));

  it.each([
    [`orgs delete ${ids.root}`, 'CI is set'],
    [`orgs delete ${ids.root} --no-input`, '--no-input is given'],
    ['credentials delete c1', 'CI is set'],
    ['login', 'CI is set'],
    ['login --account ada', 'CI is set'],
    ['login m2m --client-id x', 'CI is set'],
  ])('iiot %s cannot prompt because %s', async (line, reason) => {
    const session = home.terminal(line.split(' '), { columns: 140 });
    expect((await session.exit).code).toBe(2);
    expect((await session.screen()).split('\n')[0]).toContain(`cannot prompt: ${reason}.`);
  });
});
