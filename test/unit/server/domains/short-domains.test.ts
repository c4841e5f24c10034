import { describe, expect, test } from 'vitest';
import { type Domain, isUsableBy, ShortDomains } from '../../../../server/domains/short-domains.ts';
import { ShortDomain } from '../../../../server/lib/short-domain.ts';
import type { StoredDomain } from '../../../../server/store/domains.ts';
import { domainOf } from '../../../store/contract/domains.ts';
import { NOW } from '../../../store/contract.ts';

function domainsWith(stored: StoredDomain[], baseUrl = 'https://s.example'): ShortDomains {
  const domains = new Map(stored.map((domain) => [domain.host, domain]));
  const first = new ShortDomain(baseUrl);
  return new ShortDomains({ domains }, () => first);
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
  const first = new ShortDomain('https://s.example');
  const domains = new ShortDomains({ domains: stored }, () => first);
  expect(domains.shortUrl('go.example/a')).toBe('https://go.example/a');
  stored.set('go.example', domainOf('go.example', { scheme: 'http' }));
  expect(domains.shortUrl('go.example/a')).toBe('http://go.example/a');
});
