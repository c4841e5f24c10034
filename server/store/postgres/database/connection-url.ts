import type pg from 'pg';
import { StoreOpenError } from '../../store.ts';
import { readTls } from './tls-options.ts';
import { type ChannelBinding, readParameters, type UrlSetting } from './url-parameters.ts';

/** User and password; hosts with ports; database; parameters. No `#` begins a fragment. */
const SHAPE = /^postgres(?:ql)?:\/\/(?:([^/?]*)@)?([^/?@]*)(?:\/([^?@]*))?(?:\?(.*))?$/s;
/** An IPv6 address in brackets or a name, with a port; or the folder of a socket. */
const HOST = /^(\[[\da-f:.]+\]|\/.*|[^\s:#<>[\]{}]*)(?::(\d+))?$/i;

type Host = { name: string; host: string | undefined; port: number | undefined };

/** What `STORE_URL` says. */
export type ConnectionUrl = {
  setting: UrlSetting;
  /** The name is for messages. `config` has the host, user, password, database and TLS. */
  hosts: { name: string; config: () => pg.ClientConfig }[];
  channelBinding: ChannelBinding;
  /** Connections of this process at most. */
  poolSize: number;
};

/**
 * Reads a URL as libpq has it, such as `postgres://user:password@host:5432/database?sslmode=verify-full`,
 * with several hosts if need be (`a:5432,b:5432`), of which the one that accepts writes is used. All of it
 * is checked here, also the files that it names, and the driver gets it in parts: a URL of which it would
 * ignore something could lead to a connection that is not encrypted.
 *
 * @throws StoreOpenError that does not contain the password
 */
export function parseConnectionUrl(url: string, setting: UrlSetting = 'STORE_URL'): ConnectionUrl {
  const [shape, userInfo = '', authority = '', path = '', search = ''] = SHAPE.exec(url) ?? [];
  // An @ after the hosts belongs to a password that has a / or a ?.
  const isUnclear = shape === undefined || (search.includes('@') && !search.includes('user='));
  if (isUnclear) throw cannotRead(setting);
  const parameters = readParameters(search, setting);
  const hosts = readHosts(parameters.host ?? authority, parameters.port, setting);
  const [user, password] = splitUserInfo(userInfo, setting);
  const database = parameters.dbname ?? decode(path, 'The database', setting);
  if (database === '') {
    throw new StoreOpenError(
      `${setting} names no database. Add its name after the host, such as postgres://user:password@host:5432/curt.`,
    );
  }
  const tls = readTls(parameters, setting);
  const shared = {
    ...given({ user: parameters.user ?? user, password: parameters.password ?? password }),
    ...given({ options: parameters.options, sslnegotiation: parameters.sslnegotiation }),
    database,
    enableChannelBinding: parameters.channel_binding !== 'disable',
  };
  return {
    setting,
    hosts: hosts.map(({ name, ...host }) => ({
      name,
      config: () => ({ ...shared, ...given({ ...host, ssl: tls() }) }),
    })),
    channelBinding: parameters.channel_binding,
    poolSize: parameters.pool_size,
  };
}

function readHosts(text: string, ports: string | undefined, setting: UrlSetting): Host[] {
  const portOf = ports?.split(',') ?? [];
  return text.split(',').map((each, index) => {
    const [, host, port = portOf[index] ?? portOf[0]] = HOST.exec(each) ?? [];
    if (host === undefined) throw cannotRead(setting);
    if (
      port !== undefined &&
      !(/^\d+$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535)
    ) {
      throw new StoreOpenError(`A port in ${setting} is not a number from 1 to 65535.`);
    }
    return {
      name: each || 'localhost',
      host: decode(host.replace(/^\[|\]$/g, ''), 'The host', setting) || undefined,
      port: port === undefined ? undefined : Number(port),
    };
  });
}

/** Nothing is what the driver takes from elsewhere, such as `PGPASSWORD`. */
function splitUserInfo(text: string, setting: UrlSetting) {
  const colon = text.indexOf(':');
  const [user, password] =
    colon === -1 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
  return [
    decode(user, 'The user name', setting) || undefined,
    decode(password, 'The password', setting) || undefined,
  ] as const;
}

function decode(text: string, what: string, setting: UrlSetting): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new StoreOpenError(
      `${what} in ${setting} has a % that begins no percent-encoded character. Write the character % as %25.`,
    );
  }
}

function cannotRead(setting: UrlSetting): StoreOpenError {
  return new StoreOpenError(
    `${setting} cannot be read. Write it as postgres://user:password@host:5432/database, and in the user name and password : as %3A, / as %2F, ? as %3F, # as %23, @ as %40 and % as %25.`,
  );
}

/** The driver takes a member that is undefined for one that is given. */
function given<T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}
