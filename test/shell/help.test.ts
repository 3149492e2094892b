import { afterAll, describe, expect, it } from 'vitest';
import { parseLine } from '../../src/cli/parse.ts';
import { groups } from '../../src/commands/index.ts';
import { helpText } from '../../src/shell/find-help.ts';
import { shownOptions } from '../../src/shell/option-facts.ts';
import { topics } from '../../src/shell/topics.ts';
import { flatten, loadBranches, loadCommands } from '../../src/shell/tree.ts';
import { version } from '../../src/version.ts';
import { failed } from '../support/seen.ts';
import { typedIn } from '../support/shell.ts';
import { person } from '../support/world.ts';

const { iiot, leave } = person();
afterAll(leave);

const branches = (await loadBranches(groups)).flatMap(flatten);
const commands = await loadCommands(groups);
const paths = [[], ...[...topics, ...branches].map(({ name }) => name.split(' '))];

const globalOptions = 'Options of every command: iiot help options';

describe('help', () => {
  it.each([60, 80, 100])('fits into %s columns', async (width) => {
    const texts = await Promise.all(paths.map((path) => helpText(groups, path, width)));
    // A word that cannot be broken is as long as it is.
    const tooLong = texts
      .flatMap((text) => text.split('\n'))
      .filter((line) => line.length > width && /\S \S/.test(line.replace(/ \\$|\[[^\]]*\]/g, '').trim()));
    expect(tooLong).toEqual([]);
  });

  it('has summary, usage, examples, arguments and description in this order', async () => {
    expect(await helpText(groups, ['profiles', 'use'], 80)).toBe(`Choose the profile to use from now on

Usage: iiot profiles use <NAME> [OPTIONS]

Examples:
  # From now on
  iiot profiles use plant
  # Switch back
  iiot profiles use default

Arguments:
  <NAME>  Profile

${globalOptions}

Makes a profile the one that commands use unless --profile or IIOT_PROFILE names
another.
`);
  });

  it('shows and accepts the alias of a command', async () => {
    const { stdout } = await iiot(['help', 'templates', 'ls']);
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      'List the notification templates',
      '',
      'Usage: iiot templates list [OPTIONS]',
      'Alias: iiot templates ls',
    ]);
  });

  it('wraps a long example with a backslash', async () => {
    const text = await helpText(groups, ['templates', 'update'], 60);
    expect(text).toContain('  iiot templates update template_001 \\\n    --channel-type email --channel-type teams\n');
  });

  it.each([
    ['help tamplates', 'Unknown command "iiot tamplates".', 'Did you mean: iiot help templates'],
    ['help orgs user', 'Unknown command "iiot orgs user".', 'Did you mean: iiot help orgs users'],
    ['orgs user --help', 'Unknown command "iiot orgs user".', 'Did you mean: iiot help orgs users'],
    ['help environmant', 'Unknown command "iiot environmant".', 'Did you mean: iiot help environment'],
    ['help xylophone', 'Unknown command "iiot xylophone".', 'See iiot help'],
    ['help --al', 'Unknown option "--al".', 'Did you mean --all?'],
    ['help -o csv', 'Help has no format "csv".', 'It is text, or json, ndjson or yaml'],
  ])('has a hint for "iiot %s"', async (line, error, hint) => {
    expect(await iiot(line.split(' '))).toEqual(failed(2, `error: ${error}`, `hint: ${hint}`));
  });

  it('is shown for --help anywhere on the line', async () => {
    const text = await helpText(groups, ['profiles', 'use'], 80);
    for (const words of [
      ['profiles', 'use', 'plant', '--help'],
      ['--help', 'profiles', 'use'],
      ['-o', 'json', 'profiles', 'use', '-h'],
    ]) {
      expect(await iiot(words)).toEqual({ exit: 0, stdout: text, stderr: '' });
    }
  });

  it('is not shown for an argument named help', async () => {
    expect((await iiot(['profiles', 'show', 'help'])).stderr).toContain('error: There is no profile "help".');
  });
});

describe('every command', () => {
  it.each(commands.map((command) => [command.name, command] as const))(
    'has a summary, a description and two examples: %s',
    (_, command) => {
      expect(command.summary).toMatch(/^[A-Z].{4,59}[^.]$/);
      expect(command.description.length).toBeGreaterThan(20);
      expect(Object.keys(command.examples).length).toBeGreaterThanOrEqual(2);
    },
  );

  const examples = commands.flatMap(({ name, examples: all }) => Object.keys(all).map((line) => ({ name, line })));

  it.each(examples)('has a valid example: $line', async ({ name, line }) => {
    const [, ...words] = (await typedIn(line)).find(([program]) => program === 'iiot') ?? [];
    expect(await parseLine(words)).toMatchObject({ command: { name } });
  });
});

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
])('%j prints the version', async (words, stdout) => {
  expect(await iiot(words)).toEqual({ exit: 0, stdout, stderr: '' });
});

it('help does not wrap a placeholder with an optional part', async () => {
  expect(await helpText(groups, ['sandbox', 'start'], 60)).toContain(
    '[METHOD ]PATH-GLOB=STATUS|reset|hang[:PERCENT%]\n',
  );
});

it('the main help fits on a screen of 24 lines', async () => {
  expect((await helpText(groups, [], 80)).trimEnd().split('\n').length).toBeLessThanOrEqual(23);
});

it.each((await loadCommands(groups)).map((command) => [command.name, command] as const))(
  'the help for %s has 40 lines at most, with examples and options first',
  async (name, command) => {
    const text = await helpText(groups, name.split(' '), 80);
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
    const screen = text.split('\n').slice(0, 23).join('\n');
    expect(screen).toContain('\nExamples:\n  # ');
    expect(screen).toMatch(
      shownOptions(command).length > 0 ? /\nOptions:\n {2}-/ : /\n(Keys|Options of every command):/,
    );
    const [, prose = ''] = text.split(`${globalOptions}\n\n`);
    expect(prose.trimEnd().split('\n').length).toBeLessThanOrEqual(8);
  },
);

it.each([
  ['policies update', '  --delay SECONDS|DURATION  Debounce delay in seconds, or 90s, 5m'],
  ['rows', '  --concurrency N        Requests in flight (1 to 256, default 16)'],
  ['sandbox start', '  --devices N         Devices (0 to 1,000,000, default 200)'],
])('the help for %s shows the limits and the default of a value', async (name, line) => {
  expect((await helpText(groups, name.split(' '), 80)).split('\n')).toContain(line);
});
