import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type ConnectionOptions, createSecureContext } from 'node:tls';
import type pg from 'pg';
import { z } from 'zod';
import { StoreOpenError } from '../../store.ts';

/** User and password; hosts with ports; database; parameters. No `#` begins a fragment. */
const SHAPE = /^postgres(?:ql)?:\/\/(?:([^/?]*)@)?([^/?@]*)(?:\/([^?@]*))?(?:\?(.*))?$/s;
/** An IPv6 address in brackets or a name, with a port; or the folder of a socket. */
const HOST = /^(\[[\da-f:.]+\]|\/.*|[^\s:#<>[\]{}]*)(?::(\d+))?$/i;

type Host = { name: string; host: string | undefined; port: number | undefined };

/** What `STORE_URL` says. */
export type ConnectionUrl = {
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
    hosts: hosts.map(({ name, ...host }) => ({
      name,
      config: () => ({ ...shared, ...given({ ...host, ssl: tls() }) }),
    })),
    channelBinding: parameters.channel_binding,
    poolSize: parameters.pool_size,
  };
}

/**
 * Returns the same database, which each new connection is opened to with the user and password that the setting
 * has by then: they are replaced now and then.
 *
 * @param readAgain returns the URL as it is now. If it can't be read, those of `connection` are tried
 */
export function withCurrentUser(
  connection: ConnectionUrl,
  readAgain: () => string | undefined,
  setting: UrlSetting = 'STORE_URL',
): ConnectionUrl {
  const readUser = () => {
    try {
      const [host] = parseConnectionUrl(readAgain() ?? '', setting).hosts;
      const { user, password } = host?.config() ?? {};
      return given({ user, password });
    } catch {
      return {};
    }
  };
  const hosts = connection.hosts.map(({ name, config }) => ({
    name,
    config: () => ({ ...config(), ...readUser() }),
  }));
  return { ...connection, hosts };
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

/** The settings that name a database. */
export type UrlSetting = 'STORE_URL' | 'STORE_READ_URL';

const POOL_SIZE = 10;

/** Only one kind of host is of use, whether the URL asks for it or not. */
const TARGETS: Record<UrlSetting, [string, ...string[]]> = {
  STORE_URL: ['read-write', 'primary'],
  STORE_READ_URL: ['standby', 'prefer-standby', 'read-only', 'any'],
};

const BINDINGS = ['disable', 'prefer', 'require'] as const;
type ChannelBinding = (typeof BINDINGS)[number];

const text = z.string().min(1, 'must not be empty').optional();

/** As PostgreSQL's manual has them ("Parameter Key Words"), and `pool_size`. */
const schemaOf = (setting: UrlSetting) =>
  z.object({
    pool_size: z
      .string()
      .regex(/^[1-9]\d{0,3}$/, 'must be a number from 1 to 9999')
      .transform(Number)
      .default(POOL_SIZE),
    target_session_attrs: z.enum(TARGETS[setting], `must be ${TARGETS[setting][0]}`).optional(),
    host: text,
    port: text,
    user: text,
    password: text,
    dbname: text,
    /** Settings of the session, such as `-c search_path=curt`. */
    options: text,
    sslmode: text,
    sslrootcert: text,
    sslcert: text,
    sslkey: text,
    sslnegotiation: z.enum(['postgres', 'direct'], 'must be postgres or direct').optional(),
    channel_binding: z.enum(BINDINGS, 'must be disable, prefer or require').default('disable'),
    /** Has no effect: all connections have one name, by which `curt copy` finds them. */
    application_name: z.string().optional(),
  });

type UrlParameters = z.output<ReturnType<typeof schemaOf>>;

/** What other programs understand, and what to do about it. */
const INSTEAD = new Map([
  ['ssl', 'Write sslmode=verify-full, or sslmode=disable for a connection without TLS.'],
  ['connect_timeout', 'Remove it: Curt has its own time limits.'],
  ['statement_timeout', 'Remove it: Curt has its own time limits.'],
  ['uselibpqcompat', 'Remove it.'],
  ['pgbouncer', 'Remove it. Curt needs a direct connection, or a pooler that pools by session.'],
  ['connection_limit', 'Write pool_size.'],
  ['schema', 'Write options=-csearch_path%3D and the name of the schema.'],
  ['sslpassword', 'Curt needs a key without a passphrase.'],
]);

/**
 * Reads the parameters of a connection URL by a table of those that are known.
 *
 * @param search what follows the `?`
 * @throws StoreOpenError that names what is wrong. It has no value that could be a part of a password.
 */
function readParameters(search: string, setting: UrlSetting): UrlParameters {
  const schema = schemaOf(setting);
  const names = Object.keys(schema.shape);
  // A + is a +, as in libpq.
  const parameters = [...new URLSearchParams(search.replaceAll('+', '%2B'))];
  for (const [index, [name]] of parameters.entries()) {
    if (!names.includes(name)) throw unknown(name, names, setting);
    if (parameters.findIndex(([other]) => other === name) !== index) {
      throw new StoreOpenError(`${setting} has the parameter ${name} twice. Remove one of them.`);
    }
  }
  const { data, error } = schema.safeParse(Object.fromEntries(parameters));
  if (data) return data;
  const problems = error.issues.map(
    ({ path, message }) => `${String(path[0])} in ${setting} ${message}.`,
  );
  throw new StoreOpenError(problems.join(' '));
}

function unknown(name: string, names: string[], setting: UrlSetting): StoreOpenError {
  const plain = (each: string) => each.replace(/[\W_]/g, '').toLowerCase();
  const meant = names.find((each) => plain(each) === plain(name));
  const advice =
    INSTEAD.get(name) ?? (meant ? `Write ${meant}.` : `Remove it. Curt knows ${names.join(', ')}.`);
  // It may be a part of a password with a ? or a &.
  const shown = /^\w{1,40}$/.test(name) ? ` "${name}"` : '';
  return new StoreOpenError(`${setting} has an unknown parameter${shown}. ${advice}`);
}

const MODES = ['disable', 'require', 'verify-ca', 'verify-full', 'no-verify'];

type Files = Pick<UrlParameters, 'sslrootcert' | 'sslcert' | 'sslkey'>;

/**
 * Reads what the driver needs for TLS: false for none, undefined if the URL says nothing, so that it takes
 * `PGSSLMODE`. The files are read again for each connection, because certificates are replaced. One that can't be
 * read then is as it was before.
 *
 * @throws StoreOpenError
 */
function readTls(
  { sslmode, sslrootcert, channel_binding, sslnegotiation, ...rest }: UrlParameters,
  setting: UrlSetting,
): () => ConnectionOptions | false | undefined {
  const files = { sslrootcert: sslrootcert === 'system' ? undefined : sslrootcert, ...rest };
  const hasFiles = [sslrootcert, rest.sslcert, rest.sslkey].some((file) => file !== undefined);
  const isDirect = sslnegotiation === 'direct';
  const mode = sslmode ?? (hasFiles || isDirect ? 'verify-full' : undefined);
  if (mode !== undefined && !MODES.includes(mode)) {
    const reason = ['allow', 'prefer'].includes(mode)
      ? ', which also accepts a connection without TLS'
      : '';
    throw new StoreOpenError(
      `sslmode in ${setting} is "${mode}"${reason}. Write verify-full, or one of ${MODES.join(', ')}.`,
    );
  }
  if (mode === undefined || mode === 'disable') {
    const needing = [
      channel_binding === 'require' && 'channel_binding=require',
      isDirect && 'sslnegotiation=direct',
    ].find(Boolean);
    if (needing) {
      throw new StoreOpenError(`${needing} in ${setting} needs TLS. Add sslmode=verify-full.`);
    }
    return () => (mode === 'disable' ? false : undefined);
  }
  if (mode === 'verify-ca' && files.sslrootcert === undefined) {
    throw new StoreOpenError(
      `sslmode=verify-ca in ${setting} needs sslrootcert, a file with the certificate of your authority. Add it, or write verify-full.`,
    );
  }
  const checks: ConnectionOptions = {
    ...(mode === 'no-verify' && { rejectUnauthorized: false }),
    // The name of the host is not checked.
    ...(mode === 'verify-ca' && { checkServerIdentity: () => undefined }),
  };
  let last = readFiles(files, setting);
  return () => {
    try {
      last = readFiles(files, setting);
    } catch {}
    return { ...last, ...checks };
  };
}

function readFiles(files: Files, setting: UrlSetting): ConnectionOptions {
  const read = (name: keyof Files) => {
    const path = files[name];
    if (path === undefined) return undefined;
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new StoreOpenError(
        `${name} in ${setting} names ${path}, which ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`}.`,
      );
    }
  };
  const [ca, cert, key] = [read('sslrootcert'), read('sslcert'), read('sslkey')];
  if ((cert === undefined) !== (key === undefined)) {
    throw new StoreOpenError(
      `sslcert and sslkey in ${setting} belong together. Add the other one.`,
    );
  }
  for (const [name, certificate] of Object.entries({ sslrootcert: ca, sslcert: cert })) {
    if (certificate === undefined || isCertificate(certificate)) continue;
    throw new StoreOpenError(
      `${name} in ${setting} names ${files[name as keyof Files]}, which is not a certificate in PEM format.`,
    );
  }
  const options = { ...(ca && { ca }), ...(cert && { cert, key }) };
  try {
    createSecureContext(options);
  } catch (error) {
    throw new StoreOpenError(
      `sslcert and sslkey in ${setting} cannot be used: ${(error as Error).message}. Curt needs the key of this certificate in PEM format, without a passphrase.`,
    );
  }
  return options;
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}
