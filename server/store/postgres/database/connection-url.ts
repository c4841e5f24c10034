import { StoreOpenError } from '../../store.ts';

const POOL_SIZE = 10;
/** User and password, hosts with ports, database with parameters. */
const SHAPE = /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?]*)([^?]*)(?:\?(.*))?$/;

/** The settings that name a database, and which `target_session_attrs` they can have. */
const TARGETS = {
  STORE_URL: ['read-write', 'primary'],
  STORE_READ_URL: ['standby', 'prefer-standby', 'read-only', 'any'],
};

type Setting = keyof typeof TARGETS;

/** What `STORE_URL` says. */
export type ConnectionUrl = {
  /** One for each host, with all that the driver knows: user, password, host, port, database, TLS. */
  hosts: { name: string; connectionString: string }[];
  /** Connections of this process at most. */
  poolSize: number;
};

/**
 * Reads a URL as libpq has it, such as `postgres://user:password@host:5432/database?sslmode=verify-full`,
 * with several hosts if need be (`a:5432,b:5432`), of which the one that accepts writes is used. Our own
 * parameter is `pool_size`. @default 10 connections
 *
 * @throws StoreOpenError that does not contain the password
 */
export function parseConnectionUrl(url: string, setting: Setting = 'STORE_URL'): ConnectionUrl {
  const [, start = '', hosts = '', database = '', search = ''] = SHAPE.exec(url) ?? [];
  if (start === '') {
    throw new StoreOpenError(
      `${setting} must be such as postgres://user:password@host:5432/database.`,
    );
  }
  const parameters = new URLSearchParams(search);
  const poolSize = poolSizeOf(parameters, setting);
  // A copy looks for servers by their name.
  parameters.delete('application_name');
  checkTarget(parameters, setting);
  const rest = parameters.size > 0 ? `${database}?${parameters}` : database;
  return {
    hosts: hosts.split(',').map((host) => {
      const connectionString = `${start}${host}${rest}`;
      if (!URL.canParse(connectionString)) {
        throw new StoreOpenError(
          `${setting} cannot be read. Characters such as : / ? # @ in the user name or password must be percent-encoded.`,
        );
      }
      return { name: host || 'localhost', connectionString };
    }),
    poolSize,
  };
}

function poolSizeOf(parameters: URLSearchParams, setting: Setting): number {
  const text = parameters.get('pool_size');
  parameters.delete('pool_size');
  if (text === null) return POOL_SIZE;
  if (!/^[1-9]\d{0,3}$/.test(text)) {
    throw new StoreOpenError(
      `pool_size in ${setting} must be a number from 1 to 9999, not "${text}".`,
    );
  }
  return Number(text);
}

/** Only one kind of host is of use, whether the URL asks for it or not. */
function checkTarget(parameters: URLSearchParams, setting: Setting): void {
  const target = parameters.get('target_session_attrs');
  parameters.delete('target_session_attrs');
  if (target === null || TARGETS[setting].includes(target)) return;
  throw new StoreOpenError(
    `target_session_attrs in ${setting} must be ${TARGETS[setting][0]}, not "${target}".`,
  );
}
