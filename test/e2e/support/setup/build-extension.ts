import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const BUILD_TIMEOUT_MS = 600_000;

/** The folder, for processes that this one starts, such as a test run within a test. */
const BUILT = 'TEST_EXTENSIONS_FOLDER';

export type BuiltExtensions = {
  /** Unpacked folder for Chromium. */
  chrome: string;
  /** Unpacked folder for Firefox. */
  firefox: string;
  remove(): Promise<void>;
};

/**
 * Builds the extension for both browsers as `npm run build` does, but into a temporary folder, so that
 * the extension that a developer has loaded from `dist/` stays in place.
 */
export async function buildExtensions(): Promise<BuiltExtensions> {
  const built = process.env[BUILT];
  if (built) return { ...foldersIn(built), remove: async () => {} };
  const outDir = await mkdtemp(join(tmpdir(), 'curt-extension-'));
  // In a separate process, since the test runner sets NODE_ENV, which Vite reads.
  const { NODE_ENV: _, VITEST: __, ...env } = process.env;
  const script = `
    import { build } from 'wxt';
    for (const browser of ['chrome', 'firefox']) {
      await build({ browser, outDir: process.argv[1], outDirTemplate: browser });
    }`;
  try {
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script, outDir], {
      cwd: join(import.meta.dirname, '../../../..'),
      env,
      timeout: BUILD_TIMEOUT_MS,
    });
  } catch (cause) {
    await rm(outDir, { recursive: true, force: true });
    const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string };
    throw new Error(`The extension does not build:\n${stdout}${stderr}`, { cause });
  }
  process.env[BUILT] = outDir;
  return {
    ...foldersIn(outDir),
    async remove() {
      delete process.env[BUILT];
      await rm(outDir, { recursive: true, force: true });
    },
  };
}

function foldersIn(outDir: string) {
  return { chrome: join(outDir, 'chrome'), firefox: join(outDir, 'firefox') };
}
