import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chooseDefaultServer } from './default-server.ts';

/** The first half of `npm start`: `npm run build`, with the server's address as the default server. */
const server = chooseDefaultServer(process.env);
const child = spawn('npm', ['run', 'build'], {
  stdio: 'inherit',
  // npm is a script on Windows.
  shell: process.platform === 'win32',
  env: { ...process.env, ...(server && { WXT_CURT_SERVER: server }) },
});
const [code] = await once(child, 'exit');
process.exitCode = code ?? 1;
