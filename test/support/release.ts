/** Runs before the tests: makes a release to try, with a key of its own. IIOT_TEST_RELEASE names one that is there already. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';

export default async function makeRelease(): Promise<(() => void) | undefined> {
  if (process.env.IIOT_TEST_RELEASE) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'iiot-key-'));
  const [secret, open, password] = [join(folder, 'key'), join(folder, 'key.pub'), 'made for this run'];
  await execa('minisign', ['-G', '-s', secret, '-p', open], { input: `${password}\n${password}\n` });
  // npm would leave compiled code in the folder for temporary files.
  const env = { NODE_DISABLE_COMPILE_CACHE: '1', MINISIGN_SECRET_KEY_FILE: secret, MINISIGN_PASSWORD: password };
  await execa('npm', ['run', 'release', '--', '--dirty'], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  process.env.IIOT_TEST_RELEASE = resolve('.cache/release');
  process.env.IIOT_TEST_RELEASE_KEY = open;
  return () => rmSync(folder, { recursive: true });
}
