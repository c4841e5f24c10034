import { describe, expect, test } from 'vitest';
import { addLink, editOf, inTurn, NOW, newLink, type OpenSubject } from '../contract.ts';

function limitedTo(maxVisits: number | null) {
  return newLink('limited', { link: { maxVisits } });
}

export function describeTakenVisits(name: string, open: OpenSubject): void {
  describe(`${name}: visits of a link with maxVisits`, () => {
    test('pass exactly that often under concurrent calls', async () => {
      const { store, reopen } = await open();
      const link = await addLink(store, limitedTo(10));
      const passed = await Promise.all(Array.from({ length: 200 }, () => store.takeVisit(link.id)));
      expect(passed.filter((each) => each)).toHaveLength(10);
      for await (const subject of inTurn(store, reopen)) {
        expect(await subject.findLink('limited')).toMatchObject({ hits: 10 });
        expect(await subject.takeVisit(link.id)).toBe(false);
      }
    });

    test('count hits from before the limit was set', async () => {
      const { store, reopen } = await open();
      const link = await addLink(store, limitedTo(null));
      for (let hit = 0; hit < 3; hit++) store.countHit(link.id);
      await store.editLink(editOf(link, { maxVisits: 5 }));
      const passed = await Promise.all(Array.from({ length: 9 }, () => store.takeVisit(link.id)));
      expect(passed.filter((each) => each)).toHaveLength(2);
      const reopened = await reopen();
      expect(await reopened.findLink('limited')).toMatchObject({ hits: 5 });
      await reopened.editLink(editOf(link, { maxVisits: 6 }));
      expect(await reopened.takeVisit(link.id)).toBe(true);
      expect(await reopened.takeVisit(link.id)).toBe(false);
    });

    test('pass without a limit, and not for a deleted or unknown link', async () => {
      const { store } = await open();
      const link = await addLink(store, limitedTo(null));
      expect(await store.takeVisit(link.id)).toBe(true);
      expect(await store.findLink('limited')).toMatchObject({ hits: 1 });
      await store.editLink(editOf(link, { deletedAt: NOW }));
      expect(await store.takeVisit(link.id)).toBe(false);
      expect(await store.takeVisit('nowhere')).toBe(false);
    });
  });
}
