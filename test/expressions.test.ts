/** Reads all regular expressions of src/: none takes more than linear time for a text from elsewhere. */
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const files = sourceFiles();

/** On a busy machine, one measurement may say anything; of three, one does not. */
const turns = [1, 2, 3];

/** Expressions that take longer, and why no text comes to them that is long and from elsewhere. */
const reasons: Readonly<Record<string, string>> = {
  'auth/oauth-error.ts /[.\\s]+$/': 'at most 300 characters',
  'rows/workbook/numbers.ts /0+$/': 'the 15 digits of a number',
  "cli/command-line-failure.ts /(--[\\w-]+)(?: <(.+)>)?'/": 'what the parser says of a typed line',
  'cli/command-line-failure.ts /Expected .*$/': 'what the parser says of a typed line',
  'command/body.ts /\\S+$/': 'an example of this tool',
  'command/time.ts /(\\d+(?:\\.\\d+)?)(ms|s|m|h|d|w)/g': 'at most 40 characters',
  'commands/api-call.ts /\\/\\/.*@/s': 'a typed path',
  "commands/api-call.ts /^([!#$%&'*+.^_`|~\\w-]+):\\s*([\\x20-\\x7e]*)$/": 'a typed header',
  'commands/sandbox/index.ts /\\/+$/': 'an address that the sandbox has given',
  'contract/wire.ts /\\/+$/': 'the URL of the platform',
  'launch/code-cache.ts /^\\d+\\.\\d+\\.\\d+[\\w.+-]*-v\\d+\\.\\d+\\.\\d+[\\w.+-]*-\\w+$/': 'the name of a file',
  'network/base-url.ts /\\/+$/': 'the URL of the platform',
  'network/connection-failure.ts /ALERT_([A-Z_]+)$/': 'a code of Node',
  'network/proxy.ts /^(\\[[^\\]]*\\]|[^:]*|.*:.*:.*?)(?::(\\d+))?$/': 'an item of NO_PROXY',
  'output/write.ts /("(?:\\\\.|[^"\\\\])*")(\\s*:)?|\\b(?:true|false|null)\\b|-?\\d[\\d.eE+-]*/g':
    'JSON that this tool has written: every string of it ends',
  'quartz/words.ts /(\\d+) through (?:2299|9999)$/': 'words of this tool for a short expression',
  'shell/describe.ts /\\S+$/': 'words of this tool',
  'shell/help.ts /\\S+$/': 'words of this tool',
  'shell/reference.ts /\\S+$/': 'words of this tool',
  'shell/wrap.ts / (?![^[]*\\])/': 'words of this tool',
  'text/group-digits.ts /\\B(?=(?:[0-9]{3})+$)/g': 'a count',
  'working-copy/file-name.ts /-+$/': 'at most 80 characters',
};

/** Files that put expressions together, which are not read here. */
const made: Readonly<Record<string, string>> = {
  'http/curl.ts': 'one kind of character',
  'network/network.ts': 'a variable of this machine',
  'network/proxy.ts': 'white space behind a comma, which is read once',
  'shell/bash.ts': 'a typed line',
  'shell/powershell.ts': 'a typed line',
  'text/glob.ts': 'a typed rule or name',
  'text/visible.ts': 'two that are read here, as alternatives',
};

describe('the regular expressions of src', () => {
  it('take at most linear time for a hostile text that grows', () => {
    const all = files.flatMap(({ path, literals }) =>
      literals.map((expression) => [`${path} ${expression}`, expression] as const),
    );
    const judged = all.filter(([name]) => !Object.hasOwn(reasons, name));
    const once = [
      ...new Map(judged.map(([name, expression]) => [String(expression), [name, expression] as const])).values(),
    ];
    const slow = once.flatMap(([name, expression]) => {
      const attack = attacksOn(expression).find((each) => turns.every(() => isSlow(expression, each, inAll)));
      return attack ? [`${name} is slow for ${JSON.stringify(attack)}`] : [];
    });
    expect(slow).toEqual([]);
    expect(Object.keys(reasons).filter((name) => !all.some(([each]) => each === name))).toEqual([]);
  });

  it('are literals, or built in a known file', () => {
    expect(
      files
        .filter((file) => file.made > 0)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(Object.keys(made));
    expect(files.flatMap(({ literals }) => literals).length).toBeGreaterThan(400);
  });

  it.each([
    /(a+)+$/,
    /^(\w|\d)+!/,
    /\s+$/,
    /<title>.*<\/title>/,
    /\[[^\]\n]+\]\([^)\n]+\)/m,
    /([?&#;])([^=&#?\s]+)=/g,
    /^a: *( b)?\s*$/,
    /-----BEGIN (?:[A-Z]+ )?KEY-----[\s\S]+?-----END (?:[A-Z]+ )?KEY-----/,
    /^#[^/?]*=[^?]*$/,
  ])('would be reported if they were in src: %s', (expression) => {
    const attacks = attacksOn(expression);
    expect(turns.some(() => attacks.some((attack) => isSlow(expression, attack, 2 ** 18)))).toBe(true);
  });

  it.each([
    /^\s*(\w+)\s*=\s*([^\n]*)/,
    /[^a-z]+/g,
    /"[^"\\]*(?:\\.[^"\\]*)*"?|[[\]{}]/gs,
    /\[[^[\]\n]+\]\([^()\n]+[()]/m,
  ])('would not be reported if they were linear: %s', (expression) => {
    const attacks = attacksOn(expression);
    expect(attacks.find((attack) => turns.every(() => isSlow(expression, attack, inAll)))).toBe(undefined);
  });
});

/** In milliseconds: what can be told from nothing, and what thousands of steps take but not millions. */
const quick = 0.5;

/** The letters that hundreds of expressions get; a fast machine needs more to be seen to be slow. */
const inAll = 8192;

/** Whether a few letters take long already, or four times the text takes far more than four times as long: of up to `most` letters, the first that take a time. */
function isSlow(expression: RegExp, attack: Attack, most: number): boolean {
  if ([8, 16, 24].some((times) => time(expression, attack, times, 5) > quick)) return true;
  for (let letters = 2048; letters <= most; letters *= 4) {
    const times = Math.ceil(letters / attack[1].length);
    const once = time(expression, attack, times, 5);
    if (once > quick) return time(expression, attack, times * 4, 4) > once * 8;
  }
  return false;
}

/** The least of some turns, in milliseconds of the processor: whatever else it does, it is not counted. */
function time(expression: RegExp, [before, unit, after]: Attack, times: number, turns: number): number {
  const text = `${before}${unit.repeat(times)}${after}`;
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < turns && least > quick; turn += 1) {
    expression.lastIndex = 0;
    const began = process.cpuUsage().user;
    if (expression.global) text.replace(expression, '');
    else expression.test(text);
    least = Math.min(least, (process.cpuUsage().user - began) / 1000);
  }
  return least;
}

/** `made` counts the expressions that are put together from parts. */
function sourceFiles(): readonly { path: string; literals: readonly RegExp[]; made: number }[] {
  const names = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  return names.map((path) => {
    const literals: RegExp[] = [];
    let made = 0;
    const visit = (node: ts.Node) => {
      if (ts.isRegularExpressionLiteral(node)) literals.push(expressionOf(node.text));
      if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') made += 1;
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(path, readFileSync(`src/${path}`, 'utf8'), ts.ScriptTarget.Latest, true));
    return { path, literals, made };
  });
}

function expressionOf(literal: string): RegExp {
  const end = literal.lastIndexOf('/');
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}

/** One of each kind of character, for classes. */
const letters = [...'a0 \n\t-_./:="\'<[({\\*#%&@Aé\u200b\0'];

const atom =
  /\\p\{[^}]*\}|\\[ux][0-9a-f]{2,4}|\\u\{[0-9a-f]+\}|\\.|\[\^?(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!]|<\w+>|:)|\{\d*,?\d*\}|[()|*+?^$]|./gis;

/** A beginning, what is repeated, and an end. */
type Attack = readonly [string, string, string];

/**
 * Texts of the letters that an expression is made of: what stands before a part of one of its branches, then that part many times
 * over, then what hardly anything matches.
 */
function attacksOn({ source, flags }: RegExp): readonly Attack[] {
  const parts = [...source.matchAll(atom)].map(([part]) => part);
  const ends = [-1, ...parts.flatMap((part, at) => (part === '|' ? [at] : [])), parts.length];
  const branches = [parts, ...ends.slice(1).map((end, index) => parts.slice((ends[index] ?? 0) + 1, end))];
  const excluded = [...source.matchAll(/\[\^([^\]]*)/g)].map(([, letters]) => letters).join('');
  const found = new Map<string, Attack>();
  for (const branch of branches) {
    const samples = branch.map((part) => samplesOf(part, flags)).filter(({ length }) => length > 0);
    for (let which = 0; which < Math.max(0, ...samples.map(({ length }) => length)); which += 1) {
      const line = samples.map((each) => each[which % each.length] ?? '');
      for (const [before, unit] of line.flatMap((_, from) => attacksFrom(line, from)))
        found.set(`${before}\0${unit}`, [before, unit, `\0\n${excluded}`]);
    }
  }
  return [...found.values()];
}

function attacksFrom(line: readonly string[], from: number): readonly (readonly [string, string])[] {
  const lengths = from === 0 ? line.map((_, index) => index + 1) : [1, 2, 3];
  const units = lengths.map((length) => line.slice(from, from + length));
  return units.flatMap((unit) => ['', line.slice(0, from).join('')].map((before) => [before, unit.join('')] as const));
}

const mostSamples = 5;

/** Some of the characters that a part of an expression matches; none for what is no character. */
function samplesOf(part: string, flags: string): readonly string[] {
  if (/^(?:\(|[)|*+?^$]|\{\d*,?\d*\}$|\\[bBk])/.test(part)) return [];
  const matching = new RegExp(
    `^(?:${part.length === 1 ? part.replace(/[{}[\]/]/, '\\$&') : part})$`,
    flags.replace(/[gy]/g, ''),
  );
  const found = [...new Set([...part, ...letters])].filter((letter) => matching.test(letter));
  const step = Math.max(1, found.length / mostSamples);
  if (found.length > 0) return found.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
  const any = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).find((each) =>
    matching.test(each),
  );
  return any === undefined ? [] : [any];
}
