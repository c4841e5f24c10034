import { expect, test } from 'vitest';
import { displayHost } from '../../../../server/lib/display-host.ts';
import { parseAuthority } from '../../../../server/lib/host-name.ts';

const ascii = (host: string) => parseAuthority(host) ?? '';

test.each([
  'bücher.example',
  'bücher.example:8080',
  'пример.example',
  'παράδειγμα.example',
  '東京ラーメンbar.example',
  '서울abc.example',
  'مثال.example',
  'דוגמה.example',
  'ไทย-24.example',
])('%s is shown as people write it', (host) => {
  expect(ascii(host)).toMatch(/xn--/);
  expect(displayHost(ascii(host))).toBe(host);
});

test.each([
  ['one name mixes scripts', 'раypal.example'],
  ['only one part mixes them', 'bücher.раypal.example'],
  ['all letters look like Latin ones', 'аррӏе.example'],
  ['it is made of signs', '☃.example'],
])('a host stays in ASCII if %s', (_, host) => {
  expect(displayHost(ascii(host))).toBe(ascii(host));
});

test.each(['go.example', 'go.example:8080', '192.0.2.1', '[2001:db8::1]:8080', 'xn--.example'])(
  '%s has no other form',
  (host) => {
    expect(displayHost(host)).toBe(host);
  },
);
