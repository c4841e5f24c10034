import { z } from 'zod';
import {
  ADMIN_TOKEN_MIN_CHARACTERS,
  BRAND_NAME_MAX_CHARACTERS,
  MONTHLY_QUOTA_MAX,
} from '../shared/bounds.ts';
import { isWebScheme, UNSAFE_SCHEMES } from '../shared/links/schemes.ts';
import { hidePassword } from './lib/hide-password.ts';
import { parseAuthority } from './lib/host-name.ts';
import {
  headerName,
  isAddressRange,
  listenAddress,
  listOf,
  onOff,
  origin,
  originPattern,
  wholeNumber,
} from './lib/setting-values.ts';
import { isPostgresUrl, readVariables, SettingsError, type Variables } from './lib/settings.ts';

const CONTAINER_MODES = ['on', 'off', 'unsandboxed'] as const;
const REQUESTS_LOGGED = ['all', 'errors', 'none'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** It is sent in a header. */
const ADMIN_TOKEN_PATTERN = new RegExp(`^[!-~]{${ADMIN_TOKEN_MIN_CHARACTERS},}$`);

/** 0 is rejected because it is ambiguous: it could mean no links or no limit. */
const quota = (fallback: number) =>
  z
    .union([
      z.literal('unlimited').transform(() => Number.POSITIVE_INFINITY),
      wholeNumber(fallback, 1, MONTHLY_QUOTA_MAX),
    ])
    .default(fallback)
    .meta({ expected: `a whole number from 1 to ${MONTHLY_QUOTA_MAX}, or "unlimited"` });

/** Those of the PostgreSQL driver. With any other, it does not encrypt, and says nothing. */
const PG_SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** Each is read from the variable of its name in capitals: see `variableOf`, and docs/settings.md. */
const settingsSchema = z.object({
  host: listenAddress(),
  /** 0 selects a free port. */
  port: wholeNumber(2878, 0, 65_535),
  /** Origin of short URLs; `http://localhost:<port>` if unset. */
  baseUrl: origin.optional().meta({
    expected: 'an origin without a path, such as https://s.example.com',
  }),
  /** A folder or a database, see `openStore`. May contain a password. */
  storeUrl: z
    .string()
    .refine((value) => isFolderUrl(value) || isPostgresUrl(value))
    .default('file:./data')
    .meta({
      expected:
        'a folder, such as file:./data or file:///var/lib/curt, or a PostgreSQL database, such as postgres://user:password@host:5432/curt',
    }),
  /** A standby of that database, which is asked for links while it cannot be reached. May contain a password. */
  storeReadUrl: z.string().refine(isPostgresUrl).optional().meta({
    expected:
      'a standby of the PostgreSQL database, such as postgres://user:password@standby:5432/curt',
  }),
  rateLimitPerMinute: wholeNumber(10, 1, 1_000_000_000),
  /** Links per account and calendar month (UTC); Infinity for no limit. */
  monthlyQuota: quota(1000),
  /** Links that an account can import in total. They do not count against the monthly quota. */
  importMaxLinks: wholeNumber(10_000, 0, 1_000_000_000),
  /** Whether a request without a token creates an anonymous account. */
  anonymous: onOff(),
  /** Anonymous accounts per client address and day. */
  anonymousPerDay: wholeNumber(50, 1, 1_000_000_000),
  /** Megabytes that the links of all anonymous accounts together may grow by on a day (UTC). */
  anonymousMbPerDay: wholeNumber(100, 1, 1_000_000_000),
  /** Requests for unknown aliases per client and minute. */
  unknownPerMinute: wholeNumber(60, 1, 1_000_000_000),
  /** A pattern stands for all subdomains of a domain. */
  corsOrigins: listOf(originPattern).meta({
    expected:
      'origins separated by commas, such as https://app.example.com or https://*.example.com',
  }),
  /** Whether programs made for other shorteners can use their APIs here. */
  compat: onOff(),
  /** Schemes that targets can have besides http and https, in lower case. */
  extraSchemes: listOf(
    z
      .string()
      .toLowerCase()
      .regex(/^[a-z][a-z\d+.-]*$/)
      .refine((scheme) => !isWebScheme(scheme) && !UNSAFE_SCHEMES.includes(scheme)),
  ).meta({
    expected: `schemes separated by commas, such as mailto,tel, and none of http, https, ${UNSAFE_SCHEMES.join(', ')}`,
  }),
  /**
   * `on`: containers run on sandboxed pages with an opaque origin. `unsandboxed`: containers run in
   * the short domain's origin. `off`: `customGtmId` is rejected.
   */
  customGtm: z
    .enum(CONTAINER_MODES)
    .default('on')
    .meta({ expected: '"on", "off" or "unsandboxed"' }),
  /** Addresses and CIDR ranges whose `X-Forwarded-For` is trusted. */
  trustProxy: listOf(z.string().refine(isAddressRange)).meta({
    expected: 'IP addresses or CIDR ranges separated by commas, such as 127.0.0.1,10.0.0.0/8',
  }),
  /** Enables `/api/admin`. */
  adminToken: z
    .string()
    .regex(ADMIN_TOKEN_PATTERN)
    .optional()
    .meta({ expected: `at least ${ADMIN_TOKEN_MIN_CHARACTERS} visible ASCII characters` }),
  /** The people who can administer, as the proxy names them. They enable `/api/admin`, too. */
  adminIdentities: listOf(z.string()).meta({
    expected: 'names separated by commas, as the proxy sends them',
  }),
  /** Path of a file with one blocked host per line. */
  blockedHosts: z.string().optional().meta({ expected: 'the path of a file' }),
  /** Whether visitors can report a link with a form, which is instead of `reportUrl`. */
  reports: onOff('off'),
  /** Where visitors report a link. */
  reportUrl: z.string().refine(isReportUrl).optional().meta({
    expected: 'a mailto: or https: URL, such as mailto:abuse@example.com',
  }),
  /** Whether visits are counted by time and by what is known of visitors; hits always are. */
  statistics: onOff(),
  /** In lower case. The header in which trusted proxies send the visitor's country. */
  countryHeader: headerName('CF-IPCountry'),
  /** In lower case. The header in which trusted proxies say who sends a request, for single sign-on. */
  identityHeader: headerName('X-Forwarded-User'),
  /** Shown on pages instead of "Curt". */
  brandName: z
    .string()
    .trim()
    .max(BRAND_NAME_MAX_CHARACTERS)
    .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u)
    .optional()
    .meta({ expected: `a text of at most ${BRAND_NAME_MAX_CHARACTERS} characters` }),
  /** Path of an SVG or PNG file. */
  brandLogo: z.string().optional().meta({ expected: 'the path of an SVG or PNG file' }),
  /** None; one for all pages; or one for light and one for dark pages. In the form `#rrggbb`. */
  brandColor: listOf(
    z
      .string()
      .regex(/^#[\da-f]{6}$/i)
      .toLowerCase(),
  )
    .refine((colors) => colors.length <= 2)
    .meta({
      expected:
        'a color such as #0b6b57, or one for light and one for dark pages, separated by a comma',
    }),
  secret: z.string().min(32).optional().meta({ expected: 'at least 32 characters' }),
  /** Size of libuv's thread pool, which reads it too; password hashing uses at most half of it. */
  uvThreadpoolSize: wholeNumber(4, 1, 1024),
  logLevel: z
    .enum(LOG_LEVELS)
    .default('info')
    .meta({ expected: `one of ${LOG_LEVELS.join(', ')}` }),
  /** Requests with a log line of their own, of level `info`. `errors`: those with a status of at least 400. */
  logRequests: z
    .enum(REQUESTS_LOGGED)
    .default('errors')
    .meta({ expected: '"all", "errors" or "none"' }),
  /** Gets the log, instead of standard output. */
  logFile: z.string().optional().meta({ expected: 'the path of a file' }),
  metricsHost: listenAddress(),
  /** Where metrics are served: 0 selects a free port, undefined turns them off. */
  metricsPort: z
    .string()
    .regex(/^\d+$/)
    .transform(Number)
    .pipe(z.number().max(65_535))
    .optional()
    .meta({ expected: 'a whole number from 0 to 65535' }),
});

export type Settings = z.output<typeof settingsSchema>;
type Name = keyof Settings;

const NAMES = Object.keys(settingsSchema.shape) as Name[];

/** Returns the environment variable of a setting: `BASE_URL` for `baseUrl`. */
function variableOf(name: Name): string {
  return name.replace(/[A-Z]/g, '_$&').toUpperCase();
}

/** The environment variables that are read. */
export const VARIABLES = NAMES.map(variableOf);

/**
 * Reads the settings from environment variables, see `readVariables`.
 *
 * @throws SettingsError with one sentence for each invalid value
 */
export function readSettings(env: Variables = process.env): Settings {
  const given = readVariables(env, ['ADMIN_TOKEN', 'SECRET', 'STORE_URL', 'STORE_READ_URL']);
  const values = NAMES.map((name) => [name, given[variableOf(name)]]);
  const result = settingsSchema.safeParse(Object.fromEntries(values));
  if (!result.success) {
    const names = new Set(result.error.issues.map((issue) => issue.path[0] as Name));
    const problems = [...names].map((name) => explain(name, given[variableOf(name)]));
    throw new SettingsError(problems.join('\n'));
  }
  const settings = result.data;
  const unexpanded = PATHS.find((name) => /^(?:file:(?:\/\/)?)?~/.test(given[name] ?? ''));
  if (unexpanded !== undefined) {
    throw new SettingsError(
      `${unexpanded} begins with "~", which is a folder of this name here. Write the whole path, such as /home/ann/curt.`,
    );
  }
  if (settings.metricsPort === settings.port && settings.port !== 0 && sharesAddress(settings)) {
    throw new SettingsError('METRICS_PORT must be another port than PORT.');
  }
  // As it is, with its white space and quotes: the driver reads it itself.
  if (env.PGSSLMODE && !PG_SSL_MODES.includes(env.PGSSLMODE)) {
    throw new SettingsError(
      `PGSSLMODE must be one of ${PG_SSL_MODES.join(', ')}, not ${JSON.stringify(env.PGSSLMODE)}.`,
    );
  }
  if (settings.storeReadUrl !== undefined && !isPostgresUrl(settings.storeUrl)) {
    throw new SettingsError(
      'STORE_READ_URL requires a PostgreSQL database in STORE_URL, whose standby it names.',
    );
  }
  if (settings.identityHeader !== undefined) assertSafeSignOn(settings);
  else if (settings.adminIdentities.length > 0) {
    throw new SettingsError(
      'ADMIN_IDENTITIES requires IDENTITY_HEADER, the header in which the proxy says who somebody is.',
    );
  }
  return settings;
}

/** Settings that name a file or a folder. */
const PATHS = ['STORE_URL', 'LOG_FILE', 'BLOCKED_HOSTS', 'BRAND_LOGO'];

/** Whether two programs could not listen on the same port of these addresses. */
function sharesAddress({ host, metricsHost }: Settings): boolean {
  return host === metricsHost || [host, metricsHost].some((each) => /^(0\.0\.0\.0|::)$/.test(each));
}

/** Whether anybody can use `/api/admin`. */
export function hasAdministrators({ adminToken, adminIdentities }: Settings): boolean {
  return adminToken !== undefined || adminIdentities.length > 0;
}

/** @throws SettingsError */
function assertSafeSignOn({ trustProxy, customGtm }: Settings): void {
  if (trustProxy.length === 0) {
    throw new SettingsError(
      'IDENTITY_HEADER requires TRUST_PROXY, or anybody could say who they are. Set TRUST_PROXY to the address of the proxy that sends the header, such as 127.0.0.1.',
    );
  }
  if (customGtm === 'unsandboxed') {
    throw new SettingsError(
      'IDENTITY_HEADER cannot be used with CUSTOM_GTM=unsandboxed, because containers could sign in as the people who visit their pages. Set CUSTOM_GTM to "on" or "off".',
    );
  }
}

const PORT_OF_KUBERNETES =
  'METRICS_PORT was set by Kubernetes, because there is a service named "metrics". Set enableServiceLinks to false in the pod, or METRICS_PORT to a number in the container.';

function explain(name: Name, value: string | undefined): string {
  if (name === 'metricsPort' && value?.startsWith('tcp://')) return PORT_OF_KUBERNETES;
  // Never print a secret, not even one that is too short.
  const isSecret =
    name === 'secret' ||
    name === 'adminToken' ||
    // It may contain a password.
    ((name === 'storeUrl' || name === 'storeReadUrl') && value?.includes('@'));
  const shown = isSecret || value === undefined ? '' : `, not "${hidePassword(value)}"`;
  return `${variableOf(name)} must be ${settingsSchema.shape[name].meta()?.expected}${shown}.`;
}

/** `file:./data` or an absolute URL. In `file://data`, `data` would be the host. */
function isFolderUrl(value: string): boolean {
  return value.startsWith('file://')
    ? /^file:\/\/\/./.test(value) && !/%(?![\da-f]{2})|%2f|%00/i.test(value)
    : /^file:./.test(value);
}

function isReportUrl(value: string): boolean {
  return /^(mailto:[^@\s?]+@\S+|https:\/\/\S+)$/i.test(value) && URL.canParse(value);
}

/** Returns what is probably wrong with the settings, although the server can start with them. */
export function configurationWarnings(
  { baseUrl, trustProxy }: Settings,
  domains: { has(host: string): boolean },
): string[] {
  const warnings: string[] = [];
  if (baseUrl?.startsWith('https:') && trustProxy.length === 0) {
    warnings.push(
      'BASE_URL is https, so Curt is probably behind a proxy, but TRUST_PROXY is not set. Until it is, all visitors count as one client.',
    );
  }
  const host = baseUrl === undefined ? undefined : parseAuthority(new URL(baseUrl).host);
  if (host !== undefined && domains.has(host)) {
    warnings.push(
      `BASE_URL is at ${host}, which administrators added as a domain before. The links of that domain cannot be visited. Set BASE_URL back, and move them with \`curt domain remove ${host} --move-links-to <host>\`.`,
    );
  }
  return warnings;
}
