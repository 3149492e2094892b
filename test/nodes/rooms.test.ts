/** What needs no process of its own, run by each other version of Node: `npm run test:nodes`. */
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { majors, nodeOf } from '../../build/nodes.ts';

it.each(majors.filter((major) => !process.version.startsWith(`v${major}.`)))(
  'the rooms tests pass on Node %i',
  { timeout: 3_600_000 },
  async (major) => {
    const { binary } = await nodeOf(major);
    const words = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'rooms', '--reporter=minimal'];
    const { exitCode, all } = await execa(binary, words, { all: true, reject: false });
    expect(exitCode, all).toBe(0);
  },
);
