import { expect, test } from 'vitest';
import {
  hostAndDomains,
  hostOfUrl,
  isWithin,
  parseHost,
} from '../../../../server/core/host-name.ts';

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
  ['[2001:DB8::0001]', '[2001:db8::1]'],
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
])('%j is no host', (text) => {
  expect(parseHost(text)).toBeUndefined();
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
