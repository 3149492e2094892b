import { expect, it } from 'vitest';
import { kindOf } from '../../src/working-copy/file-name.ts';
import { expectLinear } from '../support/linear.ts';

it.each([
  ['Line 3 is at {{value}}', 'txt'],
  ['See [the manual](https://plant.example/press_(7)), page 3', 'md'],
  ['[a] (b)', 'txt'],
  ['[a[b](c)', 'md'],
  ['# Line 3', 'md'],
  ['**Line 3**', 'md'],
  ['1. Stop', 'md'],
  ['<p class="a">Line 3', 'html'],
  ['x < y > z', 'txt'],
  [`${' '.repeat(70_000)}<p>`, 'txt'],
] as const)('a template with the content %.50j is stored as .%s', (content, kind) => {
  expect(kindOf(content)).toBe(kind);
});

it.each(['[', '[a](', '**a', '<a ', '1', '> '])(
  'the file type of a megabyte of "%s" is found in linear time',
  (piece) => expectLinear((length) => piece.repeat(length / piece.length), 1_048_576, kindOf),
);
