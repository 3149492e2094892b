/** What a person sees while they wait, in a real terminal. */
import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { takeLock } from '../../src/files/lock.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import { openFront } from '../support/front.ts';
import { org } from '../support/guarded.ts';
import { type Home, openHome } from '../support/home.ts';
import type { TerminalSession } from '../support/pseudo-terminal.ts';
import { answerText, type RawServer, rawServer } from '../support/raw-server.ts';
import { until } from '../support/waiting.ts';

type Waiting = {
  /** Lets the platform answer the next request, once what is shown meanwhile has been seen. */
  readonly go: () => Promise<void>;
  readonly server: RawServer;
  readonly home: Home;
  open(words: readonly string[], env?: Readonly<Record<string, string>>, columns?: number): TerminalSession;
};

const it = test.extend<{ waiting: Waiting }>({
  waiting: async ({ task: _task }, use) => {
    const held: (() => unknown)[] = [];
    const server = await rawServer((socket, request) => {
      held.push(() => socket.write(twentyUsers(request)));
    });
    const go = async () => {
      await until('a request has come', () => held.length > 0);
      held.shift()?.();
    };
    const home = openHome(() => ({ IIOT_BASE_URL: server.origin, IIOT_ORG: org, IIOT_TOKEN: 'token-1' }));
    const open: Waiting['open'] = (words, env = {}, columns = 80) => home.terminal(words, { columns, rows: 60, env });
    await use({ go, server, home, open });
    await server.close();
    await home.leave();
  },
});

const unknown = '99999999-9999-4999-8999-999999999999';

function twentyUsers(request: string): string {
  if (request.includes(unknown)) return answerText(404, '{"error":{"message":"No such organization"}}');
  const skip = Number(/skipCount=(\d+)/.exec(request)?.[1] ?? 0);
  const items = Array.from({ length: 20 }, (_, at) => ({ userId: `user-${skip + at}`, name: 'Ada', orgRole: 'admin' }));
  return answerText(200, request.startsWith('GET') ? JSON.stringify({ items, totalCount: 40 }) : '');
}

const list = ['orgs', 'users', 'list', '--all', '--page-size', '20'];
const table = [
  'USER ID  NAME  ROLE',
  ...Array.from({ length: 40 }, (_, at) => `${`user-${at}`.padEnd(7)}  Ada   admin`),
];

// Side by side: each of them waits for seconds.
describe.concurrent('while a person waits', () => {
  it('a spinner appears after a second, and is removed', async ({ waiting: { open, go } }) => {
    const session = open(list);
    await session.waitFor(/^. Reading users$/m);
    await go();
    await session.waitFor(/^. Reading users: 20$/m);
    await go();
    expect(await session.exit).toMatchObject({ code: 0 });
    expect(await session.screen()).toBe(table.join('\n'));
    expect(session.written()).not.toContain('\u001b[?25l');
  });

  it('a change shows which platform it waits for, and then its result', async ({ waiting: { open, go, server } }) => {
    const session = open(['devices', 'custom-info', 'set', 'press-1', 'line=3']);
    await session.waitFor(`Waiting for ${new URL(server.origin).host}`);
    await go();
    expect(await session.exit).toMatchObject({ code: 0 });
    expect(await session.screen()).toBe('✓ Set 1 key of device press-1');
  });

  it('a command shows that it waits for another process, and removes the message', async ({
    waiting: { open, home },
  }) => {
    const locks = home.at('iiot/locks');
    mkdirSync(locks, { recursive: true, mode: 0o700 });
    const { release } = await takeLock(locks, 'file-config.json', 'config.json', { wait: 0 });
    const session = open(['profiles', 'set', 'plant', `org=${org}`]);
    await session.waitFor('Waiting for another iiot process: config.json');
    release();
    expect(await session.exit).toMatchObject({ code: 0 });
    expect(await session.screen()).toBe('✓ Set org of profile plant');
  });

  it('one spinner shows the five steps of a login', async ({ waiting: { open } }) => {
    const slow = await openFront();
    // Nothing is answered before the spinner is there.
    slow.before = async () => {
      await session.waitFor(/^. Logging in: step \d of 5$/m);
      await sleep(200);
      return undefined;
    };
    const words =
      `login --tenant ${ids.tenantPath} --app ${ids.appPath} --account ${ids.admin} --org ${ids.root}`.split(' ');
    const session = open(words, { IIOT_BASE_URL: slow.url, IIOT_PASSWORD: ids.adminPassword, IIOT_TOKEN: '' });
    expect(await session.exit).toMatchObject({ code: 0 });
    for (const step of [1, 2, 3, 4, 5]) expect(session.written()).toContain(`Logging in: step ${step} of 5`);
    expect((await session.screen()).split('\n')).toEqual([
      `✓ Logged in to ${slow.url} as ${ids.admin} (profile default)`,
      expect.stringMatching(/^Next: /),
    ]);
    await slow.close();
  });

  it('an error replaces the spinner', async ({ waiting: { open, go } }) => {
    const session = open(['orgs', 'users', 'list', '--org', unknown]);
    await session.waitFor('Reading users');
    await go();
    expect(await session.exit).toMatchObject({ code: 5 });
    expect(await session.screen()).not.toContain('Reading');
    expect(await session.screen()).toContain('No such organization');
  });

  it('a command with --quiet shows nothing', async ({ waiting: { open, go } }) => {
    const quiet = open([...list, '--quiet']);
    for (const _page of [1, 2]) {
      await sleep(1500);
      await go();
    }
    await quiet.exit;
    expect(quiet.written()).not.toContain('Reading');
  });

  it.for<Record<string, string>>([{ ACCESSIBLE: '1' }, { TERM: 'dumb' }, { CI: 'true' }])(
    'a plain line replaces the spinner with %o',
    async (env, { waiting: { open, go } }) => {
      const session = open(list, env);
      await session.waitFor('Reading users');
      await go();
      await go();
      expect(await session.exit).toMatchObject({ code: 0 });
      // Once more after ten seconds of a busy machine.
      expect([...new Set((await session.screen()).split('\n'))]).toEqual(['Reading users', ...table]);
      expect(session.written()).not.toMatch(/\u001b\[\d*[A-K]/);
    },
  );
});
