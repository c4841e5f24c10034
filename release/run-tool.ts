import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Runs a program of `node_modules` in a folder of sources. */
export async function runTool(folder: string, program: string, ...args: string[]): Promise<void> {
  const child = spawn(process.execPath, [join(folder, 'node_modules', program), ...args], {
    cwd: folder,
    stdio: 'inherit',
    // Vite's output depends on NODE_ENV, which a test or a developer may have set.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} failed.`);
}
