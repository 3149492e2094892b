import { expect, it } from 'vitest';
import { Failure, type FailureDetail, type FailureFacts } from '../../src/failure.ts';
import { failureLine, sentenceWithDetails } from '../../src/text/failure-sentence.ts';

const named: readonly FailureDetail[] = [
  { field: 'a', message: 'is too long' },
  { field: 'b.c', option: '--name', message: 'is odd' },
];

it.each<[string, FailureFacts, string]>([
  ['Not valid. (400)', { status: 400 }, 'Not valid. (400)'],
  ['Not valid. (400)', { status: 400, details: named }, 'Not valid. a: is too long; --name: is odd (400)'],
  ['Key a is too long. (422)', { status: 422, details: named.slice(0, 1) }, 'Key a is too long. (422)'],
  ['One is too long. (400)', { status: 400, details: named.slice(0, 1) }, 'One is too long. (a) (400)'],
  ['Bad. (400)', { status: 400, details: [{ message: 'Bad.' }, { message: 'Worse' }] }, 'Bad. Worse (400)'],
  ['No response.', { details: [{ message: 'at all' }] }, 'No response. at all'],
  [
    'Bad. (400)',
    { status: 400, details: Array.from({ length: 9 }, (_, index) => ({ field: `f${index}`, message: 'is odd' })) },
    'Bad. f0: is odd; f1: is odd; f2: is odd; f3: is odd; f4: is odd (400)',
  ],
])('the error "%s" with %j is printed on one line', (sentence, facts, line) => {
  expect(failureLine(new Failure('rejected', sentence, facts))).toBe(line);
});

it('a usage error does not repeat its options', () => {
  expect(sentenceWithDetails(new Failure('usage', '--name is missing.', { details: named }))).toBe(
    '--name is missing.',
  );
});
