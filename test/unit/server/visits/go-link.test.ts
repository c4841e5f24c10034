import { describe, expect, test } from 'vitest';
import { changedLink, fromLinkJson } from '../../../../server/store/link.ts';
import { checkGoLink, signGoLink } from '../../../../server/visits/go-link.ts';
import { NOW, newLink } from '../../../store/contract.ts';

const SECRET = Buffer.alloc(32, 7);
const TEN_MINUTES_MS = 600_000;
const LINK = fromLinkJson('link-1', {
  ...newLink('waits').link,
  alias: 'waits',
  originalUrl: 'https://secret.example/path',
  targetUrl: 'https://secret.example/path',
  passwordHash: '$argon2id$one',
  waitTimer: 10,
});

describe('a go-link', () => {
  const token = signGoLink(LINK, NOW, SECRET);
  const verdictOf = (given: unknown, link = LINK, now = NOW, secret = SECRET) =>
    checkGoLink(given, link, now, secret).verdict;

  test('is valid for ten minutes from its start', () => {
    expect(checkGoLink(token, LINK, NOW - 1, SECRET)).toEqual({
      verdict: 'too_early',
      remainingMs: 1,
    });
    expect(verdictOf(token)).toBe('valid');
    expect(verdictOf(token, LINK, NOW + TEN_MINUTES_MS - 1)).toBe('valid');
    expect(verdictOf(token, LINK, NOW + TEN_MINUTES_MS)).toBe('expired');
  });

  test('never starts before a wait with fractional milliseconds is over', () => {
    const broken = signGoLink(LINK, NOW + 0.4, SECRET);
    expect(verdictOf(broken)).toBe('too_early');
    expect(verdictOf(broken, LINK, NOW + 1)).toBe('valid');
  });

  test('is valid for one link, one password and one secret', () => {
    expect(verdictOf(token, fromLinkJson('link-2', LINK))).toBe('forged');
    expect(verdictOf(token, changedLink(LINK, { passwordHash: '$argon2id$two' }))).toBe('forged');
    expect(verdictOf(token, changedLink(LINK, { passwordHash: null }))).toBe('forged');
    expect(verdictOf(token, LINK, NOW, Buffer.alloc(32, 8))).toBe('forged');
  });

  test('cannot be changed to start earlier, nor in any other way', () => {
    const [start = '', signature = ''] = token.split('.');
    const earlier = (Number.parseInt(start, 36) - 1).toString(36);
    for (const given of [
      `${earlier}.${signature}`,
      `${start.toUpperCase()}.${signature}`,
      `0${token}`,
      `${token}.`,
      `${token}=`,
      start,
      `.${signature}`,
      `${start}.${signature.slice(1)}`,
      `${start}.${'é'.repeat(signature.length)}`,
    ]) {
      expect(verdictOf(given), given).toBe('forged');
    }
  });

  test.each([undefined, null, '', 7, [], [token], { toString: () => token }])(
    'is forged when it is %s, not text',
    (given) => {
      expect(verdictOf(given)).toBe('forged');
    },
  );

  test('does not contain the target and is safe in URLs', () => {
    expect(token).toMatch(/^[0-9a-z]+\.[\w-]{43}$/);
    expect(
      verdictOf(
        signGoLink(changedLink(LINK, { originalUrl: 'https://other.example' }), NOW, SECRET),
      ),
    ).toBe('valid');
  });
});
