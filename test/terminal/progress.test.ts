import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openProgress, openWaiting, workText } from '../../src/terminal/spinner.ts';

function screen(env: Record<string, string>, options: { verbose?: boolean; debug?: boolean } = {}, columns = 80) {
  const said: string[] = [];
  const write = (chunk: unknown, _: string, done: () => void) => {
    said.push(String(chunk));
    done();
  };
  const stderr = Object.assign(new Writable({ write }), { isTTY: true, columns });
  const waiting = openWaiting({ stderr, env, color: false });
  const progress = openProgress({ waiting, options }, Date.now);
  return { waiting, progress, written: () => said.splice(0).join('') };
}

const work = { total: 9, done: 1, failed: 0 };

describe('the progress of work', () => {
  it.each([
    [{ total: 2000, done: 0, failed: 0 }, 60, '0 of 2,000 done, 0 a second'],
    [{ total: 9, done: 5, failed: 0 }, 2.134, '5 of 9 done, 2.3 a second, 2 s left'],
    [{ total: 2000, done: 1201, failed: 3, skipped: 3 }, 25, '1,204 of 2,000 done, 3 failed, 48 a second, 17 s left'],
    [{ total: 2000, done: 1000, failed: 0, unknown: 204 }, 25, '1,000 of 2,000 done, 48 a second, 17 s left'],
    [{ total: 100, done: 40, failed: 0 }, 120, '40 of 100 done, 0.3 a second, 3 min left'],
    [{ total: 5_000_000, done: 1235, failed: 0 }, 1, '1,235 of 5,000,000 done, 1,235 a second, 1 h 7 min left'],
  ])('is described: %o after %d s', (given, seconds, said) => {
    expect(workText(given, seconds)).toBe(said);
  });
});

describe('progress in plain lines', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('appears every ten seconds, unless other lines do', () => {
    const { progress, waiting, written } = screen({ ACCESSIBLE: '1' });
    vi.advanceTimersByTime(9999);
    progress.update({ ...work, done: 3 });
    expect(written()).toBe('');
    vi.advanceTimersByTime(1);
    expect(written()).toBe('3 of 9 done, 0.3 a second, 20 s left\n');
    progress.update({ ...work, done: 4 });
    progress.say('Waiting 12 s: the platform asked for it');
    vi.advanceTimersByTime(10_000);
    expect(written()).toBe('Waiting 12 s: the platform asked for it\n');
    waiting.hide();
    vi.advanceTimersByTime(9999);
    progress.finish();
    vi.advanceTimersByTime(10_000);
    expect(written()).toBe('');
  });

  it.each([{ verbose: true }, { debug: true }])('does not appear with traces: %o', (options) => {
    const { progress, written } = screen({ ACCESSIBLE: '1' }, options);
    progress.update(work);
    progress.say('Waiting 12 s: the platform asked for it');
    vi.advanceTimersByTime(60_000);
    progress.finish();
    expect(written()).toBe('');
  });

  it('appears in a terminal without a width', () => {
    const { progress, waiting, written } = screen({}, {}, 0);
    progress.finish();
    waiting.begin('Reading users');
    vi.advanceTimersByTime(11_000);
    expect(written()).toBe('Reading users\nReading users\n');
  });

  it('does not appear for a wait shorter than a second', () => {
    const { waiting, progress, written } = screen({ ACCESSIBLE: '1' });
    progress.finish();
    const wait = waiting.begin('Reading users');
    vi.advanceTimersByTime(999);
    wait.end();
    vi.advanceTimersByTime(60_000);
    expect(written()).toBe('');
  });

  it('does not appear while a question is open', () => {
    const { waiting, progress, written } = screen({ ACCESSIBLE: '1' });
    progress.finish();
    waiting.begin('Reading users');
    const asking = waiting.begin('');
    vi.advanceTimersByTime(20_000);
    expect(written()).toBe('');
    asking.end();
    vi.advanceTimersByTime(1000);
    expect(written()).toBe('Reading users\n');
  });
});

describe('progress at a terminal', () => {
  it.each([
    [80, '1,204 of 2,000 done, 3 failed, 48 a second, 17 s left', 'Waiting 12 s: the platform asked for it'],
    [20, '1,204 of 2,00…', 'Waiting 12 s:…'],
  ])('is one line of at most %i columns that disappears at the end', async (columns, line, other) => {
    let row = '';
    const write = (chunk: unknown, _: string, done: () => void) => {
      row += stripVTControlCharacters(String(chunk));
      done();
    };
    const clearLine = () => {
      row = '';
    };
    const moves = { cursorTo() {}, clearLine };
    const stderr = Object.assign(new Writable({ write }), { isTTY: true, columns, ...moves });
    const waiting = openWaiting({ stderr, env: {}, color: false });
    let clock = 0;
    const progress = openProgress({ waiting, options: {} }, () => (clock += 25_000));
    progress.update({ total: 2000, done: 1201, failed: 3, skipped: 3 });
    await expect.poll(() => row).toMatch(new RegExp(`^. ${line}$`));
    progress.say('Waiting 12 s: the platform asked for it');
    await expect.poll(() => row).toMatch(new RegExp(`^. ${other}$`));
    progress.finish();
    expect(row).toBe('');
  });
});
