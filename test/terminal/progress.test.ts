import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { countsText, openProgress } from '../../src/terminal/progress.ts';

const counts = { done: 1, failed: 0, total: 9, perSecond: 2 };

function screen(env: Record<string, string>, facts: { isTTY?: boolean; columns?: number; quiet?: boolean } = {}) {
  const { quiet = false, ...terminal } = { isTTY: true, ...facts };
  const stderr = Object.assign(new PassThrough(), terminal);
  let time = 0;
  const progress = openProgress({ stderr, env, now: () => time, quiet });
  return {
    progress,
    at(milliseconds: number, done: number) {
      time = milliseconds;
      progress.update({ ...counts, done });
    },
    written: () => String(stderr.read() ?? ''),
  };
}

describe('sayCounts', () => {
  it.each([
    [{ done: 0, failed: 0, perSecond: 0 }, '0 done, 0 a second'],
    [{ done: 5, failed: 0, perSecond: 2.345 }, '5 done, 2.3 a second'],
    [
      { done: 1204, failed: 3, total: 2000, perSecond: 48.2, left: 16.1 },
      '1,204 of 2,000 done, 3 failed, 48 a second, 17 s left',
    ],
    [{ done: 1, failed: 0, total: 2, perSecond: 1234.5, left: 3725 }, '1 of 2 done, 1,235 a second, 1 h 2 min left'],
    [{ done: 0, failed: 0, total: 2, perSecond: Number.NaN, left: Number.POSITIVE_INFINITY }, '0 of 2 done'],
  ])('says %o as a person would', (given, said) => {
    expect(countsText(given)).toBe(said);
  });
});

describe('openProgress', () => {
  it.each([{ isTTY: false }, { quiet: true }])('writes nothing where nobody looks (%o)', (facts) => {
    const { progress, at, written } = screen({}, facts);
    at(0, 1);
    at(60_000, 2);
    progress.spin('Waiting')();
    progress.finish();
    expect(written()).toBe('');
  });

  it.each<Record<string, string>>([{}, { CI: 'false' }, { CI: '' }])(
    'redraws its line at most ten times a second (%j)',
    (env) => {
      const { at, progress, written } = screen(env);
      at(0, 1);
      at(99, 2);
      at(100, 3);
      progress.finish();
      at(5000, 4);
      const line = (done: number) => `\r${done} of 9 done, 2 a second\u001b[K`;
      expect(written()).toBe(`${line(1)}${line(3)}\r\u001b[K`);
    },
  );

  it.each<Record<string, string>>([{ ACCESSIBLE: '1' }, { CI: 'true' }, { TERM: 'dumb' }])(
    'writes a plain line every ten seconds with %j',
    (env) => {
      const { at, progress, written } = screen(env);
      at(0, 1);
      at(9999, 2);
      at(10_000, 3);
      at(19_999, 4);
      at(21_000, 5);
      progress.finish();
      expect(written()).toBe('3 of 9 done, 2 a second\n5 of 9 done, 2 a second\n');
    },
  );

  it('makes way for other lines', () => {
    const { at, progress, written } = screen({});
    at(0, 1);
    progress.hide();
    progress.hide();
    expect(written()).toBe('\r1 of 9 done, 2 a second\u001b[K\r\u001b[K');
  });

  it.each([
    [0, '1 of 9 done, 2 a second'],
    [-1, '1 of 9 done, 2 a second'],
    [1, ''],
    [7, '1 of 9'],
    [100_000, '1 of 9 done, 2 a second'],
  ])('fits a terminal of %i columns', (columns, line) => {
    const { at, written } = screen({}, { columns });
    at(0, 1);
    expect(written()).toBe(`\r${line}\u001b[K`);
  });

  it('says nothing of a wait that is over within a second', async () => {
    const { progress, written } = screen({ ACCESSIBLE: '1' });
    const stop = progress.spin('Waiting 12 s: the platform asked for it');
    await new Promise((resolve) => setTimeout(resolve, 300));
    stop();
    await new Promise((resolve) => setTimeout(resolve, 900));
    expect(written()).toBe('');
  });
});
