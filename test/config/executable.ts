import { defineConfig } from 'vitest/config';
import { thisSystem } from '../../build/nodes.ts';
import { processTests } from '../../vitest.config.ts';

/** What runs the built program, with the one-file program in its place: `npm run test:executable`. */
export default defineConfig({
  ...processTests,
  test: { ...processTests.test, name: 'executable', env: { IIOT_TEST_EXECUTABLE: `executable/${thisSystem}/iiot` } },
});
