import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { readVariables, type Variables } from '../lib/settings.ts';
import { findProxy } from './api/proxies.ts';
import type { Output } from './terminal/output.ts';

/** What every command needs. */
export type Context = { environment: Environment; output: Output };

type Environment = ReturnType<typeof readEnvironment>;

/** Reads what the command line takes from the environment, see `readVariables`. @throws SettingsError */
export function readEnvironment(env: Variables = process.env) {
  const read = readVariables(env, ['CURT_TOKEN', 'ADMIN_TOKEN', 'STORE_URL']);
  const { CURT_SERVER, CURT_TOKEN, ADMIN_TOKEN, STORE_URL, XDG_CONFIG_HOME = '' } = read;
  // The XDG specification ignores relative paths.
  const config = isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(homedir(), '.config');
  return {
    server: CURT_SERVER,
    token: CURT_TOKEN,
    adminToken: ADMIN_TOKEN,
    /** As for the server. */
    storeUrl: STORE_URL ?? 'file:./data',
    /** Path of the file with the tokens. */
    credentialsPath: join(config, 'curt', 'credentials.json'),
    /** The proxy on the way to a server. @throws CliError if it can't be used */
    proxyOf: (server: string) => findProxy(server, env),
  };
}
