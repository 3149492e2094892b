/** How much memory the built program takes at most. */
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Home } from './home.ts';
import type { ProgramOptions, ProgramRun } from './program.ts';

/** What collects garbage alike on every machine: where 64 MiB of objects are not enough, the run fails. */
const heap = ['--max-old-space-size=64', '--max-semi-space-size=4'];

/** Runs it to its end; `mebibytes` are those that it took more than for its version. */
export async function withPeak(
  home: Home,
  words: readonly string[],
  options: Omit<ProgramOptions, 'node'> = {},
): Promise<ProgramRun & { readonly mebibytes: number }> {
  const node = [...heap, '--require', resolve('test/support/peak.cjs')];
  const env = { ...options.env, PEAK_FILE: home.at('peak') };
  const mebibytes = () => Number(home.read('peak')) / 1024;
  await home.iiot(['--version'], { ...options, env, node });
  const least = mebibytes();
  rmSync(env.PEAK_FILE);
  const run = await home.iiot(words, { ...options, env, node });
  return { ...run, mebibytes: mebibytes() - least };
}
