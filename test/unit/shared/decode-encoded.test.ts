import { domainToASCII } from 'node:url';
import { expect, test } from 'vitest';
import { decodeEncoded } from '../../../shared/decode-encoded.ts';

test.each([
  'bücher',
  '例え',
  'пример',
  'مثال',
  'ελλάδα',
  'faß',
  'a-b-ü',
  '😀',
  'ü',
  'なぜ日本語を',
  '1ü2é3',
])('the host %s.example is decoded from its form in ASCII', (label) => {
  const ascii = domainToASCII(`www.${label}.example`);
  expect(ascii).toContain('xn--');
  expect(decodeEncoded(`https://${ascii}:8080/a`)).toBe(`https://www.${label}.example:8080/a`);
  expect(decodeEncoded(ascii.toUpperCase()).toLowerCase()).toBe(`www.${label}.example`);
});

test.each([
  ['caf%C3%A9', 'café'],
  ['caf%c3%a9%20au%20lait', 'café au lait'],
  ['%F0%9F%98%80', '😀'],
  ['%E4%BE%8B%FC', '例%FC'],
  ['caf%C3%A9%C3', 'café%C3'],
  ['a%0Ab%00', 'a%0Ab%00'],
  ['%C0%AF%ED%A0%80', '%C0%AF%ED%A0%80'],
  ['50% of 100%', '50% of 100%'],
  ['xn--bcher-kva.xn--p1ai', 'bücher.рф'],
])('%j is read as %j', (text, decoded) => {
  expect(decodeEncoded(text)).toBe(decoded);
});

test.each(['xn--', 'xn--9', 'xn--99999999', 'axn--bcher-kva', `xn--${'a'.repeat(60)}`])(
  '%j is no name in ASCII, and stays',
  (text) => {
    expect(decodeEncoded(text)).toBe(text);
  },
);
