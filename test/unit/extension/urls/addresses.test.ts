import { describe, expect, test } from 'vitest';
import {
  isForServerOnly,
  isLoopback,
  isPlainHttp,
  parseServerAddress,
} from '../../../../extension/urls/server-origin.ts';
import { findUnsupportedReason } from '../../../../extension/urls/unsupported-page.ts';

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

describe('a page’s URL', () => {
  test.each([
    [undefined, 'page_without_url'],
    ['', 'page_without_url'],
    ['about:blank', 'page_of_browser'],
    ['chrome://settings/', 'page_of_browser'],
    ['view-source:https://example.com', 'page_of_browser'],
    ['file:///home/me/notes.html', 'page_is_file'],
    ['chrome-extension://abc/options.html', 'page_of_extension'],
    ['moz-extension://abc/options.html', 'page_of_extension'],
    ['https://me:secret@example.com/', 'page_url_invalid'],
    ['https://curt.example/abc', 'page_is_short_domain'],
    ['http://curt.example:443/abc', undefined],
    ['https://example.com/#part', undefined],
    ['http://intranet/', undefined],
  ])('%s: %s', (url, failure) => {
    expect(findUnsupportedReason(url, 'https://curt.example')).toBe(failure);
  });

  test('is too long as written, or percent-encoded, where a character takes up to nine', () => {
    for (const path of ['x'.repeat(8192), '日'.repeat(2000)]) {
      const failure = findUnsupportedReason(`https://example.com/${path}`, 'https://curt.example');
      expect(failure).toBe('page_url_too_long');
    }
  });
});
