import fastCheck from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readQuartz } from '../../src/quartz/quartz.ts';
import { character } from '../support/any-text.ts';
import engine from './engine.json' with { type: 'json' };

const all = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** The message of whatever refuses or doubts an expression, or "accepted". */
function verdict(expression: string): string {
  const { refusal, warnings, fields } = readQuartz(expression, 2026);
  if (refusal !== undefined) return `refused: ${refusal}`;
  return warnings.length > 0 ? warnings.join(' ') : fields === undefined ? 'nothing said' : 'accepted';
}

describe('an expression that every Quartz engine accepts', () => {
  it.each(engine.fires)('is accepted without a warning: %s', (expression = '') => {
    expect(readQuartz(expression)).toMatchObject({ warnings: [], fields: {} });
  });

  it('is expanded into sorted numbers and forms of days', () => {
    expect(readQuartz(' 10-20/5 */20\t22-4/2 L-3W nov-FEB ?  2026/100\r\n').fields).toEqual({
      seconds: [10, 15, 20],
      minutes: [0, 20, 40],
      hours: [0, 2, 4, 22],
      dayOfMonth: { kind: 'last', before: 3, weekday: true },
      month: [1, 2, 11, 12],
      dayOfWeek: { kind: 'unspecified' },
      year: [2026, 2126, 2226],
    });
  });

  it.each<[string, object]>([
    ['0 0 0 L * ?', { dayOfMonth: { kind: 'last', before: 0, weekday: false } }],
    ['0 0 0 LW * ?', { dayOfMonth: { kind: 'last', before: 0, weekday: true } }],
    ['0 0 0 L-3 * ?', { dayOfMonth: { kind: 'last', before: 3, weekday: false } }],
    ['0 0 0 15W * ?', { dayOfMonth: { kind: 'nearest', day: 15 } }],
    ['0 0 0 30-2 * ?', { dayOfMonth: { kind: 'numbers', numbers: [1, 2, 30, 31] } }],
    ['0 0 0 1/10 * ?', { dayOfMonth: { kind: 'numbers', numbers: [1, 11, 21, 31] } }],
    ['0 0 0 /15 * ?', { dayOfMonth: { kind: 'numbers', numbers: [1, 16, 31] } }],
    ['0 0 0 ? * 2', { dayOfMonth: { kind: 'unspecified' } }],
    ['0 0 0 ? * L', { dayOfWeek: { kind: 'numbers', numbers: [7] } }],
    ['0 0 0 ? * friL', { dayOfWeek: { kind: 'lastOfWeekday', day: 6 } }],
    ['0 0 0 ? * 6L', { dayOfWeek: { kind: 'lastOfWeekday', day: 6 } }],
    ['0 0 0 ? * FRI#3', { dayOfWeek: { kind: 'nth', day: 6, nth: 3 } }],
    ['0 0 0 ? * 1#5', { dayOfWeek: { kind: 'nth', day: 1, nth: 5 } }],
    ['0 0 0 ? * FRI-MON', { dayOfWeek: { kind: 'numbers', numbers: [1, 2, 6, 7] } }],
    ['0 0 0 ? * *', { dayOfWeek: { kind: 'numbers', numbers: all(1, 7) } }],
    ['0 0 0 1 * ?', { dayOfWeek: { kind: 'unspecified' } }],
  ])('has its days read: %s', (expression, fields) => {
    expect(readQuartz(expression).fields).toMatchObject(fields);
  });

  it('may have whole names of months', () => {
    expect(readQuartz('0 0 0 1 JANUARY,september ?')).toMatchObject({ warnings: [], fields: { month: [1, 9] } });
  });

  it('covers the years 1970 to 2299 if it has no year', () => {
    expect(readQuartz('0 0 0 1 1 ?').fields?.year).toEqual(all(1970, 2299));
  });
});

const eitherDay = 'Only Quartz.NET 4 and later takes both a day of month and a day of week, and runs on either day';
const either = (ours: string, other: string) =>
  `every engine takes "0 0 12 ? * ${ours}" (1 is Sunday in Quartz); ` +
  `with 1 as Monday, as in Spring and Unix, it is "0 0 12 ? * ${other}".`;
it.each([
  ['0 0 12 13 * FRI', `${eitherDay}.`],
  ['0 0 12 * * *', `${eitherDay}; every engine takes "0 0 12 * * ?".`],
  ['0 0 12 * * MON', `${eitherDay}; every engine takes "0 0 12 ? * MON".`],
  ['0 0 12 * * */2', `${eitherDay}; every engine takes "0 0 12 ? * */2".`],
  ['0 0 12 * * 4', `${eitherDay}; ${either('WED', 'THU')}`],
  ['0 0 12 * * 1,7', `${eitherDay}; ${either('SUN,SAT', 'MON,SUN')}`],
  ['0 0 12 * * MON,3', `${eitherDay}; ${either('MON,TUE', 'MON,WED')}`],
  ['0 0 12 * * 6L', `${eitherDay}; ${either('FRIL', 'SATL')}`],
  ['0 0 12 * * 6#3', `${eitherDay}; ${either('FRI#3', 'SAT#3')}`],
  ['0 0 12 * * 2-6/2', `${eitherDay}; every engine takes "0 0 12 ? * 2-6/2" (1 is Sunday in Quartz).`],
])('an expression with two day fields gets a warning and no expansion: %s', (expression, warning) => {
  expect(readQuartz(expression)).toEqual({ warnings: [warning] });
});

describe('an expression that every Quartz engine refuses', () => {
  const six = 'Quartz takes six, seconds first, or seven with a year';
  const takesDays = 'it takes 1 to 31, L, L-3, LW, L-3W, 15W or ?';
  const takesMonths = 'it takes 1 to 12 or JAN to DEC';
  const takesWeekdays = 'it takes 1 (Sunday) to 7 (Saturday), SUN to SAT, L, 6L, 6#3 or ?';
  const daysOnly = '"?" is only for the two day fields';
  const nth = 'a number from 1 to 5 must follow "#"';
  const step = (most: number) => `the step is at most ${most}`;
  const notHere = (sign: string) => `"${sign}" is not allowed in this field`;
  const alike = 'a range is from a name to a name, or from a number to a number';
  const nothing = 'nothing in it names a time, and every engine fails at the first run';
  it.each([
    ['0 0 12 ? * ?', 'exactly one of day of month and day of week must be "?", as in "0 0 12 ? * *"'],
    ['0 0 12 * *', `it has five fields, as Unix cron has; ${six}`],
    ['', `it is empty; ${six}`],
    ['0 0 24 * * ?', 'the hours field has "24"; it takes 0 to 23'],
    ['60 0 0 * * ?', 'the seconds field has "60"; it takes 0 to 59'],
    ['0 60 0 * * ?', 'the minutes field has "60"; it takes 0 to 59'],
    ['0 0 0 32 * ?', `the day of month field has "32"; ${takesDays}`],
    ['0 0 0 0 * ?', `the day of month field has "0"; ${takesDays}`],
    ['0 0 0 1 13 ?', `the month field has "13"; ${takesMonths}`],
    ['0 0 0 ? * 0', `the day of week field has "0"; ${takesWeekdays}`],
    ['0 0 0 ? * 8', `the day of week field has "8"; ${takesWeekdays}`],
    ['0 0 0 1 FOO ?', `the month field has "FOO"; ${takesMonths}`],
    ['? 0 0 * * ?', `the seconds field has "?"; ${daysOnly}`],
    ['0 ? 0 * * ?', `the minutes field has "?"; ${daysOnly}`],
    ['0 0 0 1 ? ?', `the month field has "?"; ${daysOnly}`],
    ['0 0 12 ? * 2#6', `the day of week field has "2#6"; ${nth}`],
    ['0 0 12 ? * 2#0', `the day of week field has "2#0"; ${nth}`],
    ['0 0 12 ? * 2#1,6#3', 'the day of week field has "2#1,6#3"; only one "#" is allowed'],
    ['0 0 12 ? * 6L,2L', 'the day of week field has "6L,2L"; "L" cannot be combined with other days'],
    ['0 0/60 * * * ?', `the minutes field has "0/60"; ${step(59)}`],
    ['0 0 0/24 * * ?', `the hours field has "0/24"; ${step(23)}`],
    ['0 0 0 1/32 * ?', `the day of month field has "1/32"; ${step(31)}`],
    ['0 0 0 1 1/13 ?', `the month field has "1/13"; ${step(12)}`],
    ['0 0 0 ? * 1/8', `the day of week field has "1/8"; ${step(7)}`],
    ['0 0/ * * * ?', 'the minutes field has "0/"; a number must follow "/"'],
    ['0 0 0 L-31 * ?', 'the day of month field has "L-31"; the number after "L-" is 0 to 30'],
    ['0 0 0 32W * ?', `the day of month field has "32W"; ${takesDays}`],
    ['0 0 0W * * ?', `the hours field has "0W"; ${notHere('W')}`],
    ['0 0 12 ? * 15W', `the day of week field has "15W"; ${notHere('W')}`],
    ['0 0 12 ? 6L 2', `the month field has "6L"; ${notHere('L')}`],
    ['0 0 0 1#2 * ?', `the day of month field has "1#2"; ${notHere('#')}`],
    ['@daily', '"@daily" is a nickname of Unix cron; Quartz takes six fields, seconds first, or seven with a year'],
    ['0 -1 0 * * ?', 'the minutes field has "-1"; it takes 0 to 59'],
    ['0 0 0 1 1 ? FOO', 'the year field has "FOO"; it takes numbers such as 2027'],
    ['0 0 0 * * ? ?', `the year field has "?"; ${daysOnly}`],
    ['0 0 0 1-32 * ?', `the day of month field has "1-32"; ${takesDays}`],
    ['0 0 0 1 1 ? 99999999999', 'the year field has "99999999999"; it takes numbers such as 2027'],
    ['0 0 0 1 1 ? 2030-2028', 'the year field has "2030-2028"; a range of years must end after it starts'],
    ['0 0 0 1 JAN-10 ?', `the month field has "JAN-10"; ${alike}`],
    ['0 0 0 ? * 2-FRI', `the day of week field has "2-FRI"; ${takesWeekdays}`],
    ['0 */ 0 * * ?', 'the minutes field has "*/"; a number must follow "/"'],
    ['0 5- 0 * * ?', 'the minutes field has "5-"; it takes 0 to 59'],
    ['0 0 0 1 MO ?', `the month field has "MO"; ${takesMonths}`],
    ['0 0 0 1 ſep ?', `the month field has "ſep"; ${takesMonths}`],
    ['0 0', `it has 2 fields; ${six}`],
    ['0 0 12 1 * ? 2027,x', 'the year field has "x"; it takes numbers such as 2027'],
    [`0 0 0 1 1 ? ${'1,'.repeat(50_000)}1`, 'it has 100013 characters, more than 4096'],
    // Engines accept the others, and fail at the first run.
    ['0 0 12 0W * ?', `the day of month field has "0W"; ${takesDays}`],
    ['0 0 L * * ?', `the hours field has "L"; ${nothing}`],
    ['0 L 0 * * ?', `the minutes field has "L"; ${nothing}`],
    ['0 0 0 1 L ?', `the month field has "L"; ${nothing}`],
    ['0 , 0 * * ?', `the minutes field has ","; ${nothing}`],
    ['H 0 0 * * ?', 'the seconds field has "H"; it takes 0 to 59'],
  ])('is refused with the field, its value and the permitted values: %.30s', (expression, refusal) => {
    expect(readQuartz(expression)).toEqual({ refusal, warnings: [] });
  });
});

describe('an expression that engines read differently', () => {
  const tail = (text: string) => `"${text}" is ignored by some engines, and refused by others.`;
  const list = 'engines read a day form in a list differently.';
  const zero = 'a step of 0 is taken as 1, or as no step at all.';
  const name = 'a step after a name is dropped, or means weeks; write numbers.';
  const short = 'engines differ in months without that day; "LW" is the last weekday of the month.';
  const above = (step: number) => `a step above ${step} leaves the start of the range alone.`;
  const dropped = 'empty items are dropped by some engines.';
  it.each([
    ['0 0 0 29W * ?', 'day of month', '29W', short],
    ['0 0 0 31W * ?', 'day of month', '31W', short],
    ['0 0 0 L-28W * ?', 'day of month', 'L-28W', 'one engine searches forever in a month too short for it.'],
    ['0 0 0 1W,15W * ?', 'day of month', '1W,15W', list],
    ['0 0 0 1-15W * ?', 'day of month', '1-15W', tail('W')],
    ['0 0 0 1,L * ?', 'day of month', '1,L', list],
    ['0 0 0 15W,L * ?', 'day of month', '15W,L', list],
    ['0 0 0 L,LW * ?', 'day of month', 'L,LW', list],
    ['0 0 0 LW-2 * ?', 'day of month', 'LW-2', 'only the newest engines take it.'],
    ['0 0 0 ? * MON/2', 'day of week', 'MON/2', name],
    ['0 0 0 ? * MON-FRI/2', 'day of week', 'MON-FRI/2', name],
    ['0 0 0 1 JAN-JUN/2 ?', 'month', 'JAN-JUN/2', name],
    ['0 0 0 1 JAN/3 ?', 'month', 'JAN/3', name],
    ['0 0 0 ? * 2-6#3', 'day of week', '2-6#3', tail('#3')],
    ['0 0 0 ? * MON-FRI#2', 'day of week', 'MON-FRI#2', tail('#2')],
    ['0 0 0 ? * 2,3#1', 'day of week', '2,3#1', list],
    ['0 0 0 ? * 1-3,MON#2', 'day of week', '1-3,MON#2', list],
    ['0 0 0 ? * 6L-1', 'day of week', '6L-1', tail('-1')],
    ['0 0 0 ? * L-2', 'day of week', 'L-2', tail('-2')],
    ['0 0 0 ? * LW', 'day of week', 'LW', tail('W')],
    ['0 */0 0 * * ?', 'minutes', '*/0', zero],
    ['0 0/0 0 * * ?', 'minutes', '0/0', zero],
    ['0 1-5/0 0 * * ?', 'minutes', '1-5/0', zero],
    ['0 0 0 1-31/40 * ?', 'day of month', '1-31/40', above(31)],
    ['0 0 0 ? * 2-6/9', 'day of week', '2-6/9', above(7)],
    ['0 0 0 1 1-12/13 ?', 'month', '1-12/13', above(12)],
    ['0 99 0 * * ?', 'minutes', '99', '99 is an internal mark of Quartz, and means every value.'],
    ['0 0 0 98 * 1', 'day of month', '98', '98 is an internal mark of Quartz, and means "?".'],
    ['0 1,,2 0 * * ?', 'minutes', '1,,2', dropped],
    ['0 ,1 0 * * ?', 'minutes', ',1', dropped],
    ['0 1, 0 * * ?', 'minutes', '1,', dropped],
    ['0 1x 0 * * ?', 'minutes', '1x', tail('X')],
    ['0 1.5 0 * * ?', 'minutes', '1.5', tail('.5')],
    ['0 0 0 * * ?h', 'day of week', '?h', tail('H')],
    ['0 0 0 * * ??', 'day of week', '??', tail('?')],
    ['0 *L 0 * * ?', 'minutes', '*L', tail('L')],
    ['0 0 0 ? * SUNDAYS', 'day of week', 'SUNDAYS', tail('DAYS')],
    ['0 0 0 ? * MONDAY', 'day of week', 'MONDAY', tail('DAY')],
    ['0 0 0 ? * MON~FRI', 'day of week', 'MON~FRI', tail('~FRI')],
    ['0 0 0 5C * ?', 'day of month', '5C', '"C" means nothing to the engines.'],
  ])('gets a warning and no expansion: %s', (expression, field, text, why) => {
    expect(readQuartz(expression)).toEqual({ warnings: [`The ${field} field has "${text}"; ${why}`] });
  });

  it('gets a warning for an eighth field', () => {
    expect(readQuartz('0 0 12 * * ? * 8')).toEqual({
      warnings: ['Fields after the seventh are ignored by some engines, and refused by others.'],
    });
  });

  it('gets a warning for every doubtful item, but at most three per field', () => {
    const minutes = [1, 2, 3].map((item) => `The minutes field has "${item}x"; ${tail('X')} `).join('');
    expect(verdict('0 1x,2x,3x,4x 0 ? * MON/2')).toBe(`${minutes}The day of week field has "MON/2"; ${name}`);
  });
});

it('an expression with two doubts gets no proposal', () => {
  expect(readQuartz('0 0 12 * * ,2').warnings).toEqual([expect.stringContaining('",2"; empty items'), `${eitherDay}.`]);
});

describe('an expression that never runs', () => {
  const years = 'It never runs: its years are over, or too far away.';
  const day = 'It never runs: none of its months has that day.';
  it.each([
    ['0 0 0 1 1 ? 2025', years],
    ['0 0 0 1 1 ? 2127', years],
    ['0 0 0 1 1 ? 2200', years],
    ['0 0 0 1 1 ? 20266', years],
    ['0 0 0 1 1 ? 7', years],
    ['0 0 0 30 2 ?', day],
    ['0 0 0 31 4,6,9,11 ?', day],
    ['0 0 0 29 2 ? 2027', day],
    ['0 0 0 L-30 2,4 ?', day],
    ['0 0 0 29 2 ? 2027/1', 'accepted'],
    ['0 0 0 29,30 2 ? 2028', 'accepted'],
    ['0 0 0 L-28 2 ?', 'accepted'],
    ['0 0 0 1 1 ? 2126', 'accepted'],
    ['0 0 0 1 1 ? 2026', 'accepted'],
  ])('is accepted with a warning unless it can run: %s', (expression, said) => {
    expect(verdict(expression)).toBe(said);
  });

  it('is not compared with the current year if that is unknown', () => {
    expect(readQuartz('0 0 0 1 1 ? 2025').warnings).toEqual([]);
    expect(readQuartz('0 0 0 1 1 ? 2200').warnings).toEqual([years]);
  });
});

describe('a hostile expression', () => {
  const pieces = [...'0 5 99 98 * / - , ? L W # C MON JAN x \u0000 ß'.split(' '), ' ', '\t'];
  it('is either refused, doubted or expanded', () => {
    const texts = fastCheck.oneof(
      fastCheck.string({ unit: character }),
      fastCheck.array(fastCheck.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join('')),
      fastCheck
        .array(fastCheck.array(fastCheck.constantFrom(...pieces), { maxLength: 6 }), { minLength: 6, maxLength: 8 })
        .map((fields) => fields.map((parts) => parts.join('')).join(' ')),
    );
    fastCheck.assert(
      fastCheck.property(texts, (text) => {
        const { refusal, warnings, fields } = readQuartz(text);
        expect([refusal !== undefined, warnings.length > 0 && !fields, fields !== undefined]).toContain(true);
        expect(refusal !== undefined && (fields !== undefined || warnings.length > 0)).toBe(false);
      }),
      { numRuns: 2000, seed: 43 },
    );
  });

  it.each([
    '1'.repeat(4000),
    '1-'.repeat(2000),
    '1,'.repeat(2000),
    '1/1,'.repeat(1000),
    'L-'.repeat(2000),
    '1-9999999,'.repeat(400),
  ])('of maximum length has no more years than the field: %.20s', (text) => {
    const year = readQuartz(`0 0 0 1 1 ? ${text}1`).fields?.year ?? [];
    expect(year.length).toBeLessThanOrEqual(330);
  });
});
