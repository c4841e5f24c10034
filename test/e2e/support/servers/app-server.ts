import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '../../../../server/app.ts';
import { readSettings } from '../../../../server/config.ts';
import { DASHBOARD_FOLDER, readBuiltFiles } from '../../../../server/lib/shipped-files.ts';
import { openStore } from '../../../../server/store/tools/open.ts';
import { HIGH_LIMITS, type ServerOptions } from './server.ts';

export type AppServer = {
  /** As `http://localhost:41234`. */
  baseUrl: string;
  stop(): Promise<void>;
};

/**
 * The real server in this process, for tests of what it serves: it starts much sooner than a process.
 * With a free port, its own store, limits too high for tests to reach, and cheap passwords.
 */
export async function startAppServer({
  env,
  folder: givenFolder,
}: ServerOptions = {}): Promise<AppServer> {
  const folder = givenFolder ?? (await mkdtemp(join(tmpdir(), 'curt-store-')));
  const store = await openStore(`file:${folder}`, { onError: fail, onWarning: fail });
  const settings = readSettings({ ...HIGH_LIMITS, PORT: '0', ...env });
  const app = await buildApp({
    settings,
    store,
    dashboard: readBuiltFiles(DASHBOARD_FOLDER),
    logStream: { write: () => {} },
    passwordCost: { memoryCost: 8, timeCost: 1 },
  });
  await app.listen({ host: settings.host, port: settings.port });
  const { port } = app.server.address() as AddressInfo;
  let stopping: Promise<void> | undefined;

  async function stop(): Promise<void> {
    app.server.closeAllConnections();
    await app.close();
    await store.close();
    if (givenFolder === undefined) await rm(folder, { recursive: true, force: true });
  }

  return {
    baseUrl: `http://localhost:${port}`,
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}

function fail(reason: unknown): never {
  throw reason;
}
