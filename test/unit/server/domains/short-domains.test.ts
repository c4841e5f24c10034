import { describe, expect, test } from 'vitest';
import {
  type Domain,
  Domains,
  HostHeaders,
  isUsableBy,
  PublicAddress,
} from '../../../../server/domains/short-domains.ts';
import type { StoredDomain } from '../../../../server/store/stored-domains.ts';
import { domainOf } from '../../../store/contract/domains.ts';
import { NOW } from '../../../store/contract.ts';

function domainsWith(stored: StoredDomain[], baseUrl = 'https://s.example'): Domains {
  const domains = new Map(stored.map((domain) => [domain.host, domain]));
  return new Domains({ domains }, () => baseUrl);
}

const hostsOf = (domains: Domain[]) => domains.map(({ host }) => host);

describe('the domain of a Host header', () => {
  const domains = domainsWith([
    domainOf('go.example'),
    domainOf('go.example:8080'),
    domainOf('xn--bcher-kva.example'),
    domainOf('old.example', { removed: NOW }),
    domainOf('go'),
  ]);

  test.each([
    ['go.example', 'go.example'],
    ['GO.Example.', 'go.example'],
    ['go.example:443', 'go.example'],
    ['go.example:8080', 'go.example:8080'],
    ['Go.example:8080', 'go.example:8080'],
    ['go.example:9090', 'go.example'],
    ['www.go.example', 'go.example'],
    ['WWW.go.example:8080', 'go.example:8080'],
    ['www.s.example', 's.example'],
    ['go', 'go'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['b\u00fccher.example', 'xn--bcher-kva.example'],
    ['old.example', 'old.example'],
    ['s.example', 's.example'],
    ['S.example:80', 's.example'],
    ['unknown.example', 's.example'],
    ['constructor', 's.example'],
    ['sub.go.example', 's.example'],
    ['', 's.example'],
    ['a b', 's.example'],
    [undefined, 's.example'],
  ])('%s is %s', (header, host) => {
    expect(domains.ofHost(header).host).toBe(host);
  });

  test('is that of BASE_URL as long as there is no other', () => {
    const single = domainsWith([]);
    expect(single.isSingle).toBe(true);
    expect(domains.isSingle).toBe(false);
    expect(single.ofHost('go.example')).toBe(single.first);
  });
});

test('a domain is found by its host in whatever spelling, and not by what only looks like it', () => {
  const domains = domainsWith([domainOf('go.example:8080')]);
  expect(domains.find(' GO.example.:8080')?.host).toBe('go.example:8080');
  expect(domains.find('https://go.example:8080')).toBeUndefined();
  expect(domains.find('*.go.example:8080')).toBeUndefined();
  expect(domains.find('go.example')).toBeUndefined();
  expect(domains.find('go.example:99999')).toBeUndefined();
  expect(domains.find('S.Example')).toBe(domains.first);
});

test('short URLs have the scheme of their domain, or that of BASE_URL', () => {
  const domains = domainsWith([domainOf('a.example', { scheme: 'http' }), domainOf('b.example')]);
  expect(domains.shortUrl('Sale')).toBe('https://s.example/Sale');
  expect(domains.shortUrl('a.example/Sale')).toBe('http://a.example/Sale');
  expect(domains.shortUrl('b.example/Sale')).toBe('https://b.example/Sale');
  // Not known here yet.
  expect(domains.shortUrl('c.example/Sale')).toBe('https://c.example/Sale');
});

test('an alias in the store names its domain, except that of BASE_URL', () => {
  const domains = domainsWith([domainOf('go.example')]);
  const go = domains.ofHost('go.example');
  expect(domains.qualify(domains.first, 'Sale')).toBe('Sale');
  expect(domains.qualify(go, 'Sale')).toBe('go.example/Sale');
  expect(domains.split('Sale')).toEqual({ domain: domains.first, alias: 'Sale' });
  expect(domains.split('go.example/Sale')).toEqual({ domain: go, alias: 'Sale' });
  expect(domains.ofHost('go.example')).toBe(go);
});

test('a URL on any of the domains would be a redirect loop', () => {
  const domains = domainsWith([domainOf('go.example'), domainOf('old.example', { removed: NOW })]);
  const contains = (url: string) => domains.contains(new URL(url));
  for (const url of ['https://s.example/a', 'http://GO.example./a', 'https://go.example:80/'])
    expect(contains(url), url).toBe(true);
  expect(contains('https://old.example/a')).toBe(true);
  for (const url of ['https://example.com/', 'https://go.example:8080/', 'https://a.go.example/'])
    expect(contains(url), url).toBe(false);
});

test('accounts may use domains for all, those that name them, and none that was removed', () => {
  const domains = domainsWith([
    domainOf('all.example'),
    domainOf('ann.example', { accounts: ['ann', 'bob'] }),
    domainOf('none.example', { accounts: [] }),
    domainOf('old.example', { removed: NOW }),
  ]);
  const all = ['s.example', 'all.example'];
  expect(hostsOf(domains.usableBy('ann'))).toEqual([...all, 'ann.example']);
  expect(hostsOf(domains.usableBy('eve'))).toEqual(all);
  expect(hostsOf(domains.usableBy(undefined))).toEqual(all);
  expect(isUsableBy(domains.ofHost('ann.example'), 'bob')).toBe(true);
  expect(isUsableBy(domains.ofHost('old.example'), 'ann')).toBe(false);
});

test('a change of a domain is in effect at once', () => {
  const stored = new Map([['go.example', domainOf('go.example')]]);
  const domains = new Domains({ domains: stored }, () => 'https://s.example');
  expect(domains.shortUrl('go.example/a')).toBe('https://go.example/a');
  stored.set('go.example', domainOf('go.example', { scheme: 'http' }));
  expect(domains.shortUrl('go.example/a')).toBe('http://go.example/a');
});

test('made-up hosts take no more memory than a thousand, and none if they are longer than hosts can be', () => {
  const headers = new HostHeaders();
  for (let number = 0; number < 2500; number++) headers.parse(`H${number}.Example:8080`);
  expect(headers.size).toBeLessThanOrEqual(1000);
  expect(headers.parse('H0.Example:8080')).toEqual(['h0.example:8080', 'h0.example']);
  const { size } = headers;
  expect(headers.parse(`${'a.'.repeat(200)}example`)).toEqual([]);
  expect(headers.size).toBe(size);
});

describe("the server's own address is", () => {
  test.each([
    ['https://s.example/abc', 'https://s.example'],
    ['https://S.EXAMPLE/abc', 'https://s.example'],
    ['https://s.example./abc', 'https://s.example'],
    ['https://s.example:443/', 'https://s.example'],
    ['https://s.example?x', 'https://s.example'],
    ['https://kürze.example/a', 'https://xn--krze-0ra.example'],
    ['http://localhost:2878/abc', 'http://localhost:2878'],
    ['https://s.example:8443/abc', 'https://s.example:8443'],
    ['https://192.0.2.1:8080/abc', 'http://192.0.2.1:8080'],
  ])('its host and port in any spelling: %s on %s', (url, baseUrl) => {
    expect(contains(baseUrl, url)).toBe(true);
  });

  test.each(['192.0.2.1', '0xc0000201', '[::ffff:c000:201]', '[64:ff9b::c000:201]'])(
    'its IPv4 address in any spelling: %s',
    (host) => {
      expect(contains('http://192.0.2.1:8080', `http://${host}:8080/abc`)).toBe(true);
      expect(contains(`http://${host}:8080`, 'http://192.0.2.1:8080/abc')).toBe(true);
      expect(contains('http://192.0.2.2:8080', `http://${host}:8080/abc`)).toBe(false);
    },
  );

  test.each([
    ['http://s.example/abc', 'https://s.example'],
    ['https://s.example/abc', 'http://s.example'],
    ['http://s.example:443/abc', 'https://s.example'],
    ['https://s.example:80/abc', 'https://s.example'],
  ])('either default port, because servers redirect between them: %s on %s', (url, baseUrl) => {
    expect(contains(baseUrl, url)).toBe(true);
  });

  test.each([
    ...['localhost', 'LOCALHOST.', 'app.localhost', 'localhost.localdomain', 'ip6-localhost'],
    ...['ip6-loopback', '127.1.2.3', '0.0.0.0', '0x7f.1', '%31%32%37.0.0.1', '１２７。０．０．１'],
    ...['[::1]', '[::]', '[::ffff:127.1.2.3]', '[::ffff:0.0.0.0]', '[64:ff9b::127.0.0.1]'],
  ])('every loopback name if it has one itself: %s', (host) => {
    expect(contains('http://localhost:2878', `http://${host}:2878/abc`)).toBe(true);
    expect(contains(`http://${host}:2878`, 'http://localhost:2878/abc')).toBe(true);
    expect(contains('https://s.example', `http://${host}:2878/abc`)).toBe(false);
  });
});

describe("the server's own address is not", () => {
  test.each([
    ['https://s.example:8443/abc', 'https://s.example'],
    ['https://s.example/abc', 'https://s.example:8443'],
    ['http://localhost:3000/', 'http://localhost:2878'],
    ['http://127.0.0.1/', 'http://localhost:2878'],
  ])('another port: %s on %s', (url, baseUrl) => {
    expect(contains(baseUrl, url)).toBe(false);
  });

  test.each([
    'https://www.s.example/abc',
    'https://example/abc',
    'https://s.example.evil.example/',
    'https://notlocalhost/',
    'https://localhost.example/',
    'https://127.0.0.1.example/',
    'https://[::ffff:128.0.0.1]/',
    'https://[::2]/',
    'https://0.0.0.1/',
    'https://128.0.0.1/',
    'https://other.example/?u=https://s.example/abc',
    'https://other.example/s.example',
  ])('another host: %s', (url) => {
    expect(contains('https://s.example', url)).toBe(false);
    expect(contains('https://localhost', url)).toBe(false);
  });
});

function contains(baseUrl: string, url: string): boolean {
  return new PublicAddress(baseUrl).contains(new URL(url));
}
