import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
/** For each project its own: vitest takes out of it what it has read. */
export const define = () => ({ __VERSION__: JSON.stringify(version) });

const shared = {
  testTimeout: 20_000,
  hookTimeout: 30_000,
  pool: 'forks',
  // Twice the processors of a small machine: half of the time, a test of processes waits.
  maxWorkers: 4,
  // Starting afresh for each file took a third of the time of a short run; no file changes what is shared.
  isolate: false,
} as const;

/** What has processes of its own, but not those of the built program: a store and its locks between processes, questions in a terminal, pages of the manual. */
const children = [
  'test/store/{many,logins}.test.ts',
  'test/files/lock.test.ts',
  'test/terminal/person.test.ts',
  'test/shell/manual.test.ts',
];

/** What brings the program to people: its installer, the workflows and the npm package. Once is enough, whatever runs the program. */
const packaging = ['test/release/{install,workflows,npm}.test.ts'];

/** What runs the built program. */
export const processTests = {
  define: define(),
  test: {
    ...shared,
    name: 'process',
    include: ['test/process/**/*.test.ts', 'test/stories/**/*.test.ts'],
    globalSetup: ['test/support/build.ts', 'test/support/temporary.ts'],
  },
};

export default defineConfig({
  test: {
    // Transforming took a tenth of a short run. The version stands in the path because vitest's key leaves out `define`.
    experimental: { fsModuleCache: true, fsModuleCachePath: `node_modules/.cache/vitest-${version}` },
    projects: [
      {
        define: define(),
        test: {
          ...shared,
          name: 'rooms',
          globalSetup: 'test/support/temporary.ts',
          setupFiles: 'test/support/string-width.ts',
          include: ['test/**/*.test.ts'],
          exclude: [
            ...children,
            ...packaging,
            'test/process/**',
            'test/stories/**',
            'test/windows/**',
            'test/openapi/**',
            'test/release/smoke/**',
          ],
        },
      },
      {
        define: define(),
        test: { ...shared, name: 'children', include: children, globalSetup: 'test/support/temporary.ts' },
      },
      { ...processTests, test: { ...processTests.test, include: [...processTests.test.include, ...packaging] } },
    ],
  },
});
