import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withoutDoctor } from '../../src/commands/doctor.ts';
import { newOwnerName } from '../../src/files/owner.ts';
import { personForEach } from '../support/fixtures.ts';

const someone = personForEach();

it.each([
  ['Looked in: a, b. See iiot doctor', 'Looked in: a, b'],
  [
    'Check the base URL, and who answers: iiot doctor. If it is yours, log in: iiot login',
    'Check the base URL, and who answers. If it is yours, log in: iiot login',
  ],
  ['Check --client-cert; iiot doctor shows which one is used, and when it expires', 'Check --client-cert'],
  ['Give one with --client-key FILE; see: iiot doctor', 'Give one with --client-key FILE'],
  ['Check the network', 'Check the network'],
  [undefined, ''],
])('iiot doctor leaves itself out of the hint: %s', (hint, advice) => {
  expect(withoutDoctor(hint)).toBe(advice);
});

it('iiot doctor can leave itself out of every hint of the program', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(auth|http|network|failure)/.test(name),
  );
  const texts = files.filter((name) => name.endsWith('.ts')).map((name) => readFileSync(`src/${name}`, 'utf8'));
  const hints = texts.flatMap((text) =>
    [...text.matchAll(/(['"`])([^'"`\n]*iiot doctor[^'"`\n]*)\1/g)].map(([, , hint]) => hint),
  );
  expect(hints.length).toBeGreaterThan(8);
  expect(hints.map(withoutDoctor).filter((advice) => /doctor|cause|[;,:]$|[.;:,] *[.;:,]/.test(advice))).toEqual([]);
});

const sjis = 'is ja_JP.SJIS, which is not UTF-8.';
it.each([
  [{ LC_ALL: 'ja_JP.SJIS', LANG: 'C.UTF-8' }, `LC_ALL ${sjis}`],
  [{ LC_ALL: '', LC_CTYPE: 'ja_JP.SJIS' }, `LC_CTYPE ${sjis}`],
  [{ LANG: 'ja_JP.SJIS' }, `LANG ${sjis}`],
  [{ LANG: 'de_DE@euro' }, 'LANG is de_DE@euro, which is not UTF-8.'],
  [{ LC_ALL: 'ja_JP.utf8', LANG: 'ja_JP.SJIS' }, ''],
  [{ LANG: 'sr_RS.UTF-8@latin' }, ''],
  [{ LC_ALL: 'C' }, ''],
  [{ LC_CTYPE: 'POSIX' }, ''],
  [{}, ''],
])('iiot doctor warns only of a locale that is not UTF-8: %j', async (env, message) => {
  const nowhere = { IIOT_BASE_URL: undefined, LC_ALL: undefined, LC_CTYPE: undefined, LANG: undefined };
  const words = ['doctor', '--jq', '.[] | select(.check == "locale") | .status, .message'];
  const { stdout } = await someone.iiot(words, { env: { ...nowhere, ...env } });
  expect(stdout).toBe(message && `warning\n${message}\n`);
});

describe('iiot doctor', () => {
  const findings = async (check: string): Promise<unknown[]> => {
    const { stdout } = await someone.iiot(['doctor', '-o', 'json'], { env: { IIOT_BASE_URL: undefined } });
    return JSON.parse(stdout).filter((found: { check: string }) => found.check === check);
  };

  it('warns of a history that cannot be written', async () => {
    mkdirSync(join(someone.folder, 'history.ndjson'));
    expect(await findings('history')).toEqual([
      {
        check: 'history',
        status: 'warning',
        message: `Could not write ${join(someone.folder, 'history.ndjson')}: it is a folder.`,
        hint: 'Choose another name, or remove the folder.',
      },
    ]);
  });

  it('says why the folder of the settings cannot be looked at', async () => {
    const loop = join(someone.folder, 'loop');
    symlinkSync('loop', loop);
    const { stdout } = await someone.iiot(['doctor', '-o', 'json'], { env: { IIOT_CONFIG_DIR: loop } });
    expect(JSON.parse(stdout)[1]).toMatchObject({
      status: 'failure',
      message: expect.stringContaining(`look at ${loop}: it is a link`),
    });
  });

  it('shows the target of a linked file, which is not followed if others can write there', async () => {
    const [link, target] = [join(someone.folder, 'config.json'), join(someone.folder, 'dotfiles.json')];
    writeFileSync(target, '{"version":1,"current":"default","profiles":{}}', { mode: 0o600 });
    symlinkSync('dotfiles.json', link);
    expect((await findings('files'))[1]).toMatchObject({
      status: 'ok',
      message: `${link} is a link: changes are written to ${target}`,
    });
    chmodSync(someone.folder, 0o1777);
    const { exit, stderr } = await someone.iiot(['profiles', 'set', 'plant', 'org=2']);
    chmodSync(someone.folder, 0o700);
    expect([exit, stderr, readFileSync(target, 'utf8').includes('plant')]).toEqual([
      1,
      expect.stringMatching(/ \(mode 0777\).*\nhint: Remove the link, or use a folder that only you can write to\n/),
      false,
    ]);
  });

  it.each([
    ['a running process', () => newOwnerName(), `process ${process.pid}`, /^Look at it with "ps -p \d+"$/],
    ['a process that has ended', () => newOwnerName().replace(/^\d+/, '4194301'), 'a process that has ended', /rm -r /],
    [
      'another machine',
      () => newOwnerName().replace(/[0-9a-f]+(?=\.[0-9a-f]{32})/, 'aaaaaaaaaaaa'),
      'another machine or container',
      /^If no command is running there: rm -r /,
    ],
  ] as const)('shows who holds a lock, since when, and how to remove it: %s', async (_, owner, holder, hint) => {
    const lock = join(someone.folder, 'locks', 'login-x');
    mkdirSync(lock, { recursive: true, mode: 0o700 });
    const name = owner();
    writeFileSync(join(lock, name), '');
    const began = new Date('2026-01-01T11:50:00Z');
    const touched = holder.startsWith('another') ? new Date('2026-01-01T11:59:40Z') : began;
    utimesSync(join(lock, name), touched, touched);
    utimesSync(lock, began, began);
    const ago = (Date.UTC(2026, 0, 1, 12) - touched.getTime()) / 1000;
    expect(await findings('locks')).toEqual([
      {
        check: 'locks',
        status: 'warning',
        message: `${lock} is held by ${holder} since 2026-01-01T11:50:00.000Z, active ${ago} s ago.`,
        hint: expect.stringMatching(hint),
      },
    ]);
  });
});
