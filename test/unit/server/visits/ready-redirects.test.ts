import { expect, test } from 'vitest';
import type { Link } from '../../../../server/store/link.ts';
import { ReadyRedirects } from '../../../../server/visits/ready-redirects.ts';

const NOW = Date.UTC(2026, 10, 20);
const PLAIN = {
  id: 'id',
  targetUrl: 'https://example.com/',
  passwordHash: null,
  maxVisits: null,
  expiresAt: null,
  waitTimerSeconds: 0,
  containerId: null,
  isActive: true,
  deletedAt: null,
} as Link;

function newRedirects(known: Link | undefined, blocked: boolean = false) {
  return new ReadyRedirects({
    settings: { customGtm: 'on' },
    clock: () => NOW,
    store: { knownLink: () => known },
    blocks: { isBlocked: () => blocked },
  });
}

test('a plain link has one, as long as it is the same object', () => {
  const redirects = newRedirects(PLAIN);
  expect(redirects.find('one')).toBe(PLAIN);
  const ready = redirects.get(PLAIN);
  expect(ready.headers).toContain('https://example.com/');
  expect(redirects.get(PLAIN)).toBe(ready);
  expect(redirects.get({ ...PLAIN })).not.toBe(ready);
});

test('the oldest of more than 20,000 is dropped', () => {
  const redirects = newRedirects(PLAIN);
  const links = Array.from({ length: 20_001 }, () => ({ ...PLAIN }));
  const [first, second] = links.map((link) => redirects.get(link));
  expect(redirects.get(links[1] as Link)).toBe(second);
  expect(redirects.get(links[0] as Link)).not.toBe(first);
});

test.each([
  ['whose visits are limited', { maxVisits: 3 }],
  ['with a very long target', { targetUrl: `https://example.com/${'p'.repeat(1000)}` }],
  ['with a password', { passwordHash: '$argon2id$' }],
  ['with a preview page', { waitTimerSeconds: 1 }],
  ['with a container', { containerId: 'GTM-ABCD' }],
  ['that is paused', { isActive: false }],
  ['that is deleted', { deletedAt: NOW }],
  ['that expires now', { expiresAt: NOW }],
])('a link %s has none', (_, changes) => {
  expect(newRedirects({ ...PLAIN, ...changes }).find('one')).toBeUndefined();
});

test('a blocked link and an unknown one have none', () => {
  expect(newRedirects(PLAIN, true).find('one')).toBeUndefined();
  expect(newRedirects(undefined).find('one')).toBeUndefined();
});
