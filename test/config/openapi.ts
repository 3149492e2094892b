import { defineConfig } from 'vitest/config';

/** The published OpenAPI document by the rules of others, whose packages are in a folder of their own: `npm run test:openapi`. */
export default defineConfig({
  test: { name: 'openapi', include: ['test/openapi/**/*.test.ts'], testTimeout: 300_000 },
});
