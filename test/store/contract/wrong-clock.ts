import { describe, expect, test } from 'vitest';
import { dayNumber } from '../../../server/lib/time.ts';
import type { Link } from '../../../server/store/link.ts';
import type { Store } from '../../../server/store/store.ts';
import {
  ADMINISTRATOR,
  addLink,
  editOf,
  NOW,
  newKey,
  newLink,
  type OpenSubject,
  type Subject,
  talliesOf,
  tally,
} from '../contract.ts';
import { visits } from '../support/visits-of-hour.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;

/** Starts the store on a machine with this clock, and maintains it for some hours. */
async function startAt(now: number, { time, reopen }: Subject): Promise<Store> {
  time.setClock(now);
  const store = await reopen();
  for (let hour = 0; hour < 5; hour++) await time.advance(hour && HOUR_MS);
  return store;
}

async function deleteLink(store: Store, link: Link, deletedAt: number): Promise<void> {
  const edit = { ...editOf(link, { deletedAt }), modified: deletedAt };
  expect(await store.editLink(edit)).toMatchObject({ kind: 'edited' });
}

async function restore(store: Store, link: Link, modified: number): Promise<string> {
  return (await store.editLink({ ...editOf(link, { deletedAt: null }), modified })).kind;
}

export function describeWrongClock(name: string, open: OpenSubject): void {
  describe(`${name}: a wrong clock`, () => {
    test('of ten years ahead erases nothing that can be restored, and nothing that is kept for a day', async () => {
      const subject = await open();
      const { store, time } = subject;
      await time.passDays(40);
      const now = time.now();
      const idempotency = newKey();
      const link = await addLink(store, newLink('one', { link: { created: now } }));
      const other = newLink('other', { idempotency, link: { created: now } });
      await addLink(store, other);
      await deleteLink(store, link, now);
      const ahead = await startAt(now + 10 * YEAR_MS, subject);
      // As long as it is there, it can be restored.
      expect(await restore(ahead, link, time.now())).toBe('edited');
      await deleteLink(ahead, link, now);
      const right = await startAt(now + HOUR_MS, subject);
      expect(await restore(right, link, time.now())).toBe('edited');
      expect(await right.findReplay(idempotency.keyHash, time.now())).toMatchObject(idempotency);
      expect(await right.addLink({ ...other, aliases: ['again'] })).toMatchObject({
        kind: 'replayed',
      });
      expect(await right.countLinks('account-1', now)).toMatchObject({ month: 2, total: 2 });
    });

    test.each([
      ['a year behind', (now: number) => now - YEAR_MS],
      ['in 1970', () => DAY_MS],
    ])('that was %s erases nothing once it is right', async (_, clockAt) => {
      const subject = await open();
      const { time } = subject;
      await time.passDays(40);
      const now = time.now();
      const behind = await startAt(clockAt(now), subject);
      const links = ['restored', 'erased'].map((alias) => newLink(alias));
      const [restored, erased] = await Promise.all(links.map((each) => addLink(behind, each)));
      if (!restored || !erased) throw new Error('both were added');
      for (const link of [restored, erased]) await deleteLink(behind, link, time.now());
      const right = await startAt(now, subject);
      await time.passDays(25);
      expect(await restore(right, restored, time.now())).toBe('edited');
      await time.passDays(10);
      expect(await right.findLink('restored')).toMatchObject({ deletedAt: null });
      expect(await right.findLink('erased')).toBeUndefined();
    });

    test('at the first start erases nothing once it is right', async () => {
      const subject = await open();
      const { store, time } = subject;
      time.setClock(DAY_MS);
      await time.advance(0);
      const link = await addLink(store, newLink('one', { link: { created: DAY_MS } }));
      await deleteLink(store, link, DAY_MS);
      const right = await startAt(NOW, subject);
      await time.passDays(25);
      expect(await restore(right, link, time.now())).toBe('edited');
    });

    test('leaves statistics as precise as they were', async () => {
      const subject = await open();
      const { store, time } = subject;
      await time.passDays(40);
      const now = time.now();
      const { id: linkId } = await addLink(store, newLink('one'));
      const tallies = talliesOf({ devices: tally({ mobile: 1 }) });
      const days = [600, 300, 80, 8, 7, 6, 5, 4, 3, 2, 1];
      for (const day of days) {
        await store.addVisits([visits(linkId, { hour: now - day * DAY_MS, tallies })]);
      }
      const before = await store.readStatistics({ linkId });
      expect(before.hours).toHaveLength(9);
      expect(before.talliesOfMonths).toHaveLength(3);
      const ahead = await startAt(now + 10 * YEAR_MS, subject);
      // In so many different hours, both drivers sum up.
      for (let hour = 0; hour < 30; hour++) {
        await ahead.addVisits([visits(linkId, { hour: time.now() + hour * HOUR_MS, tallies })]);
      }
      await time.advance(HOUR_MS);
      const right = await startAt(now + HOUR_MS, subject);
      const after = await right.readStatistics({ linkId });
      expect(after.hours.slice(0, 9)).toEqual(before.hours);
      expect(after.days).toEqual(before.days);
      expect(after.months).toEqual(before.months);
      expect(after.talliesOfMonths).toEqual(before.talliesOfMonths);
    });

    test('of ten years ahead leaves what anonymous accounts may add on a day', async () => {
      const { store } = await open();
      const roomOn = (day: number, maxBytes: number) => ({
        room: { isFull: false, anonymous: { day, maxBytes } },
      });
      const today = dayNumber(NOW);
      const link = { originalUrl: `https://example.com/${'a'.repeat(2000)}` };
      await addLink(store, newLink('ahead', { ...roomOn(today + 3650, 5000), link }));
      await addLink(store, newLink('right', roomOn(today, 1000)));
    });

    test('of ten years ahead lets nobody add more than a month allows', async () => {
      const subject = await open();
      const { store, time } = subject;
      await time.passDays(40);
      const now = time.now();
      const link = { created: now };
      await addLink(store, newLink('one', { quota: 1, link }));
      const ahead = await startAt(now + 10 * YEAR_MS, subject);
      await addLink(ahead, newLink('two', { quota: 1, link: { created: time.now() } }));
      const right = await startAt(now, subject);
      const again = { ...newLink('three', { quota: 1, link }), by: ADMINISTRATOR };
      expect((await right.addLink(again)).kind).toBe('quota_exceeded');
    });
  });
}
