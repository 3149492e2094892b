import { expect, it } from 'vitest';
import { parseUrl } from '../../src/text/parse-url.ts';

it('a URL with letters of a name is read however often one was read before', () => {
  const hosts = Array.from({ length: 20_000 }, () => parseUrl('https://b\u00fccher.example')?.host);
  expect(new Set(hosts)).toEqual(new Set(['xn--bcher-kva.example']));
});
