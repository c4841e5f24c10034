import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { WxtVitest } from 'wxt/testing/vitest-plugin';
import { NotRunReporter } from './test/support/not-run-reporter.ts';

/**
 * API tests that run with PostgreSQL, too: what depends on transactions, on concurrency and on how a
 * store reads lists. For the rest, `test/store/contract.ts` shows that stores are alike.
 */
const WITH_EACH_STORE = [
  'account/late-bodies',
  'admin/audit',
  'admin/leaving',
  'any-input/any-input',
  'compat/shlink',
  'compat/yourls',
  'idempotency',
  'links/change-links',
  'links/domains',
  'links/every-field',
  'links/list-links',
  'transfer/again',
  'transfer/domains',
  'transfer/export',
  'transfer/import',
  'unread-responses',
  'visits/visit-limit',
].flatMap((name) => [`test/api/${name}.test.ts`, `test/api/${name}.slow.test.ts`]);

/** Processes, connections, attacks, fuzzing, crashes, and large journals and backups: `npm test` is without them. */
const SLOW = 'test/**/*.slow.test.ts';

const FIXED_SEED = 'test/support/fixed-seed.ts';

/** For processes, databases and browsers: what takes seconds alone takes minutes on a busy machine. */
const PATIENT = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 120_000 } },
};

// Dates and numbers are expected as in the United States, whatever the language of the machine.
process.env.LC_ALL = 'en_US.UTF-8';

/** One project for each kind of test. The scripts in package.json say which command runs which. */
export default defineConfig({
  test: {
    setupFiles: ['test/support/remember-file.ts'],
    // More than there are cores, because browser tests mostly wait. Each headless Chromium has its
    // own clipboard.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    // Files of a worker share their modules: loading and compiling these again for each file takes a
    // third of the processor time of the API tests, and a tenth of that of browser tests.
    isolate: false,
    // Long enough for a busy machine: no test is retried.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Servers that tests start skip most of the compilation.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compile') },
    expect: { poll: { timeout: 30_000 } },
    // A line for each file, and tests only if they fail.
    slowTestThreshold: Number.POSITIVE_INFINITY,
    reporters: ['default', new NotRunReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          exclude: ['test/unit/extension/**', SLOW],
          setupFiles: FIXED_SEED,
        },
      },
      {
        extends: true,
        // WXT's in-memory browser stands in for the extension APIs.
        plugins: [WxtVitest()],
        test: {
          name: 'unit-extension',
          include: ['test/unit/extension/**/*.test.ts'],
          sequence: { setupFiles: 'list' },
          setupFiles: [
            FIXED_SEED,
            'test/unit/extension/support/fresh-modules.ts',
            'extension/i18n/browser-messages.ts',
            'test/unit/extension/support/browser-storage.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'api',
          include: ['test/api/**/*.test.ts'],
          exclude: [SLOW],
          setupFiles: FIXED_SEED,
        },
      },
      {
        extends: true,
        test: {
          name: 'store',
          include: ['test/store/**/*.test.ts'],
          exclude: [SLOW],
          setupFiles: FIXED_SEED,
        },
      },
      { extends: true, test: { name: 'cli', include: ['test/cli/**/*.test.ts'], exclude: [SLOW] } },
      {
        extends: true,
        test: { ...PATIENT, name: 'slow', include: [SLOW], setupFiles: FIXED_SEED },
      },
      {
        extends: true,
        test: {
          ...PATIENT,
          name: 'postgres',
          include: ['test/postgres/**/*.test.ts', ...WITH_EACH_STORE],
          env: { TEST_STORE: 'postgres' },
          setupFiles: FIXED_SEED,
          globalSetup: [
            'test/support/install-commands.ts',
            'test/postgres/support/global-setup.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          ...PATIENT,
          name: 'deploy',
          include: ['test/deploy/**/*.test.ts'],
          globalSetup: ['test/support/install-commands.ts'],
        },
      },
      {
        extends: true,
        test: {
          ...PATIENT,
          name: 'browsers',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/e2e/support/setup/global-setup.ts'],
        },
      },
    ],
  },
});
