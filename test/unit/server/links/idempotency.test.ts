import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashBatch, hashKey } from '../../../../server/links/idempotency.ts';

const SECRET = Buffer.alloc(32, 1);
const OTHER_SECRET = Buffer.alloc(32, 2);

test('what is stored of a key depends on the key, its account and the secret, and nothing else', () => {
  const hashes = [
    hashKey('a-key-of-16-chars', 'account', SECRET),
    hashKey('a-key-of-16-charz', 'account', SECRET),
    hashKey('a-key-of-16-chars', 'other', SECRET),
    hashKey('a-key-of-16-chars', null, SECRET),
    hashKey('a-key-of-16-chars', 'account', OTHER_SECRET),
  ];
  expect(new Set(hashes).size).toBe(5);
  expect(hashKey('a-key-of-16-chars', 'account', SECRET)).toBe(hashes[0]);
});

test('what is stored of a batch depends on the fields of its bodies, whatever their values are', () => {
  const [one, other] = ['{"a":{"toString":1},"b":[1]}', '{"b":[1],"a":{"toString":1}}'];
  const hashOf = (...texts: string[]) =>
    hashBatch(
      texts.map((text) => JSON.parse(text)),
      SECRET,
    );
  expect(hashOf(one, 'null')).toBe(hashOf(other, 'null'));
  expect(hashOf(one)).not.toBe(hashOf('{"a":{"toString":2},"b":[1]}'));
  expect(hashOf('{"__proto__":1}')).not.toBe(hashOf('{}'));
});

test('both are SHA-512/256 of the secret and the value', () => {
  const text = `${SECRET.toString('hex')}["idempotency-key",null,"a-key-of-16-chars"]`;
  expect(hashKey('a-key-of-16-chars', null, SECRET)).toBe(
    createHash('sha512-256').update(text).digest('base64url'),
  );
});
