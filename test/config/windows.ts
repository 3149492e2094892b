import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { hasWine, windowsNode, wineFiles } from '../../build/wine.ts';
import { processTests } from '../../vitest.config.ts';

/** What runs the built program with Node for Windows, under wine: `npm run test:windows`. */
export default defineConfig(async () => {
  const binary = (await hasWine()) ? await windowsNode().catch(() => undefined) : undefined;
  const isThere = binary !== undefined;
  if (!isThere) console.log('Nothing is tried on Windows: this needs wine (apt-get install wine wine64) and npm.');
  const { folder, node, console: terminal } = wineFiles(join(tmpdir(), `iiot-windows-${process.pid}`));
  process.env.IIOT_TEST_WINE_FOLDER = folder;
  return {
    ...processTests,
    test: {
      ...processTests.test,
      name: 'windows',
      include: isThere ? ['test/windows/**/*.test.ts'] : [],
      passWithNoTests: !isThere,
      globalSetup: isThere ? ['test/support/build.ts', 'test/support/wine.ts'] : [],
      env: {
        IIOT_TEST_NODE: node,
        IIOT_TEST_NODE_CONSOLE: terminal,
        IIOT_TEST_NODE_WINDOWS: binary ?? '',
      },
      // Two processes at least for each of the program, and a server for all of them.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      maxWorkers: 2,
    },
  };
});
