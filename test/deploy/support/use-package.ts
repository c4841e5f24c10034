import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';

const NOBODY = 65_534;
/** What npm may need to reach its registry. */
const PASSED_ON = /^(https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_\w+)$/i;
const ORIGINAL_URL = 'https://example.com/a/long/page';

const run = promisify(execFile);

/**
 * Installs npm's archive into a new folder as somebody without rights, for whom nothing is there but Node.js and npm,
 * and uses it as the README says.
 */
export async function usePackage(folder: string, archive: Uint8Array): Promise<void> {
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const { stdout: registry } = await run('npm', ['config', 'get', 'registry']);
  const passedOn = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name));
  const options = {
    ...user,
    cwd: folder,
    env: {
      ...Object.fromEntries(passedOn),
      HOME: folder,
      PATH: [join(folder, 'bin'), dirname(process.execPath), process.env.PATH].join(':'),
      npm_config_registry: registry.trim(),
      PORT: '0',
    },
  };
  const path = join(folder, 'curt.tgz');
  await mkdir(folder);
  await writeFile(path, archive);
  await chmod(dirname(folder), 0o755);
  if (user.uid) await chown(folder, user.uid, user.gid);
  await run('npm', ['install', '--global', '--prefix', folder, path], options);
  const curt = (...args: string[]) => run('curt', args, options);

  const start = async (command: string, ...args: string[]) => {
    const server = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void server.kill('SIGKILL'));
    const lines: string[] = [];
    for await (const line of createInterface({ input: server.stdout })) {
      if (lines.push(line) && line.startsWith('The dashboard is at')) break;
    }
    const baseUrl = /http:\/\/localhost:\d+/.exec(lines.join())?.[0] ?? '';
    const stop = async () => {
      server.kill('SIGTERM');
      expect(await once(server, 'exit')).toEqual([0, null]);
    };
    return { baseUrl, printed: lines.join('\n'), stop };
  };

  const first = await start('curt', 'serve');
  const shorten = async (...args: string[]): Promise<string> => {
    const { stdout } = await curt('shorten', '--server', first.baseUrl, ...args);
    return new URL(stdout.trim()).pathname;
  };
  const plain = await shorten(ORIGINAL_URL);
  const locked = await shorten('--password', 'secret', `${ORIGINAL_URL}?locked`);
  const visit = (baseUrl: string, alias: string) =>
    fetch(`${baseUrl}${alias}`, { redirect: 'manual' });
  expect((await visit(first.baseUrl, plain)).headers.get('location')).toBe(ORIGINAL_URL);
  const dashboard = await fetch(`${first.baseUrl}/dashboard`);
  const [, script = ''] = /src="(\/dashboard\/assets\/[^"]+)"/.exec(await dashboard.text()) ?? [];
  expect((await fetch(`${first.baseUrl}${script}`)).status, script).toBe(200);
  await first.stop();

  const installed = join(folder, 'lib/node_modules/curt');
  const again = await start('node', join(installed, 'server/start.js'));
  expect(again.printed).toContain(`The data is in ${join(folder, 'data')}, with 2 links`);
  expect((await visit(again.baseUrl, plain)).headers.get('location')).toBe(ORIGINAL_URL);
  expect((await visit(again.baseUrl, locked)).status).toBe(200);
  await again.stop();

  // As after an installation without optional packages, or on another system.
  await rm(join(installed, 'node_modules/@node-rs'), { recursive: true });
  for (const serve of [
    ['curt', 'serve'],
    ['node', join(installed, 'server/start.js')],
  ]) {
    await expect(run(serve[0] ?? '', serve.slice(1), options)).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^.*argon2.*\n.*npm install --global.*\n$/),
    });
  }
}
