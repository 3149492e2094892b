/** What nobody should type, over all commands and all their options: refused before anything is sent, with the option's name. */
import { expect, it } from 'vitest';
import { type Command, ownOptions } from '../../src/command/command.ts';
import { globalOptions } from '../../src/command/global-options.ts';
import type { Option } from '../../src/command/option.ts';
import { groups } from '../../src/commands/index.ts';
import { personForEach } from '../support/fixtures.ts';
import { expectLinear } from '../support/linear.ts';

const commands: readonly Command[] = (await Promise.all(groups.map(({ load }) => load()))).flat();
const someone = personForEach();

/** Words that stand where arguments have to. */
function line({ name, arguments: all }: Command): string[] {
  const words = Object.entries(all).filter(([, argument]) => !argument.optional);
  return [...name.split(' '), ...words.map(([word]) => (word === 'pairs' ? 'a=b' : 'a-word'))];
}

/** What is wrong with an option, by what it takes; each as the words to type. */
function mistakes({ long, schema }: Option, known: readonly string[]): (readonly [string, readonly string[]])[] {
  const option = `--${long}`;
  if (schema.type === 'boolean') {
    const both = schema.negative === undefined ? [] : [['both', [option, `--${schema.negative}`]] as const];
    return [['a value', [`${option}=yes`]], ...both];
  }
  const shorter = option.slice(0, -1);
  const all: (readonly [string, readonly string[]])[] = [
    ['no value', [option]],
    ['another option for a value', [option, '--frobnicate']],
  ];
  if (!known.includes(shorter.slice(2)) && shorter !== '--') all.push(['its name cut short', [shorter, 'x']]);
  if (schema.type === 'integer') {
    for (const word of ['', 'x', '-1', '1.5', '1e3', '0x10', '+5', '5 ', '５', '9007199254740993']) {
      all.push([`"${word}"`, [`${option}=${word}`]]);
    }
    if (schema.minimum) all.push(['less than its least', [option, String(schema.minimum - 1)]]);
    if (schema.maximum) all.push(['more than its most', [option, String(schema.maximum + 1)]]);
  }
  if (schema.type === 'object')
    all.push(['no pair', [option, 'word']], ['a key twice', [option, 'a=1', option, 'a=2']]);
  else if (schema.type !== 'array') all.push(['two values', [option, '1', option, '2']]);
  const values = schema.type === 'array' ? schema.items : schema;
  if (values.type === 'string' && values.enum) all.push(['a word that is none of its own', [option, 'nonsense']]);
  return all;
}

/** Every command reads the options of all by the same code: one shows it. */
const ofAll = 'templates list';

it.each(commands.map((command) => [command.name, command] as const))(
  'iiot %s names each wrong option, ends with 2, and sends nothing',
  async (_, command) => {
    const options = [...ownOptions(command), ...globalOptions].filter(({ long }) => long !== 'help');
    const known = options.flatMap(({ long, schema }) => [
      long,
      schema.type === 'boolean' ? (schema.negative ?? long) : long,
    ]);
    for (const option of options.filter((each) => command.name === ofAll || !globalOptions.includes(each)))
      for (const [what, words] of mistakes(option, known)) {
        const { exit, stdout, stderr } = await someone.iiot([...line(command), ...words]);
        const name = what === 'its name cut short' ? `--${option.long.slice(0, -1)}` : `--${option.long}`;
        const [sentence = '', hint = '', ...rest] = stderr.split('\n');
        const seen = { words, exit, stdout, named: sentence.includes(name), hint: hint !== '', rest };
        expect(seen, stderr).toEqual({ words, exit: 2, stdout: '', named: true, hint: true, rest: [''] });
      }
    expect(someone.requests).toEqual([]);
  },
);

it.each(['-', '--a', 'a ', '=', "'"])(
  'a word of %j repeated a hundred thousand times is refused in linear time',
  async (piece) => {
    await expectLinear(
      (length) => piece.repeat(length / piece.length),
      100_000,
      async (word) => expect((await someone.iiot(['orgs', 'delete', word, '--org-name', 'x'])).exit).toBe(2),
    );
    expect(someone.requests).toEqual([]);
  },
);
