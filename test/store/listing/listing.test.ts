import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Data } from '../../../server/store/json-file/data/data.ts';
import { Lists } from '../../../server/store/json-file/lists.ts';
import { changedLink, type Link, type LinkFields, toLink } from '../../../server/store/link.ts';
import type { LinkPage, LinkQuery } from '../../../server/store/link-calls.ts';
import { NOW, newLink } from '../contract.ts';

/** Lists that look at 64 links in each turn of the event loop. */
class Subject {
  readonly data = new Data(() => NOW);
  readonly #lists = new Lists(this.data, 64);

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
  test('has each link that exists throughout exactly once, while it is read in several turns', async () => {
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
          const subject = new Subject();
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

  test('is empty once the account is deleted, also if it is just being read', async () => {
    const subject = new Subject();
    for (let number = 0; number < 200; number++) subject.add(`link-${number}`);
    const listing = subject.all();
    await setImmediate();
    subject.data.apply(['account', 'account-1', null]);
    expect((await listing).length).toBeLessThan(200);
    expect(await subject.all()).toEqual([]);
  });
});

test('searches let others go on after each few links', async () => {
  const subject = new Subject();
  for (let number = 0; number < 64 * 100; number++) {
    const title = number % 1000 === 9 ? 'needlework' : `title ${number}`;
    subject.add(`link-${number}`, { id: `id-${number}`, created: NOW + number, title });
  }
  let turns = 0;
  let isRunning = true;
  const watching = (async () => {
    for (; isRunning; turns++) await setImmediate();
  })();
  const searches = ['needlework', 'no such word', 'n', 'zz', 'title 6399'];
  const found = await Promise.all(searches.map((search) => subject.page({ search })));
  isRunning = false;
  await watching;
  expect(found.map(({ links }) => links.length)).toEqual([7, 0, 50, 0, 1]);
  expect(turns).toBeGreaterThanOrEqual(100);
});

function inOrder(one: Link, other: Link): number {
  if (one.created !== other.created) return other.created - one.created;
  return one.id < other.id ? 1 : -1;
}
