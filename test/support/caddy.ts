import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { endWithParent } from '../e2e/support/servers/end-with-parent.ts';
import { needCommand } from './not-run.ts';

/** Certificates are of its own authority, and it changes nothing on this machine. */
const OPTIONS = ['local_certs', 'skip_install_trust', 'admin off', 'auto_https disable_redirects'];

/**
 * Starts a real Caddy until the test ends.
 *
 * @param config a Caddyfile that begins with global options
 * @param port on which it serves HTTPS
 * @returns the certificate of its authority
 */
export async function startCaddy(config: string, port: number): Promise<string> {
  const executable = await needCommand('caddy');
  const folder = await mkdtemp(join(tmpdir(), 'curt-caddy-'));
  const options = [...OPTIONS, `https_port ${port}`, `storage file_system ${folder}`];
  const path = join(folder, 'Caddyfile');
  await writeFile(path, config.replace(/^\{$/m, `{\n\t${options.join('\n\t')}`));
  const child = spawn(executable, ['run', '--config', path, '--adapter', 'caddyfile'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  const release = endWithParent(child);
  const exit = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
    release();
    await rm(folder, { recursive: true, force: true });
  });
  let printed = '';
  for await (const line of createInterface({ input: child.stderr })) {
    printed += `${line}\n`;
    if (line.includes('serving initial configuration')) break;
  }
  if (!printed.includes('serving initial configuration')) {
    throw new Error(`Caddy does not start:\n${printed}`);
  }
  child.stderr.resume();
  return readFile(join(folder, 'pki/authorities/local/root.crt'), 'utf8');
}
