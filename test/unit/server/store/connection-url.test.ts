import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  parseConnectionUrl,
  type UrlSetting,
} from '../../../../server/store/postgres/database/connection-url.ts';
import { StoreOpenError } from '../../../../server/store/store.ts';
import { newCertificates } from '../../../support/certificates.ts';

const parse = (url: string, setting: UrlSetting = 'STORE_URL') => {
  const { hosts, ...rest } = parseConnectionUrl(url, setting);
  return { ...rest, hosts: hosts.map(({ name, config }) => ({ name, ...config() })) };
};

/** The message of the error that stops the start. */
function refusal(url: string, setting: UrlSetting = 'STORE_URL'): string {
  try {
    parse(url, setting);
  } catch (error) {
    if (error instanceof StoreOpenError) return error.message;
    throw error;
  }
  throw new Error(`${url} was accepted`);
}

describe('a URL of a database', () => {
  test.each([
    ['postgres://u:p@h/db', { user: 'u', password: 'p', host: 'h', database: 'db' }],
    ['postgresql://u@h:6543/db', { user: 'u', port: 6543 }],
    ['postgres:///db?host=/run/postgresql&user=u', { host: '/run/postgresql', user: 'u' }],
    [
      'postgres://u:p@localhost/db?host=/cloudsql/project:us-central1:name',
      { host: '/cloudsql/project:us-central1:name', password: 'p', database: 'db' },
    ],
    ['postgres://u:p@/db?host=/run/postgresql', { host: '/run/postgresql', user: 'u' }],
    [
      'postgres://u:Superp@$$W0rd^[1]@db_host:5432/db_name',
      { password: 'Superp@$$W0rd^[1]', host: 'db_host' },
    ],
    ['postgres://%2Frun%2Fpostgresql/db', { host: '/run/postgresql' }],
    ['postgres://u:p@[::1]:5433/db', { host: '::1', port: 5433 }],
    ['postgres://h?dbname=db&port=1&password=a%26b', { port: 1, password: 'a&b', database: 'db' }],
    // What others take for the end of the user name, or a fragment.
    ['postgres://u@server:p@ss#1@h/db', { user: 'u@server', password: 'p@ss#1', host: 'h' }],
    [
      'postgres://postgres.ref:a%2Fb%3Fc%25%40@h/my%20db',
      { user: 'postgres.ref', password: 'a/b?c%@', database: 'my db' },
    ],
    [
      'postgres://u:p+q@h/db?options=-c%20search_path%3Da+b',
      { password: 'p+q', options: '-c search_path=a+b' },
    ],
    ['postgres://h/db?sslmode=require', { ssl: {} }],
    ['postgres://h/db?sslmode=disable', { ssl: false }],
    ['postgres://h/db?sslmode=verify-full&sslrootcert=system', { ssl: {} }],
    ['postgres://h/db?sslmode=no-verify', { ssl: { rejectUnauthorized: false } }],
    ['postgres://h/db?sslnegotiation=direct', { ssl: {}, sslnegotiation: 'direct' }],
    ['postgres://h/db?sslmode=require&channel_binding=require', { enableChannelBinding: true }],
  ])('%s is read', (url, config) => {
    expect(parse(url).hosts[0]).toMatchObject(config);
  });

  test('leaves out what it does not say, so that the driver takes PGPASSWORD and PGSSLMODE', () => {
    expect(Object.keys(parse('postgres://h/db').hosts[0] ?? {}).sort()).toEqual([
      ...['database', 'enableChannelBinding', 'host', 'name'],
    ]);
  });

  test('names several hosts, each with its own port or with one of theirs', () => {
    const hostsOf = (url: string) => parse(url).hosts.map(({ host, port }) => `${host}:${port}`);
    expect(hostsOf('postgres://u:p@a:1,b:2/db')).toEqual(['a:1', 'b:2']);
    expect(hostsOf('postgres:///db?host=a,b&port=1,2')).toEqual(['a:1', 'b:2']);
    expect(hostsOf('postgres:///db?host=a,b&port=7')).toEqual(['a:7', 'b:7']);
  });

  test('has ten connections, or as many as pool_size says', () => {
    expect(parse('postgres://h/db').poolSize).toBe(10);
    expect(parse('postgres://h/db?pool_size=3').poolSize).toBe(3);
  });

  test.each([
    ['postgres://u:hunter2@h', /names no database\. Add its name/],
    ['postgres://u:hunter2@h/', /names no database/],
    ['postgres://u:hunt%er2@h/db', /The password in STORE_URL has a % .* as %25/],
    ['postgres://u:hunter2%@h/db', /The password in STORE_URL has a %/],
    ['postgres://hunter2%ff:x@h/db', /The user name in STORE_URL has a %/],
    ['postgres://u:hunter2/x@h/db', /cannot be read.*\/ as %2F/],
    ['postgres://u:hunter2?x@h/db', /cannot be read.*\? as %3F/],
    ['postgres://u:hunter2?x=1&y@h/db', /cannot be read/],
    ['postgres://u:hunter2#x', /cannot be read.*# as %23/],
    ['postgres://u:p@h/hunter2@db', /cannot be read/],
    ['postgres://u:hunter2@h:port/db', /cannot be read/],
    ['postgres://u:hunter2@h:70000/db', /port in STORE_URL is not a number from 1 to 65535/],
    ['postgres://h/db?port=hunter2', /port in STORE_URL is not a number from 1 to 65535/],
    ['postgres://u:hunter2@<host>/db', /cannot be read/],
    ['postgres://u:hunter2@[YOUR-HOST]/db', /cannot be read/],
    ['postgres://h/db?ssl_mode=verify-full', /unknown parameter "ssl_mode"\. Write sslmode\./],
    ['postgres://h/db?poolSize=5', /unknown parameter "poolSize"\. Write pool_size\./],
    ['postgres://h/db?SSLMODE=require', /"SSLMODE"\. Write sslmode/],
    ['postgres://h/db?ssl=require', /"ssl"\. Write sslmode=verify-full/],
    ['postgres://h/db?ssl=true', /"ssl"\. Write sslmode=verify-full/],
    ['postgres://h/db?pgbouncer=true', /"pgbouncer".*pools by session/],
    ['postgres://h/db?sslmode=require&supa=base-pooler.x', /"supa"\. Remove it\. Curt knows/],
    ['postgres://h/db?sslmode=required', /"required"\. Write verify-full/],
    ['postgres://u:hunter 2/x@h:5432/db', /cannot be read/],
    ['postgres://h/db?schema=x', /"schema"\. Write options=/],
    ['postgres://h/db?__proto__=x', /"__proto__"\. Remove it\. Curt knows pool_size, /],
    ['postgres://h/db?constructor=x', /"constructor"\. Remove it\. Curt knows/],
    ['postgres://h/db?gssencmode=disable', /"gssencmode"\. Remove it\. Curt knows/],
    ['postgres://h/db?sslmode=require&sslmode=disable', /sslmode twice/],
    ['postgres://h/db?sslmode=', /sslmode in STORE_URL must not be empty/],
    [
      'postgres://h/db?sslmode=prefer',
      /"prefer", which also accepts a connection without TLS\. Write verify-full/,
    ],
    ['postgres://h/db?sslmode=verify_full', /"verify_full"\. Write verify-full/],
    ['postgres://h/db?sslmode=verify-ca', /needs sslrootcert/],
    ['postgres://h/db?channel_binding=require', /channel_binding=require in STORE_URL needs TLS/],
    ['postgres://h/db?channel_binding=yes', /must be disable, prefer or require/],
    ['postgres://h/db?sslmode=disable&sslnegotiation=direct', /needs TLS/],
    ['postgres://h/db?pool_size=0', /pool_size in STORE_URL must be a number from 1 to 9999/],
    ['postgres://h/db?target_session_attrs=any', /must be read-write/],
    [
      'postgres://h/db?sslrootcert=/missing/ca.crt',
      /sslrootcert in STORE_URL names \/missing\/ca\.crt, which does not exist/,
    ],
    [
      'postgres://h/db?sslcert=/missing/a&sslkey=/missing/b',
      /sslcert in STORE_URL names \/missing\/a, which does not exist/,
    ],
    [
      'postgres://h/db?sslrootcert=/',
      /sslrootcert in STORE_URL names \/, which cannot be read \(EISDIR\)/,
    ],
  ])(
    '%s stops the start with one sentence that says what to do, without the password',
    (url, message) => {
      expect(refusal(url)).toMatch(message);
      expect(refusal(url)).not.toMatch(/hunt|er2/);
      const other = message.source.replaceAll('STORE_URL', 'STORE_READ_URL');
      const isForBoth = !url.includes('target_session_attrs');
      if (isForBoth) expect(refusal(url, 'STORE_READ_URL')).toMatch(new RegExp(other));
    },
  );
});

describe('the files of certificates', () => {
  test('are checked when the URL is read, and read again for each connection', async () => {
    const { ca, issue, folder } = await newCertificates();
    const client = await issue('/CN=curt', 'DNS:curt');
    const text = join(folder, 'text.crt');
    await writeFile(text, 'not a certificate');
    const url = (parameters: string) => `postgres://h/db?${parameters}`;
    expect(refusal(url(`sslrootcert=${text}`))).toMatch(
      /text\.crt, which is not a certificate in PEM/,
    );
    expect(refusal(url(`sslcert=${client.certificate}`))).toMatch(
      /sslcert and sslkey .* belong together/,
    );
    expect(refusal(url(`sslcert=${client.certificate}&sslkey=${ca.key}`))).toMatch(
      /sslcert and sslkey in STORE_URL cannot be used: .*key values mismatch/,
    );
    expect(refusal(url(`sslcert=${client.certificate}&sslkey=${text}`))).toMatch(
      /cannot be used: /,
    );
    const files = `sslrootcert=${ca.certificate}&sslcert=${client.certificate}&sslkey=${client.key}`;
    const [host] = parseConnectionUrl(url(files)).hosts;
    const pem = expect.stringMatching(/BEGIN CERTIFICATE/);
    expect(host?.config().ssl).toMatchObject({ ca: pem, cert: pem });
    // One that is being replaced is as it was before.
    const before = host?.config().ssl;
    await writeFile(ca.certificate, '');
    expect(host?.config().ssl).toEqual(before);
    const other = await newCertificates();
    await writeFile(ca.certificate, await readFile(other.ca.certificate));
    expect(host?.config().ssl).not.toEqual(before);
  });
});
