import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Data } from '../../../server/store/json-file/data/data.ts';
import { Lists } from '../../../server/store/json-file/lists.ts';
import { TimeSlices } from '../../../server/store/json-file/time-slices.ts';
import type { Link, LinkFields, LinkPage, LinkQuery } from '../../../server/store/link.ts';
import { changedLink, toLink } from '../../../server/store/records/link-json.ts';
import { NOW, newLink } from '../contract.ts';

/** Lists that read a part of the links in each slice of five milliseconds. */
class Subject {
  readonly data = new Data(() => NOW);
  readonly #lists: Lists;
  /** Times at which the lists looked at the clock: once in 64 links. */
  looks = 0;

  constructor(lookMs: number) {
    this.#lists = new Lists(this.data, new TimeSlices(() => this.looks++ * lookMs));
  }

  add(alias: string, content: Partial<Omit<LinkFields, 'alias'>> = {}): Link {
    const link = toLink({ ...newLink('').link, ...content, alias });
    this.set(link);
    return link;
  }

  /** Adds or replaces a link. */
  set(link: Link): void {
    this.data.apply(['link', link.id, changedLink(link, {})]);
  }

  purge({ id }: Link): void {
    this.data.apply(['link', id, null]);
  }

  page(query: Partial<LinkQuery> = {}): Promise<LinkPage> {
    return this.#lists.links({
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
  test('has each link that exists throughout exactly once, while it is read in slices', async () => {
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
          // Each slice has 64 links.
          const subject = new Subject(5);
          const add = (age: number, index: number) =>
            subject.add(`link-${index}`, { created: NOW - age, title: 'A title' });
          const links = ages.flatMap((age, index) =>
            Array.from({ length: 64 }, (_, more) => add(age, index * 64 + more)),
          );
          const purged = new Set<string>();
          const initial = links.map(({ alias }) => alias);
          const listing = subject.all({ search });
          for (const { kind, age, which, turns } of changes) {
            for (let turn = 0; turn < turns; turn++) await setImmediate();
            const link = links[which % links.length];
            if (kind === 'add') links.push(add(age, links.length));
            else if (!link || purged.has(link.alias)) continue;
            else if (kind === 'edit') subject.set(changedLink(link, { title: 'Another title' }));
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
      { numRuns: 60 },
    );
  });

  test('finds exactly the links that match, whatever was searched and changed before', async () => {
    const searches = ['', 'i', 'ii', 'iii', 'zz', 'q', 'q a', '7 zz', 'über', 'ü', 'link-7', '"'];
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
            all.set(link.alias, changedLink(link, { title }));
            subject.set(changedLink(link, { title }));
          }
          if (kind === 'purge' && link) {
            all.delete(link.alias);
            subject.purge(link);
          }
          const isFound = ({ alias, title, originalUrl }: Link) =>
            search
              .split(' ')
              .every((word) =>
                [alias, title, originalUrl].some((text) => text.toLowerCase().includes(word)),
              );
          const expected = [...all.values()].filter(isFound).toSorted(inOrder);
          expect(await subject.all({ search })).toEqual(expected.map(({ alias }) => alias));
        }
      }),
      { numRuns: 25 },
    );
  });

  test('is empty once the account is deleted, also if it is just being read', async () => {
    const subject = new Subject(5);
    for (let number = 0; number < 200; number++) subject.add(`link-${number}`);
    const listing = subject.all();
    await setImmediate();
    subject.data.apply(['account', 'account-1', null]);
    expect((await listing).length).toBeLessThan(200);
    expect(await subject.all()).toEqual([]);
  });
});

describe('lists of 120,000 links', () => {
  const LINKS = 120_000;
  /** A slice of five milliseconds. */
  const LOOKS_IN_SLICE = 10;

  test('are searched in slices that all callers share', async () => {
    const subject = new Subject(5 / LOOKS_IN_SLICE);
    for (let number = 0; number < LINKS; number++) {
      const title = number % 20_000 === 9 ? 'needlework' : `title ${number}`;
      subject.add(`link-${number}`, { id: `id-${number}`, created: NOW + number, title });
    }
    let isRunning = true;
    let longest = 0;
    const watching = (async () => {
      while (isRunning) {
        const before = subject.looks;
        await setImmediate();
        longest = Math.max(longest, subject.looks - before);
      }
    })();
    const searches = ['needlework', 'no such word', 'n', 'zz', 'title 119999'];
    const found = await Promise.all(searches.map((search) => subject.page({ search })));
    const pages = await Promise.all(Array.from({ length: 20 }, () => subject.page()));
    isRunning = false;
    await watching;

    expect(found.map(({ links }) => links.length)).toEqual([6, 0, 50, 0, 1]);
    for (const { links, next } of pages) expect([links.length, next !== null]).toEqual([50, true]);
    // Two slices can lie between two turns of the event loop, and each caller looks at the clock when it ends.
    expect(longest).toBeLessThan(2 * LOOKS_IN_SLICE + searches.length + pages.length);
    expect(longest).toBeGreaterThan(LOOKS_IN_SLICE / 2);
  });
});

function inOrder(one: Link, other: Link): number {
  if (one.created !== other.created) return other.created - one.created;
  return one.id < other.id ? 1 : -1;
}
