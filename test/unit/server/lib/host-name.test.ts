import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, test } from 'vitest';
import {
  displayHost,
  hostAndDomains,
  hostOfUrl,
  isWithin,
  normalizeHost,
  parseAuthority,
  parseHost,
} from '../../../../server/lib/host-name.ts';

test.each([
  ['example.com', 'example.com'],
  [' Example.COM. ', 'example.com'],
  ['*.example.com', 'example.com'],
  ['.example.com', 'example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
  ['a_b-c.example', 'a_b-c.example'],
  ['localhost', 'localhost'],
  ['192.0.2.1', '192.0.2.1'],
  ['0xc0000201', '192.0.2.1'],
  ['0xc000020a', '192.0.2.10'],
  ['0xC0.0.2.0xa', '192.0.2.10'],
  ['[2001:DB8::0001]', '[2001:db8::1]'],
  ['[::FFFF:192.0.2.1]', '192.0.2.1'],
])('%j is the host %s', (text, host) => {
  expect(parseHost(text)).toBe(host);
});

test.each([
  '',
  '.',
  '*.',
  'phish-*.example',
  'a.*.example',
  'a b',
  'https://example.com',
  'example.com/',
  'example.com:80',
  'user@example.com',
  'example.com?x',
  'a%20b',
  '2001:db8::1',
  '[2001:db8',
  '[x]',
  '999.1.1.1',
  'a..example',
  '..example.com',
  'example.com..',
])('%j is no host', (text) => {
  expect(parseHost(text)).toBeUndefined();
});

test('a text that is longer than hosts can be is none, whatever it is', () => {
  expect(parseAuthority(`${'a'.repeat(260)}.example`)).toBeUndefined();
});

test.each([
  ['https://example.com/a:b@c', 'example.com'],
  ['https://example.com:8080', 'example.com'],
  ['https://example.com./', 'example.com'],
  ['http://[2001:db8::1]:8080/', '[2001:db8::1]'],
  ['https://example.com?x', 'example.com'],
])('the host of %s is %s', (url, host) => {
  expect(hostOfUrl(new URL(url).href)).toBe(host);
});

test('a host is in its domains; an IP address is in none', () => {
  expect([...hostAndDomains('a.b.example')]).toEqual(['a.b.example', 'b.example', 'example']);
  expect([...hostAndDomains('192.0.2.1')]).toEqual(['192.0.2.1']);
  expect([...hostAndDomains('[2001:db8::1]')]).toEqual(['[2001:db8::1]']);
  expect(isWithin('a.b.example', 'b.example')).toBe(true);
  expect(isWithin('ab.example', 'b.example')).toBe(false);
  expect(isWithin('192.0.2.1', '2.1')).toBe(false);
});

const octet = fc.integer({ min: 0, max: 255 });

const hostText = fc.oneof(
  fc.domain(),
  fc.ipV4Extended(),
  fc.ipV6().map((address) => `[${address}]`),
  fc.string({ unit: fc.constantFrom(...'aAbxéＡ。0127.-_*'), minLength: 1 }),
  fc.stringMatching(/^(0x)?[0-9a-f]{1,4}(\.(0x)?[0-9a-f]{1,2}){0,3}\.?$/),
);

/** Every way to write an IPv4 address as an IPv6 address. */
const FORMS: Record<string, (ipv4: number[]) => number[]> = {
  'IPv4-mapped': (ipv4) => [...Array(10).fill(0), 255, 255, ...ipv4],
  'IPv4-translated': (ipv4) => [...Array(8).fill(0), 255, 255, 0, 0, ...ipv4],
  'IPv4-compatible': (ipv4) => [...Array(12).fill(0), ...ipv4],
  NAT64: (ipv4) => [0, 0x64, 0xff, 0x9b, ...Array(8).fill(0), ...ipv4],
  'local NAT64': (ipv4) => [0, 0x64, 0xff, 0x9b, 0, 1, ...Array(6).fill(0), ...ipv4],
  '6to4': (ipv4) => [0x20, 0x02, ...ipv4, ...Array(9).fill(0), 1],
  Teredo: (ipv4) => [0x20, 1, 0, 0, 203, 0, 113, 1, 0, 0, 0, 80, ...ipv4.map((byte) => 255 - byte)],
};

describe('an IPv4 address is the same host in an IPv6 address', () => {
  test.each([
    '[::ffff:192.0.2.1]',
    '[::ffff:0:c000:201]',
    '[::192.0.2.1]',
    '[64:ff9b::c000:201]',
    '[64:ff9b:1::192.0.2.1]',
    '[2002:c000:201::1]',
    '[2002:C000:0201:5:6:7:8:9]',
    '[2001:0:cb00:7101:0:50:3fff:fdfe]',
  ])('%s', (host) => {
    expect(parseHost(host)).toBe('192.0.2.1');
    expect(hostOfUrl(new URL(`https://${host}:8080/x`).href)).toBe('192.0.2.1');
  });

  test.each(Object.entries(FORMS))('%s, whatever the address', (_, toIpv6) => {
    fc.assert(
      fc.property(fc.tuple(octet, octet, octet, octet), (ipv4) => {
        // `::` and `::1` are addresses of their own.
        fc.pre(ipv4.slice(0, 3).some(Boolean) || (ipv4[3] ?? 0) > 1);
        const host = `[${ipaddr.fromByteArray(toIpv6(ipv4)).toString()}]`;
        expect(parseHost(host)).toBe(ipv4.join('.'));
        expect(hostOfUrl(new URL(`http://${host}/`).href)).toBe(ipv4.join('.'));
      }),
    );
  });

  test.each(['[::]', '[::1]', '[fe80::c000:201]', '[2001:db8::c000:201]', '[64:ff9b:2::c000:201]'])(
    'unless the address holds none: %s',
    (host) => {
      expect(parseHost(host)).toBe(host);
    },
  );
});

describe('one form for every host', () => {
  test('what people write is what a URL with this host has', () => {
    fc.assert(
      fc.property(hostText, (text) => {
        const host = parseHost(text);
        fc.pre(host !== undefined);
        expect(hostOfUrl(new URL(`https://${text.replace(/^\*?\./, '')}:8080/x`).href)).toBe(host);
      }),
      { numRuns: 2000 },
    );
  });

  test('is in lower case, in ASCII and without a trailing dot, and stays the same', () => {
    fc.assert(
      fc.property(hostText, (text) => {
        const host = parseHost(text);
        fc.pre(host !== undefined);
        expect(host).toMatch(/^([!-@[-`{-~a-z]*[^.])$/);
        expect(parseHost(host as string)).toBe(host);
        expect(normalizeHost(host as string)).toBe(host);
      }),
      { numRuns: 2000 },
    );
  });
});

const ascii = (host: string) => parseAuthority(host) ?? '';

test.each([
  'bücher.example',
  'bücher.example:8080',
  'пример.example',
  'παράδειγμα.example',
  '東京ラーメンbar.example',
  '서울abc.example',
  'مثال.example',
  'דוגמה.example',
  'ไทย-24.example',
])('%s is shown as people write it', (host) => {
  expect(ascii(host)).toMatch(/xn--/);
  expect(displayHost(ascii(host))).toBe(host);
});

test.each([
  ['one name mixes scripts', 'раypal.example'],
  ['only one part mixes them', 'bücher.раypal.example'],
  ['all letters look like Latin ones', 'аррӏе.example'],
  ['it is made of signs', '☃.example'],
])('a host stays in ASCII if %s', (_, host) => {
  expect(displayHost(ascii(host))).toBe(ascii(host));
});

test.each(['go.example', 'go.example:8080', '192.0.2.1', '[2001:db8::1]:8080', 'xn--.example'])(
  '%s has no other form',
  (host) => {
    expect(displayHost(host)).toBe(host);
  },
);
