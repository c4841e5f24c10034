import type { AddressInfo } from 'node:net';
import { buildApp } from './app.ts';
import { readSettings, type Settings, SettingsError } from './config.ts';
import { openStore } from './store/open.ts';
import { StoreOpenError } from './store/store.ts';

/** Settings, store, app, listen; on a signal, the same road back. */
async function main(): Promise<void> {
  const settings = readSettings();
  const store = await openStore(settings.storeUrl, {
    clock: Date.now,
    onError: (error) => app.log.error({ err: error }, 'the store could not write'),
    onWarning: (message) => process.stderr.write(`${message}\n`),
  });
  const app = await buildApp({ settings, store });

  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    // Requests under way are finished first, since they still write.
    await app.close();
    await store.close();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => stop().catch(fail));
  }

  // Fastify would log a line of its own for each address; ours is the one that people look for.
  app.log.level = 'warn';
  await app.listen({ host: settings.host, port: settings.port }).catch((error: unknown) => {
    throw new SettingsError(listenComplaint(error as NodeJS.ErrnoException, settings));
  });
  app.log.level = settings.logLevel;
  process.stdout.write(`${greeting(app.server.address() as AddressInfo, settings)}\n`);
}

function greeting({ address, family, port }: AddressInfo, { baseUrl }: Settings): string {
  const isLoopback = address === '127.0.0.1' || address === '::1';
  const host = isLoopback ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  const greeting = `Curt listens on http://${host}:${port}`;
  if (baseUrl) return `${greeting}; short links begin with ${baseUrl}`;
  if (isLoopback) return greeting;
  return `${greeting}; short links begin with http://localhost:${port}, which works on this machine only. Set BASE_URL to what others call it.`;
}

function listenComplaint({ code, message }: NodeJS.ErrnoException, settings: Settings): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${settings.port} on ${settings.host} is in use. Stop what uses it, or set PORT to another.`;
    case 'EACCES':
      return `Port ${settings.port} may not be used without more rights. Set PORT to one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST is ${settings.host}, which is no address of this machine.`;
    default:
      return `The server cannot listen on ${settings.host}:${settings.port}: ${message}.`;
  }
}

function fail(error: unknown): never {
  const isExplained = error instanceof SettingsError || error instanceof StoreOpenError;
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(isExplained ? `${message}\n` : `Curt stops: ${message}\n`);
  process.exit(1);
}

main().catch(fail);
