import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { milliseconds } from '../../src/command/time.ts';
import { readWord, valuesIn } from '../../src/command/word.ts';

describe('a duration', () => {
  it.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['2m', 120_000],
    ['12h', 43_200_000],
    ['90d', 7_776_000_000],
    ['1h30m', 5_400_000],
    ['0.5s', 500],
  ])('may be written %j for %j milliseconds', (text, expected) => {
    expect(milliseconds(text)).toBe(expected);
  });

  it.each(['', '5', '5x', '-5s', '5 s', '1e3s', 's', `${'9'.repeat(41)}d`])('cannot be written %j', (text) => {
    expect(milliseconds(text)).toBeUndefined();
  });

  it('is a whole number of milliseconds or refused for any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        const read = milliseconds(text);
        expect(read === undefined || (Number.isSafeInteger(read) && read >= 0)).toBe(true);
      }),
    );
  });
});

describe('KEY=VALUE', () => {
  const pairs = { type: 'object', description: 'Pairs' } as const;

  it('is split at the first equals sign without loss', () => {
    fc.assert(
      fc.property(
        fc.string().filter((key) => !key.includes('=')),
        fc.string(),
        (key, value) => {
          expect(readWord(pairs, `${key}=${value}`)).toEqual({ value: [key, value] });
        },
      ),
    );
  });

  it('is refused without an equals sign', () => {
    fc.assert(
      fc.property(
        fc.string().filter((word) => !word.includes('=')),
        (word) => {
          expect(readWord(pairs, word)).toEqual({ refusal: 'takes KEY=VALUE' });
        },
      ),
    );
  });
});

const number = { type: 'integer', minimum: 1, maximum: 1000, description: 'Number' } as const;

const wrong = ['', ' 5', '5 ', '+5', '-1', '1.5', '1e3', '0x10', '５', 'NaN', '05', '0', '1001', '9007199254740993'];
it.each(wrong)('a whole number cannot be written %j', (word) => {
  expect(readWord(number, word)).toEqual({ refusal: 'takes a whole number from 1 to 1000' });
});

describe('one value with a separator', () => {
  it.each([
    ['day,night', ['day', 'night']],
    ['day, night', ['day', 'night']],
    ['ops@factory.example, night@factory.example', ['ops@factory.example', 'night@factory.example']],
    ['Ops <ops@a.example>, Night <night@a.example>', ['Ops <ops@a.example>', 'Night <night@a.example>']],
    ['email,teams', ['email', 'teams']],
    ['template_001,template_002', ['template_001', 'template_002']],
    ['1,5', ['1', '5']],
    ['day;night', ['day', 'night']],
    ['夜勤、日勤', ['夜勤', '日勤']],
    ['夜勤，日勤', ['夜勤', '日勤']],
    ['夜勤；日勤､三', ['夜勤', '日勤', '三']],
    ['a@x.example、b@x.example', ['a@x.example', 'b@x.example']],
    ['day,', ['day']],
    [',day,,night', ['day', 'night']],
    ['["day", "night"]', ['day', 'night']],
    ["'day','night'", ['day', 'night']],
    ['https://a.example/x,https://b.example/y', ['https://a.example/x', 'https://b.example/y']],
  ])('is taken for several values: %s', (word, values) => {
    expect(valuesIn(word)).toEqual(values);
  });

  it.each([
    'day',
    '',
    'Hall 3, north',
    'Hall 3; north',
    '第３工場、 北側 ２階',
    'https://a.example/hook;v=2',
    ';',
    'Doe, John <john@a.example>',
    'https://a.example/hook?lines=3,4',
    '{"a":1,"b":2}',
    ',',
    ' , ',
  ])('is taken for one value: %s', (word) => {
    expect(valuesIn(word)).toBeUndefined();
  });
});
