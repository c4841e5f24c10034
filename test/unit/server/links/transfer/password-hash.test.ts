import { verify } from '@node-rs/argon2';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSafePasswordHash } from '../../../../../server/accounts/passwords.ts';

const base64 = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64').replaceAll('=', '');

function hashOf({ m = '64', t = '1', p = '1', salt = base64(16), digest = base64(32) } = {}) {
  return `$argon2id$v=19$m=${m},t=${t},p=${p}$${salt}$${digest}`;
}

const anyNumber = fc.oneof(
  fc.constantFrom('1', '8', '32', '01', '0', '064'),
  fc.nat(70).map(String),
);
const anyBase64 = fc.oneof(
  fc.integer({ min: 8, max: 64 }).map(base64),
  fc.string({ unit: fc.constantFrom(...'AQgwB+/9'), minLength: 11, maxLength: 86 }),
);

test('every password hash that is imported can be verified', async () => {
  const anyHash = fc
    .record({ m: anyNumber, t: anyNumber, p: anyNumber, salt: anyBase64, digest: anyBase64 })
    .map(hashOf);
  const imported = anyHash.filter(isSafePasswordHash);
  await fc.assert(
    fc.asyncProperty(imported, async (hash) => {
      expect(await verify(hash, 'a password')).toBe(false);
    }),
    { numRuns: 300 },
  );
});

test.each([
  {},
  { m: '65536', t: '4', p: '4' },
  { salt: base64(8), digest: base64(16) },
  { salt: base64(64), digest: base64(64) },
])('a hash with %o can be imported', (parts) => {
  expect(isSafePasswordHash(hashOf(parts))).toBe(true);
});

test.each([
  { m: '65537' },
  { m: '064' },
  { m: '31', p: '4' },
  { t: '5' },
  { t: '01' },
  { p: '5' },
  { salt: base64(7) },
  { salt: `${base64(9)}A` },
  { salt: 'AAAAAAAAAAB' },
  { digest: base64(15) },
  { digest: `${base64(30)}A` },
])('a hash with %o cannot be imported', (parts) => {
  expect(isSafePasswordHash(hashOf(parts))).toBe(false);
});
