import { describe, expect, test } from 'vitest';
import { ShortDomain } from '../../../../server/core/short-domain.ts';

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
  ])('its host and port, however written: %s on %s', (url, baseUrl) => {
    expect(holds(baseUrl, url)).toBe(true);
  });

  test.each([
    ['http://s.example/abc', 'https://s.example'],
    ['https://s.example/abc', 'http://s.example'],
    ['http://s.example:443/abc', 'https://s.example'],
    ['https://s.example:80/abc', 'https://s.example'],
  ])('either default port, since servers redirect between them: %s on %s', (url, baseUrl) => {
    expect(holds(baseUrl, url)).toBe(true);
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
  ])('every loopback name, when it runs on one: %s', (host) => {
    expect(holds('http://localhost:2878', `http://${host}:2878/abc`)).toBe(true);
    expect(holds(`http://${host}:2878`, 'http://localhost:2878/abc')).toBe(true);
    expect(holds('https://s.example', `http://${host}:2878/abc`)).toBe(false);
  });
});

describe("the server's own address is not", () => {
  test.each([
    ['https://s.example:8443/abc', 'https://s.example'],
    ['https://s.example/abc', 'https://s.example:8443'],
    ['http://localhost:3000/', 'http://localhost:2878'],
    ['http://127.0.0.1/', 'http://localhost:2878'],
  ])('another port: %s on %s', (url, baseUrl) => {
    expect(holds(baseUrl, url)).toBe(false);
  });

  test.each([
    'https://www.s.example/abc',
    'https://example/abc',
    'https://s.example.evil.example/',
    'https://notlocalhost/',
    'https://localhost.example/',
    'https://127.0.0.1.example/',
    'https://other.example/?u=https://s.example/abc',
    'https://other.example/s.example',
  ])('another host: %s', (url) => {
    expect(holds('https://s.example', url)).toBe(false);
    expect(holds('https://localhost', url)).toBe(false);
  });
});

function holds(baseUrl: string, url: string): boolean {
  return new ShortDomain(baseUrl).holds(new URL(url));
}
