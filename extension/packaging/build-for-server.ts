import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { chooseDefaultServer } from './default-server.ts';

/**
 * The first half of `npm start`: `npm run build`, with the server's address as the default server. The
 * output is the start of the server's log, and is shown only if the build fails.
 */
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
