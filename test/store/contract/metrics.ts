import { expect, test } from 'vitest';
import { addLink, newLink, type OpenSubject } from '../contract.ts';

export function describeMetrics(name: string, open: OpenSubject): void {
  test(`${name}: the overview says where the data is, and how many links it has`, async () => {
    const { store } = await open();
    const before = await store.overview();
    expect(before).toEqual({ location: expect.any(String), links: 0, isNew: true });
    await addLink(store, newLink('counted'));
    expect(await store.overview()).toMatchObject({ location: before.location, links: 1 });
  });

  test(`${name}: metrics have the changes that wait, and the syncs that made them durable`, async () => {
    const { store } = await open();
    const syncs = () => store.metrics().syncs.counts.reduce((sum, count) => sum + count, 0);
    const before = store.metrics();
    const syncsBefore = syncs();
    expect(before).toMatchObject({
      pendingChanges: 0,
      failedWrites: 0,
      compactions: { completed: 0, failed: 0 },
    });
    const adding = ['one', 'two', 'three'].map((alias) => addLink(store, newLink(alias)));
    expect(store.metrics().pendingChanges).toBe(3);
    await Promise.all(adding);
    expect(store.metrics().pendingChanges).toBe(0);
    expect(syncs()).toBeGreaterThan(syncsBefore);
    expect(store.metrics().dataBytes).toBeGreaterThan(0);
  });
}
