import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { majors, nodeOf } from '../../build/nodes.ts';
import { define, processTests } from '../../vitest.config.ts';

// All of it on four versions takes longer than CI may: there, `npm test` has run it on one, and these show the others.
const shown = ['program', 'network', 'readme', 'credentials'].map((name) => `test/process/${name}.test.ts`);
const missing = shown.filter((name) => !existsSync(name));
if (missing.length > 0) throw new Error(`No such test: ${missing.join(' ')}`);
const include = process.env.CI ? shown : processTests.test.include;
const versions = process.env.CI ? majors.filter((major) => !process.version.startsWith(`v${major}.`)) : majors;

/** What runs the built program, on each version of Node: `npm run test:nodes`. */
export default defineConfig(async () => ({
  test: {
    projects: [
      ...(process.env.CI
        ? []
        : [{ test: { ...processTests.test, name: 'rooms', include: ['test/nodes/**/*.test.ts'] } }]),
      ...(await Promise.all(
        versions.map(async (major) => ({
          ...processTests,
          define: define(),
          test: {
            ...processTests.test,
            include,
            name: `node ${major}`,
            env: { IIOT_TEST_NODE: (await nodeOf(major)).binary },
          },
        })),
      )),
    ],
  },
}));
