import fastCheck from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readQuartz } from '../../src/quartz/quartz.ts';
import { describeSchedule } from '../../src/quartz/words.ts';

async function words(expression: string): Promise<string> {
  const { fields, refusal, warnings } = readQuartz(expression);
  if (fields === undefined) throw new Error(refusal ?? warnings.join());
  return describeSchedule(fields);
}

describe('a schedule in words', () => {
  it.each([
    ['0 0 12 * * ?', 'At 12:00, every day'],
    ['0 15 10 ? * *', 'At 10:15, every day'],
    ['0 15 10 * * ? *', 'At 10:15, every day'],
    ['0 15 10 * * ? 2027', 'At 10:15, only in 2027'],
    ['0 0/5 14 * * ?', 'Every 5 minutes, between 14:00 and 14:59, every day'],
    ['0 0-5 14 * * ?', 'Every minute between 14:00 and 14:05, every day'],
    ['0 10,44 14 ? 3 WED', 'At 10 and 44 minutes past the hour, at 14:00, only on Wednesday, only in March'],
    ['0 15 10 ? * MON-FRI', 'At 10:15, Monday through Friday'],
    ['0 15 10 ? * 2-6', 'At 10:15, Monday through Friday'],
    ['0 15 10 L * ?', 'At 10:15, on the last day of the month'],
    ['0 0 12 L-3 * ?', 'At 12:00, 3 days before the last day of the month'],
    ['0 15 10 ? * 6L', 'At 10:15, on the last Friday of the month'],
    ['0 15 10 ? * FRIL', 'At 10:15, on the last Friday of the month'],
    ['0 15 10 ? * 6L 2026-2028', 'At 10:15, on the last Friday of the month, 2026 through 2028'],
    ['0 15 10 ? * 6#3', 'At 10:15, on the third Friday of the month'],
    ['0 15 10 ? * FRI#3', 'At 10:15, on the third Friday of the month'],
    ['0 0 12 1/5 * ?', 'At 12:00, on day 1, 6, 11, 16, 21, 26, and 31 of the month'],
    ['0 11 11 11 11 ?', 'At 11:11, on day 11 of the month, only in November'],
    ['0 0 9 15W * ?', 'At 09:00, on the weekday nearest day 15 of the month'],
    ['0 0 9 1W * ?', 'At 09:00, on the first weekday of the month'],
    ['0 0 18 LW * ?', 'At 18:00, on the last weekday of the month'],
    ['0 0 18 L-1W * ?', 'At 18:00, on the weekday nearest to 1 day before the last day of the month'],
    ['0 0 22-2 * * ?', 'Every hour, between 22:00 and 02:00, every day'],
    ['0 0 0 ? NOV-FEB SAT', 'At 00:00, only on Saturday, November through February'],
    ['0 0 6 ? * FRI-MON', 'At 06:00, Friday through Monday'],
    ['*/10 * * * * ?', 'Every 10 seconds'],
    ['0/7 * * ? * *', 'Every 7 seconds, seconds 0 through 56 past the minute'],
    [
      '5/20 30 1 1 1 ?',
      'At 5, 25, and 45 seconds past the minute, at 30 minutes past the hour, at 01:00, on day 1 of the month, only in January',
    ],
    ['0 0 0 29 2 ?', 'At 00:00, on day 29 of the month, only in February'],
    ['0 0 0 31 * ?', 'At 00:00, on day 31 of the month'],
    ['0 0 0 ? * L', 'At 00:00, only on Saturday'],
    ['0 0 0 ? * 1', 'At 00:00, only on Sunday'],
    ['0 0 0 1 jan ?', 'At 00:00, on day 1 of the month, only in January'],
    ['0 0 10 ? * 4#5', 'At 10:00, on the fifth Wednesday of the month'],
    ['30 59 23 31 12 ? 2026/4', 'At 23:59:30, on day 31 of the month, only in December, every 4 years, from 2026'],
    [
      '0 0 8-18/2 ? * MON,WED,FRI',
      'At 08:00, 10:00, 12:00, 14:00, 16:00 and 18:00, only on Monday, Wednesday, and Friday',
    ],
    ['0 0 0 1,15 * ?', 'At 00:00, on day 1 and 15 of the month'],
    ['0 0 0 1 1 ? 2099', 'At 00:00, on day 1 of the month, only in January, only in 2099'],
    ['0 0 0 ? 1,4,7,10 1#1', 'At 00:00, on the first Sunday of the month, only in January, April, July, and October'],
    ['10-20/5 0 0 1 * ?', 'At 10, 15, and 20 seconds past the minute, on the hour, at 00:00, on day 1 of the month'],
    ['* * * * * ?', 'Every second'],
    ['0 0 * * * ?', 'Every hour'],
    ['0 0/7 * * * ?', 'Every 7 minutes, minutes 0 through 56 past the hour'],
    ['0 0/5 8-17 ? * 2-6', 'Every 5 minutes, between 08:00 and 17:59, Monday through Friday'],
    ['/15 * * * * ?', 'Every 15 seconds'],
    ['0 0 0 L-0 * ?', 'At 00:00, on the last day of the month'],
    ['0 0 0 L-0W * ?', 'At 00:00, on the last weekday of the month'],
    ['0 0 0 L-3W 3 ?', 'At 00:00, on the weekday nearest to 3 days before the last day of the month, only in March'],
    ['0 0 0 1/1 1/1 ?', 'At 00:00, every day'],
    ['0 0 0 01 * ?', 'At 00:00, on day 1 of the month'],
    ['0 0 0 28-3 * ?', 'At 00:00, on day 1 through 3 and 28 through 31 of the month'],
    ['0 0 0 ? JANUARY MON', 'At 00:00, only on Monday, only in January'],
    ['0 0 0 ? * 7,1,2', 'At 00:00, Saturday through Monday'],
    ['1,2,3-5/2 * * * * ?', 'At 1 through 3 and 5 seconds past the minute'],
    ['0 0 12 * * ? 2030-2299', 'At 12:00, from 2030'],
    ['0 0 12 * * ? 2030/1', 'At 12:00, from 2030'],
    ['0 0 12 * * ? 7', 'At 12:00, in no year to come'],
  ])('%s: %s', async (expression, said) => {
    expect(await words(expression)).toBe(said);
  });

  it('does not depend on how the schedule is written', async () => {
    const written = [
      '0 0/15 9 ? * MON-FRI',
      '00 0,15,30,45 09 ? 1-12 2-6 *',
      ' 0 */15 9-9 ? jan-dec MON,TUE,WED,THU,FRI',
    ];
    const said = 'Every 15 minutes, between 09:00 and 09:59, Monday through Friday';
    expect(await Promise.all(written.map(words))).toEqual([said, said, said]);
  });

  it('is found for any accepted combination', async () => {
    const numbers = (least: number, most: number) =>
      fastCheck
        .uniqueArray(fastCheck.integer({ min: least, max: most }), { minLength: 1, maxLength: 70 })
        .map((each) => each.join());
    const schedules = fastCheck.tuple(
      numbers(0, 59),
      numbers(0, 59),
      numbers(0, 23),
      numbers(1, 31),
      numbers(1, 12),
      numbers(1970, 2299),
    );
    await fastCheck.assert(
      fastCheck.asyncProperty(schedules, async ([second, minute, hour, day, month, year]) => {
        const said = await words([second, minute, hour, day, month, '?', year].join(' '));
        expect(said).toMatch(/^[A-Z0-9][A-Za-z0-9 ,:]+$/);
        expect(said).not.toMatch(/undefined|null|NaN/);
      }),
      { numRuns: 200, seed: 46 },
    );
  });
});
