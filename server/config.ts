import { isIP } from 'node:net';
import { z } from 'zod';
import {
  ADMIN_TOKEN_MIN_CHARACTERS,
  BRAND_NAME_MAX_CHARACTERS,
  MONTHLY_QUOTA_MAX,
} from '../shared/limits.ts';
import { isWebScheme, UNSAFE_SCHEMES } from '../shared/links/schemes.ts';
import { isPostgresUrl } from './lib/postgres-url.ts';
import { SettingsError } from './lib/settings-error.ts';
import { readVariables, type Variables } from './lib/variables.ts';

const CONTAINER_MODES = ['on', 'off', 'unsandboxed'] as const;
const REQUESTS_LOGGED = ['all', 'errors', 'none'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const MEGABYTE = 1_000_000;

const wholeNumber = (fallback: number, min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .default(fallback)
    .meta({ expected: `a whole number from ${min} to ${max}` });

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

const onOff = (fallback: 'on' | 'off' = 'on') =>
  z
    .enum(['on', 'off'])
    .default(fallback)
    .transform((value) => value === 'on')
    .meta({ expected: '"on" or "off"' });

const origin = z
  .string()
  .refine(isOrigin)
  .transform((value) => new URL(value).origin);

/** An origin, or one whose host begins with `*.`: then those of all subdomains. */
const originPattern = z
  .string()
  .refine(isOriginPattern)
  .transform((value): string | RegExp => {
    const { origin } = new URL(value);
    if (!origin.includes('*')) return origin;
    const [protocol = '', domain = ''] = origin.replaceAll('.', '\\.').split('*');
    return new RegExp(`^${protocol}[a-z0-9.-]+${domain}$`);
  });

const list = <T extends z.ZodType<unknown, string>>(item: T) =>
  z
    .string()
    .default('')
    .transform((value) =>
      value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .pipe(z.array(item));

const headerName = (example: string) =>
  z
    .string()
    .regex(/^[A-Za-z0-9-]+$/)
    .transform((value) => value.toLowerCase())
    .optional()
    .meta({ expected: `the name of a header, such as ${example}` });

/** Those of the PostgreSQL driver. With any other, it does not encrypt, and says nothing. */
const PG_SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** See docs/settings.md. */
const settingsSchema = z.object({
  HOST: z.string().default('127.0.0.1').meta({ expected: 'an address to listen on' }),
  PORT: wholeNumber(2878, 0, 65_535),
  BASE_URL: origin.optional().meta({
    expected: 'an origin without a path, such as https://s.example.com',
  }),
  STORE_URL: z
    .string()
    .refine((value) => isFolderUrl(value) || isPostgresUrl(value))
    .default('file:./data')
    .meta({
      expected:
        'a folder, such as file:./data or file:///var/lib/curt, or a PostgreSQL database, such as postgres://user:password@host:5432/curt',
    }),
  STORE_READ_URL: z.string().refine(isPostgresUrl).optional().meta({
    expected:
      'a standby of the PostgreSQL database, such as postgres://user:password@standby:5432/curt',
  }),
  RATE_LIMIT_PER_MINUTE: wholeNumber(10, 1, 1_000_000_000),
  MONTHLY_QUOTA: quota(1000),
  IMPORT_MAX_LINKS: wholeNumber(10_000, 0, 1_000_000_000),
  ANONYMOUS: onOff(),
  ANONYMOUS_PER_DAY: wholeNumber(50, 1, 1_000_000_000),
  ANONYMOUS_MB_PER_DAY: wholeNumber(100, 1, 1_000_000_000),
  UNKNOWN_PER_MINUTE: wholeNumber(60, 1, 1_000_000_000),
  CORS_ORIGINS: list(originPattern).meta({
    expected:
      'origins separated by commas, such as https://app.example.com or https://*.example.com',
  }),
  EXTRA_SCHEMES: list(
    z
      .string()
      .toLowerCase()
      .regex(/^[a-z][a-z\d+.-]*$/)
      .refine((scheme) => !isWebScheme(scheme) && !UNSAFE_SCHEMES.includes(scheme)),
  ).meta({
    expected: `schemes separated by commas, such as mailto,tel, and none of http, https, ${UNSAFE_SCHEMES.join(', ')}`,
  }),
  CUSTOM_GTM: z
    .enum(CONTAINER_MODES)
    .default('on')
    .meta({ expected: '"on", "off" or "unsandboxed"' }),
  TRUST_PROXY: list(z.string().refine(isAddressRange)).meta({
    expected: 'IP addresses or CIDR ranges separated by commas, such as 127.0.0.1,10.0.0.0/8',
  }),
  ADMIN_TOKEN: z
    .string()
    .regex(ADMIN_TOKEN_PATTERN)
    .optional()
    .meta({ expected: `at least ${ADMIN_TOKEN_MIN_CHARACTERS} visible ASCII characters` }),
  ADMIN_IDENTITIES: list(z.string()).meta({
    expected: 'names separated by commas, as the proxy sends them',
  }),
  BLOCKED_HOSTS: z.string().optional().meta({ expected: 'the path of a file' }),
  REPORTS: onOff('off'),
  REPORT_URL: z.string().refine(isReportUrl).optional().meta({
    expected: 'a mailto: or https: URL, such as mailto:abuse@example.com',
  }),
  STATISTICS: onOff(),
  COUNTRY_HEADER: headerName('CF-IPCountry'),
  IDENTITY_HEADER: headerName('X-Forwarded-User'),
  BRAND_NAME: z
    .string()
    .trim()
    .max(BRAND_NAME_MAX_CHARACTERS)
    .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u)
    .optional()
    .meta({ expected: `a text of at most ${BRAND_NAME_MAX_CHARACTERS} characters` }),
  BRAND_LOGO: z.string().optional().meta({ expected: 'the path of an SVG or PNG file' }),
  BRAND_COLOR: list(
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
  SECRET: z.string().min(32).optional().meta({ expected: 'at least 32 characters' }),
  UV_THREADPOOL_SIZE: wholeNumber(4, 1, 1024),
  LOG_LEVEL: z
    .enum(LOG_LEVELS)
    .default('info')
    .meta({ expected: `one of ${LOG_LEVELS.join(', ')}` }),
  LOG_REQUESTS: z
    .enum(REQUESTS_LOGGED)
    .default('errors')
    .meta({ expected: '"all", "errors" or "none"' }),
  LOG_FILE: z.string().optional().meta({ expected: 'the path of a file' }),
  METRICS_HOST: z.string().default('127.0.0.1').meta({ expected: 'an address to listen on' }),
  METRICS_PORT: z
    .string()
    .regex(/^\d+$/)
    .transform(Number)
    .pipe(z.number().max(65_535))
    .optional()
    .meta({ expected: 'a whole number from 0 to 65535' }),
});

export type Settings = {
  host: string;
  /** 0 selects a free port. */
  port: number;
  /** Origin of short URLs; `http://localhost:<port>` if unset. */
  baseUrl: string | undefined;
  /** A folder or a database, see `openStore`. May contain a password. */
  storeUrl: string;
  /** A standby of that database, which is asked for links while it cannot be reached. May contain a password. */
  storeReadUrl: string | undefined;
  rateLimitPerMinute: number;
  /** Links per account and calendar month (UTC); Infinity for no limit. */
  monthlyQuota: number;
  /** Links that an account can import in total. They do not count against the monthly quota. */
  importMaxLinks: number;
  /** Whether a request without a token creates an anonymous account. */
  anonymous: boolean;
  /** Anonymous accounts per client address and day. */
  anonymousPerDay: number;
  /** What the links of all anonymous accounts together may grow by on a day (UTC). */
  anonymousBytesPerDay: number;
  /** Requests for unknown aliases per client and minute. */
  unknownPerMinute: number;
  /** A pattern stands for all subdomains of a domain. */
  corsOrigins: (string | RegExp)[];
  /** Of targets, besides http and https, in lower case. */
  extraSchemes: string[];
  /**
   * `on`: containers run on sandboxed pages with an opaque origin. `unsandboxed`: containers run in
   * the short domain's origin. `off`: `customGtmId` is rejected.
   */
  customGtm: (typeof CONTAINER_MODES)[number];
  /** Addresses and CIDR ranges whose `X-Forwarded-For` is trusted. */
  trustProxy: string[];
  /** Enables `/api/admin`. */
  adminToken: string | undefined;
  /** The people who can administer, as the proxy names them. They enable `/api/admin`, too. */
  adminIdentities: string[];
  /** Path of a file with one blocked host per line. */
  blockedHosts: string | undefined;
  /** Whether visitors can report a link with a form, which is instead of `reportUrl`. */
  reports: boolean;
  /** Where visitors report a link. */
  reportUrl: string | undefined;
  /** Whether visits are counted by time and by what is known of visitors; hits always are. */
  statistics: boolean;
  /** In lower case. The header in which trusted proxies send the visitor's country. */
  countryHeader: string | undefined;
  /** In lower case. The header in which trusted proxies say who sends a request, for single sign-on. */
  identityHeader: string | undefined;
  /** Shown on pages instead of "Curt". */
  brandName: string | undefined;
  /** Path of an SVG or PNG file. */
  brandLogo: string | undefined;
  /** None; one for all pages; or one for light and one for dark pages. In the form `#rrggbb`. */
  brandColor: string[];
  secret: string | undefined;
  /** Size of libuv's thread pool, which reads it too; password hashing uses at most half of it. */
  threadPoolSize: number;
  logLevel: (typeof LOG_LEVELS)[number];
  /** Requests with a log line of their own, of level `info`. `errors`: those with a status of at least 400. */
  logRequests: (typeof REQUESTS_LOGGED)[number];
  /** Gets the log, instead of standard output. */
  logFile: string | undefined;
  metricsHost: string;
  /** Where metrics are served: 0 selects a free port, undefined turns them off. */
  metricsPort: number | undefined;
};

/**
 * Reads the settings from environment variables, see `readVariables`.
 *
 * @throws SettingsError with one sentence for each invalid value
 */
export function readSettings(env: Variables = process.env): Settings {
  const given = readVariables(env, ['ADMIN_TOKEN', 'SECRET', 'STORE_URL', 'STORE_READ_URL']);
  const result = settingsSchema.safeParse(given);
  if (!result.success) {
    const names = new Set(result.error.issues.map((issue) => String(issue.path[0])));
    throw new SettingsError([...names].map((name) => explain(name, given[name])).join('\n'));
  }
  const settings = result.data;
  // As it is, with its white space and quotes: the driver reads it itself.
  if (env.PGSSLMODE && !PG_SSL_MODES.includes(env.PGSSLMODE)) {
    throw new SettingsError(
      `PGSSLMODE must be one of ${PG_SSL_MODES.join(', ')}, not ${JSON.stringify(env.PGSSLMODE)}.`,
    );
  }
  if (settings.STORE_READ_URL !== undefined && !isPostgresUrl(settings.STORE_URL)) {
    throw new SettingsError(
      'STORE_READ_URL requires a PostgreSQL database in STORE_URL, whose standby it names.',
    );
  }
  if (settings.IDENTITY_HEADER !== undefined) assertSafeSignOn(settings);
  else if (settings.ADMIN_IDENTITIES.length > 0) {
    throw new SettingsError(
      'ADMIN_IDENTITIES requires IDENTITY_HEADER, the header in which the proxy says who somebody is.',
    );
  }
  return {
    host: settings.HOST,
    port: settings.PORT,
    baseUrl: settings.BASE_URL,
    storeUrl: settings.STORE_URL,
    storeReadUrl: settings.STORE_READ_URL,
    rateLimitPerMinute: settings.RATE_LIMIT_PER_MINUTE,
    monthlyQuota: settings.MONTHLY_QUOTA,
    importMaxLinks: settings.IMPORT_MAX_LINKS,
    anonymous: settings.ANONYMOUS,
    anonymousPerDay: settings.ANONYMOUS_PER_DAY,
    anonymousBytesPerDay: settings.ANONYMOUS_MB_PER_DAY * MEGABYTE,
    unknownPerMinute: settings.UNKNOWN_PER_MINUTE,
    corsOrigins: settings.CORS_ORIGINS,
    extraSchemes: settings.EXTRA_SCHEMES,
    customGtm: settings.CUSTOM_GTM,
    trustProxy: settings.TRUST_PROXY,
    adminToken: settings.ADMIN_TOKEN,
    adminIdentities: settings.ADMIN_IDENTITIES,
    blockedHosts: settings.BLOCKED_HOSTS,
    reports: settings.REPORTS,
    reportUrl: settings.REPORT_URL,
    statistics: settings.STATISTICS,
    countryHeader: settings.COUNTRY_HEADER,
    identityHeader: settings.IDENTITY_HEADER,
    brandName: settings.BRAND_NAME,
    brandLogo: settings.BRAND_LOGO,
    brandColor: settings.BRAND_COLOR,
    secret: settings.SECRET,
    threadPoolSize: settings.UV_THREADPOOL_SIZE,
    logLevel: settings.LOG_LEVEL,
    logRequests: settings.LOG_REQUESTS,
    logFile: settings.LOG_FILE,
    metricsHost: settings.METRICS_HOST,
    metricsPort: settings.METRICS_PORT,
  };
}

/** Whether anybody can use `/api/admin`. */
export function hasAdministrators({ adminToken, adminIdentities }: Settings): boolean {
  return adminToken !== undefined || adminIdentities.length > 0;
}

/** @throws SettingsError */
function assertSafeSignOn({ TRUST_PROXY, CUSTOM_GTM }: z.output<typeof settingsSchema>): void {
  if (TRUST_PROXY.length === 0) {
    throw new SettingsError(
      'IDENTITY_HEADER requires TRUST_PROXY, or anybody could say who they are. Set TRUST_PROXY to the address of the proxy that sends the header, such as 127.0.0.1.',
    );
  }
  if (CUSTOM_GTM === 'unsandboxed') {
    throw new SettingsError(
      'IDENTITY_HEADER cannot be used with CUSTOM_GTM=unsandboxed, because containers could sign in as the people who visit their pages. Set CUSTOM_GTM to "on" or "off".',
    );
  }
}

const PORT_OF_KUBERNETES =
  'METRICS_PORT was set by Kubernetes, because there is a service named "metrics". Set enableServiceLinks to false in the pod, or METRICS_PORT to a number in the container.';

function explain(name: string, value: string | undefined): string {
  if (name === 'METRICS_PORT' && value?.startsWith('tcp://')) return PORT_OF_KUBERNETES;
  const field = settingsSchema.shape[name as keyof typeof settingsSchema.shape];
  // Never print a secret, not even one that is too short.
  const isSecret =
    name === 'SECRET' ||
    name === 'ADMIN_TOKEN' ||
    // It may contain a password.
    ((name === 'STORE_URL' || name === 'STORE_READ_URL') && value?.includes('@'));
  const shown = isSecret ? '' : `, not "${value}"`;
  return `${name} must be ${field.meta()?.expected}${shown}.`;
}

function isOrigin(value: string): boolean {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return false;
  const { origin, href } = new URL(value);
  return href === `${origin}/` && !origin.includes('*');
}

/** Not `https://*.com`, which would be everybody's. */
function isOriginPattern(value: string): boolean {
  return isOrigin(value.replace(/^(https?:\/\/)\*\.(?=[^.]+\.[^.])/i, '$1'));
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

function isAddressRange(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  // /0 is invalid: it would trust every client, and Fastify rejects it.
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128);
}
