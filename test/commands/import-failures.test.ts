import { describe, expect, it } from 'vitest';
import { failureLines } from '../../src/commands/rows/result.ts';
import { Failure } from '../../src/failure.ts';

const failed = (line: number, key: string, sentence: string) => {
  const [, message = '', status] = /^(.*?)(?: \((\d+)\))?$/.exec(sentence) ?? [];
  const error = new Failure('rejected', message, status ? { status: Number(status) } : {});
  const of = { line, number: line, key, text: () => '', input: {}, labels: new Map() };
  return { of, status: 'failed', error } as const;
};
const missing = (line: number) => failed(line, `press-${line}`, `There is no device press-${line}. (404)`);

describe('the list of the failed rows of an import', () => {
  it('has each error once, with its lines', () => {
    const failures = [
      missing(3),
      failed(4, 'a', 'too long (400)'),
      missing(5),
      missing(6),
      missing(9),
      failed(12, '', 'is not JSON'),
    ];
    expect(failureLines(failures, 6)).toEqual([
      '4 rows (lines 3, 5–6, 9): There is no device …. (404)',
      'Line 4, a: too long (400)',
      'Line 12: is not JSON',
    ]);
  });

  it('keeps a short ID that is part of an error', () => {
    const failures = [failed(2, '4', 'Refused 4 times (404)'), failed(3, '4', 'Refused 4 times (404)')];
    expect(failureLines(failures, 2)).toEqual(['2 rows (lines 2–3): Refused 4 times (404)']);
  });

  it('is cut off, with the number of the rest', () => {
    const others = Array.from({ length: 30 }, (_, at) => failed(at * 2, 'a', `Reason ${at}.`));
    expect(failureLines(others, 1000).slice(-2)).toEqual(['Line 38, a: Reason 19.', '… and 980 more']);
    const spread = Array.from({ length: 30 }, (_, at) => missing(at * 2 + 1));
    expect(failureLines(spread, 30)).toEqual([
      '30 rows (lines 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, …): There is no device …. (404)',
    ]);
  });
});
