import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Link } from '../../../server/store/link.ts';
import type { Store } from '../../../server/store/store.ts';
import type { Statistics, Tally, VisitsOfHour } from '../../../server/store/visits.ts';
import {
  ADMINISTRATOR,
  addLink,
  editOf,
  inTurn,
  knownLink,
  NOW,
  newLink,
  type OpenSubject,
  type Subject,
  talliesOf,
  tally,
} from '../contract.ts';
import { naiveStatistics } from '../support/naive-statistics.ts';
import { HOUR, NOTHING, visits } from '../support/visits-of-hour.ts';
import { anyStep, type Step } from './any-visits.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function addLinkOf(store: Store, accountId: string, alias: string): Promise<Link> {
  return addLink(
    store,
    newLink(alias, { link: { id: `id-of-${alias}`, accountId, tags: ['All'] } }),
  );
}

export function describeStatistics(name: string, open: OpenSubject): void {
  describe(`${name}: visits`, () => {
    test('are added up per day for many links at once, people only', async () => {
      const { store, reopen } = await open();
      const one = await addLinkOf(store, 'a', 'one');
      const two = await addLinkOf(store, 'a', 'two');
      const day = HOUR - 12 * HOUR_MS;
      await store.addVisits([
        visits(one.id, { people: 2 }),
        visits(one.id, { people: 3, hour: day }),
        visits(one.id, { people: 5, hour: day - HOUR_MS }),
        visits(one.id, { people: 7, hour: day - 29 * DAY_MS }),
        visits(one.id, { people: 11, hour: day - 29 * DAY_MS - HOUR_MS }),
        visits(two.id, { people: 0, bots: 3 }),
      ]);
      const expected = [
        [day - 29 * DAY_MS, 7],
        [day - DAY_MS, 5],
        [day, 5],
      ];
      for await (const subject of inTurn(store, reopen)) {
        const perDay = await subject.readVisitsPerDay([one.id, two.id, 'x'], day - 29 * DAY_MS);
        const daysOf = (id: string) => [...(perDay.get(id) ?? [])].sort(([a], [b]) => a - b);
        expect([daysOf(one.id), daysOf(two.id), daysOf('x')]).toEqual([expected, [], []]);
      }
    });

    test('with a tag are those of the links that have it now, as an account has those of its links', async () => {
      const { store, reopen } = await open();
      const add = (accountId: string, alias: string, tags: string[]) =>
        addLink(store, newLink(alias, { link: { id: `id-of-${alias}`, accountId, tags } }));
      const [one, two] = [await add('a', 'one', ['x', 'Über']), await add('a', 'two', ['y'])];
      const deleted = await add('a', 'deleted', ['über']);
      const others = [
        await add('a', 'untagged', ['y']),
        await add('b', 'foreign', ['über']),
        deleted,
      ];
      await add('a', 'unvisited', ['über']);
      const [likeOne, likeTwo] = [await add('c', 'like-one', []), await add('c', 'like-two', [])];
      await store.editLink(editOf(two, { tags: ['ÜBER'] }));
      await store.editLink(editOf(deleted, { deletedAt: NOW }));
      const targets = tally({ 'https://example.com/': 1 });
      for (const [index, days] of [900, 500, 395, 100, 60, 36, 34, 1, 0].entries()) {
        const dimensions = { referrers: tally({ [`${index}.example`]: 1, direct: 1 }) };
        const each = (linkId: string, people: number, tallies = talliesOf(dimensions)) =>
          visits(linkId, { people, bots: index, hour: HOUR - days * DAY_MS, tallies });
        await store.addVisits([
          ...[one, likeOne].map(({ id }) => each(id, 2, talliesOf({ ...dimensions, targets }))),
          ...[two, likeTwo].map(({ id }) => each(id, index % 3)),
          ...others.map(({ id }) => each(id, 7)),
        ]);
      }
      const asText = (statistics: Statistics) =>
        JSON.stringify(statistics, (_, value) => (value instanceof Map ? [...value] : value));
      for await (const subject of inTurn(store, reopen)) {
        const expected = asText(await subject.readStatistics({ accountId: 'c' }));
        const found = asText(await subject.readStatistics({ accountId: 'a', tag: 'über' }));
        expect(found).toBe(expected.replaceAll('id-of-like-', 'id-of-'));
        expect(await subject.readStatistics({ accountId: 'a', tag: 'x' })).toEqual({
          ...(await subject.readStatistics({ accountId: 'a', tag: 'X' })),
        });
        const nothing = await subject.readStatistics({ accountId: 'b', tag: 'x' });
        expect(nothing).toEqual(NOTHING);
      }
    });

    test('leave hits, records and the version of the link alone', async () => {
      const { store } = await open();
      const link = await addLink(store, newLink('one'));
      const known = await knownLink(store, 'one');
      await store.addVisits([visits(link.id, { people: 5 })]);
      expect(await knownLink(store, 'one')).toBe(known);
      expect(await store.findLink('one')).toEqual(link);
    });

    test('of unknown links are skipped', async () => {
      const { store } = await open();
      const link = await addLink(store, newLink('one'));
      await store.addVisits([visits('unknown'), visits(link.id)]);
      await store.addVisits([]);
      expect(await store.readStatistics({ linkId: 'unknown' })).toEqual(NOTHING);
      expect(await store.readStatistics({ accountId: 'unknown' })).toEqual(NOTHING);
      expect((await store.readStatistics({ accountId: 'account-1' })).hours).toHaveLength(1);
    });

    test('of many links are added in one call, also in several at once', async () => {
      const { store } = await open();
      const links: Link[] = [];
      for (let number = 0; number < 12; number++) {
        const batch = Array.from({ length: 100 }, (_, index) => newLink(`link-${number}-${index}`));
        const added = batch.map((input) => addLink(store, { ...input, quota: 10_000 }));
        links.push(...(await Promise.all(added)));
      }
      const dimensions = { referrers: tally({ 'a-host.example': 1 }) };
      const all = links.map(({ id }) => visits(id, { tallies: talliesOf(dimensions) }));
      await Promise.all([store.addVisits(all), store.addVisits(all.toReversed())]);
      const last = links.at(-1) as Link;
      for (const [of, people] of [
        [{ linkId: last.id }, 2],
        [{ accountId: last.accountId }, 2400],
      ] as const) {
        const { hours, talliesOfDays } = await store.readStatistics(of);
        expect(hours).toMatchObject([{ start: HOUR, people }]);
        const tallies = [{ dimensions: { referrers: tally({ 'a-host.example': people }) } }];
        expect(talliesOfDays).toMatchObject(tallies);
      }
    });

    test('take any value of a dimension, also the names of built-in properties', async () => {
      const { store, reopen, maintain } = await open();
      const link = await addLink(store, newLink('one'));
      const names = ['__proto__', 'constructor', 'valueOf', 'ü.example', ''];
      const referrers: Tally = new Map(names.map((name, index) => [name, index + 1]));
      await store.addVisits([visits(link.id, { people: 7, tallies: talliesOf({ referrers }) })]);
      const check = async (subject: Store) => {
        const { talliesOfDays } = await subject.readStatistics({ linkId: link.id });
        expect(talliesOfDays[0]?.dimensions.referrers).toEqual(referrers);
      };
      await check(store);
      await check(await reopen());
      await check(await maintain());
      await check(await maintain());
    });
  });

  describe(`${name}: statistics`, () => {
    test('are exactly those of a naive model, whatever is reopened or maintained in between', async () => {
      const subject = await open();
      const { time } = subject;
      const wait = (hours: number) => {
        time.setClock(time.now() + hours * HOUR_MS);
        return time.now();
      };
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 40 }), async (steps) => {
          time.setClock(NOW);
          subject.store = await checkSteps(subject, steps, wait, String(runs++));
        }),
        { numRuns: 25 },
      );
    }, 120_000);

    test('lose what is older than its precision, but no count', async () => {
      const { store, time } = await open();
      const link = await addLink(store, newLink('one'));
      const dimensions = { devices: tally({ mobile: 1 }) };
      await store.addVisits([visits(link.id, { tallies: talliesOf(dimensions) })]);
      const read = () => store.readStatistics({ linkId: link.id });
      const kept = async () => {
        return Object.entries(await read()).flatMap(([kind, list]) => (list.length ? [kind] : []));
      };
      time.setClock(NOW + 34 * DAY_MS);
      expect(await kept()).toEqual(['hours', 'talliesOfDays']);
      time.setClock(NOW + 35 * DAY_MS);
      expect(await kept()).toEqual(['hours', 'talliesOfMonths']);
      time.setClock(NOW + 90 * DAY_MS);
      expect(await kept()).toEqual(['days', 'talliesOfMonths']);
      time.setClock(NOW + 400 * DAY_MS);
      expect(await kept()).toEqual(['months', 'talliesOfMonths']);
      time.setClock(Date.UTC(2028, 11, 1) - 1);
      expect(await kept()).toEqual(['months', 'talliesOfMonths']);
      time.setClock(Date.UTC(2028, 11, 1));
      expect(await kept()).toEqual(['months']);
      expect((await read()).months).toMatchObject([{ start: Date.UTC(2026, 10), people: 1 }]);
    });

    test('are erased with their link or account', async () => {
      const { store, reopen, maintain } = await open();
      const purged = await addLinkOf(store, 'a', 'purged');
      const kept = await addLinkOf(store, 'a', 'kept');
      const gone = await addLinkOf(store, 'b', 'gone');
      const addAll = () => store.addVisits([purged, kept, gone].map(({ id }) => visits(id)));
      await addAll();
      await addAll();
      expect(await store.purgeLink({ linkId: purged.id, accountId: 'a', by: ADMINISTRATOR })).toBe(
        'purged',
      );
      await store.deleteAccount({ accountId: 'b', by: ADMINISTRATOR });
      await addAll();
      for (const next of [() => store, reopen, maintain]) {
        const subject = await next();
        const peopleOf = async (of: { linkId: string } | { accountId: string }) =>
          (await subject.readStatistics(of)).hours.map(({ people }) => people);
        expect(await peopleOf({ linkId: purged.id })).toEqual([]);
        // The links of a deleted account are erased a little later.
        await expect.poll(() => peopleOf({ linkId: gone.id })).toEqual([]);
        expect(await peopleOf({ accountId: 'b' })).toEqual([]);
        expect(await peopleOf({ linkId: kept.id })).toEqual([3]);
        // The account keeps the visits of the link that it purged.
        expect(await peopleOf({ accountId: 'a' })).toEqual([5]);
      }
    });
  });
}

/**
 * @param wait lets hours pass, and returns the time
 * @param run a part of the names, which no other run has
 * @returns the store that is open at the end
 */
async function checkSteps(
  { store: first, reopen, maintain }: Subject,
  steps: Step[],
  wait: (hours: number) => number,
  run: string,
): Promise<Store> {
  let store = first;
  const [one, two] = [`a-${run}`, `b-${run}`];
  const links = [
    await addLinkOf(store, one, `first-${run}`),
    await addLinkOf(store, one, `second-${run}`),
    await addLinkOf(store, two, `third-${run}`),
  ];
  const added: VisitsOfHour[] = [];
  for (const step of steps) {
    if (step.kind === 'reopen') store = await reopen();
    else if (step.kind === 'maintain') store = await maintain();
    else {
      const now = wait(step.hoursLater);
      const batch = step.visits.map(({ link, hoursAgo, ...rest }) => ({
        ...rest,
        linkId: links[link]?.id ?? '',
        hour: now - hoursAgo * HOUR_MS,
      }));
      await store.addVisits(batch);
      added.push(...batch);
    }
  }
  for (const next of [() => store, maintain, maintain]) {
    store = await next();
    for (const { id } of links) {
      const own = added.filter(({ linkId }) => linkId === id);
      const expected = naiveStatistics(own, wait(0), 'link');
      expect(await store.readStatistics({ linkId: id })).toEqual(expected);
    }
    for (const accountId of [one, two]) {
      const ids = links.filter((link) => link.accountId === accountId).map(({ id }) => id);
      const own = added.filter(({ linkId }) => ids.includes(linkId));
      const expected = naiveStatistics(own, wait(0), 'account');
      expect(await store.readStatistics({ accountId })).toEqual(expected);
      const { hours, days, months } = expected;
      const withTag = await store.readStatistics({ accountId, tag: 'all' });
      expect(withTag).toMatchObject({ hours, days, months });
    }
  }
  return store;
}
