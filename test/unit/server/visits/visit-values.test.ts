import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { tallyKey } from '../../../../server/store/visits.ts';
import { UserAgent } from '../../../../server/visits/user-agent.ts';
import { createReadCountry } from '../../../../server/visits/visit.ts';
import { ReferrerHosts } from '../../../../server/visits/visit-recorder.ts';
import { keyedHash, UniquePeople } from '../../../../server/visits/visitor-hash.ts';

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const IOS = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';
const DAY_MS = 86_400_000;

describe('a user agent', () => {
  test.each([
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME}`, 'Chrome', 'Windows', 'desktop'],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Edg/142.0.0.0`,
      'Microsoft Edge',
      'Windows',
      'desktop',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0',
      'Firefox',
      'Linux',
      'desktop',
    ],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME}`, 'Chrome', 'Chrome OS', 'desktop'],
    [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${IOS}`, 'Safari', 'iOS', 'mobile'],
    [`Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) ${IOS}`, 'Safari', 'iOS', 'tablet'],
    [
      'Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0',
      'Firefox',
      'Android',
      'mobile',
    ],
    ...[
      ['Phone; OpenHarmony 5.0', 'mobile'],
      ['Tablet; OpenHarmony 5.0; HarmonyOS 5.0', 'tablet'],
      ['PC; OpenHarmony 5.0', 'desktop'],
      ['2in1; HarmonyOS 6.0', 'desktop'],
    ].map(([device = '', kind = '']) => [
      `Mozilla/5.0 (${device}) ${CHROME} ArkWeb/4.1.6.1`,
      'Chrome',
      'HarmonyOS',
      kind,
    ]),
    ['', 'unknown', 'unknown', 'other'],
    ['SecretName/1.0 (me@example.com)', 'other', 'other', 'other'],
    [`Mozilla/5.0 ${'('.repeat(5000)}`, 'other', 'other', 'other'],
  ])('is reduced to families without versions: %s', (text, browser, system, device) => {
    expect(UserAgent.of(text).families).toEqual({ browser, system, device });
    expect(UserAgent.of(text).families).toEqual({ browser, system, device });
  });

  test('may be missing', () => {
    expect(UserAgent.of(undefined).families).toMatchObject({ browser: 'unknown', device: 'other' });
  });
});

describe('a referrer', () => {
  test.each([
    [undefined, 'direct'],
    ['', 'direct'],
    ['https://www.Example.com/path?q=secret#x', 'example.com'],
    ['http://news.example.com:8080/', 'news.example.com'],
    ['https://example.com./', 'example.com'],
    ['https://www.com/', 'www.com'],
    ['https://bücher.example/', 'xn--bcher-kva.example'],
    ['http://[::ffff:192.0.2.1]/', '192.0.2.1'],
    ['android-app://com.example.mail/', 'com.example.mail'],
    ['http://__proto__/', '__proto__'],
    ['nonsense', 'other'],
    ['about:blank', 'other'],
    [`https://${'a'.repeat(63)}.example/`, 'other'],
  ])('%s is reduced to its host', (referrer, host) => {
    const hosts = new ReferrerHosts();
    expect(hosts.tallyKey(referrer)).toBe(tallyKey('referrers', host));
    expect(hosts.tallyKey(referrer)).toBe(tallyKey('referrers', host));
  });
});

describe('a country', () => {
  const visit = (sender: string, country: string) => ({
    headers: { 'cf-ipcountry': country },
    sender,
  });

  test.each([
    ['10.1.2.3', 'DE', 'DE'],
    ['10.1.2.3', ' at ', 'AT'],
    ['192.0.2.1', 'DE', undefined],
    ['10.1.2.3', 'UK', 'GB'],
    ['10.1.2.3', 'XK', 'XK'],
    ['10.1.2.3', 'XX', undefined],
    ['10.1.2.3', 'A1', undefined],
    ['10.1.2.3', 'EU', undefined],
    ['10.1.2.3', 'T1', undefined],
    ['10.1.2.3', 'Germany', undefined],
    ['10.1.2.3', '', undefined],
  ])('from %s as "%s" is %s', (address, value, country) => {
    const read = createReadCountry('cf-ipcountry', ['10.0.0.0/8']);
    expect(read(visit(address, value))).toBe(country);
  });

  test('is not read without the setting, or without a trusted proxy', () => {
    expect(createReadCountry(undefined, ['10.0.0.0/8'])(visit('10.1.2.3', 'DE'))).toBeUndefined();
    expect(createReadCountry('cf-ipcountry', [])(visit('10.1.2.3', 'DE'))).toBeUndefined();
  });
});

describe('unique people', () => {
  const linkHash = (number: number) => keyedHash(`link-${number}`, 1, 2);
  const [LINK, OTHER_LINK] = [linkHash(1), linkHash(2)];
  // A constant key, so that the same entries collide each time.
  const newUnique = () => new UniquePeople((size) => Buffer.alloc(size, 7));

  test('are counted once per link, address, user agent and day', () => {
    const unique = newUnique();
    const time = Date.UTC(2026, 10, 20);
    expect(unique.isFirst(LINK, '192.0.2.1', 1, time)).toBe(true);
    expect(unique.isFirst(LINK, '192.0.2.1', 1, time + DAY_MS - 1)).toBe(false);
    expect(unique.isFirst(OTHER_LINK, '192.0.2.1', 1, time)).toBe(true);
    expect(unique.isFirst(LINK, '192.0.2.2', 1, time)).toBe(true);
    expect(unique.isFirst(LINK, '192.0.2.1', 2, time)).toBe(true);
    expect(unique.isFirst(LINK, '192.0.2.1', 1, time + DAY_MS)).toBe(true);
  });

  test('get a new key each day', () => {
    let keys = 0;
    const unique = new UniquePeople((size) => {
      keys++;
      return randomBytes(size);
    });
    for (const day of [0, 0, 1, 1, 0, 2]) unique.isFirst(LINK, 'b', 1, day * DAY_MS);
    expect(keys).toBe(3);
  });

  test('are recognized among a million, with few mistakes', () => {
    const unique = newUnique();
    let counted = 0;
    for (let number = 0; number < 1_000_000; number++) {
      if (unique.isFirst(linkHash(number % 1000), `${number}`, number % 77, 0)) counted++;
    }
    expect(counted).toBeGreaterThan(998_000);
    expect(unique.isFirst(linkHash(7), '7', 7, 0)).toBe(false);
  });
});

describe('the keyed hash', () => {
  test.each([
    [0, 0x5814c896],
    [2, 0xbc4b0e30],
    [4, 0x7e059ea6],
    [6, 0xa0080b65],
  ])('of %i bytes is that of HalfSipHash-1-3', (bytes, hash) => {
    const text = Buffer.from(Array.from({ length: bytes }, (_, byte) => byte)).toString('utf16le');
    expect(keyedHash(text, 0x03020100, 0x07060504)).toBe(hash);
  });

  test('depends on both halves of the key and on the last character of odd lengths', () => {
    const hashes = ['', 'a', 'aa', 'aaa', 'a\0', 'A', 'ā', 'b'].flatMap((text) =>
      [
        [1, 2],
        [2, 1],
        [1, 3],
      ].map(([key0 = 0, key1 = 0]) => keyedHash(text, key0, key1)),
    );
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
