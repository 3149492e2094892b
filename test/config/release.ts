import { spawnSync } from 'node:child_process';
import { defineConfig } from 'vitest/config';
import { define } from '../../vitest.config.ts';

const tools = {
  rpmbuild: 'rpm',
  rpm: 'rpm',
  mmdebstrap: 'mmdebstrap',
  'qemu-aarch64-static': 'qemu-user-static',
  readelf: 'binutils',
  unshare: 'util-linux',
} as const;
const missing = Object.entries(tools).filter(([tool]) => spawnSync(tool, ['--version']).error !== undefined);
const reasons = [
  process.platform !== 'linux' && 'Linux',
  process.getuid?.() !== 0 && 'root, for a root folder of their own',
  missing.length > 0 && `apt-get install ${[...new Set(missing.map(([, name]) => name))].join(' ')}`,
].filter((each) => each !== false);
const canRun = reasons.length === 0;
if (!canRun) console.log(`No release is tried: these tests need ${reasons.join(', and ')}.`);

/** A release, installed into bare systems, run there and removed again: `npm run test:release`. */
export default defineConfig({
  define: define(),
  test: {
    name: 'release',
    include: canRun ? ['test/release/smoke/*.test.ts'] : [],
    passWithNoTests: !canRun,
    globalSetup: canRun ? ['test/support/temporary.ts', 'test/support/release.ts'] : [],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
