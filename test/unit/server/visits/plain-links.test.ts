import { expect, test } from 'vitest';
import type { Link } from '../../../../server/store/link.ts';
import { changedLink, toLink } from '../../../../server/store/records/link-json.ts';
import { createPlainLinkFinder } from '../../../../server/visits/plain-links.ts';
import { newLink } from '../../../store/contract.ts';

const NOW = Date.UTC(2026, 10, 20);
const RULE = { device: 'phone', originalUrl: 'https://phone.example/' } as const;
const PLAIN = toLink({ ...newLink('').link, alias: 'one' });

function findPlain(known: Link | undefined, blocked: boolean = false) {
  const find = createPlainLinkFinder({
    settings: { customGtm: 'on' },
    clock: () => NOW,
    store: { knownLink: () => known },
    blocks: { isBlocked: () => blocked },
  });
  return find('one');
}

test('a link without conditions is plain, also one with rules', () => {
  expect(findPlain(PLAIN)).toBe(PLAIN);
  const link = changedLink(PLAIN, { rules: [RULE] });
  expect(findPlain(link)).toBe(link);
});

test.each([
  ['whose visits are limited', { maxVisits: 3 }],
  ['with a password', { passwordHash: '$argon2id$' }],
  ['with a preview page', { waitTimer: 1 }],
  ['with a container', { customGtmId: 'GTM-ABCD' }],
  ['that has not started', { startsAt: NOW + 1 }],
  ['that is paused', { isActive: false }],
  ['that is deleted', { deletedAt: NOW }],
  ['that expires now', { expiresAt: NOW }],
])('a link %s is not', (_, changes) => {
  expect(findPlain(changedLink(PLAIN, changes))).toBeUndefined();
});

test('a blocked link and an unknown one are not', () => {
  expect(findPlain(PLAIN, true)).toBeUndefined();
  expect(findPlain(undefined)).toBeUndefined();
});
