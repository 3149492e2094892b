import { describe, expect, it } from 'vitest';
import { personForEach } from '../support/fixtures.ts';
import { worked } from '../support/seen.ts';

// It is 1 January 2026, 12:00 UTC, a Thursday.
const someone = personForEach();

const cron = (...words: string[]) => someone.iiot(['batches', 'cron', ...words]);

describe('iiot batches cron', () => {
  it('prints an expression in words, and its next three times in UTC', async () => {
    const next = '2026-01-02T02:00:00Z, 2026-01-05T02:00:00Z, 2026-01-06T02:00:00Z';
    expect(await cron('0 0 2 ? * MON-FRI')).toEqual(
      worked(`words\tAt 02:00, Monday through Friday\ntimeZone\tUTC\nnext\t${next}\n`),
    );
    expect(someone.requests).toEqual([]);
  });

  it('prints --count times in the time zone of --tz', async () => {
    const { stdout } = await cron('0 0/15 8-18 * * ?', '--tz', 'Asia/Tokyo', '--count', '2', '-o', 'json');
    expect(JSON.parse(stdout)).toEqual({
      expression: '0 0/15 8-18 * * ?',
      words: 'Every 15 minutes, between 08:00 and 18:59, every day',
      timeZone: 'Asia/Tokyo',
      next: ['2026-01-02T08:00:00+09:00', '2026-01-02T08:15:00+09:00'],
      warnings: [],
    });
  });

  it.each([
    ['America/St_Johns', '2026-01-02T02:00:00-03:30'],
    ['Pacific/Apia', '2026-01-02T02:00:00+13:00'],
    ['utc', '2026-01-02T02:00:00Z'],
  ])('writes times with the offset of %s', async (zone, time) => {
    const { exit, stdout } = await cron('0 0 2 * * ?', '--tz', zone, '--count', '1', '--jq', '.next[]');
    expect([exit, stdout]).toEqual([0, `${time}\n`]);
  });

  it('needs no platform, no organization and no login', async () => {
    for (const name of Object.keys(someone.env)) if (name !== 'IIOT_CONFIG_DIR') delete someone.env[name];
    expect((await cron('0 0 2 * * ?')).exit).toBe(0);
  });

  it.each([
    ['0 30 2 29 3 ? 2026', ['2026-03-29T03:00:00+02:00'], '2026-03-29 02:30:00 is'],
    ['0 0/30 2 29 3 ? 2026', [], '2026-03-29 02:00:00 and 1 more are'],
    ['0 0 2 25 10 ? 2026', ['2026-10-25T02:00:00+02:00'], '2026-10-25 02:00:00 is'],
    ['0 0 3 29 3 ? 2026', ['2026-03-29T03:00:00+02:00'], undefined],
  ])('warns of times of %s that a change of the clock makes ambiguous', async (expression, next, doubtful) => {
    const { stdout, stderr } = await cron(expression, '--tz', 'Europe/Berlin', '--count', '3', '-o', 'json');
    const sentence = `${doubtful} ambiguous: the clock changes then, and engines run it later, twice, or not at all.`;
    const warnings = doubtful === undefined ? [] : [sentence];
    expect(JSON.parse(stdout)).toMatchObject({ next, warnings });
    expect(stderr).toBe(warnings.map((warning) => `Note: ${warning}\n`).join(''));
  });

  it('warns of day numbers that engines read differently, and offers names', async () => {
    const { stdout, stderr } = await cron('0 30 9 * * 1-5', '-o', 'json');
    const { warnings } = JSON.parse(stdout);
    expect(warnings).toEqual([
      expect.stringMatching(
        /takes "0 30 9 \? \* SUN-THU" \(1 is Sunday in Quartz\); with 1 as Monday, as in Spring and Unix, it is "0 30 9 \? \* MON-FRI"\.$/,
      ),
      'Engines read it differently, so its times cannot be previewed reliably.',
    ]);
    expect(stderr).toBe(warnings.map((warning: string) => `Note: ${warning}\n`).join(''));
  });

  it('takes other blanks as spaces', async () => {
    expect((await cron('0\u00a00\u00a02\u3000* * ?', '--jq', '.words')).stdout).toBe('At 02:00, every day\n');
  });

  it('warns of an expression that never runs', async () => {
    const { exit, stdout, stderr } = await cron('0 0 0 31 2 ?', '-o', 'json');
    expect([exit, JSON.parse(stdout).next, stderr]).toEqual([0, [], expect.stringMatching(/^Note: It never runs: /)]);
  });

  const secondsFirst = 'Quartz has seconds first: second minute hour day month weekday [year]';
  const no = 'is not a Quartz expression';
  const usage = 'Usage: iiot batches cron <EXPRESSION> [OPTIONS]';
  it.each([
    [['0 0 25 * * ?'], `"0 0 25 * * ?" ${no}: the hours field has "25"; it takes 0 to 23.`, secondsFirst],
    [['0 0 2 * * ?', '--tz', 'Mars/Olympus'], '"Mars/Olympus" is not one.', 'Give UTC, or '],
    [['0 0 2 * * ?', '--count', '0'], '--count takes a whole number from 1 to 1000.', 'See iiot batches cron --help'],
    ['0 0 2 * * ?'.split(' '), 'Too many arguments', `A value with spaces needs quotes. ${usage}`],
    [[], 'iiot batches cron needs <EXPRESSION>: Quartz cron expression, in quotes.', usage],
  ])('refuses %j', async (words, sentence, hint) => {
    const { exit, stdout, stderr } = await cron(...words);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr.split('\n').slice(0, 2)).toEqual([
      expect.stringContaining(sentence),
      expect.stringContaining(`hint: ${hint}`),
    ]);
  });
});
