import { describe, expect, it } from 'vitest';
import { readQuartz } from '../../src/quartz/quartz.ts';
import { quartzOfOther, quartzOfUnix } from '../../src/quartz/unix.ts';

describe('a Unix cron line translated to Quartz', () => {
  it.each([
    ['* * * * *', '0 * * * * ?'],
    ['0 12 * * ?', '0 0 12 * * ?'],
    ['*/15 8-18/2 * * 1,3,5', '0 */15 8-18/2 ? * MON,WED,FRI'],
    ['0 9 * * 1-5', '0 0 9 ? * MON-FRI'],
    ['0 9 * * mon-fri', '0 0 9 ? * MON-FRI'],
    ['0 0 * * 0', '0 0 0 ? * SUN'],
    ['0 0 * * 7', '0 0 0 ? * SUN'],
    ['0 0 * * 5-7', '0 0 0 ? * FRI-SUN'],
    ['0 0 * * 0,6', '0 0 0 ? * SAT,SUN'],
    ['0 0 * * 0-6', '0 0 0 ? * *'],
    ['0 0 * * */2', '0 0 0 ? * TUE,THU,SAT,SUN'],
    [' 30 4 1,15 * * ', '0 30 4 1,15 * ?'],
    ['0 0 1 jan,jul *', '0 0 0 1 JAN,JUL ?'],
    ['0 0 1 jan-jun/2 *', '0 0 0 1 1,3,5 ?'],
    ['0 0 1 JAN-3 *', '0 0 0 1 1,2,3 ?'],
    ['@yearly', '0 0 0 1 1 ?'],
    ['@annually', '0 0 0 1 1 ?'],
    ['@monthly', '0 0 0 1 * ?'],
    ['@weekly', '0 0 0 ? * SUN'],
    ['@Daily', '0 0 0 * * ?'],
    ['@midnight', '0 0 0 * * ?'],
    ['@hourly', '0 0 * * * ?'],
  ])('is translated: %s to %s', (unix, quartz) => {
    expect(quartzOfUnix(unix)).toBe(quartz);
    expect(readQuartz(quartz)).toMatchObject({ warnings: [], fields: {} });
  });

  it.each([
    ['either day may hold', '0 0 13 * 5'],
    ['nothing of time', '@reboot'],
    ['a step beyond the field', '*/90 * * * *'],
    ['a step of nothing', '*/0 * * * *'],
    ['a minute too many', '60 * * * *'],
    ['no such day', '0 0 * * 8'],
    ['a range backwards', '0 0 * * 5-1'],
    ['an empty item', '0,,5 * * * *'],
    ['six fields', '0 0 12 * * ?'],
    ['four fields', '0 12 * *'],
    ['Quartz alone', '0 0 L * *'],
    ['other words', 'run it every now and'],
    ['emptiness', ''],
    ['a long text', '1 '.repeat(50_000)],
  ])('has no translation for %s: %.20s', (_, unix) => {
    expect(quartzOfUnix(unix)).toBeUndefined();
  });
});

describe('an expression of another system translated to Quartz', () => {
  const aws = 'its minutes come first and its year last, as in AWS; Quartz has seconds first';
  const spring = 'its days of the week start at 0, as in Spring; in Quartz 1 is Sunday';
  it.each([
    ['0 9 * * 1-5', '0 0 9 ? * MON-FRI', undefined],
    ['cron(0 9 * * 1-5)', '0 0 9 ? * MON-FRI', undefined],
    // Examples of the manual of Amazon EventBridge.
    ['0 10 * * ? *', '0 0 10 * * ?', aws],
    ['15 12 * * ? *', '0 15 12 * * ?', aws],
    ['0 18 ? * MON-FRI *', '0 0 18 ? * MON-FRI', aws],
    ['0 8 1 * ? *', '0 0 8 1 * ?', aws],
    ['0/15 * * * ? *', '0 0/15 * * * ?', aws],
    ['cron(0/10 * ? * MON-FRI *)', '0 0/10 * ? * MON-FRI', aws],
    ['0/5 8-17 ? * MON-FRI *', '0 0/5 8-17 ? * MON-FRI', aws],
    ['15 10 ? * 6L 2027-2028', '0 15 10 ? * 6L 2027-2028', aws],
    ['0 0 9 * * 0', '0 0 9 ? * SUN', spring],
    ['0 0 9 ? * 0,6', '0 0 9 ? * SAT,SUN', spring],
    ['*/10 0 9 * * 0-4/2', '*/10 0 9 ? * TUE,THU,SUN', spring],
  ])('is translated with a reason: %s to %s', (expression, quartz, why) => {
    expect(quartzOfOther(expression)).toEqual({ quartz, why });
    expect(readQuartz(quartz)).toMatchObject({ warnings: [], fields: {} });
  });

  it.each(['0 0 2 ? * ?', '0 0 9 1 * 0', '0 0 0 1 ? ?', '0 0 25 * * ?', 'rate(5 minutes)', 'cron()', ''])(
    'has no translation: %s',
    (expression) => {
      expect(quartzOfOther(expression)).toBeUndefined();
    },
  );
});
