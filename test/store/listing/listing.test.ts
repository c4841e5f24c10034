import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FolderData } from '../../../server/store/json-file/data/folder-data.ts';
import { Lists } from '../../../server/store/json-file/lists.ts';
import { changedLink, fromLinkJson, type Link } from '../../../server/store/link.ts';
import type { LinkPage, LinkPageQuery, NewLink } from '../../../server/store/link-calls.ts';
import { NOW, newLink } from '../contract.ts';

/** Lists that look at about 64 links in each turn of the event loop. */
class Subject {
  readonly data = new FolderData(() => NOW);
  readonly #lists = new Lists(this.data, 64 * 70);

  add(alias: string, content: Partial<NewLink['link']> = {}): Link {
    const { id, ...json } = { ...newLink('').link, ...content };
    const link = fromLinkJson(id, { ...json, alias });
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

  page(query: Partial<LinkPageQuery> = {}): Promise<LinkPage> {
    return this.#lists.links({
      accountId: 'account-1',
      limit: 50,
      after: null,
      search: null,
      tag: null,
      ...query,
    });
  }

  async all(query: Partial<LinkPageQuery> = {}): Promise<string[]> {
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

/** Links of accounts, each of which takes a tenth of a turn to look at. */
function withLargeLinks(accounts: number): Subject {
  const subject = new Subject();
  const text = 'x'.repeat(7 * 64);
  const url = `https://example.com/${text}`;
  const contents: Partial<NewLink['link']>[] = [
    { originalUrl: url },
    { title: text },
    { label: text },
    { description: text },
    { tags: [text] },
    { previousAliases: [text] },
    { goneUrl: url },
  ];
  for (let account = 0; account < accounts; account++) {
    for (let number = 0; number < 50; number++) {
      const accountId = `account-${account}`;
      const content = contents[number % contents.length];
      subject.add(`${accountId}-${number}`, { id: `${account}-${number}`, accountId, ...content });
    }
  }
  return subject;
}

test('lists of all accounts together look at no more in a turn than one of them', async () => {
  const subject = withLargeLinks(10);
  let looks = 0;
  let most = 0;
  let isRunning = true;
  const watching = (async () => {
    for (; isRunning; looks = 0) {
      await setImmediate();
      most = Math.max(most, looks);
    }
  })();
  const matches = () => ++looks < 0;
  const queries = Array.from({ length: 20 }, (_, index) => {
    return subject.page({ accountId: `account-${index % 10}`, matches });
  });
  expect((await Promise.all(queries)).flatMap(({ links }) => links)).toEqual([]);
  isRunning = false;
  await watching;
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(10);
});

test('two lists of an account are read at a time, others wait, and too many are busy', async () => {
  const subject = withLargeLinks(1);
  const reading = new Set<number>();
  let most = 0;
  const lists = Array.from({ length: 54 }, (_, index) => {
    const matches = () => {
      most = Math.max(most, reading.add(index).size);
      return true;
    };
    // The last one is that of a file, of which a part was sent.
    const page = subject.page({ accountId: 'account-0', matches, waits: index === 53 });
    return page.finally(() => reading.delete(index));
  });
  const results = await Promise.allSettled(lists);
  expect(most).toBe(2);
  expect(results.flatMap((each, index) => (each.status === 'rejected' ? index : []))).toEqual([52]);
  expect(results[52]).toMatchObject({ reason: { code: 'busy' } });
});

test('tags are listed without looking at links', async () => {
  const subject = new Subject();
  const link = subject.add('tagged', { tags: ['sale'] });
  Object.defineProperty(subject.data.link(link.id), 'tags', {
    get: () => expect.fail('a link was looked at'),
  });
  expect(subject.data.tagsOf('account-1')?.mostUsed(10)).toEqual([{ tag: 'sale', count: 1 }]);
});

function inOrder(one: Link, other: Link): number {
  if (one.created !== other.created) return other.created - one.created;
  return one.id < other.id ? 1 : -1;
}
