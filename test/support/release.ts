/**
 * Runs before the tests: finds the release to try. That is the one in the folder IIOT_TEST_RELEASE, or in `release` where it was made of this
 * commit; else one that it makes.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execa } from 'execa';

export default async function makeRelease(): Promise<void> {
  if (process.env.IIOT_TEST_RELEASE) return;
  if (await isOfThisCommit('release')) {
    process.env.IIOT_TEST_RELEASE = resolve('release');
    return;
  }
  // npm would leave compiled code in the folder for temporary files.
  const env = { NODE_DISABLE_COMPILE_CACHE: '1' };
  await execa('npm', ['run', 'release', '--', '--dirty'], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  process.env.IIOT_TEST_RELEASE = resolve('.cache/release');
}

/** By the time of the commit, which everything in a release has. */
async function isOfThisCommit(folder: string): Promise<boolean> {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const parts = join(folder, `iiot-${version}.tgz.cdx.json`);
  if (!existsSync(join(folder, 'SHA256SUMS')) || !existsSync(parts)) return false;
  const { metadata } = JSON.parse(readFileSync(parts, 'utf8')) as { metadata: { timestamp: string } };
  const { stdout } = await execa('git', ['log', '-1', '--format=%ct']);
  return Date.parse(metadata.timestamp) === Number(stdout) * 1000;
}
