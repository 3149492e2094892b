import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/text/nearest.ts';

const known = ['templates', 'channels', 'orgs', 'batches', 'list', 'login', 'logout'];

describe('what may have been meant', () => {
  it.each([
    ['tempaltes', 'templates'],
    ['tmplates', 'templates'],
    ['templatess', 'templates'],
    ['Orgs', 'orgs'],
    ['lgoin', 'login'],
    ['lst', 'list'],
  ])('by "%s" is %s', (word, meant) => {
    expect(nearest(word, known)).toBe(meant);
  });

  it.each(['xyz', '', 'devices'])('by "%s" is none of what is known', (word) => {
    expect(nearest(word, known)).toBeUndefined();
  });
});
