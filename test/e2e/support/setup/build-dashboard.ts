import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const BUILD_TIMEOUT_MS = 600_000;

/** Set for processes that this one starts, such as a test run within a test. */
const BUILT = 'TEST_DASHBOARD_IS_BUILT';

/**
 * Builds the dashboard as `npm run build` does, into `dist/dashboard`, from where servers serve it.
 * Once: a second build would remove the files while servers read them.
 */
export async function buildDashboard(): Promise<void> {
  if (process.env[BUILT]) return;
  // In a separate process, since the test runner sets NODE_ENV, which Vite reads.
  const { NODE_ENV: _, VITEST: __, ...env } = process.env;
  const script = "import { build } from 'vite'; await build({ root: 'server/dashboard' });";
  try {
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: join(import.meta.dirname, '../../../..'),
      env,
      timeout: BUILD_TIMEOUT_MS,
    });
  } catch (cause) {
    const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string };
    throw new Error(`The dashboard does not build:\n${stdout}${stderr}`, { cause });
  }
  process.env[BUILT] = 'yes';
}
