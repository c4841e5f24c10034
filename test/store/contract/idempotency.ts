import { describe, expect, test } from 'vitest';
import { IDEMPOTENCY_WINDOW_MS } from '../../../shared/bounds.ts';
import {
  addLink,
  editOf,
  inTurn,
  NOW,
  newKey,
  newLink,
  type OpenSubject,
  targetOf,
} from '../contract.ts';

export function describeIdempotency(name: string, open: OpenSubject): void {
  describe(`${name}: idempotency`, () => {
    test('returns the link of a known key before it checks quota and alias', async () => {
      const { store, reopen } = await open();
      const idempotency = newKey();
      const first = await store.addLink(newLink('once', { idempotency }));
      if (first.kind !== 'added') throw new Error('the first call must add its link');
      const replay = { ...idempotency, link: first.link };
      for await (const subject of inTurn(store, reopen)) {
        expect(
          await subject.addLink(
            newLink('once', { idempotency: { ...idempotency, tokenSalt: 'x' }, quota: 0 }),
          ),
        ).toEqual({ kind: 'replayed', replay });
        expect(await subject.findReplay(idempotency.keyHash, NOW)).toEqual(replay);
      }
    });

    test('returns the link as it was created, even if it was edited since', async () => {
      const { store, reopen } = await open();
      const idempotency = newKey();
      const original = await addLink(store, newLink('original', { idempotency }));
      await store.editLink(editOf(original, { alias: 'edited', title: 'edited', isActive: false }));
      await store.editLink(editOf(original, targetOf('https://example.com/again')));
      store.countHit(original.id);
      const again = newLink('original', { idempotency });
      for await (const subject of inTurn(store, reopen)) {
        const replay = { ...idempotency, link: original };
        expect(await subject.findReplay(idempotency.keyHash, NOW)).toEqual(replay);
        expect(await subject.addLink(again)).toEqual({ kind: 'replayed', replay });
      }
    });

    test('returns mismatch if the body differs', async () => {
      const { store } = await open();
      const idempotency = newKey();
      await store.addLink(newLink('once', { idempotency }));
      const again = newLink('twice', { idempotency: { ...idempotency, bodyHash: 'other' } });
      expect(await store.addLink(again)).toEqual({ kind: 'mismatch' });
      // An alias that nobody can have.
      expect(await store.addLink({ ...again, aliases: [] })).toEqual({ kind: 'mismatch' });
      expect(await store.findLink('twice')).toBeUndefined();
    });

    test('creates one link for twenty concurrent calls with the same key', async () => {
      const { store } = await open();
      const idempotency = newKey();
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, call) =>
          store.addLink(newLink(`link-${call}`, { idempotency })),
        ),
      );
      expect(outcomes.filter(({ kind }) => kind === 'added')).toHaveLength(1);
      expect(outcomes.filter(({ kind }) => kind === 'replayed')).toHaveLength(19);
    });

    test('deletes a key after the window', async () => {
      const { store } = await open();
      const idempotency = newKey();
      await store.addLink(newLink('once', { idempotency }));
      const end = NOW + IDEMPOTENCY_WINDOW_MS;
      expect(await store.findReplay(idempotency.keyHash, end - 1)).toBeDefined();
      expect(await store.findReplay(idempotency.keyHash, end)).toBeUndefined();
      const input = newLink('again', { idempotency, link: { created: end } });
      expect((await store.addLink(input)).kind).toBe('added');
    });
  });
}
