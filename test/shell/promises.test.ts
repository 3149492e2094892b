/** What help calls required or a default, against what the commands do when it is left out. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/command/command.ts';
import { globalOptions } from '../../src/command/global-options.ts';
import { kebab, type Option, optionsOf } from '../../src/command/option.ts';
import { rowFlags } from '../../src/command/row-flags.ts';
import { groups } from '../../src/commands/index.ts';
import { isRequired, optionDescription, shownOptions } from '../../src/shell/option-facts.ts';
import { loadCommands } from '../../src/shell/tree.ts';
import { personsForEach } from '../support/fixtures.ts';
import { respondingWith } from '../support/responses.ts';
import { typedIn } from '../support/shell.ts';
import type { Given } from '../support/world.ts';

const newPerson = personsForEach();
const commands = await loadCommands(groups);
const options = commands.flatMap((command) => optionsOf(command).map((option) => ({ command, option })));
/** Those that go with --rows, which iiot help rows shows for all commands. */
const rowOptions: readonly Option[] = Object.entries(rowFlags).map(([name, schema]) => ({
  name,
  long: kebab(name),
  schema,
}));
const shown = (command: Command, option: Option) => optionDescription(option, isRequired(command, option));

/** The words of a command's examples that run iiot. */
const examplesOf = async ({ examples }: Command) =>
  (await Promise.all(Object.keys(examples).map((line) => typedIn(line))))
    .flat()
    .flatMap(([program, ...words]) => (program === 'iiot' ? [words] : []));

const spellings = ({ long, schema }: Option) => [
  `--${long}`,
  ...(schema.short ? [`-${schema.short}`] : []),
  ...(schema.type === 'boolean' && schema.negative ? [`--${schema.negative}`] : []),
];

const names = (option: Option) => (word: string) => spellings(option).includes(word.replace(/=.*/s, ''));

function without(words: readonly string[], option: Option): readonly string[] {
  const at = words.findIndex(names(option));
  return at < 0 ? words : words.toSpliced(at, option.schema.type === 'boolean' || words[at]?.includes('=') ? 1 : 2);
}

describe('an option that is required in help', () => {
  const required = options.filter(({ command, option }) => isRequired(command, option));

  it.each(required.map(({ command, option }) => [command.name, option.long, command, option] as const))(
    'is named in the error if it is missing: %s --%s',
    async (_, long, command, option) => {
      expect(shown(command, option)).toMatch(/\((.*; )?required[;)]/);
      for (const words of await examplesOf(command)) {
        // With --rows, the rows have it.
        if (words.includes('--rows')) continue;
        const someone = newPerson();
        const { exit, stderr } = await someone.iiot([...without(words, option), '-o', 'json']);
        const { details } = JSON.parse(stderr).error;
        const seen = { exit, details, requests: someone.requests };
        expect(seen).toEqual({
          exit: 2,
          details: [expect.objectContaining({ option: `--${long}`, message: expect.stringContaining('is required') })],
          requests: [],
        });
      }
    },
  );
});

describe('an option that is not required in help', () => {
  /** Left out nowhere in the examples, which show what is usual; here it is. */
  const leftOut: Readonly<Record<string, { readonly words: readonly string[]; readonly env?: Given['env'] }>> = {
    'login m2m --client-id': { words: ['login', 'm2m'], env: { IIOT_CLIENT_ID: 'sandbox-machine' } },
  };

  it('can be omitted, in an example or in a line of this test', async () => {
    const everywhere: string[] = [];
    for (const command of commands) {
      const lines = await examplesOf(command);
      for (const option of shownOptions(command).filter((each) => !isRequired(command, each)))
        if (lines.every((words) => words.some(names(option)))) everywhere.push(`${command.name} --${option.long}`);
    }
    expect(everywhere).toEqual(Object.keys(leftOut));
    for (const { words, env = {} } of Object.values(leftOut))
      expect((await newPerson().iiot(words, { env })).exit).toBe(0);
  });
});

/** How a default is tried: a line, and what is put to it that should make no difference. */
type Trial = {
  readonly line: readonly string[];
  readonly explicit?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  /** The status with which the platform answers everything. */
  readonly answer?: number;
  /** What is compared; by default the result, all messages and every request. */
  readonly of?: (stdout: string) => unknown;
};

const fleet = { 'fleet.csv': 'deviceId,owner\npress-0001,Zoë\npress-0002,Ada\n' };
const imported = ['devices', 'custom-info', 'import', 'fleet.csv', '--dry-run', '-o', 'json'];
const workbook = imported.with(3, resolve('test/files/fleet.xlsx')).concat('-q');
const rowFile = { 'alarms.csv': 'alertPolicyId,name\naaaaaaaa-0000-4000-8000-000000000001,Zoë\n' };
const calls = ['policies', 'update', '--rows', 'alarms.csv', '--dry-run', '-o', 'json'];
const created = ['credentials', 'create', '--name', 'a', '-o', 'json'];
const rotated = ['credentials', 'rotate', 'credential_001', '--yes', '-o', 'json'];
const expiry = (stdout: string) => JSON.parse(stdout).expiredAt ?? null;

/** Every default that help shows. */
const trials: Readonly<Record<string, Trial>> = {
  '--output: table': { line: ['orgs', 'users', 'list'] },
  '--request-timeout: 30s': { line: ['orgs', 'users', 'list'] },
  '--retries: 3': { line: ['orgs', 'users', 'list'], answer: 503 },
  'devices custom-info import --format: from its name': { line: imported, explicit: ['--format', 'csv'], files: fleet },
  'devices custom-info import --concurrency: 16': { line: imported, files: fleet },
  'devices custom-info import --patience: 10m': { line: imported, files: fleet },
  'devices custom-info import --delimiter: found in the header': {
    line: imported,
    explicit: ['--delimiter', ','],
    files: fleet,
  },
  'devices custom-info import --encoding: utf-8': { line: imported, files: fleet },
  'devices custom-info import --sheet: the first visible one': { line: workbook, explicit: ['--sheet', 'Fleet'] },
  'with --rows, --format: from its name': { line: calls, explicit: ['--format', 'csv'], files: rowFile },
  'with --rows, --concurrency: 16': { line: calls, files: rowFile },
  'with --rows, --patience: 10m': { line: calls, files: rowFile },
  'with --rows, --delimiter: found in the header': { line: calls, explicit: ['--delimiter', ','], files: rowFile },
  'with --rows, --encoding: utf-8': { line: calls, files: rowFile },
  'batches cron --tz: UTC': { line: ['batches', 'cron', '0 0 2 * * ?'] },
  'batches cron --count: 3': { line: ['batches', 'cron', '0 0 2 * * ?', '-o', 'json'] },
  'credentials create --expires: never': { line: created, of: expiry },
  "credentials rotate --expires: the old one's lifetime": { line: rotated, explicit: ['--expires', '90d'], of: expiry },
};

/** What cannot be tried by two lines, and why. */
const untried: Readonly<Record<string, string>> = {
  'with --rows, --sheet: the first visible one': 'tried by devices custom-info import',
  'each --concurrency: 4': 'stands before the command (test/commands/each.test.ts counts)',
  'devices custom-info import --rate: no limit': 'no word stands for it',
  'devices custom-info import --journal: FILE.iiot-journal':
    'a dry run writes none (test/work/journal.test.ts resumes it)',
  'with --rows, --rate: no limit': 'no word stands for it',
  'with --rows, --journal: FILE.iiot-journal': 'a dry run writes none (test/work/journal.test.ts resumes it)',
  'devices custom-info import --list-separator: none': 'no word stands for it',
  'with --rows, --list-separator: none': 'no word stands for it',
  'templates preview --port: any free one': 'each run has another',
  'sandbox start --port: any free one': 'each run has another',
  'sandbox exec --port: any free one': 'each run has another',
  'sandbox start --errors: abp': 'runs until it is stopped',
  'sandbox exec --errors: abp': 'starts a process',
  'sandbox start --users: 2000': 'runs until it is stopped',
  'sandbox start --devices: 200': 'runs until it is stopped',
  'sandbox exec --users: 2000': 'starts a process',
  'sandbox exec --devices: 200': 'starts a process',
};

describe('a default in help', () => {
  const inHelp = (text: string) =>
    /\bby default (?!yes)([^;(]+?)(?: \(|;|$)/.exec(text)?.[1] ??
    /\bdefault:? ([^;)]+)/.exec(/\(.*\bdefault.*\)/.exec(text)?.[0] ?? '')?.[1];
  const defaults = [
    ...globalOptions.map((option) => ({ name: `--${option.long}`, option, text: optionDescription(option) })),
    ...options.map(({ command, option }) => ({
      name: `${command.name} --${option.long}`,
      option,
      text: shown(command, option),
    })),
    ...rowOptions.map((option) => ({ name: `with --rows, --${option.long}`, option, text: optionDescription(option) })),
  ].flatMap(({ name, option, text }) => {
    const word = inHelp(text);
    return word === undefined ? [] : [{ key: `${name}: ${word.replace(/,.*/, '')}`, option, word }];
  });

  it('is checked by this test, or exempted with a reason', () => {
    expect(defaults.map(({ key }) => key).toSorted()).toEqual(
      [...Object.keys(trials), ...Object.keys(untried)].toSorted(),
    );
  });

  it.each(defaults.filter(({ key }) => key in trials))(
    'is the value without the option: $key',
    async ({ key, option, word }) => {
      const { line, explicit = [`--${option.long}`, word], files = {}, answer, of } = trials[key] as Trial; // filtered by it
      const run = async (more: readonly string[]) => {
        const someone = newPerson(answer ? { fetch: respondingWith(answer, '', { 'retry-after': '0' }) } : {});
        mkdirSync(someone.folder, { recursive: true });
        const words = line.map((each) => (each in files ? join(someone.folder, each) : each));
        for (const [name, content] of Object.entries(files)) writeFileSync(join(someone.folder, name), content);
        // The old one was to live for ninety days, and is ten days old.
        const [old] = someone.platform.world.credentials.values();
        if (old)
          someone.platform.world.credentials.set(old.clientCredentialId, {
            ...old,
            createdAt: '2025-12-22T12:00:00Z',
            expiredAt: '2026-03-22T12:00:00Z',
          });
        const { exit, stdout, stderr } = await someone.iiot([...words, ...more]);
        expect([exit, stderr]).toEqual([answer ? 8 : 0, expect.any(String)]);
        if (of) return of(stdout);
        return {
          stdout: stdout.replaceAll(someone.folder, 'FOLDER'),
          stderr: stderr.replaceAll(someone.folder, 'FOLDER'),
          sent: someone.sent,
        };
      };
      expect(await run(explicit)).toEqual(await run([]));
    },
  );
});
