import { describe, expect, it } from 'vitest';
import { parseSafely } from '../../src/text/json-safe.ts';

describe('reading JSON without giving it away', () => {
  it.each([
    ['', 'it is empty'],
    [' \n', 'it is empty'],
    ['\uFEFF', 'it is empty'],
    ['SECRETWORD', 'it is not valid JSON'],
    ['{"a":"SECRETWORD"', 'it is not valid JSON at byte 17, line 1'],
    ['{"a":"SECRETWORD', 'it is not valid JSON at byte 16, line 1'],
    ['{"ä":\n1,}', 'it is not valid JSON at byte 9, line 2'],
    ['{"a":', 'it is not valid JSON: it ends too early'],
    ['{"SECRETWORD in JSON at position 3": x}', 'it is not valid JSON'],
  ])('says of %j only where it is wrong', (text, wrong) => {
    expect(parseSafely(text)).toEqual({ wrong });
  });

  it('lets a byte order mark pass', () => {
    expect(parseSafely('\uFEFF{"a":[1,null]}')).toEqual({ value: { a: [1, null] } });
  });

  it('keeps __proto__ as a key, and has no other keys than the text', () => {
    const parsed = parseSafely('{"__proto__":{"a":1},"list":[{"b":2}]}');
    const value = 'value' in parsed ? parsed.value : undefined;
    expect(Object.keys(value ?? {})).toEqual(['__proto__', 'list']);
    expect('constructor' in Object(value)).toBe(false);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"a":1},"list":[{"b":2}]}');
  });

  it('does not fall over text that is nested a hundred thousand levels deep', () => {
    expect(parseSafely('['.repeat(100_000) + ']'.repeat(100_000))).toEqual({ wrong: 'it is not valid JSON' });
  });
});
