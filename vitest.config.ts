import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
/** For each project its own: vitest takes out of it what it has read. */
export const define = () => ({ __VERSION__: JSON.stringify(version) });

const shared = {
  // Only what hangs takes as long, on whatever machine.
  testTimeout: process.env.IIOT_TEST_LONG === '1' ? 3_600_000 : 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
  pool: 'forks',
  // What a test allocates is young: with more room for it (in MiB), a sixteenth of the processor's time is saved.
  execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'] as string[],
  // Twice the processors of a small machine: half of the time, a test of processes waits.
  maxWorkers: 4,
  // Starting afresh for each file took a third of the time of a short run; no file changes what is shared.
  isolate: false,
} as const;

/** For what presses keys, kills and waits between processes: a CI machine is shared. What was tried again there is listed at the end; elsewhere nothing is. */
const sharedMachine = { ...shared, retry: process.env.CI ? 2 : 0 } as const;

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
    ...sharedMachine,
    name: 'process',
    include: ['test/process/**/*.test.ts', 'test/stories/**/*.test.ts'],
    globalSetup: ['test/support/build.ts', 'test/support/temporary.ts'],
  },
};

export default defineConfig({
  test: {
    // Transforming took a tenth of a short run. The version stands in the path because vitest's key leaves out `define`.
    experimental: { fsModuleCache: true, fsModuleCachePath: `node_modules/.cache/vitest-${version}` },
    reporters: ['default', './test/support/said-at-the-end.ts'],
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
            'test/nodes/**',
            'test/release/smoke/**',
          ],
        },
      },
      {
        define: define(),
        test: { ...sharedMachine, name: 'children', include: children, globalSetup: 'test/support/temporary.ts' },
      },
      { ...processTests, test: { ...processTests.test, include: [...processTests.test.include, ...packaging] } },
    ],
  },
});
