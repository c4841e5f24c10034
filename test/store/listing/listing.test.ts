import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Listing } from '../../../server/store/json-file/listing/listing.ts';
import { TimeSlices } from '../../../server/store/json-file/listing/time-slices.ts';
import { AccountTable } from '../../../server/store/json-file/memory/account-table.ts';
import { LinkTable } from '../../../server/store/json-file/memory/link-table.ts';
import type { Link, LinkPage, LinkQuery } from '../../../server/store/link.ts';
import { toLinkJson } from '../../../server/store/records/link-json.ts';
import { NOW, newLink } from '../contract.ts';

/** Counts how often a link is read. */
class CountedLinks extends LinkTable {
  reads = 0;

  override jsonOf(number: number): string {
    this.reads++;
    return super.jsonOf(number);
  }
}

/** A listing in which each read of a link takes a part of a slice of five milliseconds. */
class Subject {
  readonly links = new CountedLinks();
  readonly accounts = new AccountTable();
  readonly listing: Listing;

  constructor(readMs: number) {
    let checks = 0;
    const now = () => this.links.reads * readMs + checks++ / 1000;
    this.listing = new Listing(this.links, this.accounts, new TimeSlices(now));
  }

  add(alias: string, content: Partial<Omit<Link, 'alias'>> = {}): Link {
    const link = { ...newLink('').link, ...content, alias };
    const json = toLinkJson(link);
    this.listing.linkAdded(this.links.add(json, JSON.stringify(json)), json);
    return link;
  }

  edit(link: Link): void {
    const number = this.links.numberOf(link.id) ?? -1;
    const json = toLinkJson(link);
    this.links.edit(number, json, JSON.stringify(json), false);
    this.listing.linkEdited(number, json);
  }

  purge(link: Link): void {
    const number = this.links.numberOf(link.id) ?? -1;
    this.listing.linkPurged(number, link);
    this.links.erase(number);
  }

  page(query: Partial<LinkQuery> = {}): Promise<LinkPage> {
    return this.listing.page({
      accountId: 'account-1',
      limit: 50,
      after: null,
      search: null,
      tag: null,
      ...query,
    });
  }

  async all(query: Partial<LinkQuery> = {}): Promise<string[]> {
    const { links } = await this.page({ limit: Number.POSITIVE_INFINITY, ...query });
    return links.map(({ alias }) => alias);
  }
}

describe('a list', () => {
  test('has each link that exists throughout exactly once, while it is sorted and read in slices', async () => {
    const change = fc.record({
      kind: fc.constantFrom('add', 'purge', 'edit'),
      age: fc.nat(5),
      which: fc.nat(),
      turns: fc.nat(2),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(5), { minLength: 1, maxLength: 30 }),
        fc.array(change, { maxLength: 25, size: 'max' }),
        fc.constantFrom(null, 'title'),
        async (ages, changes, search) => {
          // Each slice has one link.
          const subject = new Subject(5);
          const add = (age: number, index: number) =>
            subject.add(`link-${index}`, { created: NOW - age, title: 'A title' });
          const links = ages.map(add);
          const purged = new Set<string>();
          const initial = links.map(({ alias }) => alias);
          const listing = subject.all({ search });
          for (const { kind, age, which, turns } of changes) {
            for (let turn = 0; turn < turns; turn++) await setImmediate();
            const link = links[which % links.length];
            if (kind === 'add') links.push(add(age, links.length));
            else if (!link || purged.has(link.alias)) continue;
            else if (kind === 'edit') subject.edit({ ...link, title: 'Another title' });
            else {
              purged.add(link.alias);
              subject.purge(link);
            }
          }
          const listed = await listing;
          expect(new Set(listed).size).toBe(listed.length);
          const throughout = initial.filter((alias) => !purged.has(alias));
          expect(listed).toEqual(expect.arrayContaining(throughout));
          const remaining = links.filter(({ alias }) => !purged.has(alias));
          const expected = remaining.toSorted(inOrder).map(({ alias }) => alias);
          expect(await subject.all({ search })).toEqual(expected);
        },
      ),
      { numRuns: 150 },
    );
  });

  test('finds exactly the links that match, whatever was searched and changed before', async () => {
    const searches = ['', 'i', 'ii', 'iii', 'zz', 'q', ' q', 'über', 'ü', 'link-7', '"'];
    const titles = ['', 'iiii', 'zz top', 'a q', 'Q', '"Über"'];
    const change = fc.record({
      kind: fc.constantFrom('add', 'purge', 'edit'),
      which: fc.nat(),
      title: fc.constantFrom(...titles),
      search: fc.constantFrom(...searches),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 5, maxLength: 25 }), async (changes) => {
        const subject = new Subject(0);
        const add = (title: string, index: number) =>
          subject.add(`link-${index}`, { created: NOW - ((index * 7919) % 600), title });
        const all = new Map<string, Link>();
        // More than a chunk can have.
        for (let index = 0; index < 700; index++) {
          all.set(`link-${index}`, add(index % 70 === 0 ? 'zz' : '', index));
        }
        for (const { kind, which, title, search } of changes) {
          const before = [...all.values()];
          const link = before[which % before.length];
          const alias = `link-${700 + which}`;
          if (kind === 'add' && !all.has(alias)) all.set(alias, add(title, 700 + which));
          if (kind === 'edit' && link) {
            all.set(link.alias, { ...link, title });
            subject.edit({ ...link, title });
          }
          if (kind === 'purge' && link) {
            all.delete(link.alias);
            subject.purge(link);
          }
          const isFound = ({ alias, title, originalUrl }: Link) =>
            [alias, title, originalUrl].some((text) => text.toLowerCase().includes(search));
          const expected = [...all.values()].filter(isFound).toSorted(inOrder);
          expect(await subject.all({ search })).toEqual(expected.map(({ alias }) => alias));
        }
      }),
      { numRuns: 25 },
    );
  });

  test('is complete after its account had to make room for others while it was sorted', async () => {
    const subject = new Subject(5);
    for (let number = 0; number < 20; number++) subject.add(`link-${number}`);
    for (let number = 0; number < 1000; number++) {
      subject.add(`other-${number}`, { accountId: `account ${number}` });
    }
    const listing = subject.all();
    const others = Array.from({ length: 1000 }, (_, number) =>
      subject.all({ accountId: `account ${number}` }),
    );
    subject.add('late', { created: NOW + 1 });
    const listed = await listing;
    expect(listed).toHaveLength(21);
    expect(listed).toContain('late');
    expect(await Promise.all(others)).toEqual(others.map((_, number) => [`other-${number}`]));
  });

  test('is empty once the account is deleted, also if it is just being read', async () => {
    const subject = new Subject(5);
    for (let number = 0; number < 20; number++) subject.add(`link-${number}`);
    const listing = subject.all();
    await setImmediate();
    subject.listing.accountDeleted('account-1');
    expect(await listing).toEqual([]);
    expect(await subject.all()).toEqual([]);
  });
});

describe('a list of 120,000 links', () => {
  const LINKS = 120_000;
  /** A slice of five milliseconds. */
  const READS_IN_SLICE = 500;

  test('is sorted and searched in slices that all callers share', {
    timeout: 300_000,
  }, async () => {
    const subject = new Subject(5 / READS_IN_SLICE);
    for (let number = 0; number < LINKS; number++) {
      // Some are imported: their times are in no order.
      const created = NOW + (number % 10 === 0 ? (number * 7919) % LINKS : number);
      const title = number % 20_000 === 9 ? 'needlework' : `title ${number}`;
      subject.add(`link-${number}`, { id: `id-${number}`, created, title });
    }
    const { links } = subject;
    let isRunning = true;
    let longest = 0;
    const watching = (async () => {
      while (isRunning) {
        const before = links.reads;
        await setImmediate();
        longest = Math.max(longest, links.reads - before);
      }
    })();
    const searches = ['needlework', 'no such word', 'n', 'zz', 'title 119999'];
    const cold = await Promise.all(searches.map((search) => subject.page({ search })));
    const readsBefore = links.reads;
    const warm = await subject.page({ search: 'needlework' });
    await subject.page({ search: 'zz' });
    const readsOfSearches = links.reads - readsBefore;
    const pages = await Promise.all(Array.from({ length: 20 }, () => subject.page()));
    isRunning = false;
    await watching;

    expect(cold.map(({ links }) => links.length)).toEqual([6, 0, 50, 0, 1]);
    expect(warm).toEqual(cold[0]);
    for (const { links, hasMore } of pages) expect([links.length, hasMore]).toEqual([50, true]);
    // Two slices can lie between two looks, and a caller reads a few more links to find its place again.
    expect(longest).toBeLessThan(2 * READS_IN_SLICE + 400);
    expect(longest).toBeGreaterThan(READS_IN_SLICE / 2);
    expect(readsOfSearches).toBeLessThan(LINKS / 10);
  });
});

function inOrder(one: Link, other: Link): number {
  if (one.created !== other.created) return other.created - one.created;
  return one.id < other.id ? 1 : -1;
}
