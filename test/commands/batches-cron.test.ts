import { describe, expect, it } from 'vitest';
import { personForEach } from '../support/fixtures.ts';
import { person } from '../support/world.ts';

// It is 1 January 2026, 12:00 UTC, a Thursday.
const someone = personForEach();

const cron = (...words: string[]) => someone.iiot(['batches', 'cron', ...words]);

describe('iiot batches cron', () => {
  it('says an expression in words, and its next three times in UTC', async () => {
    expect(await cron('0 0 2 ? * MON-FRI')).toEqual({
      exit: 0,
      stdout:
        'words\tAt 02:00, Monday through Friday\ntimeZone\tUTC\nnext\t2026-01-02T02:00:00Z, 2026-01-05T02:00:00Z, 2026-01-06T02:00:00Z\n',
      stderr: '',
    });
    expect(someone.requests).toEqual([]);
  });

  it('gives as many times as are asked for, in the time zone that is asked for', async () => {
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
    ['Europe/Berlin', '2026-01-02T02:00:00+01:00'],
    ['America/St_Johns', '2026-01-02T02:00:00-03:30'],
    ['Asia/Kathmandu', '2026-01-02T02:00:00+05:45'],
    ['Pacific/Apia', '2026-01-02T02:00:00+13:00'],
    ['utc', '2026-01-02T02:00:00Z'],
  ])('writes times with the offset of %s', async (zone, time) => {
    const { exit, stdout } = await cron('0 0 2 * * ?', '--tz', zone, '--count', '1', '--jq', '.next[]');
    expect([exit, stdout]).toEqual([0, `${time}\n`]);
  });

  it('needs no platform, no organization and no login', async () => {
    const nobody = person();
    for (const name of Object.keys(nobody.env)) if (name !== 'IIOT_CONFIG_DIR') delete nobody.env[name];
    expect((await nobody.iiot(['batches', 'cron', '0 0 2 * * ?'])).exit).toBe(0);
    nobody.leave();
  });

  it('notes what never fires', async () => {
    const { exit, stdout, stderr } = await cron('0 0 0 31 2 ?', '-o', 'json');
    expect([exit, JSON.parse(stdout).next, stderr]).toEqual([
      0,
      [],
      'Note: It never runs: none of its months has that day.\n',
    ]);
  });

  it.each([
    [
      ['*/5 * * * *'],
      '"*/5 * * * *" is not a Quartz expression: it has five fields, as Unix cron has; Quartz takes six, seconds first, or seven with a year.',
      'hint: Try: iiot batches cron "0 */5 * * * ?"',
    ],
    [
      ['0 0 25 * * ?'],
      /^"0 0 25 \* \* \?" is not a Quartz expression: /,
      'hint: Quartz has seconds first: second minute hour day month weekday [year]',
    ],
    [
      [''],
      /^"" is not a Quartz expression: it is empty/,
      'hint: Quartz has seconds first: second minute hour day month weekday [year]',
    ],
    [
      ['0 0 2 * * ?', '--tz', 'Mars/Olympus'],
      '--tz takes the name of a time zone, and "Mars/Olympus" is not one.',
      'hint: Give UTC, or a name such as Europe/Berlin.',
    ],
    [
      ['0 0 2 * * ?', '--count', '0'],
      '--count takes a whole number from 1 to 1000.',
      'hint: See iiot batches cron --help',
    ],
    [
      ['0', '0', '2', '*', '*', '?'],
      'Too many arguments for iiot batches cron. Expected 1 argument but got 6.',
      'hint: A value with spaces needs quotes. Usage: iiot batches cron <EXPRESSION> [OPTIONS]',
    ],
    [
      [],
      'iiot batches cron needs <EXPRESSION>: Quartz cron expression, in quotes.',
      'hint: Usage: iiot batches cron <EXPRESSION> [OPTIONS]',
    ],
  ])('refuses %j', async (words, sentence, hint) => {
    const { exit, stdout, stderr } = await cron(...words);
    const [first, second] = stderr.split('\n');
    expect({ exit, stdout, second }).toEqual({ exit: 2, stdout: '', second: hint });
    if (typeof sentence === 'string') expect(first).toBe(`error: ${sentence}`);
    else expect(first?.replace(/^error: /, '')).toMatch(sentence);
  });

  it('prints its expression as its ID', async () => {
    expect(await cron('0 0 2 * * ?', '-o', 'id')).toEqual({ exit: 0, stdout: '0 0 2 * * ?\n', stderr: '' });
  });
});
