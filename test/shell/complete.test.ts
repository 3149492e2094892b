import { execFileSync, spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groups } from '../../src/commands/index.ts';
import { answerAtOnce, answerTab } from '../../src/shell/complete.ts';
import type { Candidate } from '../../src/shell/grammar.ts';
import { readGrammar } from '../../src/shell/grammar.ts';
import { loadBranches } from '../../src/shell/tree.ts';

const grammar = readGrammar(await loadBranches(groups));

/** What bash puts on the line for the end of it, where readline replaces what follows the last blank. */
const bash = (line: string, behind = '', replaced = line.slice(line.lastIndexOf(' ') + 1)) =>
  answerAtOnce(['bash', line, behind, replaced], grammar)?.split('\n').slice(0, -1);

/** The same with values that the platform has. */
const offered = (
  line: string,
  values: readonly string[],
  replaced = line.slice(line.lastIndexOf(' ') + 1),
  behind = '',
) =>
  answerTab(['bash', line, behind, replaced], grammar, async () => values.map((word) => ({ word, says: '' }))).then(
    (answer) => answer.split('\n').slice(1, -1),
  );

/** The words before the cursor that a line of bash has; undefined where nothing is completed. */
async function wordsIn(line: string): Promise<readonly string[] | undefined> {
  let words: readonly string[] | undefined;
  await answerTab(['bash', `${line} --profile `, '', ''], grammar, async (wanted) => {
    words = wanted.line.slice(0, -1);
    return [];
  });
  return words;
}

describe('a completion', () => {
  it('lists the options of the command before those of all commands', () => {
    const words = bash('iiot orgs users list --') ?? [];
    expect(words.slice(0, 4)).toEqual(['words', '--skip', '--page-size', '--role']);
    expect(words.indexOf('--profile')).toBeGreaterThan(words.indexOf('--all'));
  });

  it.each([
    ['iiot profiles set plant protected=', ['words', 'protected=true', 'protected=false']],
    ['iiot profiles set plant caF', ['open', 'caFile=']],
    ['iiot --role viewer orgs users l', ['words', 'list']],
    ['iiot orgs users ls --role=v', ['words', '--role=viewer']],
    ['iiot help exi', ['words', 'exit-codes']],
    ['iiot help orgs us', ['words', 'users']],
    ['iiot orgs users list --ro', ['words', '--role']],
    ['iiot -o csv templates list --channel-type te', ['words', 'teams']],
    ['iiot channels update channel_x --dis', ['words', '--disabled']],
    ['iiot completion power', ['words', 'powershell']],
    ['iiot orgs users list --ca-file acti', ['file']],
    ['iiot sandbox exec -- ', ['command', '']],
    ['iiot sandbox exec -- mk', ['command', 'mk']],
    ['iiot sandbox exec -- sh roll', ['file']],
    ['iiot sandbox exec -- iiot orgs us', ['words', 'users']],
    ['iiot sandbox exec --state st', ['file']],
    ['iiot devices custom-info import ro', ['file']],
    ['iiot devices custom-info import fleet.csv --jour', ['words', '--journal']],
    ['iiot sandbox start --allow', ['words', '--allow-host']],
    ['iiot -o js', ['words', 'json']],
    ['iiot orgs users list >fi', ['file']],
    ['iiot orgs users list extra ', undefined],
    ['iiot orgs users list --limit ', undefined],
  ])('is offered behind "%s"', (line, expected) => {
    expect(bash(line)).toEqual(expected ?? []);
  });

  it('lists known and previously shown columns behind --columns, without those already typed', async () => {
    const line = 'iiot orgs users list --columns userId,';
    expect(answerAtOnce(['bash', line, '', 'userId,'], grammar)).toBeUndefined();
    const known = ['userId,name', 'userId,orgRole', 'userId,all'];
    expect(await offered(line, ['email', 'name', 'userId', 'a\0b'])).toEqual([...known, 'userId,email']);
    expect(await offered('iiot sandbox exec -- iiot orgs users list --columns userId,', [])).toEqual(known);
  });

  it('offers no IDs of the platform for a command inside a sandbox', async () => {
    expect(await offered('iiot sandbox exec -- iiot templates update ', ['template_1'])).toEqual([]);
  });

  it('begins with a hyphen only if it cannot be taken for an option', async () => {
    const values = ['-x', '--all', 'y'];
    expect(await offered('iiot templates update ', values)).toEqual(['y']);
    expect(await offered('iiot templates list --name ', values)).toEqual(['y']);
    expect(await offered('iiot templates list --name=', values)).toEqual(['--name=-x', '--name=--all', '--name=y']);
    expect(await offered('iiot templates update -- ', values)).toEqual(values);
  });

  it('is never empty and has no NUL and no half character', async () => {
    expect(await offered('iiot templates update ', ['', 'a\0b', '\ud800', 'b'])).toEqual(['b']);
  });
});

describe('bash gets no completion', () => {
  const values = ['Pump 1'];
  it.each([
    [
      'if readline replaces another text than the word',
      'iiot templates list --name Pu',
      '; iiot templates list --name Pu',
      '',
    ],
    ['if the text is not at the end of the line', 'iiot templates list --name Pu', 'Px', ''],
    ['in a word with an expansion', 'iiot templates list --name $X', '$X', ''],
    ['in a word with a home folder', 'iiot templates list --name ~/x', '~/x', ''],
    ['in a word with an alternative', 'iiot templates list --name {a,', '{a,', ''],
    ['in a word of the history', 'iiot templates list --name "a!', 'a!', ''],
    ['in $quotes', "iiot templates list --name $'Pu", 'Pu', ''],
    ['behind a quote that is closed', 'iiot templates list --name "Pu"', '', ''],
    ['in the middle of a word', 'iiot templates list --name Pu', 'Pu', 'mp'],
    ['in the middle of a quoted word', 'iiot templates list --name "Pu', 'Pu', 'mp $(x)"'],
  ])('%s', async (_, line, replaced, behind) => {
    expect(await offered(line, values, replaced, behind)).toEqual([]);
  });

  it('bash gets completions before a closing quote or a blank', async () => {
    expect(await offered('iiot templates list --name "Pu', values, 'Pu', '"')).toEqual(['Pump 1"']);
    expect(await offered('iiot templates list --name Pu', values, 'Pu', ' --all')).toEqual(['Pump\\ 1']);
  });
});

describe('a bash line', () => {
  it.each([
    ['iiot a "x \\"y\\" \\$ \\z"', ['a', 'x "y" $ \\z']],
    ["iiot a 'it'\\''s'", ['a', "it's"]],
    ["iiot $'\\xe5\\x81\\x9c' b", ['停', 'b']],
    ['iiot $(echo "a )" b) `x y` ${z:-"}"} "$(x "y")" c', ['$(echo "a )" b)', '`x y`', '${z:-"}"}', '$(x "y")', 'c']],
    ['iiot 2>/dev/null <in a 2 >>fi', ['a', '2']],
    ['iiot a\\ b ~/x $HOME x#y', ['a b', '~/x', '$HOME', 'x#y']],
  ])('is split into words as in bash: %s', async (line, words) => {
    expect(await wordsIn(line)).toEqual(words);
  });

  it.each([
    'iiot $(echo ',
    'iiot "$(x',
    'iiot `x',
    "iiot $'x",
    'iiot ${x',
    'iiot "x',
    "iiot 'x",
    'iiot a # b',
    'iiot a; b',
    'iiot <(x',
  ])('has no completion if the cursor is not in a word: %s', async (line) => {
    expect(await wordsIn(line)).toBeUndefined();
  });
});

describe.each(['', '"', "'"])('a completion for bash after %j', (quote) => {
  /** What stands on the line: readline drops the opening quote where the text begins with one. */
  const onTheLine = async (text: string) => {
    const [written = ''] = await offered(`iiot templates update -- ${quote}`, [text], '');
    return quote !== '' && written.startsWith(quote) ? written : `${quote}${written}`;
  };
  const hostile = fc.string({
    unit: fc.constantFrom(...'\'"`$(){}[]!;|&<>*?~#%\\ \t\n\r\x1b\x7fab1-=:,@/.é停\u00a0\u200b\u202e‘’'),
    minLength: 1,
    maxLength: 12,
  });
  const texts = fc.sample(hostile, { numRuns: 400, seed: 1 });

  it('is a printable word that bash reads back unchanged', async () => {
    const line = (await Promise.all(texts.map(onTheLine))).join(' ');
    expect(line).toMatch(/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u);
    const read = execFileSync('bash', ['-c', `printf '%s\\0' ${line}`]);
    expect(read.toString().split('\0').slice(0, -1)).toEqual(texts);
    expect(await wordsIn(`iiot x ${line}`)).toEqual(['x', ...texts]);
  });

  it('runs nothing if readline inserts only its beginning', async () => {
    const commands = [
      'Pump $(touch x)',
      "'Oil';touch x #",
      '"Oil";touch x #',
      'w`touch x`',
      'a\'b"c`touch x`$(touch x)!e;touch x',
    ];
    const lines = (await Promise.all(commands.map(onTheLine))).flatMap((line) =>
      Array.from(line, (_, end) => `iiot ${line.slice(0, end)}`),
    );
    const script = 'iiot() { :; }; touch() { echo ran; }; while IFS= read -r line; do eval "$line"; done';
    const { stdout } = spawnSync('bash', ['-c', script], { input: `${lines.join('\n')}\n`, encoding: 'utf8' });
    expect(stdout).toBe('');
  });
});

describe('completions', () => {
  const live = async (): Promise<readonly Candidate[]> => [
    { word: 'template_1', says: 'red \x1b[31m\nand \u202eback' },
  ];

  it.each([
    ['fish', 'words\0template_1\tred \\u{1b}[31m↵and \\u{202e}back\0'],
    ['zsh', 'rows\0\0template_1\0template_1  -- red \\u{1b}[31m↵and \\u{202e}back\0'],
  ])('have visible descriptions in %s', async (shell, expected) => {
    expect(await answerTab([shell, 'templates', 'update', ''], grammar, live)).toBe(expected);
  });
});
