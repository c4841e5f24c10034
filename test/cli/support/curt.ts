import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, vi } from 'vitest';
import { run } from '../../../server/cli/run.ts';
import { createKeyedMutex } from '../../../shared/keyed-mutex.ts';
import { startService } from '../../api/support.ts';
import { newFolder } from '../../support/new-folder.ts';

const runExclusive = createKeyedMutex();

const CURT = join(import.meta.dirname, '../../../server/cli/curt.js');

/** What the command reads from the environment. */
const READ = [
  'CURT_SERVER',
  'CURT_TOKEN',
  'ADMIN_TOKEN',
  'STORE_URL',
  'XDG_CONFIG_HOME',
  'HOME',
  'TZ',
];

export const ADMIN_TOKEN = 'an-administrator-token-of-32-characters';

export type Outcome = { exitCode: number | null; stdout: string; stderr: string };
export type Run = (args: string[], options?: RunOptions) => Promise<Outcome>;
type RunOptions = {
  env?: Record<string, string>;
  input?: string | Buffer;
  cwd?: string;
  /** Whether the output goes to a terminal; only for `runCurt`. @default false */
  isTerminal?: boolean;
};

/** Starts the real command, with only these environment variables. */
export function spawnCurt(args: string[], { env = {}, cwd }: RunOptions = {}) {
  return spawn(process.execPath, [CURT, ...args], { env, cwd, stdio: 'pipe' });
}

/** Runs the command in a process of its own, as a shell does. It takes half a second. */
export async function runProcess(args: string[], options: RunOptions = {}): Promise<Outcome> {
  const child = spawnCurt(args, options);
  // A command may end without reading its input.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { exitCode: await closed, stdout, stderr };
}

/** Runs the command in this process, after all that were started before. */
export function runCurt(args: string[], options: RunOptions = {}): Promise<Outcome> {
  return runExclusive('', () => runHere(args, options));
}

/** Runs the command with streams, an environment and a working directory of its own. */
async function runHere(
  args: string[],
  { env = {}, input = '', cwd = process.cwd(), isTerminal = false }: RunOptions,
): Promise<Outcome> {
  const streams = {
    stdin: Readable.from([Buffer.from(input)]),
    stdout: Object.assign(new PassThrough(), { isTTY: isTerminal }),
    stderr: new PassThrough(),
  };
  const before = {
    cwd: process.cwd(),
    streams: Object.fromEntries(
      Object.keys(streams).map((name) => [name, Object.getOwnPropertyDescriptor(process, name)]),
    ) as PropertyDescriptorMap,
  };
  const printed = Promise.all([text(streams.stdout), text(streams.stderr)]);
  const environment: Record<string, string> = { TZ: 'UTC', ...env };
  for (const name of READ) vi.stubEnv(name, environment[name]);
  for (const [name, value] of Object.entries(streams)) {
    Object.defineProperty(process, name, { value, configurable: true });
  }
  process.chdir(cwd);
  try {
    const exitCode = await run(args);
    streams.stdout.end();
    streams.stderr.end();
    const [stdout, stderr] = await printed;
    return { exitCode, stdout, stderr };
  } finally {
    process.chdir(before.cwd);
    Object.defineProperties(process, before.streams);
    vi.unstubAllEnvs();
  }
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
  return { ...service, server, home, env, curt };
}

/** The same, with the command of an administrator, and what it prints with `--json`. */
export async function startAsAdmin(settings: Record<string, string> = {}) {
  const service = await startWithCurt({ ADMIN_TOKEN, ...settings });
  const admin = (...args: string[]) => service.curt(args, { env: { ADMIN_TOKEN } });
  const data = async (...args: string[]) => {
    const outcome = await admin(...args, '--json');
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    return jsonOf(outcome).data;
  };
  return { ...service, admin, data };
}

/** The JSON object of a command with `--json`. */
export function jsonOf({ stdout }: Outcome) {
  return JSON.parse(stdout);
}

/** Listens until the test ends. @returns its address */
export async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
