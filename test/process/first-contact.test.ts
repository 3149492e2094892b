/** What a person meets first: one sentence where nobody is logged in, before any question, and the next step after a login. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Command } from '../../src/command/command.ts';
import { groups } from '../../src/commands/index.ts';
import { startServer } from '../../src/sandbox/server.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import { madeForAll } from '../support/fixtures.ts';
import { runHere } from '../support/here.ts';
import { homeForEach } from '../support/home.ts';
import type { TerminalSession } from '../support/pseudo-terminal.ts';

const commands = (await Promise.all(groups.map(({ load }) => load()))).flat();
const ofPlatform = commands.filter(({ operation }) => operation !== undefined);
/** What would ask at a terminal; elsewhere it says first what is missing. */
const asks = /^(orgs delete|devices custom-info (set|import)|credentials (create|delete|rotate))$/;
const linesOf = (areAsking: boolean) =>
  ofPlatform.filter(({ name }) => asks.test(name) === areAsking).map((command) => lineOf(command).join(' '));

const home = homeForEach();
beforeEach(() => {
  const base = { baseUrl: 'http://127.0.0.1:9' };
  const profiles = { default: base, plant: { ...base, protected: true } };
  home.file('iiot/config.json', JSON.stringify({ version: 1, current: 'default', profiles }));
});

async function screenOf(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const session = home.terminal(words, { env });
  const { code } = await session.exit;
  return { code, lines: (await session.screen()).split('\n') };
}

/** Its words, with something for each argument that it cannot do without. */
function lineOf({ name, arguments: all }: Command): readonly string[] {
  const ids: Readonly<Record<string, string>> = { orgId: '0b0f2a1c-1111-4222-8333-444455556666' };
  const required = Object.entries(all).filter(([, argument]) => !argument.optional);
  return [...name.split(' '), ...required.map(([argument]) => ids[argument] ?? 'x')];
}

describe('somebody who is not logged in', () => {
  it.each(linesOf(false))('gets an error from iiot %s', async (line) => {
    const { exit, stdout, stderr } = await runHere(line.split(' '), { env: { IIOT_CONFIG_DIR: home.at('iiot') } });
    expect({ exit, stdout, first: stderr.split('\n')[0] }).toEqual({
      exit: 3,
      stdout: '',
      first: expect.stringContaining('not logged in'),
    });
  });

  it.each(linesOf(true))('gets an error before any question of iiot %s', async (line) => {
    expect(await screenOf(line.split(' '))).toEqual({
      code: 3,
      lines: [expect.stringMatching(/not logged in\.$/), expect.stringMatching(/Run: iiot login$/)],
    });
  });

  it.each(['api /api/v1/orgs/{orgId}/users', 'api DELETE /api/v1/orgs/x --profile plant'])(
    'gets this error first from iiot %s',
    async (line) => {
      const { code, lines } = await screenOf(line.split(' '));
      expect({ code, first: lines[0] }).toEqual({ code: 3, first: expect.stringMatching(/not logged in\.$/) });
    },
  );

  it('is told the variables of a CI job, and the command that logs in to the profile', async () => {
    const { lines } = await screenOf(['orgs', 'users', 'list', '--profile', 'plant'], { CI: 'true' });
    expect(lines.slice(1).join(' ')).toMatch(/IIOT_BASE_URL.* run: iiot login *--profile plant$/);
  });

  it('can make a dry run', async () => {
    const words = ['orgs', 'delete', '0b0f2a1c-1111-4222-8333-444455556666', '--org-name', 'Line 7', '--dry-run'];
    expect(await screenOf(words)).toMatchObject({ code: 0 });
  });
});

describe('a login at a terminal', () => {
  const server = madeForAll(() => startServer());
  const place = ['--tenant', ids.tenantPath, '--app', ids.appPath, '--account', ids.admin];
  const login = (options: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    home.terminal(['login', ...place, ...options], { env: { IIOT_BASE_URL: server.url, ...env }, columns: 120 });
  const answer = async (session: TerminalSession, sees: string, types: string) => {
    await session.waitFor(sees);
    session.type(types);
  };
  const end = async (session: TerminalSession) => {
    const { code } = await session.exit;
    return { code, lines: (await session.screen()).replaceAll(server.url, 'SANDBOX').split('\n').slice(1) };
  };
  // The tenant is named beside profiles of other tests.
  const loggedIn = (profile: string) =>
    expect.stringMatching(
      `^✓ Logged in to SANDBOX(, tenant factory,)? as ada@factory\\.example \\(profile ${profile}\\)$`,
    );
  const asked = '? Organization ID (UUID; press Enter to skip):';

  it('skips the organization with Enter', async () => {
    const session = login(['--profile', 'skipped']);
    await answer(session, 'Password for', `${ids.adminPassword}\r`);
    await answer(session, 'Organization ID', '\r');
    expect(await end(session)).toEqual({
      code: 0,
      lines: [loggedIn('skipped'), asked, 'Set your organization with: iiot profiles set skipped org=ID'],
    });
  });

  it('is kept when the question for the organization is cancelled', async () => {
    const session = login(['--profile', 'cancelled']);
    await answer(session, 'Password for', `${ids.adminPassword}\r`);
    await answer(session, 'Organization ID', '\u0003');
    const { code, lines } = await end(session);
    expect({ code, said: lines.slice(2).join(' ') }).toEqual({
      code: 130,
      said: expect.stringMatching(/Cancelled\. You are logged in\. .*iiot profiles set cancelled org=ID$/),
    });
    expect(await screenOf(['login', 'status', '--profile', 'cancelled'])).toMatchObject({ code: 0 });
  });

  it.each([
    ['the password is in a variable', [], { IIOT_PASSWORD: ids.adminPassword }],
    ['the output is JSON', ['-o', 'json'], {}],
    ['--quiet is given', ['--quiet'], {}],
    ['--org is given', ['--org', ids.root], {}],
  ])('asks for no organization when %s', async (_, options, env) => {
    const session = login(['--profile', 'other', ...options], env);
    if (!('IIOT_PASSWORD' in env)) await answer(session, 'Password for', `${ids.adminPassword}\r`);
    const { code, lines } = await end(session);
    expect({ code, asks: lines.some((line) => line.includes('Organization ID')) }).toEqual({ code: 0, asks: false });
  });
});
