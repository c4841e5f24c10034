import { z } from 'zod';
import { StoreOpenError } from '../../store.ts';

/** The settings that name a database. */
export type UrlSetting = 'STORE_URL' | 'STORE_READ_URL';

const POOL_SIZE = 10;

/** Only one kind of host is of use, whether the URL asks for it or not. */
const TARGETS: Record<UrlSetting, [string, ...string[]]> = {
  STORE_URL: ['read-write', 'primary'],
  STORE_READ_URL: ['standby', 'prefer-standby', 'read-only', 'any'],
};

const BINDINGS = ['disable', 'prefer', 'require'] as const;
export type ChannelBinding = (typeof BINDINGS)[number];

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
    /** Of the session, such as `-c search_path=curt`. */
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

export type UrlParameters = z.output<ReturnType<typeof schemaOf>>;

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
export function readParameters(search: string, setting: UrlSetting): UrlParameters {
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
