import { describe, expect, it } from 'vitest';
import { cutText, prepareWidths, textWidth, wrapWords } from '../../src/output/text-width.ts';

describe('wrapping text', () => {
  it.each([
    ['Fix the rows, then send them: iiot api /x', ['Fix the rows, then', 'send them:', 'iiot api /x']],
    [
      'See: iiot api GET /factory/users. Or use pull --force',
      ['See:', 'iiot api GET /factory/users', 'Or use pull --force'],
    ],
    ["See iiot api -f 'a. B=1' -f c=2", ['See', "iiot api -f 'a. B=1' -f c=2"]],
    ['If you trust it, run: chmod go-w /factory', ['If you trust it,', 'run:', 'chmod go-w /factory']],
    ['error: iiot login is refused here', ['error: iiot login is', 'refused here']],
    ['Then run iiot login: it asks', ['Then run iiot login:', 'it asks']],
  ])('%s', (text, lines) => expect(wrapWords(text, 20)).toEqual(lines));
});

describe('cutting text', () => {
  it.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 5, 'abcd…'],
    ['abcdef', 1, '…'],
    ['', 1, ''],
    ['李明李明', 8, '李明李明'],
    ['李明李明', 7, '李明李…'],
    ['李明李明', 6, '李明…'],
    ['ae\u0301e\u0301e\u0301', 4, 'ae\u0301e\u0301e\u0301'],
    ['ae\u0301e\u0301e\u0301', 3, 'ae\u0301…'],
    ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 4, '👩‍👩‍👧‍👦👩‍👩‍👧‍👦'],
    ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 3, '👩‍👩‍👧‍👦…'],
    ['🇩🇪🇫🇷', 3, '🇩🇪…'],
    ['👍🏿👍🏿', 2, '…'],
    ['น้ำมัน', 4, 'น้ำมัน'],
    ['น้ำมัน', 3, 'น้ำ…'],
    ['ทำ', 1, '…'],
    ['ำ', 1, 'ำ'],
  ])('%s in %i cells becomes %s', async (text, room, expected) => {
    await prepareWidths([text]);
    expect(cutText(text, room)).toBe(expected);
    expect(textWidth(expected)).toBeLessThanOrEqual(room);
  });

  it('works for a name of a million letters', async () => {
    await prepareWidths(['李']);
    expect(cutText('é'.repeat(1_000_000), 10)).toBe(`${'é'.repeat(9)}…`);
  });
});
