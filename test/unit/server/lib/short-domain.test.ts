import { describe, expect, test } from 'vitest';
import { ShortDomain } from '../../../../server/lib/short-domain.ts';

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

  test.each([
    '192.0.2.1',
    '3221225985',
    '0xc0000201',
    '192.0.513',
    '192.0.2.1.',
    '[::ffff:192.0.2.1]',
    '[::ffff:c000:201]',
    '[64:ff9b::c000:201]',
    '[::192.0.2.1]',
    '[2002:c000:201::1]',
  ])('its IPv4 address in any spelling: %s', (host) => {
    expect(contains('http://192.0.2.1:8080', `http://${host}:8080/abc`)).toBe(true);
    expect(contains(`http://${host}:8080`, 'http://192.0.2.1:8080/abc')).toBe(true);
    expect(contains('http://192.0.2.2:8080', `http://${host}:8080/abc`)).toBe(false);
  });

  test.each([
    ['http://s.example/abc', 'https://s.example'],
    ['https://s.example/abc', 'http://s.example'],
    ['http://s.example:443/abc', 'https://s.example'],
    ['https://s.example:80/abc', 'https://s.example'],
  ])('either default port, because servers redirect between them: %s on %s', (url, baseUrl) => {
    expect(contains(baseUrl, url)).toBe(true);
  });

  test.each([
    'localhost',
    'localhost.',
    'app.localhost',
    '127.0.0.1',
    '127.1.2.3',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:127.1.2.3]',
    '[::ffff:0.0.0.0]',
    '[::ffff:0:0]',
    '[0:0:0:0:0:ffff:7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[::127.0.0.1]',
    '0',
    '0.0.0.0.',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.01',
    '127.0.0.1.',
    '%31%32%37.0.0.1',
    '１２７。０．０．１',
    'LOCALHOST.',
    'ip6-localhost',
    'ip6-loopback',
    'localhost.localdomain',
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
  return new ShortDomain(baseUrl).contains(new URL(url));
}
