import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Grammar } from '../../src/shell/grammar.ts';
import { type HostileShell, openHostileShell } from '../support/hostile-tabs.ts';
import { lacks } from '../support/lacking.ts';
import { runProgram } from '../support/program.ts';
import type { ShellName } from '../support/tab-keys.ts';

/** Names that somebody may give a template on the platform, between bars; the first names hold one themselves. */
const names: readonly string[] = [
  ...['x|touch x', '|'],
  // Commands, behind every quote that may be open.
  ...'Pump $(touch x)|\'Oil\';touch x #|"Oil";touch x #|`touch x`|w`touch x`'.split('|'),
  ...'$(touch x)|x;touch x|x&touch x&|a\nb|line1;touch x\nline2|!touch|a!!b|!|>x|<x|(touch x)|&& touch x'.split('|'),
  // Quotes of each kind, open and closed, first and last.
  ...'"hi"|say "hi"|it\'s|\'quoted\'|x\'|x"|"x|\'x|"|\'|a\'b"c`d$e\\f!g|\'\'|""'.split('|'),
  // Blanks and backslashes.
  ...'a b| lead|trail |a  b|a\\b|\\|a\\|\\\\x|x\\\'y|\\"|a\tb|x\ry'.split('|'),
  // What a shell expands.
  ...'*|a*|?x|[ab]|{a,b}|~|~root|a~b|%1|$HOME|${HOME}|$((1+1))|^x^y|#x|=ls|@x|a:b=c'.split('|'),
  // What may be taken for an option.
  ...['-x', '--all', '-', '--'],
  // What cannot be seen, or turns the line around.
  ...'\x1b[31mred|bell\x07|\x7f|\u202eabc|\u200bzw|\u00a0nbsp|\u05e9\u05dc\u05d5\u05dd'.split('|'),
  ...'👨\u200d👩|日本語|\u2018x\u2019;y'.split('|'),
];

/**
 * Lines up to the value: typed, and what iiot gets before the value in the word of the value. The first of each quote are tried with all names, and those
 * that combine them with a third each.
 */
const positions = [
  ['an argument', 'iiot templates update ', ''],
  ['an argument between "', 'iiot templates update "', ''],
  ["a value between '", "iiot templates list --name '", ''],
  ['a value after =', 'iiot templates list --name=', '--name='],
  ['a value with a prefix', 'iiot templates list --name Pu', 'Pu'],
  ['a value after = between "', 'iiot templates list --name="', '--name='],
  ['a value with a prefix between "', 'iiot templates list --name "Pu', 'Pu'],
  ["a value with a prefix after = between '", "iiot templates list --name='Pu", '--name=Pu'],
  ['a value after a substitution', 'iiot templates list --org $(echo o) --name ', ''],
] as const;

let grammar: Grammar;
beforeAll(async () => {
  await runProgram(['--version']);
  grammar = JSON.parse(readFileSync('dist/completions.json', 'utf8')) as Grammar;
});

/** What a shell could not write as it is, and so does not offer: everywhere, at the beginning of a word, and between quotes. */
const unwritable: Readonly<Record<ShellName, { always: string[]; bare: string[]; quoted: string[] }>> = {
  bash: { always: [], bare: [], quoted: [] },
  zsh: { always: [], bare: [], quoted: [] },
  fish: { always: ['a\tb'], bare: ['~', '~root'], quoted: ['x\ry', '\x1b[31mred', 'bell\x07', '\x7f'] },
};
const options = ['-x', '--all', '-', '--'];

/** Names that are not offered at a position. */
function withheld(shell: ShellName, line: string, before: string): readonly string[] {
  const { always, bare, quoted } = unwritable[shell];
  const [isQuoted, isWhole] = [/["']/.test(line), before === ''];
  return [...always, ...(isQuoted ? quoted : isWhole ? bare : []), ...(isWhole ? options : [])];
}

/** Behind some signs fish leaves room for more: neither a blank nor the quote that closes. */
function leftOpen(shell: ShellName, line: string, value: string): string {
  return shell === 'fish' && /[/=@:.,-]$/.test(value) ? (/["']/.exec(line)?.[0] ?? '') : '';
}

/** A shell waits for its keys most of the time. */
const sideBySide = { concurrent: true } as const;

describe.skipIf(lacks('bash', 'zsh', 'fish')).each<ShellName>(['bash', 'zsh', 'fish'])(
  'Tab and Enter in a real %s',
  sideBySide,
  (shell) => {
    let typed: HostileShell;
    beforeAll(async () => {
      typed = await openHostileShell(shell, grammar);
    });
    afterAll(() => typed.end());

    it.sequential.each(positions.map((position, index) => [...position, index] as const))(
      'pass a name unchanged to iiot, and run nothing else, for %s',
      async (_, line, before, index) => {
        const tried = names.filter((_name, at) => index < 3 || at % 3 === index % 3);
        const wrong: unknown[] = [];
        const missing = new Set<string>();
        for (const name of tried) {
          const value = before.endsWith('Pu') ? `Pu${name}` : name;
          const { received } = await typed.press(line, value, leftOpen(shell, line, value));
          if (received === undefined) missing.add(name);
          else if (received.at(-1) !== before.replace(/Pu$/, '') + value) wrong.push([value, received]);
        }
        expect({ wrong, made: typed.found(), missing }).toEqual({
          wrong: [],
          made: [],
          missing: new Set(tried.filter((name) => withheld(shell, line, before).includes(name))),
        });
      },
    );

    it.sequential.each([
      ['backquotes', 'echo `iiot templates list --name ', '`'],
      ['a quote in backquotes', 'echo `iiot templates list --name "', '"`'],
      ['a substitution', 'echo $(iiot templates list --name ', ')'],
      ['a quote in a quoted substitution', 'echo "$(iiot templates list --name "', ')"'],
    ])('pass a name to iiot unchanged, or offer none, inside %s', async (_, line, end) => {
      const received = [];
      for (const name of ['Pump $(touch x)', '`touch x`', "'x;touch x"]) {
        const press = await typed.press(line, name, end, 400);
        // Without the name where it was not offered after all.
        if (![undefined, name, '--name', ''].includes(press.received?.at(-1))) received.push([name, press.received]);
      }
      expect({ received, made: typed.found() }).toEqual({ received: [], made: [] });
    });

    it.sequential('accept a value that begins with a hyphen after --', async () => {
      const { received } = await typed.press('iiot templates update -- ', '-x y');
      expect(received).toEqual(['templates', 'update', '--', '-x y']);
    });
  },
);
