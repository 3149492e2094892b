import { describe, expect, it } from 'vitest';
import {
  moveAsideCommand,
  quoteForShell,
  removeCommand,
  removeFolderCommand,
  showProcessHint,
  showRightsCommand,
} from '../../src/text/shell-lines.ts';

describe('what a person is asked to type', () => {
  it('is for a POSIX shell, and on Windows for cmd.exe and PowerShell', () => {
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
  });

  it.each([
    ["it\\'; touch here; '", "'it'\\\\''\\''; touch here; '\\'''"],
    ['=ls', "'=ls'"],
    ['a=b,c@d', 'a=b,c@d'],
  ])('leaves nothing for a POSIX shell or fish to run: %s', (word, line) => {
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
  ])('leaves nothing for cmd.exe or PowerShell to run: %s', (word, line) => {
    expect(quoteForShell(word, 'win32')).toBe(line);
  });
});
