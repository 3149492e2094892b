import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const define = { __VERSION__: JSON.stringify(version) };

// A machine of CI is shared with others: what presses keys and kills processes gets a second try there, and only there.
const retry = process.env.CI ? 2 : 0;
const shared = { testTimeout: 20_000, hookTimeout: 30_000, pool: 'forks', retry, maxWorkers: 3 } as const;

/** What runs the built program. */
export const processTests = {
  define,
  test: {
    ...shared,
    name: 'process',
    include: ['test/process/**/*.test.ts', 'test/stories/**/*.test.ts'],
    globalSetup: 'test/support/build.ts',
  },
};

export default defineConfig({
  test: {
    projects: [
      {
        define,
        test: {
          ...shared,
          name: 'rooms',
          include: ['test/**/*.test.ts'],
          exclude: ['test/process/**', 'test/stories/**'],
        },
      },
      processTests,
    ],
  },
});
