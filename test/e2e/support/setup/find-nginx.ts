import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackage } from './install-browser.ts';

/** Debian has it outside of the `PATH` of people other than root. */
const FOLDERS = ['/usr/sbin', '/usr/local/sbin'];

/**
 * Path of nginx's executable: in `PATH` or where Debian has it, else newly installed.
 *
 * @throws Error with one sentence that says what to install
 */
export async function findOrInstallNginx(): Promise<string> {
  const found = findNginx();
  if (found) return found;
  try {
    await installPackage('nginx-light');
    const installed = findNginx();
    if (installed) return installed;
    throw new Error('the package nginx-light brought no executable');
  } catch (cause) {
    const reason = (cause instanceof Error ? cause.message : String(cause)).split('\n')[0];
    throw new Error(
      `The tests of single sign-on need nginx, which was not found and could not be installed here: install it (${reason}).`,
      { cause },
    );
  }
}

function findNginx(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...FOLDERS];
  return folders.map((folder) => join(folder, 'nginx')).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
