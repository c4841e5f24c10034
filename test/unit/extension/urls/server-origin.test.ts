import { describe, expect, test } from 'vitest';
import {
  isForServerOnly,
  isLoopback,
  isPlainHttp,
  parseServerAddress,
} from '../../../../extension/urls/server-origin.ts';

describe('a server address', () => {
  test.each([
    ['https://curt.example', 'https://curt.example', ''],
    ['  https://curt.example/some/page?x=1#y ', 'https://curt.example', '/some/page'],
    ['HTTPS://Curt.Example:8443/', 'https://curt.example:8443', ''],
    ['curt.example', 'https://curt.example', ''],
    ['curt.example:8080/path/', 'https://curt.example:8080', '/path'],
    ['localhost:2878', 'http://localhost:2878', ''],
    ['127.0.0.1:2878', 'http://127.0.0.1:2878', ''],
    ['http://[::1]:2878', 'http://[::1]:2878', ''],
  ])('%s is parsed as %s, and the folder %j is left out', (written, origin, folder) => {
    expect(parseServerAddress(written)).toEqual({ ok: true, origin, folder });
  });

  test.each([
    ['', 'address_empty'],
    ['   ', 'address_empty'],
    ['http://', 'address_invalid'],
    ['https://exa mple.com', 'address_invalid'],
    ['ftp://curt.example', 'address_not_web'],
    ['javascript:alert(1)', 'address_not_web'],
    ['https://user:secret@curt.example', 'address_has_user'],
  ])('%j is rejected as %s', (written, code) => {
    expect(parseServerAddress(written)).toEqual({ ok: false, code });
  });

  test.each([
    ['http://localhost:2878/abc', 'http://nas.lan:2878', true],
    ['http://127.0.0.1:2878/abc', 'http://192.168.1.5:2878', true],
    ['http://localhost:2878/abc', 'http://127.0.0.1:2878', false],
    ['http://nas.lan:2878/abc', 'http://nas.lan:2878', false],
    ['https://go.example/abc', 'http://localhost:2878', false],
    ['https://go.example/abc', 'http://nas.lan:2878', false],
  ])(
    'the short URL %s of %s is for the server’s computer only: %s',
    (shortUrl, origin, isUseless) => {
      expect(isForServerOnly(shortUrl, origin)).toBe(isUseless);
    },
  );

  test.each([
    ['http://localhost:2878', true, false],
    ['http://curt.localhost', true, false],
    ['http://127.8.9.1', true, false],
    ['http://[::1]:2878', true, false],
    ['http://192.168.1.5:2878', false, true],
    ['http://localhost.example', false, true],
    ['https://curt.example', false, false],
  ])('%s: on this computer only %s, unencrypted %s', (origin, loopback, plain) => {
    expect([isLoopback(origin), isPlainHttp(origin)]).toEqual([loopback, plain]);
  });
});
