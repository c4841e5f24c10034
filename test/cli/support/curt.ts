import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { startService } from '../../api/support.ts';

const CURT = join(import.meta.dirname, '../../../server/cli/curt.js');

export type Outcome = { exitCode: number | null; stdout: string; stderr: string };
export type Run = (args: string[], options?: RunOptions) => Promise<Outcome>;
type RunOptions = { env?: Record<string, string>; input?: string; cwd?: string };

export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'curt-cli-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts the real command, with only these environment variables. */
export function spawnCurt(args: string[], { env = {}, cwd }: RunOptions = {}) {
  return spawn(process.execPath, [CURT, ...args], { env, cwd, stdio: 'pipe' });
}

export async function runCurt(args: string[], options: RunOptions = {}): Promise<Outcome> {
  const child = spawnCurt(args, options);
  // A command may end without reading its input.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { exitCode: await closed, stdout, stderr };
}

/** A real server that listens, and the command with a home of its own. */
export async function startWithCurt(settings: Record<string, string> = {}) {
  const service = await startService({ env: settings });
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = service.app.server.address() as AddressInfo;
  const server = `http://127.0.0.1:${port}`;
  const home = await newFolder();
  const env = { HOME: home, CURT_SERVER: server };
  const curt: Run = (args, options = {}) =>
    runCurt(args, { cwd: home, ...options, env: { ...env, ...options.env } });
  return { ...service, server, home, curt };
}

/** The JSON object of a command with `--json`. */
export function jsonOf({ stdout }: Outcome) {
  return JSON.parse(stdout);
}
