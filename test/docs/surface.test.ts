/** docs/internals/surface.json is the surface of the program, and nothing that the last release had is gone from it without a reason. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { surface, surfaceText } from '../../build/surface.ts';
import { breaksBetween, type Surface } from '../../build/surface-breaks.ts';
import type { Command } from '../../src/command/command.ts';
import { groups } from '../../src/commands/index.ts';
import { loadBranches, loadCommands } from '../../src/shell/tree.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const written = readFileSync('docs/internals/surface.json', 'utf8');
const now = JSON.parse(written) as Surface;
const released = 'docs/internals/surface-released.json';
const before = existsSync(released) ? (JSON.parse(readFileSync(released, 'utf8')) as Surface) : undefined;

type Result = {
  readonly items?: Result;
  readonly properties?: Readonly<Record<string, Result>>;
  readonly required?: readonly string[];
};

/** What docs/internals/surface-breaking.md gives a reason for. */
const explained = [...readFileSync('docs/internals/surface-breaking.md', 'utf8').matchAll(/^- `([^`]+)`: \S/gm)].map(
  ([, what]) => what,
);

describe('the surface', () => {
  it('is in the repository as the definitions give it', async () => {
    const made = `${surfaceText(await surface(groups, await loadBranches(groups), version))}\n`;
    expect(made === written, 'Run: npm run texts').toBe(true);
  });

  it('has exactly the breaks that docs/internals/surface-breaking.md explains', () => {
    expect([...breaksBetween(before ?? now, now)].sort()).toEqual([...explained].sort());
  });

  it('requires every field of a result except those from the platform', async () => {
    const optionalIn = ({ items, properties = {}, required = [] }: Result): readonly string[] => [
      ...Object.keys(properties).filter((name) => !required.includes(name)),
      ...[items, ...Object.values(properties)].flatMap((each) => (each ? optionalIn(each) : [])),
    ];
    const some = (schema?: Result) => schema !== undefined && optionalIn(schema).length > 0;
    const commands = Object.entries(now.commands);
    expect(commands.filter(([, { dryRunResult }]) => some(dryRunResult as Result)).map(([name]) => name)).toEqual([]);
    const passesOn = ({ operation, result }: Command) => operation?.responseSchema !== undefined && !result;
    const ours = (await loadCommands(groups)).filter((command) => !passesOn(command)).map(({ name }) => name);
    expect(ours.filter((name) => some(now.commands[name]?.result as Result))).toEqual([
      ...['devices custom-info import', 'policies update', 'templates update', 'templates preview', 'channels update'],
      ...['batches create', 'credentials create', 'credentials rotate', 'each'],
    ]);
    expect(optionalIn(now.rows.result as Result)).toEqual(['results']);
    expect(optionalIn(now.rows.dryRun as Result)).toEqual([]);
  });

  it('is kept for the last release from 1.0.0 on', () => {
    // A candidate, 1.1.0-rc.1, has promised nothing.
    const [, newest = ''] = /^## (\d+\.\d+\.\d+)(?![-\d])/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? [];
    expect(before?.version).toBe(newest.startsWith('0.') ? undefined : newest);
  });

  it('breaks only with a new major version', () => {
    const major = (each: string) => each.split('.')[0];
    expect(explained.length === 0 || before === undefined || major(version) !== major(before.version)).toBe(true);
  });
});

const text = { type: 'string' } as const;
const command = {
  aliases: ['a ls'],
  keys: ['key'],
  changes: false,
  undoable: null,
  arguments: [{ name: 'x', ...text, required: true }],
  options: {
    '--role': { ...text, enum: ['admin', 'viewer'], short: '-r', default: 'admin' },
    '--count': { type: 'integer', maximum: 100 },
  },
  rowOptions: ['--journal'],
  exitCodes: ['0', '5 not_found'],
  result: { type: 'array', items: { type: 'object', required: ['id'], properties: { id: text, name: text } } },
} as const;
const rows = {
  options: { '--journal': text },
  result: { type: 'object', required: ['done'], properties: { done: text } },
  dryRun: { type: 'array', items: { type: 'object', properties: { line: text } } },
} as const;
const small: Surface = {
  ...{ version: '1.0.0', options: { '--org': text }, exitCodes: ['0'], errorCodes: ['usage'], variables: ['A'] },
  ...{ files: ['config.json'], topics: ['output'], commands: { 'a list': command } },
  ...{ templateFields: ['tags'], tools: { a_list: ['role'] }, exports: ['./a'] },
  rows,
};
const withCommand = (other: object) => ({ commands: { 'a list': { ...command, ...other } } });
const withOption = (name: string, other: object) => withCommand({ options: { ...command.options, [name]: other } });
const withItem = (other: object) =>
  withCommand({ result: { type: 'array', items: { ...command.result.items, ...other } } });
const role = command.options['--role'];

describe('a change of the surface', () => {
  it.each<readonly [string, object]>([
    ['variable A', { variables: ['B'] }],
    ['exit code 0', { exitCodes: [] }],
    ['error code usage', { errorCodes: [] }],
    ['file config.json', { files: [] }],
    ['help topic output', { topics: [] }],
    ['template field tags', { templateFields: [] }],
    ['tool a_list', { tools: {} }],
    ['tool a_list role', { tools: { a_list: [] } }],
    ['export ./a', { exports: [] }],
    ['every command --org', { options: {} }],
    ['a list', { commands: {} }],
    ['a list --journal', withCommand({ rowOptions: [] })],
    ['a list --journal type', { rows: { ...rows, options: { '--journal': { type: 'boolean' } } } }],
    ['rows result done', { rows: { ...rows, result: { type: 'object' } } }],
    ['rows dry run item line', { rows: { ...rows, dryRun: { type: 'array', items: { type: 'object' } } } }],
    ['a list alias a ls', withCommand({ aliases: [] })],
    ['a list key key', withCommand({ keys: undefined })],
    ['a list exit code 5 not_found', withCommand({ exitCodes: ['0'] })],
    ['a list changes', withCommand({ changes: true, undoable: true })],
    ['a list argument 1', withCommand({ arguments: [] })],
    ['a list argument 1 type', withCommand({ arguments: [{ name: 'x', type: 'integer', required: true }] })],
    ['a list argument 1 name', withCommand({ arguments: [{ ...command.arguments[0], name: 'y' }] })],
    ['a list one argument more', withCommand({ arguments: [...command.arguments, { ...text, required: true }] })],
    ['a list --count', withCommand({ options: { '--role': role } })],
    ['a list --new required', withOption('--new', { ...text, required: true })],
    ['a list --role viewer', withOption('--role', { ...role, enum: ['admin'] })],
    ['a list --role short', withOption('--role', { ...role, short: '-R' })],
    ['a list --role default', withOption('--role', { ...role, default: 'viewer' })],
    ['a list --role required', withOption('--role', { ...role, required: true })],
    ['a list --count enum', withOption('--count', { ...command.options['--count'], enum: ['1'] })],
    ['a list --count maximum', withOption('--count', { type: 'integer', maximum: 99 })],
    ['a list --count minimum', withOption('--count', { type: 'integer', maximum: 100, minimum: 1 })],
    ['a list result type', withCommand({ result: { ...command.result, type: 'object' } })],
    ['a list result item type', withItem({ type: undefined })],
    ['a list result item id required', withItem({ required: [] })],
    ['a list result item name', withItem({ properties: { id: text } })],
    ['a list result item name type', withItem({ properties: { id: text, name: { type: ['string', 'null'] } } })],
  ])('is reported as a break: %s', (what, other) => {
    expect(breaksBetween(small, { ...small, ...other })).toEqual([what]);
  });

  it('is not a break if it adds, accepts or promises more', () => {
    const more = {
      aliases: ['a ls', 'a l'],
      arguments: [{ name: 'x' }, text],
      options: {
        '--role': { ...role, enum: ['admin', 'viewer', 'operator'] },
        '--count': { type: 'integer' },
        '--new': text,
      },
      exitCodes: ['0', '5 not_found', '6 conflict'],
      result: {
        type: 'array',
        items: { ...command.result.items, required: ['id', 'name'], properties: { id: text, name: text, at: text } },
      },
    };
    const grown = { ...small, ...withCommand(more), variables: ['A', 'B'], options: { '--org': text, '--all': text } };
    expect(breaksBetween(small, grown as Surface)).toEqual([]);
  });
});
