/** What a person chooses at a terminal where an ID or the organization is missing. */
import { describe, expect, it } from 'vitest';
import { ids } from '../../src/sandbox/world/ids.ts';
import { madeForEach } from '../support/fixtures.ts';
import { openFront } from '../support/front.ts';
import { homeForEach, machineOf } from '../support/home.ts';
import { until } from '../support/waiting.ts';

const [down, esc, ctrlC] = ['\u001b[B', '\u001b', '\u0003'];

const front = madeForEach(() => openFront());
const home = homeForEach(() => ({ LANG: 'C.UTF-8', ...machineOf(front) }));
const host = () => new URL(front.url).host;

type Turn = readonly [sees: string | RegExp, types: string];
type Options = { readonly columns?: number; readonly env?: Readonly<Record<string, string>> };

/** Types each answer once its text is there; gives the last screen, the exit code, and the requests that changed something. */
async function told(words: readonly string[], turns: readonly Turn[], { columns = 80, env = {} }: Options = {}) {
  const session = home.terminal(words, { columns, env });
  for (const [sees, types] of turns) {
    await session.waitFor(sees);
    session.type(types);
  }
  const { code } = await session.exit;
  const changed = front.requests.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/token'));
  const sent = changed.map(({ method, path }) => `${method} ${path.split('/').at(-1)}`);
  const { hidden } = await session.cursor();
  return { lines: (await session.screen()).split('\n'), code, sent, hidden };
}

/** A platform with as many templates; each page waits until it may come. */
function withTemplates(
  count: number,
  mayCome: Promise<unknown> = Promise.resolve(),
  fault?: (skip: number) => Response | undefined,
) {
  front.before = async ({ method, path }) => {
    const { pathname, searchParams } = new URL(path, front.url);
    if (method === 'PATCH') return new Response(null, { status: 204 });
    if (!pathname.endsWith('/templates')) return undefined;
    const skip = Number(searchParams.get('skipCount') ?? 0);
    if (skip > 0) await mayCome;
    const all = Array.from({ length: count }, (_, n) => ({ templateId: `template_${n + 1}`, name: `Alarm ${n + 1}` }));
    const items = all.slice(skip, skip + Number(searchParams.get('maxResultCount')));
    return fault?.(skip) ?? Response.json({ items, totalCount: count });
  };
}

const update = ['templates', 'update', '--subject', 'Hot', '-o', 'id'];
const pagesRead = () => front.requests.filter(({ path }) => path.includes('/templates?')).length;

describe('a missing ID at a terminal', () => {
  it('is chosen from a list that typing filters', async () => {
    const session = home.terminal(update, { columns: 59, env: { NO_COLOR: '1' } });
    await session.waitFor('template_006');
    expect(await session.screen()).toBe(
      [
        `? Which template at ${host()}?`,
        '> None: cancel',
        '  template_001  Pressure low',
        '  template_002  Door open',
        '  template_003  Tool worn',
        '  template_004  Line stopped',
        '  template_005  Oil change',
        '  template_006  Coolant low',
        'Type to filter, Esc to cancel',
      ].join('\n'),
    );
    session.type('change OIL');
    await session.waitFor('> template_005');
    session.type(down);
    await session.waitFor('> template_020');
    expect((await session.screen()).split('\n').slice(0, -1)).toEqual([
      `? Which template at ${host()}? change OIL`,
      '  template_005  Oil change',
      '> template_020  Oil change reminder',
      '  template_035  Oil change resolved',
    ]);
    session.type('\r');
    expect(await session.exit).toEqual({ code: 0, signal: 0 });
    expect(await session.screen()).toBe(`? Which template at ${host()}? template_020  Oil ch…\ntemplate_020`);
    expect(front.requests.at(-1)).toMatchObject({ method: 'PATCH', body: '{"subject":"Hot"}' });
    expect(session.written()).not.toMatch(/\u001b\[[\d;]*m/);
  });

  it('is found by digits and kana of either width, and shows control characters escaped', async () => {
    front.before = ({ path }) =>
      path.includes('/templates?')
        ? Response.json([
            { templateId: 'template_1', name: '第１プレス' },
            { templateId: 'template_2', name: '\u001b[2J第２ﾌﾟﾚｽ\u202e' },
          ])
        : undefined;
    const session = home.terminal(update);
    await session.waitFor('template_2');
    session.type('2プ');
    await session.waitFor('> template_2  \\u{1b}[2J第２ﾌﾟﾚｽ\\u{202e}');
    expect(await session.screen()).not.toContain('template_1');
    session.type(ctrlC);
    await session.exit;
  });

  it('is found among 2,000 while the list is still being read', async () => {
    let read = () => {};
    withTemplates(2000, new Promise<void>((resolve) => (read = resolve)));
    const session = home.terminal(update);
    await session.waitFor('Reading…');
    session.type('alarm 1234');
    await session.waitFor(`? Which template at ${host()}? alarm 1234`);
    expect(pagesRead()).toBeLessThan(3);
    read();
    await session.waitFor('> template_1234  Alarm 1234');
    session.type('\r');
    expect((await session.exit).code).toBe(0);
    expect((await session.screen()).split('\n').at(-1)).toBe('template_1234');
  });

  it('is looked for only on pages that somebody scrolls to', async () => {
    withTemplates(2000);
    const session = home.terminal(update);
    await session.waitFor('template_6');
    session.type('\u001b[6~'.repeat(13));
    await session.waitFor('> template_91 ');
    await session.waitFor('template_94');
    await until('the second page is read', () => pagesRead() === 2);
    session.type(esc);
    expect((await session.exit).code).toBe(130);
  });

  it.each([
    ['Esc', esc],
    ['Enter alone', '\r'],
  ])('is cancelled by %s, and nothing is changed', async (_, key) => {
    withTemplates(1);
    const { lines, code, sent, hidden } = await told(update, [['template_1', key]]);
    expect({ last: lines.at(-1), code, sent, hidden }).toEqual({
      last: 'Cancelled.',
      code: 130,
      sent: [],
      hidden: false,
    });
  });

  it.each(['ACCESSIBLE=1', 'TERM=dumb'])('is chosen by its number with %s', async (variable) => {
    const env = Object.fromEntries([variable.split('=')]);
    withTemplates(45);
    const turns: Turn[] = [
      ['nothing for more:', '\r'],
      [/39\) template_38[\s\S]*more:$/, 'alarm 4\r'],
      [/10\) template_45[\s\S]*name:$/, '3\r'],
    ];
    const { lines, code, sent } = await told(update, turns, { env });
    expect({ code, sent }).toEqual({ code: 0, sent: ['PATCH template_24'] });
    expect(lines.slice(0, 3)).toEqual([`Which template at ${host()}?`, '1) None: cancel', '2) template_1  Alarm 1']);
    expect(lines.slice(-4)).toEqual([
      '9) template_44  Alarm 44',
      '10) template_45  Alarm 45',
      'Enter a number, or part of a name: 3',
      'template_24',
    ]);
  });

  it('can be chosen from the first page when the second one fails', async () => {
    withTemplates(250, undefined, (skip) => (skip > 0 ? new Response(null, { status: 403 }) : undefined));
    const { code, sent } = await told(update, [
      ['template_6', 'alarm 99'],
      ['The rest could not be read: ', '\r'],
    ]);
    expect({ code, sent }).toEqual({ code: 0, sent: ['PATCH template_99'] });
  });

  it.each([
    ['refused', () => withTemplates(1, undefined, () => new Response(null, { status: 403 })), 4, /^error: .*not allow/],
    ['empty', () => withTemplates(0), 5, /^error: There is no template\.$/],
  ])('ends the command with the reason when the list is %s', async (_, arrange, exit, says) => {
    arrange();
    const { lines, code } = await told(update, []);
    expect(code).toBe(exit);
    expect(lines[1]).toMatch(says);
  });

  it('is not asked for when nothing would be changed', async () => {
    const { lines, code } = await told(['templates', 'update'], [], { columns: 200 });
    expect({ first: lines[0], code }).toEqual({
      first: expect.stringMatching(/^error: .* nothing to change/),
      code: 2,
    });
  });

  it('is offered from the IDs used here before when the platform has no list', async () => {
    const set = ['devices', 'custom-info', 'set', '--null', 'line'];
    const first = await told(set, [['? Device ID at', 'press-0001 \r']]);
    expect(first).toMatchObject({ code: 0, sent: ['PUT custom-info'] });
    const { lines } = await told(set, [
      ['Used here before:\n> None: cancel\n  press-0001\n  Another ID', `${down}${down}\r`],
      ['? Device ID at', 'press-0002\r'],
    ]);
    expect(lines.slice(0, 2)).toEqual([
      `? Which device at ${host()}? Another ID`,
      `? Device ID at ${host()}: press-0002`,
    ]);
    expect(front.requests.at(-1)?.path).toContain('/press-0002/');
  });

  it('is typed for a dry run, which sends no request', async () => {
    const { lines, code } = await told([...update, '--dry-run'], [['? Template ID at', 'template_001\r']]);
    expect({ code, requests: front.requests, last: lines.at(-1) }).toMatchObject({ code: 0, requests: [] });
  });

  it('is not asked for when an argument that cannot be chosen is missing too', async () => {
    const { lines, code } = await told(['templates', 'pull'], []);
    expect({ line: lines[0], code }).toEqual({
      line: 'error: iiot templates pull needs <DIR>: Folder of the templates.',
      code: 2,
    });
  });
});

describe('a missing organization at a terminal', () => {
  const without = { IIOT_ORG: '' };

  it('is chosen first, from the organizations used at this platform', async () => {
    const profiles = {
      plant: { baseUrl: front.url, org: ids.root },
      other: { baseUrl: 'https://x.example', org: ids.empty },
    };
    home.file('iiot/config.json', JSON.stringify({ version: 1, profiles }));
    const { lines, code, sent } = await told(
      update,
      [
        [`used here before:\n> None: cancel\n  ${ids.root}  profile plant\n  Another ID`, `${down}\r`],
        ['template_006', 'oil\r'],
      ],
      { columns: 120, env: without },
    );
    expect({ lines, code, sent }).toEqual({
      lines: [
        `? Which organization? ${ids.root}  profile plant`,
        `To use it from now on: iiot profiles set default org=${ids.root}`,
        '? Which template? template_005  Oil change',
        'template_005',
      ],
      code: 0,
      sent: ['PATCH template_005'],
    });
  });

  it('is typed when none is known, and its name before it is deleted', async () => {
    const turns: Turn[] = [
      ['? Organization ID at', `x\r`],
      ['Enter a UUID', `\u007f${ids.withoutUsers}\r`],
      ['type its name', 'Storage\r'],
    ];
    const { code, sent } = await told(['orgs', 'delete'], turns, { env: without });
    expect({ code, sent }).toEqual({ code: 0, sent: [`DELETE ${ids.withoutUsers}?orgName=Storage`] });
  });

  it('can be chosen after a login, or skipped', async () => {
    const profiles = { plant: { baseUrl: front.url, org: ids.root } };
    home.file('iiot/config.json', JSON.stringify({ version: 1, profiles }));
    const login = `login --tenant ${ids.tenantPath} --app ${ids.appPath} --account ${ids.admin} --profile new`.split(
      ' ',
    );
    const env = { IIOT_ORG: '', IIOT_CLIENT_ID: '', IIOT_CLIENT_SECRET: '' };
    for (const [keys, org] of [
      ['\r', null],
      [`${down}\r`, ids.root],
    ] as const) {
      const { lines, code } = await told(
        login,
        [
          ['Password', `${ids.adminPassword}\r`],
          ['None for now', keys],
        ],
        { env },
      );
      expect(code, lines.join('\n')).toBe(0);
      const { stdout } = await home.iiot(['profiles', 'show', 'new', '--jq', '.org'], { env });
      expect(stdout.trim()).toBe(String(org));
    }
  });
});
