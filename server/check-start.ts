import { once } from 'node:events';
import { accessSync, constants, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { BlockedHostsFile } from './blocks/block-list.ts';
import type { Settings } from './config.ts';
import { loadBrand } from './domains/brand.ts';
import { isPostgresUrl, SettingsError } from './lib/settings.ts';
import { describeMetricsError } from './metrics/metrics-server.ts';
import { folderOf } from './store/store-url.ts';

type Address = { host: string; port: number };

/**
 * Finds what would keep a server from starting: for `npm start`, before it builds for half a minute. It leaves the
 * store alone, which another server may use until this one starts.
 *
 * @throws SettingsError
 */
export async function checkStart(settings: Settings): Promise<void> {
  loadBrand(settings);
  if (!isPostgresUrl(settings.storeUrl)) assertUsable(folderOf(settings.storeUrl));
  if (settings.blockedHosts !== undefined) {
    const onWarning = () => {};
    const file = await BlockedHostsFile.open({ path: settings.blockedHosts, onWarning });
    file.close();
  }
  await tryToListen(settings, describeListenError);
  if (settings.metricsPort !== undefined) {
    const metrics = { host: settings.metricsHost, port: settings.metricsPort };
    await tryToListen(metrics, describeMetricsError);
  }
}

/** Whether a folder, or the one in which it would be made, can be written to. */
function assertUsable(folder: string): void {
  for (let path = folder; ; path = dirname(path)) {
    try {
      if (!statSync(path).isDirectory()) {
        throw new SettingsError(`STORE_URL names ${folder}, but ${path} is not a folder.`);
      }
      accessSync(path, constants.W_OK | constants.X_OK);
      return;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' && path !== dirname(path)) continue;
      if (error instanceof SettingsError) throw error;
      throw new SettingsError(`STORE_URL names ${folder}, where nothing can be saved: ${message}.`);
    }
  }
}

async function tryToListen(
  address: Address,
  describe: (error: NodeJS.ErrnoException, address: Address) => string,
): Promise<void> {
  const server = createServer().listen(address);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new SettingsError(describe(error as NodeJS.ErrnoException, address));
  }
  server.close();
  await once(server, 'close');
}

export function describeListenError(
  { code, message }: NodeJS.ErrnoException,
  { host, port }: Address,
): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is already in use. Stop the program that uses it, or set PORT to another port.`;
    case 'EACCES':
      return `Port ${port} requires more permissions. Set PORT to a number above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST is ${host}, which is not an address of this machine.`;
    default:
      return `The server cannot listen on ${host}:${port}: ${message}.`;
  }
}
