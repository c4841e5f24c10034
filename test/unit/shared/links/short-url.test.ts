import { expect, test } from 'vitest';
import { readShortUrl } from '../../../../shared/links/short-url.ts';

test.each([
  ['https://go.example/sale', 'https:', 'go.example', 'sale'],
  ['HTTP://Go.Example/Sale', 'http:', 'go.example', 'Sale'],
  ['go.example/sale', undefined, 'go.example', 'sale'],
  ['go.example:8080/sale/', undefined, 'go.example:8080', 'sale'],
  ['localhost:2878/sale', undefined, 'localhost:2878', 'sale'],
  ['bücher.example/sale', undefined, 'xn--bcher-kva.example', 'sale'],
  ['https://go.example/sale+', 'https:', 'go.example', 'sale'],
  ['https://go.example/sale?a=b', 'https:', 'go.example', 'sale'],
  ['https://go.example/sale#a', 'https:', 'go.example', 'sale'],
  ['https://go.example//sale//', 'https:', 'go.example', 'sale'],
  ['https://go.example/sale%E2%80%8B', 'https:', 'go.example', 'sale'],
  ['https://go.example/sa\u00adle%3Cbr%3E', 'https:', 'go.example', 'sale'],
  ['https://go.example/big\u2011sale&gt;', 'https:', 'go.example', 'big-sale'],
  ['\u2068https://go.example/sale\u2069', 'https:', 'go.example', 'sale'],
  ['<https://go.example/sale>.', 'https:', 'go.example', 'sale'],
  ['„go.example/sale“', undefined, 'go.example', 'sale'],
])('%s is a short URL', (text, protocol, host, alias) => {
  expect(readShortUrl(text)).toEqual({ protocol, host, alias });
});

test.each([
  '',
  'sale',
  'two words',
  'https://go.example/',
  'https://go.example/sale/qr.png',
  'https://go.example/sale.html',
  'https://me@go.example/sale',
  'mailto:me@go.example',
  'go.example',
  `go.example/${'x'.repeat(65)}`,
])('%j is none', (text) => {
  expect(readShortUrl(text)).toBeUndefined();
});
