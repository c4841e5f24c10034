import { describe, expect, test } from 'vitest';
import { newLink, type OpenSubject } from '../contract.ts';

export function describeHits(name: string, open: OpenSubject): void {
  describe(`${name}: hits and secret`, () => {
    test('counts hits and saves them when it is closed', async () => {
      const { store, time, reopen } = await open();
      const outcome = await store.addLink(newLink('visited'));
      if (outcome.kind !== 'added') throw new Error('the link must be added');
      for (let hit = 0; hit < 3; hit++) store.countHit(outcome.link.id);
      store.countHit('no such link');
      await time.advance(1000);
      expect((await store.findLink('visited'))?.hits).toBe(3);
      expect((await (await reopen()).findLink('visited'))?.hits).toBe(3);
    });

    test('creates a secret of 32 bytes once and always returns the same one', async () => {
      const { store, reopen } = await open();
      const secret = await store.secret();
      expect(secret).toHaveLength(32);
      expect(await store.secret()).toEqual(secret);
      expect(await (await reopen()).secret()).toEqual(secret);
      expect(await (await open()).store.secret()).not.toEqual(secret);
    });
  });
}
