/** Runs before the tests: builds the program if it is older than its sources. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';

/** The file that the build writes last. */
const built = 'dist/help/iiot.txt';
const sources = ['package.json', 'package-lock.json', 'build/rolldown.config.ts'];

export default async function buildOnce(): Promise<void> {
  const folder = await readdir('src', { recursive: true });
  const files = [...sources, ...folder.map((name) => join('src', name))];
  const changed = await Promise.all(files.map(modified));
  if (Math.max(...changed) > (await modified(built))) await execa('npm', ['run', 'build']);
}

/** Epoch milliseconds; 0 for a missing file. */
async function modified(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined);
  return found?.mtimeMs ?? 0;
}
