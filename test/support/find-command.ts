import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackage } from './install-package.ts';
import { MissingProgram } from './missing-program.ts';

/** Debian has servers outside of the `PATH` of people other than root. */
const FOLDERS = ['/usr/sbin', '/usr/local/sbin'];
/** The Debian package of each command. */
const PACKAGES = {
  bash: 'bash',
  caddy: 'caddy',
  curl: 'curl',
  git: 'git',
  haproxy: 'haproxy',
  jq: 'jq',
  logrotate: 'logrotate',
  nginx: 'nginx-light',
  openssl: 'openssl',
  pgbouncer: 'pgbouncer',
  promtool: 'prometheus',
  'systemd-analyze': 'systemd',
};

export type Command = keyof typeof PACKAGES;
export const COMMANDS = Object.keys(PACKAGES) as Command[];

/**
 * Path of a command that tests need: in `PATH` or where Debian has it, else newly installed.
 *
 * @throws MissingProgram with one sentence that says what to install
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
    throw new MissingProgram(
      `These tests need ${command}, which was not found and could not be installed here (${reason}): install it, such as Debian's package ${name}. \`npm test\` does without it.`,
      { cause },
    );
  }
}

/**
 * Installs commands one after another, since the package manager locks, before tests in parallel need
 * them. The tests report those that remain missing.
 */
export async function installMissing(commands: readonly Command[]): Promise<void> {
  for (const command of commands) {
    await findOrInstallCommand(command).catch((error) => {
      if (!(error instanceof MissingProgram)) throw error;
    });
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
