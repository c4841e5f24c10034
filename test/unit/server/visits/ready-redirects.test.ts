import { expect, test } from 'vitest';
import type { Link } from '../../../../server/store/link.ts';
import { changedLink, toLink } from '../../../../server/store/records/link-json.ts';
import { ReadyRedirects } from '../../../../server/visits/ready-redirects.ts';
import { newLink } from '../../../store/contract.ts';

const NOW = Date.UTC(2026, 10, 20);
const LONG = `https://example.com/${'p'.repeat(1000)}`;
const RULE = { device: 'phone', originalUrl: 'https://phone.example/' } as const;
const PLAIN = toLink({ ...newLink('').link, alias: 'one' });

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
  expect(ready.headers).toContain(PLAIN.targetUrl);
  expect(redirects.get(PLAIN)).toBe(ready);
  expect(redirects.get(changedLink(PLAIN, {}))).not.toBe(ready);
});

test('each target of a link with rules has one, and all count for the same link', () => {
  const link = changedLink(PLAIN, {
    rules: [RULE, { ...RULE, originalUrl: 'https://tablet.example/' }],
  });
  const redirects = newRedirects(link);
  expect(redirects.find('one')).toBe(link);
  const ready = [undefined, 0, 1].map((target) => redirects.get(link, target));
  expect(ready.map(({ headers }) => headers[headers.indexOf('location') + 1])).toEqual([
    PLAIN.targetUrl,
    'https://phone.example/',
    'https://tablet.example/',
  ]);
  expect(new Set(ready.map(({ visited }) => visited)).size).toBe(1);
  expect(redirects.get(link, 1)).toBe(ready[2]);
});

test('the oldest of more than 20,000 is dropped', () => {
  const redirects = newRedirects(PLAIN);
  const links = Array.from({ length: 20_001 }, () => changedLink(PLAIN, {}));
  const [first, second] = links.map((link) => redirects.get(link));
  expect(redirects.get(links[1] as Link)).toBe(second);
  expect(redirects.get(links[0] as Link)).not.toBe(first);
});

test('the targets of rules count, too, and are dropped with their link', () => {
  const redirects = newRedirects(PLAIN);
  const links = Array.from({ length: 10_001 }, () => changedLink(PLAIN, { rules: [RULE] }));
  const [first, second] = links.map((link) => redirects.get(link, 0));
  expect(redirects.get(links[1] as Link, 0)).toBe(second);
  expect(redirects.get(links[0] as Link, 0)).not.toBe(first);
});

test.each([
  ['whose visits are limited', { maxVisits: 3 }],
  ['with a very long target', { targetUrl: LONG }],
  ['with a password', { passwordHash: '$argon2id$' }],
  ['with a preview page', { waitTimerSeconds: 1 }],
  ['with a container', { containerId: 'GTM-ABCD' }],
  ['that has not started', { startsAt: NOW + 1 }],
  ['whose rule has a very long target', { rules: [RULE, { ...RULE, originalUrl: LONG }] }],
  ['that is paused', { isActive: false }],
  ['that is deleted', { deletedAt: NOW }],
  ['that expires now', { expiresAt: NOW }],
])('a link %s has none', (_, changes) => {
  expect(newRedirects(changedLink(PLAIN, changes)).find('one')).toBeUndefined();
});

test('a blocked link and an unknown one have none', () => {
  expect(newRedirects(PLAIN, true).find('one')).toBeUndefined();
  expect(newRedirects(undefined).find('one')).toBeUndefined();
});
