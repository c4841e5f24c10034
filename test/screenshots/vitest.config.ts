import { defineConfig } from 'vitest/config';

/** `npm run screenshots` uses the tests' browser, server and build, but isn't part of `npm test`. */
export default defineConfig({
  test: {
    name: 'screenshots',
    root: import.meta.dirname,
    include: ['take-screenshots.ts', 'take-page-screenshots.ts'],
    globalSetup: ['../e2e/support/setup/global-setup.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
