import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startServer } from '../../src/sandbox/server.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import { scriptFiles } from '../../src/shell/script-files.ts';
import { madeForAll } from '../support/fixtures.ts';
import { homeForAll } from '../support/home.ts';
import { lacks } from '../support/lacking.ts';
import { runProgram } from '../support/program.ts';
import { openShell, type ShellName, type Typist } from '../support/tab-keys.ts';

/** What is typed, and what the line is after Tab. */
const lines: readonly (readonly [string, string])[] = [
  ['iiot orgs users ls --role=v', 'iiot orgs users ls --role=viewer'],
  ['iiot orgs users list --sort name:d', 'iiot orgs users list --sort name:desc'],
  ['iiot orgs users list --columns userId,na', 'iiot orgs users list --columns userId,name'],
  ['iiot profiles set plant batchB', 'iiot profiles set plant batchBody='],
  ['iiot profiles set plant protected=t', 'iiot profiles set plant protected=true'],
  ['iiot batches cron "0 0 2 * * ?" --tz Europe/Berl', 'iiot batches cron "0 0 2 * * ?" --tz Europe/Berlin'],
  ['iiot batches create --actions-file acti', 'iiot batches create --actions-file actions.json'],
  ['iiot batches create --body-file=acti', 'iiot batches create --body-file=actions.json'],
  ['iiot api /api/v1/oauth2/cl', 'iiot api /api/v1/oauth2/client-credentials'],
  ['iiot credentials delete cred', 'iiot credentials delete credential_001'],
  ['iiot templates list --name Tool\\ worn\\ rem', 'iiot templates list --name Tool\\ worn\\ reminder'],
  ['iiot templates list --name "Tool worn rem', 'iiot templates list --name "Tool worn reminder"'],
  [
    'iiot templates push ../tpl --dry-run template_7-o',
    'iiot templates push ../tpl --dry-run template_7-oil-change.txt',
  ],
  ['iiot sandbox exec -- mktem', 'iiot sandbox exec -- mktemp'],
  ['~/bin/iiot orgs users list --role op', '~/bin/iiot orgs users list --role operator'],
  ['$HOME/bin/iiot orgs users list --role op', '$HOME/bin/iiot orgs users list --role operator'],
  ['i orgs users list --role op', 'i orgs users list --role operator'],
  ['iiot nothing-like-it', 'iiot nothing-like-it'],
  ['iiot orgs users list --limit ', 'iiot orgs users list --limit'],
];

const aliased = { bash: '; complete -F _iiot i', zsh: '; setopt complete_aliases; compdef i=iiot', fish: '' } as const;

const server = madeForAll(() => startServer());
const home = homeForAll();
const patient = `--require ${JSON.stringify(resolve('test/support/patient.cjs'))}`;
const env = () => ({ IIOT_CONFIG_DIR: home.settings, NODE_OPTIONS: patient });

beforeAll(async () => {
  const sandbox = ['--profile', 'sandbox'];
  await iiot(['profiles', 'set', 'plant', 'baseUrl=https://plant.example']);
  await iiot(['profiles', 'set', 'sandbox', `baseUrl=${server.url}`, `org=${ids.root}`]);
  await iiot(['login', 'm2m', '--client-id', ids.clientId, '--client-secret-stdin', ...sandbox], ids.clientSecret);
  await iiot(['profiles', 'use', 'sandbox']);
});

async function iiot(words: readonly string[], input = ''): Promise<void> {
  const { exit, stderr } = await home.iiot(words, { input });
  if (exit !== 0) throw new Error(`iiot ${words.join(' ')}: ${stderr}`);
}

/** A shell waits for its keys most of the time. */
const sideBySide = { concurrent: true } as const;

describe.skipIf(lacks('bash', 'zsh', 'fish')).each<ShellName>(['bash', 'zsh', 'fish'])(
  'in a real %s, the Tab key',
  sideBySide,
  (shell) => {
    let typist: Typist;

    beforeAll(async () => {
      typist = await openShell(shell, env());
      await typist.run(`alias i=iiot${aliased[shell]}`);
      writeFileSync(join(typist.folder, 'here', 'actions.json'), '[]\n');
      mkdirSync(join(typist.folder, 'here', 'several'));
      mkdirSync(join(typist.folder, 'tpl'));
      writeFileSync(join(typist.folder, 'tpl', 'template_7-oil-change.txt'), '');
    });
    afterAll(() => typist.end());

    it.sequential.each(lines)('completes "%s" to "%s"', async (line, after) => {
      expect((await typist.completed(line, after)).trimEnd()).toBe(after);
    });

    it.sequential('asks the program that a path in the home folder names', async () => {
      const own = join(typist.folder, 'own');
      mkdirSync(own);
      writeFileSync(join(own, 'iiot'), '#!/bin/sh\ntouch "$HOME/asked"\nexec iiot "$@"\n', { mode: 0o700 });
      await typist.completed('~/own/iiot orgs users list --role op', '~/own/iiot orgs users list --role operator');
      expect(existsSync(join(typist.folder, 'asked'))).toBe(true);
    });

    it.sequential('offers IDs that the platform lists', async () => {
      const screen = await typist.tab('iiot templates update template_04', 'mplate_045');
      const offered = [0, 1, 2, 3, 4, 5].map((last) => `mplate_04${last}`);
      expect(screen.match(/mplate_04\d\b/g)?.toSorted()).toEqual(offered);
    });

    it.sequential('offers files in the order of their names', async () => {
      const names = [1, 2, 3, 4, 5, 6].map((number) => `file-${number}`);
      for (const name of names.toReversed()) writeFileSync(join(typist.folder, 'here', 'several', name), '');
      const screen = await typist.tab('iiot batches create --actions-file several/file-', 'file-6');
      expect(screen.match(/\bfile-\d/g)?.slice(0, 6)).toEqual(names);
    });
  },
);

describe.skipIf(lacks('fish'))('fish with completions that it made from the man pages', () => {
  let typist: Typist;
  let made = '';

  beforeEach(async () => {
    typist = await openShell('fish', env());
    const folder = join(typist.folder, '.local/share/fish/generated_completions');
    const pages = readdirSync('man').map((name) => join('man', name));
    await execa('python3', ['/usr/share/fish/tools/create_manpage_completions.py', '--directory', folder, ...pages]);
    made = readFileSync(join(folder, 'iiot.fish'), 'utf8');
    // Something that only this file offers.
    writeFileSync(join(folder, 'iiot.fish'), `${made}complete -c iiot -l made-of-the-man-page\n`);
  });
  afterEach(() => typist.end());

  it('offers only the completions of iiot', async () => {
    const screen = await typist.tab('iiot orgs users list --', '--request-timeout');
    expect([screen.includes('--skip'), screen.includes('--made-of-the-man-page')]).toEqual([true, false]);
    const few = await typist.tab('iiot orgs users list --c', '--ca-file');
    expect(few).toContain("in addition to the system's");
    expect(await typist.completed('iiot orgs users list --made', 'iiot orgs users list --made')).toBe(
      'iiot orgs users list --made',
    );
  });

  it('offers both when the completions of iiot are sourced instead of installed', async () => {
    rmSync(join(typist.folder, '.config/fish/completions/iiot.fish'));
    const config = join(typist.folder, '.config/fish/config.fish');
    writeFileSync(config, readFileSync(config, 'utf8').replace(/> ~.*/, '| source'));
    await typist.run('exec fish --private -i');
    const screen = await typist.tab('iiot orgs users list --made', 'made-of-the-man-page');
    expect(screen).toContain('iiot orgs users list --made-of-the-man-page');
  });

  it('finds descriptions in the man pages without escapes and headings', () => {
    const descriptions = [...made.matchAll(/ -d '(.*)'$/gm)].map(([, says = '']) => says.replaceAll("\\'", "'"));
    expect(descriptions.length).toBeGreaterThan(20);
    expect(descriptions.filter((says) => /\\|\b(?!NDJSON)[A-Z]{6,}/.test(says))).toEqual([]);
    expect(descriptions).toContain('Show the version');
  });
});

it('a completion ends even if the name server does not respond', async () => {
  const platform = { IIOT_BASE_URL: 'https://plant.example', IIOT_ORG: ids.root, IIOT_TOKEN: 'a-token' };
  const node = ['--require', resolve('test/support/silent-names.cjs')];
  const run = await runProgram(['__complete', 'templates'], { env: platform, node });
  expect(run).toEqual({ exit: 0, stdout: '', stderr: '' });
});

it('the completion scripts have fewer than 200 lines together, and ask the program for every word', () => {
  const texts = Object.values(scriptFiles).map((file) => readFileSync(join('completions', file), 'utf8'));
  expect(texts.map((text) => text.includes('__complete'))).toEqual([true, true, true, true]);
  expect(texts.join('').split('\n').length).toBeLessThan(200);
  expect(texts.join('')).not.toMatch(/templates|--role/);
});
