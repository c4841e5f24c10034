import { defineConfig } from 'vitest/config';
import { WxtVitest } from 'wxt/testing/vitest-plugin';

/** A project a kind of test; `npm run test:unit` and `npm run test:e2e` pick one. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          exclude: ['test/unit/extension/**'],
        },
      },
      {
        // WXT's in-memory browser stands in for the extension APIs.
        plugins: [WxtVitest()],
        test: {
          name: 'unit-extension',
          include: ['test/unit/extension/**/*.test.ts'],
          setupFiles: ['test/unit/extension/support/browser-storage.ts'],
        },
      },
      { test: { name: 'api', include: ['test/api/**/*.test.ts'] } },
      {
        // Thousands of openings and dozens of kills, each of them quick.
        test: { name: 'store', include: ['test/store/**/*.test.ts'], testTimeout: 60_000 },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/e2e/support/global-setup.ts'],
          // One browser at a time: two fight over the clipboard and over the machine.
          fileParallelism: false,
          // A browser on a busy machine may miss a moment; the report says so. Twice is a fault.
          retry: 1,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 15_000 } },
        },
      },
    ],
  },
});
