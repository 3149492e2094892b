import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinInner } from '../../src/cli/inner-line.ts';
import { type CommandLine, checkedInput } from '../../src/cli/input.ts';
import { parseLine } from '../../src/cli/parse.ts';
import { checkWords } from '../../src/cli/words.ts';
import { type Command, ownOptions } from '../../src/command/command.ts';
import { globalOptions } from '../../src/command/global-options.ts';
import { lineOf, withPlace } from '../../src/command/line.ts';
import { globalOptionsOf } from '../../src/command/reach.ts';
import { groups } from '../../src/commands/index.ts';
import type { Schema } from '../../src/contract/schema.ts';
import { Failure } from '../../src/failure.ts';

const commands = (await Promise.all(groups.map(({ load }) => load()))).flat();

/** What a shell gives to a program for each line. */
function splitByShell(lines: readonly string[]): string[][] {
  const script = lines.map((line) => `printf '%s\\0' ${line}; printf '\\1\\0'`).join('\n');
  const { stdout } = spawnSync('sh', { input: script, encoding: 'utf8', maxBuffer: 1e8 });
  return stdout
    .split('\x01\0')
    .slice(0, -1)
    .map((words) => words.split('\0').slice(0, -1));
}

async function read(words: readonly string[]): Promise<CommandLine> {
  await checkWords(words);
  const parsed = await parseLine(words);
  if ('group' in parsed) throw new Error(`${words.join(' ')} is a group`);
  const inner = Object.values(parsed.command.arguments).some(({ behindDashes }) => behindDashes === 'iiot');
  return inner ? joinInner(parsed, words, async () => 0) : checkedInput(parsed, words);
}

/** A line that is refused says nothing of the one that is written from it. */
async function readOrUndefined(words: readonly string[]): Promise<CommandLine | undefined> {
  return read(words).catch((error: unknown) => {
    if (error instanceof Failure) return undefined;
    throw error;
  });
}

const text = fc.string({ unit: fc.constantFrom(...`ab1-—“='"\\$\`é 東!*?&;|<>~#%\n\t`), minLength: 1, maxLength: 8 });

function wordOf(schema: Schema): fc.Arbitrary<string> {
  if (schema.type === 'integer')
    return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 900 }).map(String);
  if (schema.type === 'array') return wordOf(schema.items);
  if (schema.type === 'object') return fc.tuple(text, text).map((pair) => pair.join('='));
  return 'enum' in schema && schema.enum ? fc.constantFrom(...schema.enum.map(String)) : text;
}

function lineFor(command: Command): fc.Arbitrary<string[]> {
  const options = [...ownOptions(command), ...globalOptionsOf(command)].filter(
    ({ name }) => !['help', 'version', 'json', 'output', 'dryRun'].includes(name),
  );
  const option = fc.constantFrom(...options).chain(({ long, schema }) => {
    if (schema.type !== 'boolean') return wordOf(schema).map((word) => `--${long}=${word}`);
    return fc.constantFrom(...[long, ...(schema.negative ? [schema.negative] : [])]).map((word) => `--${word}`);
  });
  const args = Object.values(command.arguments).map((argument) => {
    if (argument.behindDashes) return fc.constant(['credentials', 'delete', 'a b', '--yes']);
    return argument.repeated ? fc.array(text, { maxLength: 2 }) : text.map((word) => [word]);
  });
  return fc
    .tuple(fc.uniqueArray(option, { maxLength: 3, selector: (word) => word.split('=')[0] }), ...args)
    .map(([words, ...values]) => [...command.name.split(' '), ...words, '--', ...values.flat()]);
}

const where = [
  'profile',
  'baseUrl',
  'org',
  'caFile',
  'clientCert',
  'clientKey',
  'timeout',
  'requestTimeout',
  'retries',
];

/** What a line that continues has to repeat. */
function repeated({ command, input, options }: CommandLine): object {
  const { dryRun: _once, ...typed } = input;
  const own = Object.entries(typed).map(([name, value]) => [name, isInner(value) ? repeated(value) : value]);
  const globals = Object.entries(options ?? {}).filter(([name, value]) => where.includes(name) && value !== undefined);
  return { command: command.name, input: Object.fromEntries(own), options: Object.fromEntries(globals) };
}

function isInner(value: unknown): value is CommandLine {
  return typeof value === 'object' && value !== null && 'command' in value;
}

describe('a line to copy', () => {
  it('is read back through a shell as the same command, arguments and options', async () => {
    const lines: CommandLine[] = [];
    for (const command of commands) {
      const typed = fc.sample(lineFor(command), { numRuns: 12, seed: 7 });
      const good = (await Promise.all(typed.map(readOrUndefined))).filter((line) => line !== undefined);
      expect([command.name, good.length > 0]).toEqual([command.name, true]);
      lines.push(...good);
    }
    const written = lines.map(({ command, input, options }) => lineOf(command, input, options));
    const again = await Promise.all(splitByShell(written).map(([, ...words]) => read(words)));
    for (const [at, line] of again.entries())
      expect([written[at], repeated(line)]).toEqual([written[at], repeated(lines[at] as CommandLine)]);
  });

  it('leaves out the global options that confirm, show or format', () => {
    const options = Object.fromEntries(globalOptions.map(({ name }) => [name, 'x']));
    const [list] = commands.filter(({ name }) => name === 'credentials list');
    const names = lineOf(list as Command, {}, options as object).match(/--[\w-]+/g);
    expect(names).toEqual(globalOptions.filter(({ name }) => where.includes(name)).map(({ long }) => `--${long}`));
  });
});

describe('a hint', () => {
  it('never repeats a base URL with a password', async () => {
    const hint = 'Log in with: iiot login';
    expect(await withPlace(hint, groups, { baseUrl: 'https://ada:secret@plant.example' })).toBe(hint);
  });

  const options = { profile: 'plant 7', org: 'O3', caFile: 'ca.pem', yes: true, output: 'json' } as const;
  const place = "--profile 'plant 7'";
  it.each([
    ['See iiot credentials list', `See iiot credentials list ${place} --ca-file ca.pem`],
    ['See iiot templates list --org O1.', `See iiot templates list ${place} --ca-file ca.pem --org O1.`],
    [
      'Log in: iiot login m2m; else see: iiot doctor',
      `Log in: iiot login m2m ${place} --ca-file ca.pem; else see: iiot doctor ${place} --ca-file ca.pem`,
    ],
    ['Log in there: iiot login --profile NAME', 'Log in there: iiot login --ca-file ca.pem --profile NAME'],
    [
      'See iiot orgs users list --help, or: iiot sandbox tour',
      'See iiot orgs users list --help, or: iiot sandbox tour',
    ],
    ['iiot reads gzip; See iiot --help', 'iiot reads gzip; See iiot --help'],
  ])('repeats the options that name the place: %s', async (hint, expected) => {
    expect(await withPlace(hint, groups, options)).toBe(expected);
    expect(await withPlace(hint, groups, { yes: true })).toBe(hint);
  });
});
