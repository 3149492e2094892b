/** What a person meets who has set a platform, and has not logged in: one sentence, before any question. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Command } from '../../src/command/command.ts';
import { groups } from '../../src/commands/index.ts';
import { cleanEnvironment, programFile, programWords } from '../support/program.ts';
import { openTerminal } from '../support/pseudo-terminal.ts';

const commands = (await Promise.all(groups.map(({ load }) => load()))).flat();
const ofPlatform = commands.filter(({ operation }) => operation !== undefined);

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'iiot-contact-'));
  mkdirSync(join(home, 'iiot'), { mode: 0o700 });
  const base = { baseUrl: 'http://127.0.0.1:9' };
  const profiles = { default: base, plant: { ...base, protected: true } };
  writeFileSync(join(home, 'iiot/config.json'), JSON.stringify({ version: 1, current: 'default', profiles }));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function screenOf(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const session = openTerminal(programFile, [...programWords, ...words], {
    env: { ...cleanEnvironment(home), ...env },
    cwd: home,
  });
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
  it.each(ofPlatform.map((command) => lineOf(command).join(' ')))('is told so first: iiot %s', async (line) => {
    expect(await screenOf(line.split(' '))).toEqual({
      code: 3,
      lines: [expect.stringMatching(/You are not logged in\.$/), expect.stringMatching(/Run: iiot login$/)],
    });
  });

  it.each(['api /api/v1/orgs/{orgId}/users', 'api DELETE /api/v1/orgs/x --profile plant'])(
    'is told so first: iiot %s',
    async (line) => {
      const { code, lines } = await screenOf(line.split(' '));
      expect({ code, first: lines[0] }).toEqual({ code: 3, first: expect.stringMatching(/You are not logged in\.$/) });
    },
  );

  it('hears of variables in a job, and of the command for the profile', async () => {
    const { lines } = await screenOf(['orgs', 'users', 'list', '--profile', 'plant'], { CI: 'true' });
    expect(lines.slice(1).join('')).toMatch(
      /Set IIOT_BASE_URL, IIOT_CLIENT_ID and IIOT_CLIENT_SECRET, or run: iiot login *--profile plant$/,
    );
  });

  it('can make a dry run all the same', async () => {
    const words = ['orgs', 'delete', '0b0f2a1c-1111-4222-8333-444455556666', '--org-name', 'Line 7', '--dry-run'];
    expect(await screenOf(words)).toMatchObject({ code: 0 });
  });
});
