import fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { configurationWarnings, readSettings } from '../../server/config.ts';
import { SettingsError } from '../../server/lib/settings.ts';
import { domainOf } from '../store/contract/domains.ts';

describe('the settings', () => {
  const defaults = {
    host: '127.0.0.1',
    port: 2878,
    baseUrl: undefined,
    storeUrl: 'file:./data',
    storeReadUrl: undefined,
    rateLimitPerMinute: 10,
    monthlyQuota: 1000,
    importMaxLinks: 10_000,
    anonymous: true,
    anonymousPerDay: 50,
    anonymousMbPerDay: 100,
    unknownPerMinute: 60,
    corsOrigins: [],
    compat: true,
    extraSchemes: [],
    customGtm: 'on',
    trustProxy: [],
    adminToken: undefined,
    adminIdentities: [],
    blockedHosts: undefined,
    reports: false,
    reportUrl: undefined,
    statistics: true,
    countryHeader: undefined,
    identityHeader: undefined,
    brandName: undefined,
    brandLogo: undefined,
    brandColor: [],
    secret: undefined,
    uvThreadpoolSize: 4,
    logLevel: 'info',
    logRequests: 'errors',
    metricsHost: '127.0.0.1',
    metricsPort: undefined,
  };
  /** Such as MONTHLY_QUOTA for monthlyQuota. */
  const names = Object.keys(defaults).map((field) => field.replace(/[A-Z]/g, '_$&').toUpperCase());

  test('have their documented defaults if no variable is set', () => {
    expect(readSettings({})).toEqual(defaults);
  });

  test.each(names)('treat an empty %s as unset', (name) => {
    expect(readSettings({ [name]: '' })).toEqual(defaults);
    expect(readSettings({ [name]: undefined })).toEqual(defaults);
  });

  test('ignore other variables', () => {
    expect(readSettings({ PATH: '/usr/bin', port: '1', HOSTNAME: 'x' })).toEqual(defaults);
  });
});

describe('a valid value is read', () => {
  const secret = 's'.repeat(32);
  test.each<[string, string, string, unknown]>([
    ['ADMIN_TOKEN', 's'.repeat(32), 'adminToken', 's'.repeat(32)],
    ['BLOCKED_HOSTS', '/etc/curt/hosts', 'blockedHosts', '/etc/curt/hosts'],
    ['REPORT_URL', 'mailto:abuse@example.com', 'reportUrl', 'mailto:abuse@example.com'],
    ['REPORT_URL', 'https://example.com/report', 'reportUrl', 'https://example.com/report'],
    ['HOST', '0.0.0.0', 'host', '0.0.0.0'],
    ['HOST', '::', 'host', '::'],
    ['PORT', '0', 'port', 0],
    ['PORT', '65535', 'port', 65_535],
    ['BASE_URL', 'https://s.example.com', 'baseUrl', 'https://s.example.com'],
    ['BASE_URL', 'https://S.Example.com/', 'baseUrl', 'https://s.example.com'],
    ['BASE_URL', 'http://localhost:8080', 'baseUrl', 'http://localhost:8080'],
    ['BASE_URL', 'https://s.example.com:443', 'baseUrl', 'https://s.example.com'],
    ['STORE_URL', 'file:/var/lib/curt', 'storeUrl', 'file:/var/lib/curt'],
    ['STORE_URL', 'file:///var/lib/curt', 'storeUrl', 'file:///var/lib/curt'],
    ['STORE_URL', 'postgres://u:p@db/curt', 'storeUrl', 'postgres://u:p@db/curt'],
    ['STORE_URL', 'postgresql://a,b/curt', 'storeUrl', 'postgresql://a,b/curt'],
    ['RATE_LIMIT_PER_MINUTE', '1', 'rateLimitPerMinute', 1],
    ['MONTHLY_QUOTA', 'unlimited', 'monthlyQuota', Number.POSITIVE_INFINITY],
    ['MONTHLY_QUOTA', '1', 'monthlyQuota', 1],
    ['MONTHLY_QUOTA', '25', 'monthlyQuota', 25],
    ['IMPORT_MAX_LINKS', '0', 'importMaxLinks', 0],
    ['IMPORT_MAX_LINKS', '250000', 'importMaxLinks', 250_000],
    ['ANONYMOUS', 'on', 'anonymous', true],
    ['ANONYMOUS', 'off', 'anonymous', false],
    ['ANONYMOUS_PER_DAY', '1', 'anonymousPerDay', 1],
    ['UNKNOWN_PER_MINUTE', '1', 'unknownPerMinute', 1],
    ['UV_THREADPOOL_SIZE', '16', 'uvThreadpoolSize', 16],
    ['CUSTOM_GTM', 'on', 'customGtm', 'on'],
    ['CUSTOM_GTM', 'off', 'customGtm', 'off'],
    ['CUSTOM_GTM', 'unsandboxed', 'customGtm', 'unsandboxed'],
    ['EXTRA_SCHEMES', 'Mailto, tel,web+app', 'extraSchemes', ['mailto', 'tel', 'web+app']],
    ['STATISTICS', 'on', 'statistics', true],
    ['STATISTICS', 'off', 'statistics', false],
    ['COUNTRY_HEADER', 'CF-IPCountry', 'countryHeader', 'cf-ipcountry'],
    ['BRAND_NAME', ' Links ', 'brandName', 'Links'],
    ['BRAND_LOGO', './logo.svg', 'brandLogo', './logo.svg'],
    ['BRAND_COLOR', '#0B6B57, #6fd6b8', 'brandColor', ['#0b6b57', '#6fd6b8']],
    ['SECRET', secret, 'secret', secret],
    ['LOG_LEVEL', 'trace', 'logLevel', 'trace'],
    ['LOG_LEVEL', 'silent', 'logLevel', 'silent'],
    ['LOG_REQUESTS', 'all', 'logRequests', 'all'],
    ['LOG_REQUESTS', 'none', 'logRequests', 'none'],
    ['METRICS_PORT', '0', 'metricsPort', 0],
    ['METRICS_PORT', '9464', 'metricsPort', 9464],
    ['METRICS_HOST', '10.0.0.5', 'metricsHost', '10.0.0.5'],
  ])('%s=%s', (name, value, field, expected) => {
    expect(readSettings({ [name]: value })).toHaveProperty(field, expected);
  });

  test('CORS_ORIGINS is a list of origins separated by commas', () => {
    const { corsOrigins } = readSettings({
      CORS_ORIGINS: 'https://app.example.com, http://localhost:5173/,,',
    });
    expect(corsOrigins).toEqual(['https://app.example.com', 'http://localhost:5173']);
  });

  test('HOST and METRICS_HOST can be IPv6 addresses as in URLs', () => {
    const settings = readSettings({ HOST: '[::]', METRICS_HOST: '[::1]' });
    expect([settings.host, settings.metricsHost]).toEqual(['::', '::1']);
  });

  test('TRUST_PROXY is a list of addresses and ranges that Fastify accepts', () => {
    const { trustProxy } = readSettings({
      TRUST_PROXY: '127.0.0.1, 10.0.0.0/8,::1 ,fd00::/8,192.0.2.0/32,2001:db8::/128,128.0.0.0/1',
    });
    expect(trustProxy).toEqual([
      ...['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', '192.0.2.0/32', '2001:db8::/128'],
      '128.0.0.0/1',
    ]);
    expect(() => fastify({ trustProxy })).not.toThrow();
  });
});

describe('an invalid value is rejected with a message that names it', () => {
  test.each([
    ['IMPORT_MAX_LINKS', 'unlimited'],
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['PORT', '1e3'],
    ['PORT', '0x50'],
    ['BASE_URL', 's.example.com'],
    ['BASE_URL', 'localhost:2878'],
    ['BASE_URL', 'https://s.example.com/links'],
    ['BASE_URL', 'https://s.example.com?x'],
    ['BASE_URL', 'https://s.example.com/#'],
    ['BASE_URL', 'https://user@s.example.com'],
    ['BASE_URL', 'ftp://s.example.com'],
    ['BASE_URL', 'https://'],
    ['STORE_URL', './data'],
    ['STORE_URL', 'file:'],
    ['STORE_URL', 'file://./data'],
    ['STORE_URL', 'file://data'],
    ['STORE_URL', 'file:///data/%zz'],
    ['STORE_URL', 'redis://localhost'],
    ['STORE_URL', 'postgres:curt'],
    ['RATE_LIMIT_PER_MINUTE', '0'],
    ['RATE_LIMIT_PER_MINUTE', 'ten'],
    // Ambiguous: no links, or no limit? The message names the clear alternatives.
    ['MONTHLY_QUOTA', '0'],
    ['MONTHLY_QUOTA', '-1'],
    ['MONTHLY_QUOTA', 'Infinity'],
    ['MONTHLY_QUOTA', 'Unlimited'],
    ['MONTHLY_QUOTA', '1_000'],
    ['ANONYMOUS', 'true'],
    ['ANONYMOUS', 'OFF'],
    ['ANONYMOUS_PER_DAY', '0'],
    ['ANONYMOUS_PER_DAY', '1.5'],
    ['UNKNOWN_PER_MINUTE', '0'],
    ['UV_THREADPOOL_SIZE', '0'],
    ['UV_THREADPOOL_SIZE', '1025'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'null'],
    ['CORS_ORIGINS', 'https://*'],
    ['CORS_ORIGINS', 'https://*.com'],
    ['CORS_ORIGINS', 'https://*example.com'],
    ['CORS_ORIGINS', 'https://app.*.example.com'],
    ['CORS_ORIGINS', 'https://*.*.example.com'],
    ['CORS_ORIGINS', '*://app.example.com'],
    ['BASE_URL', 'https://*.example.com'],
    ['CORS_ORIGINS', 'https://app.example.com;https://b.example.com'],
    ['CORS_ORIGINS', 'https://app.example.com, b.example.com'],
    ['CORS_ORIGINS', 'https://app.example.com/page'],
    ...[
      'javascript',
      'DATA',
      'file',
      'vbscript',
      'blob',
      'about',
      'https',
      'mailto:',
      'a b',
      '1a',
    ].map((scheme) => ['EXTRA_SCHEMES', `tel,${scheme}`]),
    ['CUSTOM_GTM', '0'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', 'loopback'],
    ['TRUST_PROXY', '*'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '::1/129'],
    ['TRUST_PROXY', '10.0.0.0/8/8'],
    ['TRUST_PROXY', '10.0.0.0/'],
    ['TRUST_PROXY', '10.0.0.0/-1'],
    ['TRUST_PROXY', '10.0.0/8'],
    ['TRUST_PROXY', '127.0.0.1 10.0.0.1'],
    ['TRUST_PROXY', '127.0.0.1, proxy.example'],
    // Everyone: no proxy has every address.
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '::/0'],
    ['REPORT_URL', 'abuse@example.com'],
    ['REPORT_URL', 'mailto:'],
    ['REPORT_URL', 'http://example.com/report'],
    ['REPORT_URL', 'javascript:alert(1)'],
    ['REPORT_URL', 'https://'],
    ['LOG_LEVEL', 'verbose'],
    ['LOG_LEVEL', 'INFO'],
    ['LOG_REQUESTS', 'on'],
    ['METRICS_PORT', 'on'],
    ['METRICS_PORT', '65536'],
  ])('%s=%s', (name, value) => {
    const message = complaintAbout({ [name]: value });
    expect(message).toMatch(new RegExp(`^${name} must be .+\\.$`));
    expect(message).toContain(`not "${value}"`);
    expect(message).not.toContain('undefined');
  });

  test('MONTHLY_QUOTA=0, with the value for no limit', () => {
    expect(complaintAbout({ MONTHLY_QUOTA: '0' })).toBe(
      'MONTHLY_QUOTA must be a whole number from 1 to 1000000000, or "unlimited", not "0".',
    );
  });

  test('SECRET, without printing its value', () => {
    const secret = 'too-short-a-secret-of-31-charac';
    expect(secret).toHaveLength(31);
    const message = complaintAbout({ SECRET: secret, PORT: 'http' });
    expect(message).toContain('SECRET must be at least 32 characters.');
    for (let length = 4; length <= secret.length; length++) {
      expect(message).not.toContain(secret.slice(0, length));
    }
  });

  test.each([
    ['https://ada:hunter22@go.example', 'https://…@go.example'],
    ['ada:hunter22@go.example', '…@go.example'],
  ])('BASE_URL %s, of which it prints %s', (value, shown) => {
    expect(complaintAbout({ BASE_URL: value })).toMatch(new RegExp(`, not "${shown}"\\.$`));
  });

  test('STORE_URL, without printing a password', () => {
    const message = complaintAbout({ STORE_URL: 'postgress://curt:hunter22@db.example.com/curt' });
    expect(message).toMatch(/^STORE_URL must be a folder, .*, or a PostgreSQL database, .*\.$/);
    expect(message).not.toContain('hunter22');
  });

  test('STORE_READ_URL, without printing a password, or without a database in STORE_URL', () => {
    const message = complaintAbout({ STORE_READ_URL: 'postgress://curt:hunter22@standby/curt' });
    expect(message).toMatch(/^STORE_READ_URL must be a standby of the PostgreSQL database, .*\.$/);
    expect(message).not.toContain('hunter22');
    const readUrl = 'postgres://curt@standby/curt';
    expect(complaintAbout({ STORE_READ_URL: readUrl })).toBe(
      'STORE_READ_URL requires a PostgreSQL database in STORE_URL, whose standby it names.',
    );
    const env = { STORE_READ_URL: readUrl, STORE_URL: 'postgres://curt@primary/curt' };
    expect(readSettings(env).storeReadUrl).toBe(readUrl);
  });

  test.each([
    ['STORE_URL', 'file:~/data'],
    ['STORE_URL', 'file://~/data'],
    ['LOG_FILE', '~/curt.log'],
    ['BLOCKED_HOSTS', '~ann/hosts'],
    ['BRAND_LOGO', '~/logo.svg'],
  ])('%s with a "~", which nothing replaces: %s', (name, value) => {
    expect(complaintAbout({ [name]: value })).toMatch(
      new RegExp(`^${name} (begins with "~"|must be)`),
    );
  });

  test.each([
    { METRICS_PORT: '2878' },
    { METRICS_PORT: '80', PORT: '80', HOST: '0.0.0.0' },
    { METRICS_PORT: '80', PORT: '80', HOST: '::', METRICS_HOST: '10.0.0.1' },
  ])('the same port twice: %s', (env) => {
    expect(complaintAbout(env)).toBe('METRICS_PORT must be another port than PORT.');
    expect(readSettings({ ...env, METRICS_PORT: '81' }).metricsPort).toBe(81);
  });

  test.each(['a'.repeat(31), `with a space ${'x'.repeat(32)}`, 'é'.repeat(32)])(
    'ADMIN_TOKEN, without printing its value: %s',
    (token) => {
      expect(complaintAbout({ ADMIN_TOKEN: token })).toBe(
        'ADMIN_TOKEN must be at least 32 visible ASCII characters.',
      );
    },
  );

  test('IDENTITY_HEADER without TRUST_PROXY, because anybody could send the header', () => {
    expect(complaintAbout({ IDENTITY_HEADER: 'X-Forwarded-User' })).toBe(
      'IDENTITY_HEADER requires TRUST_PROXY, or anybody could say who they are. Set TRUST_PROXY to the address of the proxy that sends the header, such as 127.0.0.1.',
    );
    const env = { IDENTITY_HEADER: 'X-Forwarded-User', TRUST_PROXY: '127.0.0.1' };
    expect(readSettings(env).identityHeader).toBe('x-forwarded-user');
    expect(complaintAbout({ ...env, IDENTITY_HEADER: 'X User' })).toContain('not "X User"');
  });

  test('ADMIN_IDENTITIES without IDENTITY_HEADER, because nobody could be one of them', () => {
    expect(complaintAbout({ ADMIN_IDENTITIES: 'ada' })).toContain('requires IDENTITY_HEADER');
  });

  test('IDENTITY_HEADER with containers in the origin of the server, which could sign in', () => {
    const env = { IDENTITY_HEADER: 'X-Forwarded-User', TRUST_PROXY: '127.0.0.1' };
    const message = complaintAbout({ ...env, CUSTOM_GTM: 'unsandboxed' });
    expect(message).toContain('IDENTITY_HEADER cannot be used with CUSTOM_GTM=unsandboxed');
    expect(readSettings({ ...env, CUSTOM_GTM: 'off' }).identityHeader).toBe('x-forwarded-user');
  });

  test('several values, one per line', () => {
    const lines = complaintAbout({ PORT: 'x', ANONYMOUS: 'x', LOG_LEVEL: 'x', HOST: 'x' });
    expect(lines.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'PORT',
      'ANONYMOUS',
      'LOG_LEVEL',
    ]);
  });

  test('a list with several invalid parts, only once', () => {
    expect(complaintAbout({ TRUST_PROXY: 'a,b,c' }).split('\n')).toHaveLength(1);
  });
});

test.each(['verify_full', 'required', 'allow', 'require\r', '"require"'])(
  'PGSSLMODE must not be %j, with which the driver would not encrypt',
  (mode) => {
    expect(complaintAbout({ PGSSLMODE: mode })).toMatch(/^PGSSLMODE must be one of disable, /);
  },
);

test.each(['', 'disable', 'verify-full', 'no-verify'])('PGSSLMODE can be %j', (mode) => {
  expect(readSettings({ PGSSLMODE: mode })).toEqual(readSettings({}));
});

function complaintAbout(env: Record<string, string>): string {
  try {
    readSettings(env);
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as SettingsError).message;
  }
  throw new Error('the settings were accepted');
}

const domains = new Map([['go.example', domainOf('go.example')]]);
const warningsOf = (env: Record<string, string>) =>
  configurationWarnings(readSettings(env), domains);

test('there is a warning if BASE_URL is at a domain that was added', () => {
  for (const baseUrl of ['http://go.example', 'http://GO.example:80']) {
    expect(warningsOf({ BASE_URL: baseUrl })).toEqual([
      expect.stringContaining('curt domain remove go.example --move-links-to'),
    ]);
  }
  expect(warningsOf({ BASE_URL: 'http://s.example' })).toEqual([]);
  expect(warningsOf({})).toEqual([]);
});

test('there is a warning if BASE_URL is https, and no proxy is trusted', () => {
  const env = { BASE_URL: 'https://s.example' };
  expect(warningsOf(env)).toEqual([expect.stringContaining('TRUST_PROXY is not set')]);
  expect(warningsOf({ ...env, TRUST_PROXY: '127.0.0.1' })).toEqual([]);
});
