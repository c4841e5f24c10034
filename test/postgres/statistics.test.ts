import { describe, expect, test } from 'vitest';
import { rollUpVisits } from '../../server/store/postgres/statistics/visit-statistics.ts';
import type { VisitsOfHour } from '../../server/store/visits.ts';
import { systemTime } from '../../shared/time.ts';
import { addLink, NOW, newLink, ownLinkOf, talliesOf, tally } from '../store/contract.ts';
import { visits } from '../store/support/visits-of-hour.ts';
import { connectTo, newDatabase } from './support/databases.ts';
import { openStores, withDatabase } from './support/open-stores.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function visitsOf(linkId: string, hour: number, referrers: string[] = []): VisitsOfHour {
  const tallies = talliesOf({ referrers: new Map(referrers.map((host) => [host, 1])) });
  return visits(linkId, { hour, tallies });
}

describe('statistics in the database', () => {
  test('have a bounded number of rows after three years of visits', async () => {
    const url = await newDatabase();
    let now = NOW - 1200 * DAY_MS;
    const [store] = await openStores(1, url, { ...systemTime, now: () => now });
    if (!store) throw new Error('a store must be open');
    const link = await addLink(store, newLink('one'));
    const client = await connectTo(url);
    await withDatabase(url, async (database) => {
      for (; now < NOW; now += 50 * DAY_MS) {
        const hours = Array.from({ length: 50 * 6 }, (_, index) => now - index * 4 * HOUR_MS);
        await store.addVisits(hours.map((hour) => visitsOf(link.id, hour, ['a.example'])));
        await rollUpVisits(database, now);
      }
      now = NOW;
      await rollUpVisits(database, now);
    });
    // The last visit was 50 days ago, so hours are known of 39 days and half a day.
    const { rows } = await client.query(
      'SELECT day, counts, tallies FROM visits WHERE subject = $1',
      [`link ${link.id}`],
    );
    expect(rows).toMatchObject([{ day: -1 }]);
    const periods = { ...rows[0].counts, ...rows[0].tallies } as Record<string, unknown[]>;
    const sizes = Object.entries(periods).map(([name, { length }]) => [name, length]);
    // The last visit was 50 days ago, so hours are known of 39 days and half a day.
    const expected = { hours: 39 * 6 + 4, days: 310, months: 29, talliesOfMonths: 24 };
    expect(Object.fromEntries(sizes)).toEqual(expected);
    const { hours, days, months } = await store.readStatistics({ linkId: link.id });
    const people = [...hours, ...days, ...months].reduce((sum, each) => sum + each.people, 0);
    expect(people).toBe(24 * 50 * 6);
  });

  test('keep the most frequent of made-up values, and count the rest as other', async () => {
    const url = await newDatabase();
    const [store] = await openStores(1, url);
    if (!store) throw new Error('a store must be open');
    const link = await addLink(store, newLink('one'));
    const madeUp = (part: number) =>
      Array.from({ length: 800 }, (_, index) => `${part}-${index}.example`);
    const real = Array.from({ length: 24 }, (_, index) => `real-${index}.example`);
    for (const part of [1, 2, 3]) {
      await store.addVisits([visitsOf(link.id, NOW, [...real, ...madeUp(part)])]);
    }
    const client = await connectTo(url);
    const { rows } = await client.query(
      'SELECT length(tallies::text) AS length FROM visits WHERE subject = $1',
      [`link ${link.id}`],
    );
    expect(rows[0]?.length).toBeLessThan(32_768);
    const { talliesOfDays } = await store.readStatistics({ linkId: link.id });
    const ofReal = Object.fromEntries(real.map((host) => [host, 3]));
    expect(talliesOfDays[0]?.dimensions.referrers).toEqual(tally({ ...ofReal, other: 3 * 800 }));
  });

  test('store values with characters that a database refuses in texts', async () => {
    const [store] = await openStores(1, await newDatabase());
    if (!store) throw new Error('a store must be open');
    const link = await addLink(store, newLink('one'));
    await store.addVisits([visitsOf(link.id, NOW, ['nul\0.example', 'half\ud800.example'])]);
    const { talliesOfDays } = await store.readStatistics({ linkId: link.id });
    expect(talliesOfDays[0]?.dimensions.referrers).toEqual(
      tally({ 'nul\0.example': 1, 'half\ud800.example': 1 }),
    );
  });

  test('leave out what is stored but no number, and go on with the rest', async () => {
    const url = await newDatabase();
    const [store] = await openStores(1, url);
    if (!store) throw new Error('a store must be open');
    const [damaged, intact] = [
      await addLink(store, newLink('damaged')),
      await addLink(store, newLink('intact')),
    ];
    const both = [damaged, intact].map(({ id }) => visitsOf(id, NOW, ['a.example', 'b.example']));
    await store.addVisits(both);
    const client = await connectTo(url);
    const { rowCount } = await client.query(
      `UPDATE visits SET tallies = replace(tallies::text, '"0a.example":1', '"0a.example":"1"')::json
       WHERE subject = $1 AND tallies::text LIKE '%"0a.example":1%'`,
      [`link ${damaged.id}`],
    );
    expect(rowCount).toBe(1);
    const tallyOf = async (of: { linkId: string } | { accountId: string }) =>
      (await store.readStatistics(of)).talliesOfDays[0]?.dimensions.referrers;
    expect(await tallyOf({ linkId: damaged.id })).toEqual(tally({ 'b.example': 1 }));
    await store.addVisits(both);
    expect(await tallyOf({ linkId: damaged.id })).toEqual(
      tally({ 'a.example': 1, 'b.example': 2 }),
    );
    const twice = tally({ 'a.example': 2, 'b.example': 2 });
    expect(await tallyOf({ linkId: intact.id })).toEqual(twice);
    expect(await tallyOf({ accountId: intact.accountId })).toEqual(
      tally({ 'a.example': 4, 'b.example': 4 }),
    );
  });

  test('add up what several servers write at once', async () => {
    const stores = await openStores(3, await newDatabase());
    const [first] = stores;
    if (!first) throw new Error('a store must be open');
    const links = await Promise.all(
      Array.from({ length: 30 }, (_, index) => addLink(first, newLink(`link-${index}`))),
    );
    const visits = links.map(({ id }) => visitsOf(id, NOW, ['a.example']));
    await Promise.all(
      stores.flatMap((store) =>
        Array.from({ length: 10 }, (_, call) =>
          store.addVisits(call % 2 === 0 ? visits : visits.toReversed()),
        ),
      ),
    );
    const of = await first.readStatistics({ accountId: 'account-1' });
    expect(of.hours).toMatchObject([{ people: 900 }]);
    expect(of.talliesOfDays).toMatchObject([
      { dimensions: { referrers: tally({ 'a.example': 900 }) } },
    ]);
    for (const { id } of links) {
      const { hours } = await first.readStatistics({ linkId: id });
      expect(hours).toMatchObject([{ people: 30 }]);
    }
  });

  test('leave no row of a link that is purged while its visits are written', async () => {
    const url = await newDatabase();
    const [one, other] = await openStores(2, url);
    if (!one || !other) throw new Error('two stores must be open');
    const links = await Promise.all(
      Array.from({ length: 20 }, (_, index) => addLink(one, newLink(`link-${index}`))),
    );
    const visits = links.map(({ id }) => visitsOf(id, NOW, ['a.example']));
    await Promise.all([
      ...links.map(() => other.addVisits(visits)),
      ...links.map((link) => one.purgeLink(ownLinkOf(link))),
    ]);
    const client = await connectTo(url);
    const { rows } = await client.query(`SELECT subject FROM visits WHERE subject LIKE 'link %'`);
    expect(rows).toEqual([]);
  });
});
