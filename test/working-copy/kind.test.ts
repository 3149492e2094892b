import { expect, it } from 'vitest';
import { kindOf } from '../../src/working-copy/file-name.ts';

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
] as const)('takes %j for %s', (content, kind) => {
  expect(kindOf(content)).toBe(kind);
});

it.each(['[', '[a](', '**a', '<a ', '1', '> '])('takes no time for a megabyte of %s', (piece) => {
  const began = process.cpuUsage();
  kindOf(piece.repeat(1_048_576 / piece.length));
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(1000);
});
