import { expect, test } from 'vitest';
import type { Link } from '../../../../server/store/link.ts';
import { LinkMemory } from '../../../../server/store/postgres/links/link-memory.ts';
import { changedLink, toLink } from '../../../../server/store/records/link-json.ts';

const MAX_BYTES = 1_000_000;

function linkWith(id: string, changes: Partial<Link> = {}): Link {
  const originalUrl = 'https://example.com/';
  return toLink({ id, accountId: 'account', alias: id, originalUrl, created: 0, ...changes });
}

test('has no more bytes of links than it may have, whatever their size, and those that are used', () => {
  for (const title of ['x'.repeat(50_000), 'あ'.repeat(25_000), 'x']) {
    const memory = new LinkMemory(MAX_BYTES);
    memory.set(linkWith('used', { title }), 0);
    const count = Math.min((3 * MAX_BYTES) / title.length, 10_000);
    for (let index = 0; index < count; index++) {
      expect(memory.get('used')).toBeDefined();
      memory.set(linkWith(`link-${index}`, { title }), 0);
    }
    const kept = Array.from({ length: count }, (_, index) => memory.get(`link-${index}`)?.link);
    const characters = kept.reduce((sum, link) => sum + (link?.title.length ?? 0), 0);
    const bytesOfEach = title.startsWith('あ') ? 2 : 1;
    expect(characters * bytesOfEach).toBeLessThanOrEqual(MAX_BYTES);
    expect(kept.filter(Boolean).length).toBeGreaterThan(2);
  }
});

test('has one object for a link, by all its aliases, as long as only its hits change', () => {
  const memory = new LinkMemory(MAX_BYTES);
  const link = linkWith('new', { previousAliases: ['Old', 'oldest'] });
  memory.set(link, 1);
  memory.set(changedLink(link, { hits: 5 }), 2);
  for (const key of ['new', 'old', 'oldest']) expect(memory.get(key)?.link).toBe(link);
  expect(link.hits).toBe(5);
});

test('forgets an alias that a link has lost, and all aliases of one that is deleted', () => {
  const memory = new LinkMemory(MAX_BYTES);
  const link = linkWith('new', { previousAliases: ['old', 'oldest'] });
  memory.set(link, 1);
  memory.set(changedLink(link, { previousAliases: ['oldest'] }), 2);
  expect(memory.get('old')).toBeUndefined();
  memory.set(linkWith('other', { previousAliases: ['oldest'] }), 3);
  expect(memory.get('oldest')?.link.id).toBe('other');
  memory.delete('oldest');
  for (const key of ['other', 'oldest']) expect(memory.get(key)).toBeUndefined();
  memory.set(link, 4);
  memory.deleteOf(new Set(['account']));
  expect(memory.get('new')).toBeUndefined();
});

test('keeps what a later look-up has found', () => {
  const memory = new LinkMemory(MAX_BYTES);
  const link = linkWith('one', { title: 'old' });
  const edited = changedLink(link, { title: 'new' });
  memory.set(edited, 2);
  memory.set(link, 1);
  expect(memory.get('one')?.link).toBe(edited);
});
