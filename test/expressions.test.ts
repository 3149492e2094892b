/** Reads all regular expressions of src/: none takes more than linear time for a text from elsewhere. */
import { describe, expect, it } from 'vitest';
import { type Attack, attacksOn, sourceFiles } from './support/expressions.ts';

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
  'commands/api.ts /\\/\\/.*@/s': 'a typed path',
  "commands/api.ts /^([!#$%&'*+.^_`|~\\w-]+):\\s*([\\x20-\\x7e]*)$/": 'a typed header',
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
