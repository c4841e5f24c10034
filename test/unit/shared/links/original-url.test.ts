import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { linkRecordSchema } from '../../../../shared/links/link-record.ts';
import { parseOriginalUrl, parseTarget } from '../../../../shared/links/original-url.ts';
import { UNSAFE_SCHEMES } from '../../../../shared/links/schemes.ts';
import { trimText } from '../../../../shared/text.ts';

const MAX_CHARACTERS = 8192;

describe('originalUrl is accepted exactly as sent', () => {
  test.each([
    'http://example.com',
    'https://example.com/a/b?c=d&e=%20#f',
    'HTTPS://Example.COM/Path',
    'https://example.com:8080/x',
    'https://example.com:',
    'https://intranet/wiki',
    'http://intranet.',
    'http://localhost:3000',
    'http://192.168.1.1/',
    'http://[2001:db8::1]:8080/x',
    'https://example.com.',
    'https://ex_ample.com/',
    'https://münchen.example/straße?q=ü#ö',
    'https://例え.テスト/',
    'https://example.com/a b',
    'https://example.com/%zz',
    'https://example.com/"<>`{}|\\^',
    'https://example.com/\u2028x',
    'https://example.com/😀',
    'https://example.com/@name',
    'https://example.com?mail=a@b.example',
    'https://example.com#a@b',
    'https://example.com\\@evil.example',
  ])('with its protocol: %j', (url) => {
    expect(parseOriginalUrl(url)).toMatchObject({ ok: true, originalUrl: url });
  });
});

describe('originalUrl without a protocol gets https://', () => {
  test.each([
    'example.com',
    'www.example.com/path?a=b#c',
    'EXAMPLE.com/x',
    'example.com:8080/x',
    'example.com:8080',
    'example.com:8080?x',
    'example.com:8080#x',
    'example.com.',
    'localhost',
    'localhost:3000',
    'localhost:3000/a:b',
    'LOCALHOST/x',
    'app.localhost',
    '127.0.0.1',
    '192.168.1.1:8080/x',
    '[::1]',
    '[2001:db8::1]:3000/x',
    'münchen.example',
    'пример.рф',
    'xn--e1afmkfd.xn--p1ai',
    'example.museum',
    'example.com/https://other.example',
    'example.com/a@b',
  ])('%s', (url) => {
    expect(parseOriginalUrl(url)).toMatchObject({ ok: true, originalUrl: `https://${url}` });
  });

  test.each([
    ['//example.com/x', 'https://example.com/x'],
    ['//example.com:8080', 'https://example.com:8080'],
    ['//localhost:3000', 'https://localhost:3000'],
    ['//127.0.0.1', 'https://127.0.0.1'],
  ])('a leading // is no protocol: %s', (sent, originalUrl) => {
    expect(parseOriginalUrl(sent)).toMatchObject({ ok: true, originalUrl });
  });
});

describe('originalUrl is rejected', () => {
  test.each(['', ' ', '\n\t\u00a0\ufeff'])('if it is blank: %j', (url) => {
    expect(parseOriginalUrl(url)).toEqual(failure('The URL is empty'));
  });

  test.each([
    ['mailto:someone@example.com', 'mailto'],
    ['javascript:alert(1)', 'javascript'],
    ['JavaScript:alert(1)', 'JavaScript'],
    ['javascript://example.com/%0aalert(1)', 'javascript'],
    ['data:text/html,<b>x</b>', 'data'],
    ['data:1,x', 'data'],
    ['tel:123456789', 'tel'],
    ['ftp://example.com/file', 'ftp'],
    ['file:///etc/passwd', 'file'],
    ['blob:https://example.com/x', 'blob'],
    ['view-source:https://example.com', 'view-source'],
    ['chrome-extension://abc/popup.html', 'chrome-extension'],
    ['web+curt:x', 'web+curt'],
  ])('if its protocol is not http:// or https://: %s', (url, protocol) => {
    expect(parseOriginalUrl(url)).toEqual(failure(`not "${protocol}:"`));
  });

  test.each(['javascript:1', 'data:1/2', 'mailto:25', 'tel:12345', 'intranet:8080/x'])(
    'if the part before a port is not a plausible host: %s',
    (url) => {
      expect(parseOriginalUrl(url)).toEqual(failure('does not look like a web address'));
    },
  );

  test.each([
    'not-a-url',
    'intranet/wiki',
    '//intranet',
    'foo.c',
    'foo.c0m',
    'foo.b-c',
    'hello, world.',
    '12345',
    '1.2',
    '010.1.1.1',
    '0x7f.1',
    '2130706433',
  ])('if it has no protocol and its host is not plausible: %j', (url) => {
    expect(parseOriginalUrl(url).ok).toBe(false);
  });

  test('with a hint to add the protocol if it may be a host', () => {
    expect(parseOriginalUrl('intranet/wiki')).toEqual(failure('add https:// in front'));
  });

  test.each([
    'https://google.com@evil.example',
    'https://user:secret@example.com/',
    'https://@example.com',
    'https://:@example.com',
    'user@example.com',
    '//user@example.com',
    'https://a@b@example.com',
    'HTTP://user@localhost:3000',
  ])('if it has user info: %s', (url) => {
    expect(parseOriginalUrl(url)).toEqual(failure('username or password'));
  });

  test.each(['user:secret@example.com', 'user:80@example.com', 'https://google.com＠evil.example'])(
    'if its user info looks like something else: %s',
    (url) => {
      expect(parseOriginalUrl(url).ok).toBe(false);
    },
  );

  test.each([
    'https://',
    'http://?x',
    'https:///example.com',
    'https://\\example.com',
    '/example.com',
    '///example.com',
    '\\\\example.com',
    '//',
  ])('if it has no host: %s', (url) => {
    expect(parseOriginalUrl(url).ok).toBe(false);
  });

  test.each(['https://a..b', 'https://.example.com', 'https://./', 'example.com..', 'a..example'])(
    'if its host has an empty part: %s',
    (url) => {
      expect(parseOriginalUrl(url).ok).toBe(false);
    },
  );

  test.each([
    'https://exa mple.com',
    'https://exa<mple.com',
    'https://[::1',
    'https://[::zz]',
    '1:2:3:4:5:6:7',
    'http://[fe80::1%25eth0]/',
    '999.1.1.1',
    'https://1.2.3.4.5',
    'https://example.com:99999',
    'example.com:99999',
    'https://example.com:port',
  ])('if it is not a URL: %s', (url) => {
    expect(parseOriginalUrl(url)).toEqual(failure('not a valid URL'));
  });

  test.each([
    '::1',
    '2001:db8::1/path',
    'fe80::1',
    'fe80::1%eth0',
    'beef::cafe?x',
    'http://2001:db8::1/',
    'https://::ffff:192.0.2.1',
  ])('if an IPv6 address has no brackets, whatever its first part looks like: %s', (url) => {
    expect(parseOriginalUrl(url)).toEqual(failure('An IPv6 address in a URL needs brackets'));
    expect(parseTarget(url)).toEqual(failure('An IPv6 address in a URL needs brackets'));
  });

  test('if it has control characters, some of which URL parsers silently remove', () => {
    for (const control of ['\0', '\t', '\n', '\r', '\x1b', '\x7f', '\x85', '\x9f']) {
      for (const [before, after] of [
        ['https://example.com/a', 'b'],
        ['https://exam', 'ple.com'],
        ['https:', '//example.com'],
        ['java', 'script:alert(1)'],
      ]) {
        const url = before + control + after;
        expect(parseOriginalUrl(url), JSON.stringify(url)).toEqual(failure('control characters'));
      }
    }
    expect(parseOriginalUrl('\0https://example.com')).toEqual(failure('control characters'));
  });

  test('if it has lone surrogates', () => {
    for (const lone of ['\ud83d', '\ude00', '\ude00\ud83d']) {
      expect(parseOriginalUrl(`https://example.com/${lone}`)).toEqual(failure('invalid Unicode'));
    }
  });

  test('if it is longer than 8,192 characters, not counting surrounding spaces', () => {
    const longest = 'https://example.com/'.padEnd(MAX_CHARACTERS, 'x');
    expect(parseOriginalUrl(longest)).toMatchObject({ ok: true, originalUrl: longest });
    expect(parseOriginalUrl(` ${longest}\n`)).toMatchObject({ ok: true, originalUrl: longest });
    expect(parseOriginalUrl(`${longest}x`)).toEqual(failure('longer than 8192'));
  });

  test('not for the https:// that it gets', () => {
    const longest = 'example.com/'.padEnd(MAX_CHARACTERS, 'x');
    expect(parseOriginalUrl(longest)).toMatchObject({
      ok: true,
      originalUrl: `https://${longest}`,
    });
    expect(parseOriginalUrl(`${longest}x`).ok).toBe(false);
  });
});

describe('the length of a host', () => {
  const label = 'x'.repeat(63);
  const longestHost = `${label}.${label}.${label}.${'x'.repeat(61)}`;

  test.each([
    ['https://', longestHost],
    ['https://', `${longestHost}.`],
    ['https://', `${longestHost}:65535`],
    ['https://', `${label}.example`],
    ['', `${label}.example`],
    ['https://', `${'ü'.repeat(53)}.example`],
    ['https://', `${'%E4%BE%8B'.repeat(50)}.example`],
  ])('is accepted up to 253 ASCII characters, with 63 per label (case %#)', (protocol, host) => {
    expect(parseOriginalUrl(protocol + host).ok).toBe(true);
  });

  test.each([
    [`x${longestHost}`, '253 characters'],
    [`${label}x.example`, '63 characters'],
    [`${'ü'.repeat(64)}.example`, '63 characters'],
    [`${label}.${label}.${label}.${label}`, '253 characters'],
  ])('is limited as in DNS (case %#)', (host, reason) => {
    for (const url of [`https://${host}/`, `https://${host}./`, `https://${host}:8080`]) {
      expect(parseOriginalUrl(url)).toEqual(failure(reason));
    }
  });

  test.each([
    ['combining marks', '\u0300'.repeat(8000)],
    ['ideographs', '例'.repeat(8000)],
    ['percent-encoding', '%CC%80'.repeat(1300)],
    ['at signs', '@'.repeat(8000)],
    ['labels', 'a.'.repeat(4000)],
  ])('is checked before the URL is parsed: %s', (_what, host) => {
    using parse = vi.spyOn(URL, 'parse');
    using canParse = vi.spyOn(URL, 'canParse');
    for (const url of [`https://${host}`, `${host}.example`, `//${host}:80/x`, `http:/${host}`]) {
      expect(parseOriginalUrl(url).ok).toBe(false);
    }
    expect(parse).not.toHaveBeenCalled();
    expect(canParse).not.toHaveBeenCalled();
  });
});

describe('the length of the serialized URL', () => {
  test('is limited to 15 KiB, so that Location fits into the headers that clients accept', () => {
    const start = 'https://example.com/';
    const encoded = Math.floor((15 * 1024 - start.length) / 9);
    const longest = (start + '例'.repeat(encoded)).padEnd(
      15 * 1024 - (start.length + encoded * 9) + start.length + encoded,
      'x',
    );
    expect(new URL(longest).href).toHaveLength(15 * 1024);
    expect(parseOriginalUrl(longest)).toMatchObject({ ok: true, originalUrl: longest });
    expect(parseOriginalUrl(`${longest}x`)).toEqual(failure('percent-encoding'));
    expect(parseOriginalUrl(start + '例'.repeat(8000))).toEqual(failure('percent-encoding'));
  });
});

describe('any originalUrl', () => {
  test('is accepted or rejected with a sentence, without throwing', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const result = parseOriginalUrl(text);
        if (!result.ok) expect(result.reason).toMatch(/^\S.*[.]$/su);
      }),
      { numRuns: 2000 },
    );
  });

  test('has the same result with surrounding white space', () => {
    const space = fc.string({ unit: fc.constantFrom(...' \t\n\r\u00a0\u2003\u2028\ufeff') });
    fc.assert(
      fc.property(anyText, space, space, (text, before, after) => {
        expect(parseOriginalUrl(before + text + after)).toEqual(parseOriginalUrl(text));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('what copying leaves at both ends', () => {
  test.each([
    ...['\u200b', '\u200c', '\u200d', '\u200e', '\u200f', '\u202a', '\u202e', '\u2060', '\u2066'],
    ...['\u2069', '\ufeff', '\u00ad', '\u00a0', '\u3000', '\u2028', '\u061c', '\u180e', '\u2800'],
    ...['\u3164', '\ufffb', ' \u200b\r\n', '\ufeff\u202a\t'],
  ])('%j is cut off', (nothing) => {
    const url = 'https://example.com/page';
    for (const sent of [`${nothing}${url}`, `${url}${nothing}`, `${nothing}${url}${nothing}`]) {
      expect(parseTarget(sent)).toMatchObject({ ok: true, originalUrl: url });
    }
    expect(parseTarget(`${nothing}example.com`)).toMatchObject({
      originalUrl: 'https://example.com',
    });
    expect(parseTarget(`${nothing}mailto:a@b.example`)).toMatchObject({ ok: true });
  });

  test.each(['❤\ufe0f', '👩‍🚀', '🏴\u{e0067}\u{e0062}\u{e007f}', '%E2%80%8B', '%AD'])(
    'but not the end of %j',
    (end) => {
      const url = `https://example.com/${end}`;
      expect(parseOriginalUrl(url)).toMatchObject({ ok: true, originalUrl: url });
    },
  );
});

describe('an invisible character in the middle', () => {
  test.each([
    ['\u200b', 'zero width space (U+200B)'],
    ['\u2060', 'word joiner (U+2060)'],
    ['\ufeff', 'byte order mark (U+FEFF)'],
    ['\u00ad', 'soft hyphen (U+00AD)'],
    ['\u202e', 'direction mark (U+202E)'],
    ['\u2066', 'direction mark (U+2066)'],
    ['\u200f', 'direction mark (U+200F)'],
    ['\u061c', 'direction mark (U+061C)'],
    ['\u2063', 'invisible character (U+2063)'],
  ])('%j is named', (invisible, name) => {
    for (const url of [`https://example.com/a${invisible}b`, `https://exam${invisible}ple.com/`]) {
      expect(parseTarget(url)).toEqual(failure(name));
    }
  });

  test.each(['می\u200cخواهم', '👩\u200d🚀', 'a%E2%80%8Bb'])(
    'is allowed if it joins: %j',
    (path) => {
      const url = `https://example.com/${path}`;
      expect(parseOriginalUrl(url)).toMatchObject({ ok: true, originalUrl: url });
    },
  );
});

describe('a protocol with a slip', () => {
  test.each([
    ['https://https://example.com/a', 'https://example.com/a'],
    ['http://https://example.com/a', 'https://example.com/a'],
    ['https://http://example.com/a', 'http://example.com/a'],
    ['https://https//example.com/a', 'https://example.com/a'],
    ['https://https:example.com/a', 'https://example.com/a'],
    ['HTTPS://HTTP://Example.com', 'HTTP://Example.com'],
    ['https//example.com/a', 'https://example.com/a'],
    ['https\uff1a//example.com/a', 'https://example.com/a'],
    ['http\uff1a\uff0f\uff0fexample.com/a', 'http://example.com/a'],
    ['http//example.com', 'http://example.com'],
    ['https:/example.com/a', 'https://example.com/a'],
    ['https:example.com/a', 'https://example.com/a'],
    ['http:\\\\example.com\\a', 'http://example.com\\a'],
    ['https::/example.com', 'https://example.com'],
    ['https;//example.com', 'https://example.com'],
    ['ttps://example.com/a', 'https://example.com/a'],
    ['ttp://example.com/a', 'http://example.com/a'],
    ['https:/localhost:3000/x', 'https://localhost:3000/x'],
  ])('is repaired: %s', (sent, originalUrl) => {
    expect(parseTarget(sent)).toMatchObject({ ok: true, originalUrl });
  });

  test.each([
    ['https://https', '"https" is not a host name'],
    ['http://http/', '"http" is not a host name'],
    ['http://http//', 'no host'],
    ['https://https://', 'no host'],
    ['https:8080/x', 'does not look like a web address'],
    ['https://https:8080/x', 'does not look like a web address'],
    ['https//intranet', 'does not look like a web address'],
    ['hxxp://example.com/a', 'marks dangerous URLs'],
    ['hxxps[:]//example[.]com', 'marks dangerous URLs'],
    ['https:/user:secret@example.com', 'username or password'],
  ])('is not if it may mean something else: %s', (sent, reason) => {
    expect(parseTarget(sent)).toEqual(failure(reason));
  });

  test.each(['http.cat/404', 'https.example/x', 'httpbin.org', 'https://http.cat/404'])(
    'is none in %s',
    (sent) => {
      expect(parseOriginalUrl(sent)).toMatchObject({ ok: true });
      expect(parseOriginalUrl(sent)).toMatchObject({ originalUrl: expect.stringContaining(sent) });
    },
  );
});

describe('a host that is none', () => {
  test.each([
    'https://example.com,/a',
    'https://a;b.example/',
    'https://(example.com)/',
    'https://example.com)',
    'http://intranet!/',
    'https://exa"mple.com/',
    'https://example.com，/a',
    "https://exam'ple.com/",
    'https://a{b}.example/',
  ])('is rejected with a protocol, too: %s', (url) => {
    expect(parseOriginalUrl(url)).toEqual(failure('is not a host name'));
  });
});

describe('more than one URL', () => {
  test.each([
    'https://example.com/a https://example.com/b',
    'https://example.com/a\u00a0http://example.com/b',
    'https://example.com/a,https://example.com/b',
    'https://example.com/a;http://example.com/b',
    'example.com https://example.com/b',
    'https://example.com/?a=1 HTTPS://example.com/b',
  ])('is rejected: %j', (text) => {
    expect(parseTarget(text)).toEqual(failure('more than one URL'));
  });

  test.each([
    'https://web.archive.org/web/2020/https://example.com/x',
    'https://example.com/?urls=https://a.example,https://b.example',
    'https://example.com/image/w_400,h_300/https://example.com/x.png',
  ])('is not what contains another: %s', (url) => {
    expect(parseTarget(url)).toMatchObject({ ok: true, originalUrl: url });
  });
});

test('any accepted originalUrl is unchanged but for its protocol and ends, fits into a header and a record, and stays itself', () => {
  const accepted = anyText
    .map((sent) => ({ sent, result: parseOriginalUrl(sent) }))
    .filter(({ result }) => result.ok);
  fc.assert(
    fc.property(accepted, ({ sent, result }) => {
      if (!result.ok) return;
      const { originalUrl } = result;
      const trimmed = trimText(sent);
      const [, rest = ''] = /^https?:\/\/(.*)$/isu.exec(originalUrl) ?? [];
      expect(trimmed.endsWith(rest)).toBe(true);
      expect(trimmed.slice(0, -rest.length)).toMatch(/^(https?:\/\/|https?[:/\\]+|\/\/)*$/i);
      if (/^https?:\/\//i.test(trimmed) && !/^(https?[:/\\]+){2}/i.test(trimmed)) {
        expect(originalUrl).toBe(trimmed);
      }
      const { href, protocol, hostname, username, password } = new URL(originalUrl);
      expect(['http:', 'https:']).toContain(protocol);
      expect(hostname).not.toBe('');
      expect([username, password]).toEqual(['', '']);
      expect(href).toMatch(/^[\x21-\x7e]+$/);
      expect(linkRecordSchema.shape.originalUrl.parse(originalUrl)).toBe(originalUrl);
      expect(parseOriginalUrl(originalUrl)).toMatchObject({ ok: true, originalUrl });
    }),
    { numRuns: 2000 },
  );
});

test('any accepted target has a safe scheme, fits into a header and a record, and stays itself', () => {
  const anyScheme = fc.constantFrom('tel:', 'MailTo:', 'zoommtg://', 'web+a:', ...UNSAFE_SCHEMES);
  const anyTarget = fc.oneof(
    anyText,
    fc.tuple(anyScheme, fc.constantFrom('', ':', '://'), anyText).map((parts) => parts.join('')),
  );
  const accepted = anyTarget.map(parseTarget).filter(({ ok }) => ok);
  fc.assert(
    fc.property(accepted, (result) => {
      if (!result.ok) return;
      const { href, protocol } = result.url;
      expect(UNSAFE_SCHEMES).not.toContain(protocol.slice(0, -1));
      expect(href).toMatch(/^[\x21-\x7e]+$/);
      expect(linkRecordSchema.shape.originalUrl.parse(result.originalUrl)).toBe(result.originalUrl);
      const again = parseTarget(href);
      expect(again.ok && again.url.href).toBe(href);
    }),
    { numRuns: 2000 },
  );
});

function failure(reason: string) {
  return { ok: false, reason: expect.stringContaining(reason) };
}

/** Any text: well-formed or not, and combined from parts of URLs. */
const codeUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
  .map((units) => String.fromCharCode(...units));
const pieces = fc.constantFrom(
  ...['https://', 'http://', 'HTTP:', '//', '/', '\\', ':', ':8080', '@', '?', '#', '%', '%41'],
  ...['example.com', 'localhost', 'intranet', '127.0.0.1', '[::1]', '.', '..', 'münchen.de'],
  ...['javascript:', 'mailto:', 'data:', 'a', 'é', '😀', ' ', '\t', '\n', '\0', '\u00ad', '＠'],
);
const built = fc.array(fc.oneof({ weight: 9, arbitrary: pieces }, codeUnits), { maxLength: 8 });
const anyText = fc.oneof(
  codeUnits,
  fc.string({ unit: 'binary' }),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  built.map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom('https://example.com/', 'example.com?', '//a.example#'), fc.string())
    .map(([start, rest]) => start + rest),
);
