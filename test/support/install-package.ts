import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const INSTALL_TIMEOUT_MS = 10 * 60_000;

const run = promisify(execFile);

/** @throws Error without apt-get or the permission to use it */
export async function installPackage(name: string): Promise<void> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    throw new Error('apt-get needs root on Linux');
  }
  const options = {
    timeout: INSTALL_TIMEOUT_MS,
    maxBuffer: Number.POSITIVE_INFINITY,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  await run('apt-get', ['update'], options);
  await run('apt-get', ['install', '-y', '--no-install-recommends', name], options);
}
