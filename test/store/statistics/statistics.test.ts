import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Link } from '../../../server/store/link.ts';
import type { Tally, VisitsOfHour } from '../../../server/store/visits.ts';
import { addLink, NOW, newLink } from '../contract.ts';
import { compactFolder } from '../support/compact-folder.ts';
import { newFolder, openFolder, openUntilTestEnds } from '../support/folders.ts';
import { naiveStatistics } from '../support/naive-statistics.ts';
import { readData } from '../support/read-data.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** 2026-11-20T12:00:00Z is the start of an hour. */
const HOUR = NOW;
const NOTHING = { hours: [], days: [], months: [], talliesOfDays: [], talliesOfMonths: [] };

function visits(linkId: string, changes: Partial<VisitsOfHour> = {}): VisitsOfHour {
  return {
    linkId,
    hour: HOUR,
    people: 1,
    uniquePeople: 1,
    previews: 0,
    bots: 0,
    dimensions: {},
    ...changes,
  };
}

function newLinkOf(accountId: string, alias: string) {
  const input = newLink(alias);
  return { ...input, link: { ...input.link, id: `id-of-${alias}`, accountId } };
}

describe('visits', () => {
  test('are added up per hour, for the link and its account', async () => {
    const store = await openUntilTestEnds(await newFolder());
    const one = await addLink(store, newLinkOf('a', 'one'));
    const two = await addLink(store, newLinkOf('a', 'two'));
    const other = await addLink(store, newLinkOf('b', 'other'));
    const dimensions = { referrers: { 'example.com': 2 }, browsers: { Firefox: 1, Chrome: 1 } };
    await store.addVisits([visits(one.id, { people: 2, uniquePeople: 1, dimensions })]);
    await store.addVisits([
      visits(one.id, { people: 1, previews: 3, dimensions: { referrers: { direct: 1 } } }),
      visits(two.id, { people: 0, uniquePeople: 0, bots: 4, hour: HOUR - HOUR_MS }),
      visits(other.id),
    ]);
    const hour = { start: HOUR, people: 3, uniquePeople: 2, previews: 3, bots: 0 };
    const tallies = {
      start: NOW - 12 * HOUR_MS,
      dimensions: {
        referrers: { 'example.com': 2, direct: 1 },
        browsers: { Chrome: 1, Firefox: 1 },
        systems: {},
        devices: {},
        countries: {},
      },
    };
    expect(await store.readStatistics({ linkId: one.id })).toEqual({
      ...NOTHING,
      hours: [hour],
      talliesOfDays: [tallies],
    });
    expect(await store.readStatistics({ accountId: 'a' })).toEqual({
      ...NOTHING,
      hours: [{ start: HOUR - HOUR_MS, people: 0, uniquePeople: 0, previews: 0, bots: 4 }, hour],
      talliesOfDays: [tallies],
    });
    expect((await store.readStatistics({ accountId: 'b' })).hours).toHaveLength(1);
  });

  test('leave hits, records and the version of the link alone', async () => {
    const store = await openUntilTestEnds(await newFolder());
    const link = await addLink(store, newLink('one'));
    await store.addVisits([visits(link.id, { people: 5 })]);
    expect(await store.findLink('one')).toEqual(link);
    expect(store.changeCount).toBe(0);
  });

  test('of unknown links are skipped, and nothing is written for them', async () => {
    const folder = await newFolder();
    const store = await openUntilTestEnds(folder);
    await store.addVisits([visits('unknown')]);
    await store.addVisits([]);
    expect(await store.readStatistics({ linkId: 'unknown' })).toEqual(NOTHING);
    expect(await store.readStatistics({ accountId: 'unknown' })).toEqual(NOTHING);
    expect((await readData(folder)).text).not.toContain('visits');
  });

  test('of many links share lines of bounded length', async () => {
    const folder = await newFolder();
    const store = await openUntilTestEnds(folder);
    const links: Link[] = [];
    for (let number = 0; number < 25; number++) {
      const batch = Array.from({ length: 100 }, (_, index) => newLink(`link-${number}-${index}`));
      const added = batch.map((input) => addLink(store, { ...input, monthlyQuota: 10_000 }));
      links.push(...(await Promise.all(added)));
    }
    const dimensions = { referrers: { 'a-host.example': 1 } };
    await store.addVisits(links.map(({ id }) => visits(id, { dimensions })));
    const { text } = await readData(folder);
    const lines = text.split('\n').filter((line) => line.includes('"visits"'));
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      expect(line.length).toBeLessThan(100_000);
      expect(line.match(/a-host\.example/g)).toHaveLength(1);
    }
    expect((await store.readStatistics({ accountId: 'account-1' })).hours).toMatchObject([
      { people: 2500 },
    ]);
  });

  test('are rejected all together if the disk fails, and are counted once on a retry', async () => {
    const folder = await newFolder();
    let fails = false;
    const { open } = await import('node:fs/promises');
    const store = await openUntilTestEnds(folder, {
      openFile: async (...parameters) => {
        const file = await open(...parameters);
        const datasync = file.datasync.bind(file);
        file.datasync = async () => {
          if (fails) throw new Error('no space');
          await datasync();
        };
        return file;
      },
    });
    const link = await addLink(store, newLink('one'));
    fails = true;
    await expect(store.addVisits([visits(link.id)])).rejects.toThrow('could not be written');
    expect(await store.readStatistics({ linkId: link.id })).toEqual(NOTHING);
    fails = false;
    await store.addVisits([visits(link.id)]);
    expect((await store.readStatistics({ linkId: link.id })).hours).toMatchObject([{ people: 1 }]);
  });

  test('take any value of a dimension, also the names of built-in properties', async () => {
    const folder = await newFolder();
    let store = await openFolder(folder);
    const link = await addLink(store, newLink('one'));
    const tally = JSON.parse('{"__proto__":2,"constructor":3,"ü.example":1,"":4}') as Tally;
    await store.addVisits([visits(link.id, { people: 10, dimensions: { referrers: tally } })]);
    const check = async () => {
      const { talliesOfDays } = await store.readStatistics({ linkId: link.id });
      const entries = Object.entries(talliesOfDays[0]?.dimensions.referrers ?? {});
      expect(entries.sort()).toEqual(Object.entries(tally).sort());
    };
    await check();
    for (const compacts of [false, true, true]) {
      await store.close();
      if (compacts) compactFolder(folder, NOW);
      store = await openFolder(folder);
      await check();
    }
    await store.close();
  });
});

describe('statistics', () => {
  test('are exactly those of a naive model, whatever is reopened or compacted in between', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 40 }), async (steps) => {
        const folder = await newFolder();
        let now = NOW;
        const options = { clock: () => now };
        let store = await openFolder(folder, options);
        const links = ['one', 'two', 'three'].map((alias) =>
          newLinkOf(alias === 'three' ? 'b' : 'a', alias),
        );
        for (const link of links) await addLink(store, link);
        const added: VisitsOfHour[] = [];
        for (const step of steps) {
          if (step.kind === 'visits') {
            now += step.hoursLater * HOUR_MS;
            const batch = step.visits.map(({ link, hoursAgo, ...rest }) => ({
              ...rest,
              linkId: links[link]?.link.id ?? '',
              hour: now - hoursAgo * HOUR_MS,
            }));
            await store.addVisits(batch);
            added.push(...batch);
          } else {
            await store.close();
            if (step.kind === 'compact') compactFolder(folder, now);
            store = await openFolder(folder, options);
          }
        }
        const expectAll = async () => {
          for (const { link } of links) {
            const own = added.filter(({ linkId }) => linkId === link.id);
            const statistics = await store.readStatistics({ linkId: link.id });
            expect(statistics).toEqual(naiveStatistics(own, now));
          }
          for (const accountId of ['a', 'b']) {
            const ids = links.filter(({ link }) => link.accountId === accountId);
            const own = added.filter(({ linkId }) => ids.some(({ link }) => link.id === linkId));
            const statistics = await store.readStatistics({ accountId });
            expect(statistics).toEqual(naiveStatistics(own, now));
          }
        };
        await expectAll();
        await store.close();
        compactFolder(folder, now);
        store = await openFolder(folder, options);
        await expectAll();
        await store.close();
      }),
      { numRuns: 25 },
    );
  }, 120_000);

  test('lose what is older than its precision, but no count', async () => {
    let now = NOW;
    const store = await openUntilTestEnds(await newFolder(), { clock: () => now });
    const link = await addLink(store, newLink('one'));
    const dimensions = { devices: { mobile: 1 } };
    await store.addVisits([visits(link.id, { dimensions })]);
    const read = () => store.readStatistics({ linkId: link.id });
    const kept = async () => {
      return Object.entries(await read()).flatMap(([kind, list]) => (list.length ? [kind] : []));
    };
    now = NOW + 34 * DAY_MS;
    expect(await kept()).toEqual(['hours', 'talliesOfDays']);
    now = NOW + 35 * DAY_MS;
    expect(await kept()).toEqual(['hours', 'talliesOfMonths']);
    now = NOW + 90 * DAY_MS;
    expect(await kept()).toEqual(['days', 'talliesOfMonths']);
    now = NOW + 400 * DAY_MS;
    expect(await kept()).toEqual(['months', 'talliesOfMonths']);
    now = Date.UTC(2028, 11, 1) - 1;
    expect(await kept()).toEqual(['months', 'talliesOfMonths']);
    now = Date.UTC(2028, 11, 1);
    expect(await kept()).toEqual(['months']);
    expect((await read()).months).toMatchObject([{ start: Date.UTC(2026, 10), people: 1 }]);
  });

  test('are erased with their link or account, from all files by the next compaction', async () => {
    const folder = await newFolder();
    let store = await openFolder(folder);
    const links: Link[] = [];
    for (const alias of ['purged', 'kept', 'gone']) {
      links.push(await addLink(store, newLinkOf(alias === 'gone' ? 'b' : 'a', alias)));
    }
    const [purged, kept, gone] = links as [Link, Link, Link];
    const addAll = () =>
      store.addVisits(
        links.map(({ id, alias }) =>
          visits(id, { dimensions: { referrers: { [`of-${alias}.example`]: 1 } } }),
        ),
      );
    const reopen = async () => {
      await store.close();
      compactFolder(folder, NOW);
      store = await openFolder(folder);
    };
    // One part is in the snapshot, the other in the journal.
    await addAll();
    await reopen();
    await addAll();
    expect(await store.purgeLink({ linkId: purged.id, accountId: 'a' })).toBe(true);
    await store.deleteAccount('b');
    await addAll();
    for (const round of ['live', 'compacted', 'again']) {
      if (round !== 'live') await reopen();
      const peopleOf = async (of: { linkId: string } | { accountId: string }) =>
        (await store.readStatistics(of)).hours.map(({ people }) => people);
      expect(await peopleOf({ linkId: purged.id }), round).toEqual([]);
      expect(await peopleOf({ linkId: gone.id }), round).toEqual([]);
      expect(await peopleOf({ accountId: 'b' }), round).toEqual([]);
      expect(await peopleOf({ linkId: kept.id }), round).toEqual([3]);
      // The account keeps the visits of the link that it purged.
      expect(await peopleOf({ accountId: 'a' }), round).toEqual([5]);
    }
    await store.close();
    const snapshot = await readFile(join(folder, 'snapshot-000004.jsonl'), 'utf8');
    expect(snapshot).toContain('of-kept.example');
    expect(snapshot).not.toContain('of-gone.example');
  });

  test('are one line per visited link and account in a snapshot, readable as JSON', async () => {
    const folder = await newFolder();
    const store = await openFolder(folder);
    const link = await addLink(store, newLink('one'));
    await addLink(store, newLink('never-visited'));
    for (let round = 0; round < 3; round++) await store.addVisits([visits(link.id)]);
    await store.close();
    compactFolder(folder, NOW);
    const snapshot = await readFile(join(folder, 'snapshot-000002.jsonl'), 'utf8');
    const statistics = snapshot
      .trimEnd()
      .split('\n')
      .flatMap((line) => JSON.parse(line).statistics ?? []);
    const hours = [[HOUR / HOUR_MS, 3, 3, 0, 0]];
    expect(statistics).toEqual([
      { link: link.id, account: 'account-1', hours },
      { account: 'account-1', hours },
    ]);
    expect(snapshot).not.toContain('"visits"');
  });
});

type AnyVisits = Omit<VisitsOfHour, 'linkId' | 'hour'> & { link: number; hoursAgo: number };
type Step =
  | { kind: 'visits'; hoursLater: number; visits: AnyVisits[] }
  | { kind: 'reopen' | 'compact' };

const count = fc.nat(20);
/** More than 24 values, which are visited equally often or not. */
const anyTally: fc.Arbitrary<Tally> = fc
  .array(fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 300 })), { maxLength: 40 })
  .map((pairs) => Object.fromEntries(pairs.map(([key, people]) => [`${key}.example`, people])));
const anyVisits: fc.Arbitrary<AnyVisits> = fc.record({
  link: fc.nat(2),
  // Up to a day late: those of yesterday are written after a failure.
  hoursAgo: fc.oneof(fc.constant(0), fc.nat(12)),
  people: count,
  uniquePeople: count,
  previews: count,
  bots: fc.oneof(count, fc.constant(1_000_000_000)),
  dimensions: fc.record(
    {
      referrers: anyTally,
      browsers: fc.constantFrom({ Firefox: 2 }, { other: 1, Chrome: 7 }),
      countries: fc.constantFrom({ DE: 1 }, { unknown: 4, AQ: 1 }),
    },
    { requiredKeys: [] },
  ),
});
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('visits' as const),
      hoursLater: fc.oneof(fc.nat(3), fc.nat(100), fc.nat(3000)),
      visits: fc.array(anyVisits, { maxLength: 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('reopen', 'compact') }) },
);
