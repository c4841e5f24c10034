import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackage } from './install-browser.ts';

/** Debian has servers outside of the `PATH` of people other than root. */
const FOLDERS = ['/usr/sbin', '/usr/local/sbin'];
/** The Debian package of each command. */
const PACKAGES = {
  haproxy: 'haproxy',
  nginx: 'nginx-light',
  pgbouncer: 'pgbouncer',
  promtool: 'prometheus',
  'systemd-analyze': 'systemd',
};

export type Command = keyof typeof PACKAGES;

/**
 * Path of a command that tests need: in `PATH` or where Debian has it, else newly installed.
 *
 * @throws Error with one sentence that says what to install
 */
export async function findOrInstallCommand(command: Command): Promise<string> {
  const found = findCommand(command);
  if (found) return found;
  const name = PACKAGES[command];
  try {
    await installPackage(name);
    const installed = findCommand(command);
    if (installed) return installed;
    throw new Error(`the package ${name} brought no executable`);
  } catch (cause) {
    const reason = (cause instanceof Error ? cause.message : String(cause)).split('\n')[0];
    throw new Error(
      `The tests need ${command}, which was not found and could not be installed here: install it (${reason}).`,
      { cause },
    );
  }
}

function findCommand(command: Command): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...FOLDERS];
  return folders.map((folder) => join(folder, command)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
