import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toOriginForm } from '../../../../../server/web/http/request-path.ts';

describe('a request target', () => {
  test.each(['/', '/abc', '/a%20b', '/%C3%A9', '/abc/go?t=a.b', '/%2F', '/abc?x=%zz', '/é'])(
    'that the router can parse is not changed: %s',
    (url) => {
      expect(toOriginForm(url)).toBe(url);
    },
  );

  test.each([
    ['/%', '/%25'],
    ['/%zz', '/%25zz'],
    ['/%ff', '/%25ff'],
    ['/%C3', '/%25C3'],
    ['/%20%zz', '/%2520%25zz'],
    ['/%zz?a=%20', '/%25zz?a=%20'],
    ['/%zz#%20', '/%25zz#%20'],
  ])('with a malformed escape in its path is escaped: %s', (url, escaped) => {
    expect(toOriginForm(url)).toBe(escaped);
  });

  test.each([
    ['http://s.example/abc?x=1', '/abc?x=1'],
    ['HTTPS://s.example:8080/api/%zz', '/api/%25zz'],
    ['http://s.example', '/'],
    ['http://s.example?x', '/?x'],
  ])('in absolute form loses its origin: %s', (target, url) => {
    expect(toOriginForm(target)).toBe(url);
  });

  test.each([
    ['//abc', '/abc'],
    ['/api///links//a?x=//&y', '/api/links/a?x=//&y'],
    ['//', '/'],
    ['/a//#//', '/a/#//'],
    ['//%zz//a', '/%25zz/a'],
    ['http://s.example//api//x', '/api/x'],
  ])('with duplicate slashes has single ones: %s', (target, url) => {
    expect(toOriginForm(target)).toBe(url);
  });

  test.each(['*', 'http:///abc', 'http://', 'ftp://s.example/abc', 'abc'])(
    'without a path matches no route: %s',
    (target) => {
      expect(toOriginForm(target)).toBe(`//${target}`);
    },
  );

  test('can be parsed once it is escaped, and still shows the path that was sent', () => {
    const unit = fc.constantFrom('%', '%2', '%20', '%C3', '%A9', 'a', 'F', 'z', '/', '?', '#', '=');
    fc.assert(
      fc.property(fc.string({ unit }), (rest) => {
        const url = `/${rest}`.replace(/\/+(?=[^?#]*)/g, '/');
        const escaped = toOriginForm(url);
        const path = decodeURIComponent(pathOf(escaped));
        expect([pathOf(url), safelyDecoded(pathOf(url))]).toContain(path);
        expect(escaped.slice(pathOf(escaped).length)).toBe(url.slice(pathOf(url).length));
      }),
      { numRuns: 1000 },
    );
  });
});

function pathOf(url: string): string {
  return url.split(/[?#]/)[0] ?? '';
}

function safelyDecoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
