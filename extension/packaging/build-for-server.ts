import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';

/**
 * Returns the server that `npm start` builds into the extension: `WXT_CURT_SERVER`, otherwise the server that it
 * starts, if others can reach it (`BASE_URL`). Undefined for the extension's own default. An invalid `BASE_URL` is
 * left to the server, which says what is wrong with it.
 */
export function chooseDefaultServer(env: Record<string, string | undefined>): string | undefined {
  const { WXT_CURT_SERVER: chosen, BASE_URL: baseUrl = '' } = env;
  if (chosen) return chosen;
  return /^https?:\/\//i.test(baseUrl) && URL.canParse(baseUrl)
    ? new URL(baseUrl).origin
    : undefined;
}

/**
 * The first half of `npm start`: `npm run build`, with the server's address as the default server. The
 * output is the start of the server's log, and is shown only if the build fails.
 */
async function buildForServer(): Promise<void> {
  const { LOG_FILE: log = 'curt.log' } = process.env;
  process.stdout.write('Building the extension and the dashboard …\n');
  const server = chooseDefaultServer(process.env);
  const output = await open(log, 'w');
  const child = spawn('npm', ['run', 'build'], {
    stdio: ['ignore', output.fd, output.fd],
    // npm is a script on Windows.
    shell: process.platform === 'win32',
    env: { ...process.env, ...(server && { WXT_CURT_SERVER: server }) },
  });
  const [code] = await once(child, 'exit');
  await output.close();
  if (code === 0) {
    await import('./print-load-help.ts');
  } else {
    process.stderr.write(await readFile(log));
    process.exitCode = code ?? 1;
  }
}

if (import.meta.main) await buildForServer();
