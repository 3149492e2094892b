import { describe, expect, it } from 'vitest';
import { readQuartz } from '../../src/quartz/quartz.ts';
import { nextTimes } from '../../src/quartz/times.ts';
import { failureOf } from '../support/failing.ts';
import engine from './engine.json' with { type: 'json' };

const newYear = '2026-01-01T00:00:00Z';

async function times(expression: string, count: number, after = newYear, zone = 'UTC'): Promise<string[]> {
  const { fields, refusal, warnings } = readQuartz(expression);
  if (fields === undefined) throw new Error(refusal ?? warnings.join());
  const dates = await nextTimes(fields, new Date(after), zone, count);
  return dates.map((date) => date.toISOString().replace('.000Z', 'Z'));
}

describe('the next times of a schedule', () => {
  it.each(engine.fires)('are those of Quartz 2.3.2: %s', async (expression, ...expected) => {
    expect(await times(expression ?? '', 3)).toEqual(expected);
  });

  it.each(engine.refused)('are not calculated if Quartz 2.3.2 refuses the expression: %s', (expression) => {
    const { refusal, warnings, fields } = readQuartz(expression);
    expect(fields).toBeUndefined();
    expect(refusal ?? warnings.join(' ')).toMatch(/Only Quartz.NET 4|^(the|exactly|it) /);
  });

  it('are strictly after the given moment, in whole seconds', async () => {
    expect(await times('* * * * * ?', 2, '2026-01-01T00:00:00.999Z')).toEqual([
      '2026-01-01T00:00:01Z',
      '2026-01-01T00:00:02Z',
    ]);
    expect(await times('0 0 0 1 1 ?', 1, '2025-12-31T23:59:59.999Z')).toEqual(['2026-01-01T00:00:00Z']);
  });

  it('end with the last year of the expression', async () => {
    expect(await times('0 0 0 1 1 ? 2025-2028/2', 9)).toEqual(['2027-01-01T00:00:00Z']);
    expect(await times('0 0 0 L-3 12 ? 2026,2027', 9)).toEqual(['2026-12-28T00:00:00Z', '2027-12-28T00:00:00Z']);
  });

  it('end after a hundred years', async () => {
    const found = await times('0 0 0 29 2 ?', 999);
    expect([found.length, found.at(0), found.at(-1)]).toEqual([24, '2028-02-29T00:00:00Z', '2124-02-29T00:00:00Z']);
  });

  it.each(['0 0 0 30 2 ?', '0 0 0 L-30 2 ?', '0 0 0 1 1 ? 1999', '0 0 0 1 1 ? 7', '0 0 0 ? 2 2#5 2027'])(
    'are an empty list if the expression never runs: %s',
    async (expression) => {
      expect(await times(expression, 3)).toEqual([]);
    },
  );

  it('skip months too short for a day before the last', async () => {
    expect(await times('0 0 0 L-30 * ?', 3)).toEqual(['03', '05', '07'].map((month) => `2026-${month}-01T00:00:00Z`));
  });

  it('keep the nearest weekday inside its month', async () => {
    expect(await times('0 0 0 L-1W 4 ? 2029', 3)).toEqual(['2029-04-30T00:00:00Z']);
  });
});

describe('the time zone of a schedule', () => {
  it('is the given one in summer and in winter', async () => {
    expect(await times('0 0 12 1 1,7 ?', 2, newYear, 'Europe/Berlin')).toEqual([
      '2026-01-01T11:00:00Z',
      '2026-07-01T10:00:00Z',
    ]);
  });

  it('may have another year than UTC', async () => {
    expect(await times('0 0 20 31 12 ?', 1, newYear, 'America/New_York')).toEqual(['2026-01-01T01:00:00Z']);
    expect(await times('0 0 1 1 1 ? 2027', 1, '2026-12-31T12:00:00Z', 'Pacific/Kiritimati')).toEqual([]);
    expect(await times('0 0 6 1 1 ? 2027', 1, '2026-12-31T12:00:00Z', 'Pacific/Kiritimati')).toEqual([
      '2026-12-31T16:00:00Z',
    ]);
  });

  it('moves a time skipped by the clock to the moment of the change', async () => {
    expect(await times('0 30 2 * * ?', 2, '2026-03-07T12:00:00Z', 'America/New_York')).toEqual([
      '2026-03-08T07:00:00Z',
      '2026-03-09T06:30:00Z',
    ]);
  });

  it('repeats a step, but not a single time, in an hour that comes twice', async () => {
    const stepped = await times('0 0/30 1 1 11 ?', 4, newYear, 'America/New_York');
    expect(stepped).toEqual(['05:00', '05:30', '06:00', '06:30'].map((time) => `2026-11-01T${time}:00Z`));
    expect(await times('0 30 1 1 11 ? 2026', 4, newYear, 'America/New_York')).toEqual(['2026-11-01T05:30:00Z']);
  });

  it.each(['Europe/Atlantis', '', 'not a zone', '\u001b[31m'])(
    'is refused if its name is unknown: %j',
    async (zone) => {
      expect(await failureOf(times('0 0 12 * * ?', 1, newYear, zone))).toEqual({
        kind: 'usage',
        message: `--tz takes the name of a time zone, but "${zone}" is not one.`,
        hint: 'Give UTC, or a name such as Europe/Berlin.',
      });
    },
  );
});
