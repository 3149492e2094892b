import fastCheck from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readQuartz } from '../../src/quartz/quartz.ts';
import { describeSchedule } from '../../src/quartz/words.ts';

async function words(expression: string): Promise<string> {
  const { fields, refusal, warnings } = readQuartz(expression);
  if (fields === undefined) throw new Error(refusal ?? warnings.join());
  return describeSchedule(fields);
}

// The examples of Quartz's CronTrigger tutorial, in its order.
const manual = [
  ['0 0 12 * * ?', 'At 12:00, every day'],
  ['0 15 10 ? * *', 'At 10:15, every day'],
  ['0 15 10 * * ?', 'At 10:15, every day'],
  ['0 15 10 * * ? *', 'At 10:15, every day'],
  ['0 15 10 * * ? 2005', 'At 10:15, only in 2005'],
  ['0 * 14 * * ?', 'Every minute, between 14:00 and 14:59, every day'],
  ['0 0/5 14 * * ?', 'Every 5 minutes, between 14:00 and 14:59, every day'],
  ['0 0/5 14,18 * * ?', 'Every 5 minutes, between 14:00 and 14:59 and between 18:00 and 18:59, every day'],
  ['0 0-5 14 * * ?', 'At 14:00, 14:01, 14:02, 14:03, 14:04 and 14:05, every day'],
  ['0 10,44 14 ? 3 WED', 'At 14:10 and 14:44, only on Wednesday, only in March'],
  ['0 15 10 ? * MON-FRI', 'At 10:15, Monday through Friday'],
  ['0 15 10 15 * ?', 'At 10:15, on day 15 of the month'],
  ['0 15 10 L * ?', 'At 10:15, on the last day of the month'],
  ['0 15 10 L-2 * ?', 'At 10:15, 2 days before the last day of the month'],
  ['0 15 10 ? * 6L', 'At 10:15, on the last Friday of the month'],
  ['0 15 10 ? * 6L 2002-2005', 'At 10:15, on the last Friday of the month, 2002 through 2005'],
  ['0 15 10 ? * 6#3', 'At 10:15, on the third Friday of the month'],
  ['0 0 12 1/5 * ?', 'At 12:00, on day 1, 6, 11, 16, 21, 26, and 31 of the month'],
  ['0 11 11 11 11 ?', 'At 11:11, on day 11 of the month, only in November'],
  // The examples of its text.
  ['0 0/5 * * * ?', 'Every 5 minutes'],
  ['10 0/5 * * * ?', 'Every 5 minutes, at 10 seconds past the minute'],
  ['0 30 10-13 ? * WED,FRI', 'At 10:30, 11:30, 12:30 and 13:30, only on Wednesday and Friday'],
  ['0 0/30 8-9 5,20 * ?', 'At 08:00, 08:30, 09:00 and 09:30, on day 5 and 20 of the month'],
] as const;

const clocks = [
  ['0 0 8-18 * * ?', 'Every hour, between 08:00 and 18:00, every day'],
  ['0 30 8-18 ? * MON-FRI', 'Every hour, between 08:30 and 18:30, Monday through Friday'],
  ['0 0 0/2 * * ?', 'Every 2 hours, between 00:00 and 22:00, every day'],
  ['0 0 7-12,14 * * ?', 'At 07:00, 08:00, 09:00, 10:00, 11:00, 12:00 and 14:00, every day'],
  ['0 30 * * * ?', 'At 30 minutes past the hour'],
  ['1 1 * * * ?', 'At 1 minute past the hour, at 1 second past the minute'],
  ['30 * * * * ?', 'Every minute, at 30 seconds past the minute'],
  ['0 10,44 8-17 * * ?', 'At 10 and 44 minutes past the hour, between 08:00 and 17:59, every day'],
  [
    '0 0/5 8-9,14,18 * * ?',
    'Every 5 minutes, between 08:00 and 09:59, between 14:00 and 14:59 and between 18:00 and 18:59, every day',
  ],
  ['0 0/30 22-3 ? * SAT', 'Every 30 minutes, between 00:00 and 03:59 and between 22:00 and 23:59, only on Saturday'],
  ['0 35-55/3 2 * * ?', 'At 35, 38, 41, 44, 47, 50 and 53 minutes past the hour, between 02:00 and 02:59, every day'],
  [
    '0 58-4 21 ? * MON-FRI',
    'At 0 through 4, 58 and 59 minutes past the hour, between 21:00 and 21:59, Monday through Friday',
  ],
  ['0 5/10 * * * ?', 'At 5, 15, 25, 35, 45 and 55 minutes past the hour'],
  ['* * 1,5 ? * *', 'Every second, between 01:00 and 01:59 and between 05:00 and 05:59, every day'],
  ['*/30 0 2 * * ?', 'At 02:00 and 02:00:30, every day'],
  ['1 0 2 * * ?', 'At 02:00:01, every day'],
  ['0/5 30 2 * * ?', 'Every 5 seconds, at 30 minutes past the hour, between 02:00 and 02:59, every day'],
  ['* 0/20 * * * ?', 'Every second, at 0, 20 and 40 minutes past the hour'],
] as const;

const others = [
  ['0 0 9 15W * ?', 'At 09:00, on the weekday nearest day 15 of the month'],
  ['0 0 9 1W * ?', 'At 09:00, on the first weekday of the month'],
  ['0 0 18 LW * ?', 'At 18:00, on the last weekday of the month'],
  ['0 0 18 L-1W * ?', 'At 18:00, on the weekday nearest to 1 day before the last day of the month'],
  ['0 0 22-2 * * ?', 'At 00:00, 01:00, 02:00, 22:00 and 23:00, every day'],
  ['0 0 0 ? NOV-FEB SAT', 'At 00:00, only on Saturday, only in January, February, November, and December'],
  ['0 0 6 ? * FRI-MON', 'At 06:00, only on Sunday, Monday, Friday, and Saturday'],
  ['*/10 * * * * ?', 'Every 10 seconds'],
  ['0/7 * * ? * *', 'At 0, 7, 14, 21, 28, 35, 42, 49 and 56 seconds past the minute'],
  ['5/20 30 1 1 1 ?', 'At 01:30:05, 01:30:25 and 01:30:45, on day 1 of the month, only in January'],
  ['0 0 0 ? * L', 'At 00:00, only on Saturday'],
  ['0 0 10 ? * 4#5', 'At 10:00, on the fifth Wednesday of the month'],
  ['30 59 23 31 12 ? 2026/4', 'At 23:59:30, on day 31 of the month, only in December, every 4 years, from 2026'],
  [
    '0 0 8-18/2 ? * MON,WED,FRI',
    'At 08:00, 10:00, 12:00, 14:00, 16:00 and 18:00, only on Monday, Wednesday, and Friday',
  ],
  ['0 0 0 1 1 ? 2099', 'At 00:00, on day 1 of the month, only in January, only in 2099'],
  ['0 0 0 ? 1,4,7,10 1#1', 'At 00:00, on the first Sunday of the month, only in January, April, July, and October'],
  ['10-20/5 0 0 1 * ?', 'At 00:00:10, 00:00:15 and 00:00:20, on day 1 of the month'],
  ['* * * * * ?', 'Every second'],
  ['0 0 * * * ?', 'Every hour'],
  ['0 0 0 L-0W * ?', 'At 00:00, on the last weekday of the month'],
  ['0 0 0 1/1 1/1 ?', 'At 00:00, every day'],
  ['0 0 0 28-3 * ?', 'At 00:00, on day 1 through 3 and 28 through 31 of the month'],
  ['0 0 0 ? * 7,1,2', 'At 00:00, only on Sunday, Monday, and Saturday'],
  ['1,2,3-5/2 * * * * ?', 'At 1 through 3 and 5 seconds past the minute'],
  ['0 0 12 * * ? 2030-2299', 'At 12:00, from 2030'],
  ['0 0 12 * * ? 2030/1', 'At 12:00, from 2030'],
  ['0 0 12 * * ? 7', 'At 12:00, in no year to come'],
] as const;

describe('a schedule', () => {
  it.each([...manual, ...clocks, ...others])('is described: %s as "%s"', async (expression, said) => {
    expect(await words(expression)).toBe(said);
  });

  it('is described alike in every notation', async () => {
    const written = [
      '0 0/15 9 ? * MON-FRI',
      '00 0,15,30,45 09 ? 1-12 2-6 *',
      ' 0 */15 9-9 ? jan-dec MON,TUE,WED,THU,FRI',
    ];
    const said = 'At 09:00, 09:15, 09:30 and 09:45, Monday through Friday';
    expect(await Promise.all(written.map(words))).toEqual([said, said, said]);
  });

  it('is described for any accepted expression', async () => {
    const numbers = (least: number, most: number) =>
      fastCheck
        .uniqueArray(fastCheck.integer({ min: least, max: most }), { minLength: 1, maxLength: 70 })
        .map((each) => each.join());
    const [second, hour, day] = [numbers(0, 59), numbers(0, 23), numbers(1, 31)];
    const schedules = fastCheck.tuple(second, second, hour, day, numbers(1, 12), numbers(1970, 2299));
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
