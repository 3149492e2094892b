import { describe, expect, it } from 'vitest';
import { groups } from '../../src/commands/index.ts';
import { answerTab } from '../../src/shell/complete.ts';
import { readGrammar } from '../../src/shell/grammar.ts';
import { loadBranches } from '../../src/shell/tree.ts';

const grammar = readGrammar(await loadBranches(groups));
const modern = { passing: 'Standard', batch: false };

type Answer = { kind: string; value: string; values: { text: string; list: string; says: string }[] };

/** Asks as the script does, and reads what it reads. */
async function answered(words: readonly string[], current: string, values: readonly string[], how = modern) {
  const request = Buffer.from(JSON.stringify({ words, current, ...how })).toString('base64');
  const text = await answerTab(['powershell', request], grammar, async () =>
    values.map((word) => ({ word, says: '' })),
  );
  expect(text).toMatch(/^[ -~]*\n$/);
  return JSON.parse(text) as Answer;
}

const texts = async (...given: Parameters<typeof answered>) =>
  (await answered(...given)).values.map(({ text }) => text);

/** What PowerShell makes of a word: bare, or between quotes of which each of five kinds ends it, doubled stands for itself. */
function meaning(text: string): string | undefined {
  const quote = "['\u2018\u2019\u201a\u201b]";
  const quoted = new RegExp(`^${quote}((?:(?!${quote}).|${quote}{2})*)${quote}$`, 'su').exec(text)?.[1];
  if (quoted !== undefined) return quoted.replace(new RegExp(`(${quote})${quote}`, 'g'), '$1');
  return /^[\w./=:-]+$/.test(text) ? text : undefined;
}

const names = [
  'x|ni x',
  ..."Pump $(ni x)|'Oil';ni x #|\"Oil\";ni x|`ni x`|x;ni x|x&ni x|it's|''|x'|\"|a b|\\|a\\|--%|a,b|(1)|x`n|!x|^x".split(
    '|',
  ),
  ...'\u2018x\u2019;ni x|\u201ax|x\u201b|\u2019;ni x;\u2018|\u201cx\u201d|\u202eabc|日本語|\u05e9|停止'.split('|'),
  ...'*|?|[ab]|{a}|~|%x%|$HOME|#x|@x|@(x)|<x|>x|1kb|0x10'.split('|'),
];

describe('PowerShell', () => {
  it.each([
    ['an argument', ['templates', 'update', '--'], ''],
    ['a value', ['templates', 'list'], '--name='],
  ])('gets a completion that is one word with its exact value: %s', async (_, words, current) => {
    const written = await texts(words, current, names);
    expect(written.map(meaning)).toEqual(names.map((name) => current + name));
  });

  it.each(["'Pu", '\u2018Pu', '"Pu', 'Pu', 'pu'])(
    'gets a completion that replaces what is typed and its quote: %s',
    async (typed) => {
      expect(await texts(['templates', 'update'], typed, ['Pump 1', 'Oil'])).toEqual(["'Pump 1'"]);
    },
  );

  it.each(['$x', '"Pu$(', 'Pu`', '(Pu'])('gets no completion behind an expression: %s', async (typed) => {
    const request = Buffer.from(JSON.stringify({ words: ['templates', 'update'], current: typed, ...modern }));
    expect(await answerTab(['powershell', request.toString('base64')], grammar, async () => [])).toBe('');
  });

  it('gets no completion that an older version would alter', async () => {
    const values = ['say "hi"', 'a\\', 'a b'];
    expect(await texts(['templates', 'update'], '', values, { passing: '', batch: false })).toEqual(["'a b'"]);
    expect(await texts(['templates', 'update'], '', values, { passing: 'Legacy', batch: false })).toEqual(["'a b'"]);
  });

  it('gets only plain names if cmd.exe reads them again', async () => {
    const values = ['Oil&calc', '%PATH%', 'a b', 'template_1', 'x|y', 'x^y'];
    expect(await texts(['templates', 'update'], '', values, { ...modern, batch: true })).toEqual([
      "'a b'",
      'template_1',
    ]);
  });

  it('gets no completion with a control character', async () => {
    expect(await texts(['templates', 'update'], '', ['a\nb', 'a\x1bb', 'a\u2028b', 'c'])).toEqual(['c']);
  });

  it('completes files and commands itself', async () => {
    expect(await answered(['sandbox', 'exec', '--state'], 'sta', [])).toMatchObject({ kind: 'file', value: 'sta' });
    expect(await answered(['sandbox', 'exec', '--'], 'mk', [])).toMatchObject({ kind: 'command', value: 'mk' });
  });
});
