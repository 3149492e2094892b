/** What a terminal, a word processor, a chat or an input method makes of the words that a person types. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ownOptions } from '../../src/command/command.ts';
import { globalOptions } from '../../src/command/global-options.ts';
import { groups } from '../../src/commands/index.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import { loadCommands } from '../../src/shell/tree.ts';
import { personForEach } from '../support/fixtures.ts';
import { refused } from '../support/world.ts';

const someone = personForEach();
const commands = await loadCommands(groups);
const lost = 'g\ufffdheim';
const asValue = (sign: string) => `To pass a value that begins with ${sign}, write --name=VALUE, or put it after --`;
const set = ['devices', 'custom-info', 'set', 'press-0005', 'line=9'];

describe('a one-letter option with = before its value', () => {
  it.each([
    [['orgs', 'users', 'list', '-o=id', '-L=1'], 0, 'ada\n'],
    [['api', '-X=PATCH', '-f=name=a=b', '/x', '-o=json', '--dry-run'], 0, '"body": {\n      "name": "a=b"'],
    [['each', '--orgs', ids.root, '-o=ndjson', '--', 'orgs', 'users', 'list', '-L=1'], 0, '"userId":"ada"'],
    [['orgs', 'users', 'list', '-o='], 2, ''],
  ])('is read: %j', async (words, code, shown) => {
    const { exit, stdout, stderr } = await someone.iiot(words);
    expect([exit, stdout, stderr]).toEqual([code, expect.stringContaining(shown), expect.anything()]);
  });

  it('sets the format of errors, too', async () => {
    const { stderr } = await someone.iiot(['orgs', 'users', 'list', '-o=json', '--role', 'boss']);
    expect(JSON.parse(stderr).error.message).toMatch(/^--role takes one of/);
  });
});

describe('a path that Git Bash has rewritten', () => {
  const git = 'C:/Program Files/Git';

  it('is refused with the setting that prevents it', async () => {
    const { exit, stderr } = await someone.iiot(['api', `${git}/api/v1/orgs`]);
    const hint = 'hint: Git Bash rewrites such paths: leave out the first slash, or set MSYS_NO_PATHCONV=1';
    expect([exit, stderr.split('\n')[1]]).toEqual([2, hint]);
    expect((await someone.iiot(['api', 'api/v1/orgs/{orgId}/users'])).exit).toBe(0);
  });

  it.each([
    ['a notice', `path=${git}/opt/x`],
    ['a notice', 'path=D:/tools/PortableGit/opt/x'],
    ['no notice', 'path=C:/Program Files/Acme/x'],
    ['no notice', 'path=/opt/x'],
  ])('causes %s in the value %s', async (outcome, word) => {
    const { stderr } = await someone.iiot([...set.slice(0, 4), word, '--dry-run']);
    const notice = 'If Git Bash made that path of another, set MSYS_NO_PATHCONV=1.';
    expect(stderr.includes(notice)).toBe(outcome === 'a notice');
  });

  it('causes a notice in a field of iiot api', async () => {
    const path = '/platform/solutions/api/v1/devices/a/custom-info';
    const { stderr } = await someone.iiot(['api', '-f', `path=${git}/opt/x`, '-X', 'PUT', path, '--dry-run']);
    expect(stderr).toContain('If Git Bash made');
  });
});

describe('bytes that are not UTF-8', () => {
  const terminal = 'Use a UTF-8 terminal, and save scripts as UTF-8';

  it.each([
    [[...set, `owner=${lost}`], 6, `${terminal}, or use --body-file`],
    [['templates', 'list', `--name=${lost}`], 3, terminal],
    [['each', '--orgs', 'a', '--', 'orgs', 'users', 'list', `--user=${lost}`], 8, terminal],
    [['login', '--', lost], 3, terminal],
    [['help', lost], 2, terminal],
  ])('are refused in an argument without showing its value: %j', async (words, at, hint) => {
    expect(await someone.iiot(words)).toEqual(refused(`Argument ${at} is not UTF-8.`, hint));
    expect(someone.requests).toEqual([]);
  });

  it('are refused with an error in JSON', async () => {
    const { exit, stderr } = await someone.iiot(['templates', 'list', '--name', lost, '-o', 'json']);
    expect([exit, JSON.parse(stderr).error]).toMatchObject([2, { code: 'usage', message: 'Argument 4 is not UTF-8.' }]);
  });

  const setAgain = 'Set it again from a UTF-8 terminal or script';
  const setFolder = 'Set IIOT_CONFIG_DIR to a path in UTF-8';
  it.each([
    ['IIOT_PASSWORD', setAgain],
    ['IIOT_CLIENT_SECRET', setAgain],
    ['IIOT_CONFIG_DIR', setAgain],
    ['HOME', setFolder],
    ['XDG_CONFIG_HOME', setFolder],
  ])('are refused in the variable %s', async (name, hint) => {
    const env = { IIOT_CONFIG_DIR: undefined, HOME: someone.folder, [name]: join(someone.folder, lost) };
    expect(await someone.iiot(['orgs', 'users', 'list'], { env })).toEqual(refused(`${name} is not UTF-8.`, hint));
    expect([someone.requests, existsSync(join(someone.folder, lost))]).toEqual([[], false]);
  });

  it('are accepted in a HOME that is not read', async () => {
    expect((await someone.iiot(['orgs', 'users', 'list'], { env: { HOME: lost } })).exit).toBe(0);
  });

  it('make the completion silent', async () => {
    const env = { IIOT_CONFIG_DIR: join(someone.folder, lost), IIOT_ORG: lost };
    for (const words of [['credentials', 'delete', ''], ['templates', 'update', lost], [lost]])
      expect(await someone.iiot(['__complete', 'bash', ...words], { env })).toMatchObject({ exit: 0, stderr: '' });
    expect(existsSync(join(someone.folder, lost))).toBe(false);
  });
});

describe('a dash that is not a hyphen', () => {
  it.each([
    [[...set, '–-dry-run=true'], '–', '2013', '--dry-run'],
    [[...set, '—profile=test'], '—', '2014', '--profile=test'],
    [[...set, '－－ｐｒｏｆｉｌｅ＝test'], '－', 'FF0D', '--profile=test'],
    [[...set, 'ーーprofile=test'], 'ー', '30FC', '--profile=test'],
    [[...set, '-–org', '7'], '–', '2013', '--org'],
    [[...set, '--null', '—org=a b'], '—', '2014', "'--org=a b'"],
    [['templates', 'list', '−o', 'json'], '−', '2212', '-o'],
    [['—version'], '—', '2014', '--version'],
    [['each', '--orgs', 'a', '—', 'orgs', 'users', 'list'], '—', '2014', '--'],
    [['each', '--orgs', 'a', '--', 'iiot', 'orgs', 'users', 'list', '‑-role=admin'], '‑', '2011', '--role=admin'],
  ])('is refused with the option that is meant: %j', async (words, dash, code, meant) => {
    const at = words.findIndex((word) => word.startsWith(dash) || word.startsWith(`-${dash}`)) + 1;
    const sentence = `Argument ${at} has ${dash} (U+${code}), which is not -.`;
    expect(await someone.iiot(words)).toEqual(refused(sentence, `Did you mean ${meant}?`));
    expect(someone.requests).toEqual([]);
  });

  it.each(['—limit=3', '—password=geheim', '— x', '–'])('is refused before an unknown option: %s', async (word) => {
    const { exit, stderr } = await someone.iiot([...set, word]);
    expect([exit, stderr.split('\n')[1]]).toEqual([2, `hint: Use - for an option. ${asValue(`${word[0]}`)}`]);
    expect(stderr).not.toContain('geheim');
  });

  it('is recognized before every option of every command', async () => {
    const dashes = fc.constantFrom(...'‐‑‒–—―−﹘﹣－', '––', '-—');
    const options = commands.flatMap((command) =>
      [...ownOptions(command), ...globalOptions].map(({ long }) => [command.name, long] as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...options), dashes, async ([name, long], dash) => {
        const { exit, stderr } = await someone.iiot([...name.split(' '), `${dash}${long}`]);
        expect([name, exit, stderr.split('\n')[1]]).toEqual([name, 2, `hint: Did you mean --${long}?`]);
      }),
    );
  });

  it.each([
    [['--', '—line=3'], { '—line': '3' }],
    [['--null=— x'], { '— x': null }],
    [['ー夜勤=1', 'a=—', 'b=“c”'], { ー夜勤: '1', a: '—', b: '“c”' }],
  ])('is sent in a value after -- or =, and in a Japanese word: %j', async (words, body) => {
    expect((await someone.iiot(['devices', 'custom-info', 'set', 'press-0005', ...words])).exit).toBe(0);
    expect(JSON.parse(someone.sent[0]?.body ?? '')).toEqual(body);
  });
});

it.each([
  ['line=9\u3000--dry-run', '3000'],
  ['line=9\u00a0--dry-run', '00A0'],
  ['\u200b--dry-run', '200B'],
  ['--dry-run\u00a0', '00A0'],
])('a blank other than a space is refused where it hides an option: %j', async (word, code) => {
  expect(await someone.iiot([...set, word])).toEqual(
    refused(`Argument 6 has U+${code}, which is not a space, before or in an option.`, 'Write a space'),
  );
  expect((await someone.iiot([...set, 'name=夜勤\u3000- 3', '--dry-run'])).exit).toBe(0);
});

it.each([...'‘’‚‛“”„‟«»‹›＂＇〝❝″'])('a value in typographic quotes is refused: %s', async (quote) => {
  const { exit, stderr } = await someone.iiot(['templates', 'list', '--name', `${quote}Hall 3${quote}`]);
  const code = quote.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  const sentence = `Argument 4 has ${quote} (U+${code}), a quotation mark that shells do not know.`;
  expect({ exit, stdout: '', stderr }).toEqual(refused(sentence, `Use " or '. ${asValue(quote)}`));
  expect(someone.requests).toEqual([]);
});
