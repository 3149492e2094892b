import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/text/nearest.ts';

const known = ['templates', 'channels', 'orgs', 'batches', 'list', 'login', 'logout'];

describe('the suggestion for a misspelt word', () => {
  it.each<[string, string | undefined]>([
    ['tempaltes', 'templates'],
    ['tmplates', 'templates'],
    ['templatess', 'templates'],
    ['Orgs', 'orgs'],
    ['lgoin', 'login'],
    ['lst', 'list'],
    ...['xyz', '', 'devices'].map((word): [string, undefined] => [word, undefined]),
  ])('for "%s" is "%s"', (word, meant) => {
    expect(nearest(word, known)).toBe(meant);
  });
});
