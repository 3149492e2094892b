import { execFileSync } from 'node:child_process';
import { afterAll, describe, expect, it } from 'vitest';
import { parseLine } from '../../src/cli/parse.ts';
import { groups } from '../../src/commands/index.ts';
import { helpText } from '../../src/shell/find-help.ts';
import { shownOptions } from '../../src/shell/option-facts.ts';
import { topics } from '../../src/shell/topics.ts';
import { everyBranch, everyCommand, flatten } from '../../src/shell/tree.ts';
import { version } from '../../src/version.ts';
import { person } from '../support/world.ts';

const { iiot, leave } = person();
afterAll(leave);

const branches = (await everyBranch(groups)).flatMap(flatten);
const commands = await everyCommand(groups);
const paths = [[], ...[...topics, ...branches].map(({ name }) => name.split(' '))];

describe('help', () => {
  it.each([60, 80, 100])('fits into %s columns, all of it', async (width) => {
    const texts = await Promise.all(paths.map((path) => helpText(groups, path, width)));
    // A word that cannot be broken is as long as it is.
    const tooLong = texts
      .flatMap((text) => text.split('\n'))
      .filter((line) => line.length > width && /\S \S/.test(line.replace(/ \\$|\[[^\]]*\]/g, '').trim()));
    expect(tooLong).toEqual([]);
  });

  it('begins with what it is and how it is typed, and ends with prose', async () => {
    expect(await helpText(groups, ['profiles', 'use'], 80)).toBe(`Choose the profile to use from now on

Usage: iiot profiles use <NAME> [OPTIONS]

Examples:
  # From now on
  iiot profiles use plant
  # Switch back
  iiot profiles use default

Arguments:
  <NAME>  Profile

Options of every command: iiot help options

Makes a profile the one that commands use unless --profile or IIOT_PROFILE names
another.
`);
  });

  it('names the alias of a command, and understands it', async () => {
    const { stdout } = await iiot(['help', 'templates', 'ls']);
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      'List the notification templates',
      '',
      'Usage: iiot templates list [OPTIONS]',
      'Alias: iiot templates ls',
    ]);
  });

  it('breaks a long example so that a shell still reads it', async () => {
    const text = await helpText(groups, ['templates', 'update'], 60);
    expect(text).toContain('  iiot templates update template_001 \\\n    --channel-type email --channel-type teams\n');
  });

  it.each([
    [['help', 'tamplates'], 'error: Unknown command "iiot tamplates".\nhint: Did you mean: iiot help templates\n'],
    [['help', 'orgs', 'user'], 'error: Unknown command "iiot orgs user".\nhint: Did you mean: iiot help orgs users\n'],
    [
      ['orgs', 'user', '--help'],
      'error: Unknown command "iiot orgs user".\nhint: Did you mean: iiot help orgs users\n',
    ],
    [
      ['help', 'environmant'],
      'error: Unknown command "iiot environmant".\nhint: Did you mean: iiot help environment\n',
    ],
    [['help', 'xylophone'], 'error: Unknown command "iiot xylophone".\nhint: See iiot help\n'],
    [['help', '--al'], 'error: Unknown option "--al".\nhint: Did you mean --all?\n'],
    [['help', '-o', 'csv'], 'error: Help has no format "csv".\nhint: It is text, or json, ndjson or yaml\n'],
  ])('answers %j with what may have been meant', async (words, stderr) => {
    expect(await iiot(words)).toEqual({ exit: 2, stdout: '', stderr });
  });

  it('is shown for --help anywhere on the line, with arguments or without', async () => {
    const text = await helpText(groups, ['profiles', 'use'], 80);
    for (const words of [
      ['profiles', 'use', 'plant', '--help'],
      ['--help', 'profiles', 'use'],
      ['-o', 'json', 'profiles', 'use', '-h'],
    ]) {
      expect(await iiot(words)).toEqual({ exit: 0, stdout: text, stderr: '' });
    }
  });

  it('does not take the name of something for a call for help', async () => {
    expect((await iiot(['profiles', 'show', 'help'])).stderr).toContain('error: There is no profile "help".');
  });

  it.each(['environment', 'exit-codes', 'output', 'authentication'])('explains %s', async (topic) => {
    const { exit, stdout } = await iiot(['help', topic]);
    expect(exit).toBe(0);
    expect(stdout.length).toBeGreaterThan(300);
  });
});

describe('every command', () => {
  it.each(commands.map((command) => [command.name, command] as const))('%s is described', (_, command) => {
    expect(command.summary).toMatch(/^[A-Z].{4,59}[^.]$/);
    expect(command.description.length).toBeGreaterThan(20);
    expect(Object.keys(command.examples).length).toBeGreaterThanOrEqual(2);
  });

  const examples = commands.flatMap(({ name, examples: all }) => Object.keys(all).map((line) => ({ name, line })));

  it.each(examples)('has an example that reads as $name: $line', async ({ name, line }) => {
    const words = wordsOf(line);
    expect(words[0], 'a line of iiot').toBe('iiot');
    expect(await parseLine(words.slice(1))).toMatchObject({ command: { name } });
  });
});

/** The words of the line's first call of iiot, as a shell splits them: a function of that name prints them. */
function wordsOf(line: string): string[] {
  // No other program is found, and no file is read or written.
  const harmless = line.replaceAll(/[<>] ?[\w./~-]+/g, '');
  const script = `PATH=\niiot() { printf '%s\\0' iiot "$@" >&3; }\n{ ${harmless}\n} 3>&1 >/dev/null 2>&1 </dev/null\ntrue`;
  const printed = execFileSync('/bin/bash', ['-c', script], { encoding: 'utf8' });
  return printed.split('\0').slice(0, -1);
}

it.each([
  [['-v', '--version'], `${version}\n`],
  [['--version', '-v'], `${version}\n`],
  [['orgs', 'users', 'list', '-V', '--frob'], `${version}\n`],
  [['help', '--version', '--profile', 'nowhere'], `${version}\n`],
  [['--version', '--json', '--jq', '.version'], `${version}\n`],
  [
    ['-V', '-o', 'ndjson'],
    `{"version":"${version}","commit":null,"node":"${process.versions.node}","installMethod":"file","bundled":[],"verify":null}\n`,
  ],
])('%j shows the version', async (words, stdout) => {
  expect(await iiot(words)).toEqual({ exit: 0, stdout, stderr: '' });
});

it('keeps a form with an optional word on one line', async () => {
  expect(await helpText(groups, ['sandbox', 'start'], 60)).toContain(
    '[METHOD ]PATH-GLOB=STATUS|reset|hang[:PERCENT%]\n',
  );
});

it('fits the whole tool on a screen of 24 lines', async () => {
  expect((await helpText(groups, [], 80)).trimEnd().split('\n').length).toBeLessThanOrEqual(23);
});

it.each((await everyCommand(groups)).map((command) => [command.name, command] as const))(
  'tells %s in 40 lines: an example and the first options on the first screen, at most eight lines of prose at the end',
  async (name, command) => {
    const text = await helpText(groups, name.split(' '), 80);
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
    const screen = text.split('\n').slice(0, 23).join('\n');
    expect(screen).toContain('\nExamples:\n  # ');
    expect(screen).toMatch(
      shownOptions(command).length > 0 ? /\nOptions:\n {2}-/ : /\n(Keys|Options of every command):/,
    );
    const [, prose = ''] = text.split('Options of every command: iiot help options\n\n');
    expect(prose.trimEnd().split('\n').length).toBeLessThanOrEqual(8);
  },
);

it.each([
  ['policies update', '  --delay SECONDS|DURATION  Debounce delay in seconds, or 90s, 5m'],
  ['rows', '  --concurrency N        Requests in flight (1 to 256, default 16)'],
  ['sandbox start', '  --devices N         Devices (0 to 1,000,000, default 200)'],
])('describes a value with its limits and its default: %s', async (name, line) => {
  expect((await helpText(groups, name.split(' '), 80)).split('\n')).toContain(line);
});
