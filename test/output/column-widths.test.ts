import { describe, expect, it } from 'vitest';
import { cutText, fitWidths } from '../../src/output/column-widths.ts';
import { prepareWidths, textWidth } from '../../src/output/text-width.ts';

const flexible = (...naturals: number[]) => naturals.map((natural) => ({ natural, whole: false }));

describe('the widths of columns', () => {
  it('are the natural ones where there is room', () => {
    expect(fitWidths(flexible(10, 20, 5), 39)).toEqual([10, 20, 5]);
  });

  it('narrow the widest first', () => {
    expect(fitWidths(flexible(10, 20, 5), 38)).toEqual([10, 19, 5]);
    expect(fitWidths(flexible(30, 40, 5), 49)).toEqual([20, 20, 5]);
  });

  it('never narrow what must stay whole', () => {
    expect(fitWidths([{ natural: 36, whole: true }, ...flexible(40, 30)], 60)).toEqual([36, 10, 10]);
  });

  it.each([0, -1, 1, 5])('stop at six where %i columns cannot hold it all', (room) => {
    expect(fitWidths([{ natural: 36, whole: true }, ...flexible(40, 3)], room)).toEqual([36, 6, 3]);
  });

  it('share the room that is left among those that can be cut, where longer rows may come', () => {
    expect(fitWidths([{ natural: 10, whole: true }, ...flexible(5, 5)], 44, true)).toEqual([10, 15, 15]);
    expect(fitWidths([{ natural: 10, whole: true }], 44, true)).toEqual([10]);
    expect(fitWidths([], 44, true)).toEqual([]);
  });

  it('are never less than what a column has to have', () => {
    const requests = [{ natural: 40, whole: false }, { natural: 30, whole: false, least: 13 }, ...flexible(40)];
    expect(fitWidths(requests, 31)).toEqual([7, 13, 7]);
    expect(fitWidths(requests, 64)).toEqual([20, 20, 20]);
  });

  it('stay natural in endless room', () => {
    expect(fitWidths(flexible(10, 20), 1e9)).toEqual([10, 20]);
  });
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
  ])('%s in %i cells is %s', async (text, room, expected) => {
    await prepareWidths([text]);
    expect(cutText(text, room)).toBe(expected);
    expect(textWidth(expected)).toBeLessThanOrEqual(room);
  });

  it('reads no more of an endless name than it shows', async () => {
    await prepareWidths(['李']);
    expect(cutText('é'.repeat(1_000_000), 10)).toBe(`${'é'.repeat(9)}…`);
  });
});
