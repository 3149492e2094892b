import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import {
  argumentForShell,
  changeModeCommand,
  moveAsideCommand,
  optionForShell,
  quoteForShell,
  removeCommand,
  removeFolderCommand,
  showProcessHint,
  showRightsCommand,
} from '../../src/text/shell-lines.ts';

describe('a command line in a hint', () => {
  it('is quoted for POSIX shells, and on Windows for cmd.exe and PowerShell', () => {
    const lines = (system: NodeJS.Platform, path: string) => [
      quoteForShell(path, system),
      removeCommand(path, system),
      removeFolderCommand(path, system),
      moveAsideCommand(path, system),
      showProcessHint(7, system),
      showRightsCommand(path, system),
    ];
    expect(lines('linux', "/a b/it's")).toEqual([
      "'/a b/it'\\''s'",
      "rm '/a b/it'\\''s'",
      "rm -r '/a b/it'\\''s'",
      "mv '/a b/it'\\''s' '/a b/it'\\''s.aside'",
      'with "ps -p 7"',
      "ls -ld '/a b/it'\\''s'",
    ]);
    expect(lines('win32', "C:\\a b\\it's")).toEqual([
      '"C:\\a b\\it\'s"',
      'del "C:\\a b\\it\'s"',
      'remove the folder "C:\\a b\\it\'s"',
      'move "C:\\a b\\it\'s" "C:\\a b\\it\'s.aside"',
      'in the task manager (PID 7)',
      'icacls "C:\\a b\\it\'s"',
    ]);
    expect(removeCommand('C:\\j.txt', 'win32')).toBe('del C:\\j.txt');
    expect(changeModeCommand('600', '/keys/my keys; echo pwned/c.pem')).toBe(
      "chmod 600 '/keys/my keys; echo pwned/c.pem'",
    );
  });

  it.each([
    ['--force', '-- --force', '--org=--force', './--force'],
    ['-a b', "-- '-a b'", "'--org=-a b'", "'./-a b'"],
    ['\u2013yes', "-- '\u2013yes'", "'--org=\u2013yes'", "'\u2013yes'"],
    ['a-b', 'a-b', '--org a-b', 'a-b'],
    ['-', '-', '--org -', './-'],
  ])('has no value that can be taken for an option: %s', (word, argument, option, path) => {
    expect([argumentForShell(word), optionForShell('org', word)]).toEqual([argument, option]);
    expect([removeCommand(word, 'linux'), moveAsideCommand(word, 'linux').split(' ')[0]]).toEqual([`rm ${path}`, 'mv']);
    expect(removeCommand('-f', 'win32')).toBe('del .\\-f');
  });

  it.each([
    ["it\\'; touch here; '", "'it'\\\\''\\''; touch here; '\\'''"],
    ['=ls', "'=ls'"],
    ['a=b,c@d', 'a=b,c@d'],
  ])('has no value that a POSIX shell or fish runs: %s', (word, line) => {
    expect(quoteForShell(word, 'linux')).toBe(line);
  });

  it.each([
    ['a $(calc) b', '"a `$(calc) b"'],
    ['$env:X`n', '"`$env:X``n"'],
    ['\\\\server\\c$\\a b', '"\\\\server\\c$\\a b"'],
    ['a"; calc; "', '"a""; calc; """'],
    ['a\u201d; calc; \u201c', '"a`\u201d; calc; `\u201c"'],
    ['a & calc', '"a & calc"'],
    ['fleet,copy=1.csv', '"fleet,copy=1.csv"'],
    ['@a', '"@a"'],
  ])('has no value that cmd.exe or PowerShell runs: %s', (word, line) => {
    expect(quoteForShell(word, 'win32')).toBe(line);
  });
});

/** What a value of a line to copy stands behind: a command in the same clause, or an option that is put behind one. */
const lineToCopy =
  /(?:(?:^|[\s("'`])(?:iiot|chmod|chown|rm|del|mv|move|ls|icacls|openssl|ps) [^.;:,]*|(?:^|\b(?:add|give|with|out|or)) --[\w-]+ )$/i;

/** What one stands behind as an argument, or as the value of an option, where it must not be taken for an option. */
const ownArgument = /(?:(?:^|[\s("'`])iiot [^.;:,]* | --[\w-]+ )$/;

/** Values that stand there as they are, and why no shell can take them for anything else. */
const plainValues: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'the name of a command of this program': {
    'cli/command-line-failure.ts': ['command.name', 'meant', 'name'],
    'cli/guesses.ts': ['inner.name', 'list', 'whole', 'branch.name', 'name', 'option'],
    'cli/inner-line.ts': ['outer.command.name'],
    'cli/report.ts': ['name'],
    'command/body.ts': ['command.name'],
    'command/reach.ts': ['command.name'],
    'commands/each.ts': ['inner.name', 'line'],
    'commands/each-run.ts': ['inner.command.name'],
    'commands/rows/header.ts': ['command.name'],
    'main.ts': ['command.name'],
    'mcp/tool-result.ts': ['command.name'],
  },
  'what was typed, in quotes, as unknown': {
    'cli/command-line-failure.ts': ['typed'],
    'cli/guesses.ts': ['verb', 'path'],
    'commands/templates/edit.ts': ['kept'],
    'commands/rows/header.ts': ['meant(label, words)'],
  },
  'the name of a profile, which checkProfileName has let through': {
    'commands/sandbox/index.ts': ['profile'],
    'auth/login-failures.ts': ['profile', "profile === 'default' ? '' : ` ${optionForShell('profile', profile)}`"],
    'command/target.ts': ['settings.profile.value'],
    'cli/missing.ts': ['settings.profile.value'],
    'commands/batches.ts': ['profile.value'],
    'commands/login-questions.ts': ["profile === 'default' ? '' : ` --profile ${profile}`", 'profile'],
    'commands/profiles.ts': ['input.name', 'newName'],
  },
  'one of the words of this program': {
    'auth/login-failures.ts': ["flow === 'm2m' ? ' m2m' : ''"],
    'command/reach.ts': ['placeOptions[option].lacks'],
    'commands/rows/result.ts': ['kind.command', "numbersAsIds ? ' --numbers-as-ids' : ''"],
    'cli/command-line-failure.ts': ['needed'],
    'cli/guesses.ts': ['request'],
    'commands/credentials/leftovers.ts': ['them'],
    'commands/rows/plan.ts': ["rowFormats.join(', --format ')"],
  },
  'what readQuartz has read': { 'commands/batches.ts': ['quartz'] },
  'the value of an option of an import that has begun': { 'commands/rows/result.ts': ['encoding', 'format'] },
  'quoted, and beginning with a name or a slash': {
    'cli/missing.ts': ['quoteForShell(`org=${value}`)'],
    'commands/templates/edit.ts': ['quoteForShell(dir)'],
  },
  'a number': {
    'commands/rows/result.ts': ['shard.part'],
    'work/journal-head.ts': ['Number(head.version)'],
    'commands/sandbox/tour.ts': ['exit'],
    'files/trust.ts': ['uid'],
    'mcp/tool-result.ts': ['exit'],
    'store/change-document.ts': ['version'],
    'text/shell-lines.ts': ['pid'],
  },
  'the mode of a file, from this program': { 'text/shell-lines.ts': ['mode'] },
  'quoted word by word': {
    'commands/rows/result.ts': ['typed', "delimiter === '\\t' ? 'tab' : quoteForShell(delimiter)", "options.join('')"],
    'commands/sandbox/tour.ts': ["words.map((word) => quoteForShell(word)).join(' ')"],
    'commands/templates/compare.ts': ['files', 'copy.words'],
    'commands/update.ts': ['line'],
    'commands/templates/diff.ts': ['words'],
    'commands/templates/push.ts': ['copy.words', 'words', 'wordsOf(those)', "isAll ? '' : ` ${wordsOf(those)}`"],
    'commands/templates/matching.ts': ["[copy.words, ...rest].join(' ')"],
    'commands/secret-command.ts': ['name', 'words'],
  },
  'a line of the tour that has run': { 'commands/sandbox/tour.ts': ["words.join(' ')"] },
};

/**
 * The values that stand in a line to copy without going through quoteForShell, or where they are arguments argumentForShell and optionForShell, or a
 * function of a whole line: "file: expression".
 */
function unquotedValues(name: string): string[] {
  const file = ts.createSourceFile(name, readFileSync(`src/${name}`, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTemplateExpression(node)) {
      let before = node.head.text;
      for (const { expression, literal } of node.templateSpans) {
        const called = ts.isCallExpression(expression) ? expression.expression.getText() : '';
        const isSafe = ownArgument.test(before)
          ? /^((argument|option)ForShell|\w+Command)$/.test(called)
          : /^(\w+ForShell|\w+Command)$/.test(called);
        if (!isSafe && lineToCopy.test(before)) found.push(`${name}: ${expression.getText()}`);
        before += `VALUE${literal.text}`;
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

// Help and man pages (shell/) and the pages of the sandbox hold nothing but the program's own words.
it('in src every value of a line to copy is quoted', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
  const hinting = files.filter((name) => name.endsWith('.ts') && !/^(shell|sandbox)\//.test(name));
  const plain = new Set(
    Object.values(plainValues)
      .flatMap((files) => Object.entries(files))
      .flatMap(([file, values]) => values.map((value) => `${file}: ${value}`)),
  );
  expect(hinting.flatMap(unquotedValues).filter((each) => !plain.has(each))).toEqual([]);
});
