import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { readVariables, type Variables } from '../lib/variables.ts';
import type { Output } from './terminal/output.ts';

/** What every command needs. */
export type Context = { environment: Environment; output: Output };

/** What the command line takes from the environment, see `readVariables`. */
export type Environment = {
  /** `CURT_SERVER` */
  server: string | undefined;
  /** `CURT_TOKEN` */
  token: string | undefined;
  /** `ADMIN_TOKEN` */
  adminToken: string | undefined;
  /** `STORE_URL`, as for the server. */
  storeUrl: string;
  /** Path of the file with the tokens. */
  credentialsPath: string;
};

/** @throws SettingsError */
export function readEnvironment(env: Variables = process.env): Environment {
  const read = readVariables(env, ['CURT_TOKEN', 'ADMIN_TOKEN', 'STORE_URL']);
  const { CURT_SERVER, CURT_TOKEN, ADMIN_TOKEN, STORE_URL, XDG_CONFIG_HOME = '' } = read;
  // The XDG specification ignores relative paths.
  const config = isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(homedir(), '.config');
  return {
    server: CURT_SERVER,
    token: CURT_TOKEN,
    adminToken: ADMIN_TOKEN,
    storeUrl: STORE_URL ?? 'file:./data',
    credentialsPath: join(config, 'curt', 'credentials.json'),
  };
}
