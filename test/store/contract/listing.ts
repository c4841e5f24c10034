import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Link } from '../../../server/store/link.ts';
import type { LinkPage, LinkPageQuery, LinkPosition } from '../../../server/store/link-calls.ts';
import type { Store } from '../../../server/store/store.ts';
import {
  ADMINISTRATOR,
  addLink,
  editOf,
  inTurn,
  NOW,
  newLink,
  type OpenSubject,
} from '../contract.ts';
import { addDomains } from './domains.ts';

const HOUR_MS = 3_600_000;
const MIB = 1024 * 1024;

type Content = Partial<Omit<Link, 'alias'>>;

function listLinks(store: Store, query: Partial<LinkPageQuery> = {}): Promise<LinkPage> {
  return store.listLinks({
    accountId: 'account-1',
    limit: 100,
    after: null,
    search: null,
    tag: null,
    ...query,
  });
}

async function aliasesOf(store: Store, query: Partial<LinkPageQuery> = {}): Promise<string[]> {
  return (await listLinks(store, query)).links.map(({ alias }) => alias);
}

/** Adds a link with these fields, which tests change one at a time. */
function add(store: Store, alias: string, link: Content = {}): Promise<Link> {
  return addLink(store, newLink(alias, { link }));
}

export function describeListing(name: string, open: OpenSubject): void {
  describe(`${name}: lists`, () => {
    test('contain the newest links first, and the greatest id first among links of the same time', async () => {
      const { store, reopen } = await open();
      await add(store, 'b', { created: NOW, id: 'id-2' });
      await add(store, 'imported', { created: NOW - 5, id: 'id-9' });
      await add(store, 'c', { created: NOW, id: 'id-10' });
      await add(store, 'a', { created: NOW + 1, id: 'id-1' });
      await add(store, 'd', { created: NOW, id: 'id-3' });
      const expected = ['a', 'd', 'b', 'c', 'imported'];
      expect(await aliasesOf(store)).toEqual(expected);
      expect(await aliasesOf(await reopen())).toEqual(expected);
    });

    test.each(['created', 'visits', 'alias'] as const)(
      'end a page after about 1 MiB, and have every link exactly once: sorted by %s',
      async (sort) => {
        const { store } = await open();
        const aliases = Array.from({ length: 90 }, (_, index) => `large-${index + 10}`);
        const url = `https://example.com/${'x'.repeat(15_000)}`;
        for (const alias of aliases) await add(store, alias, { originalUrl: url, targetUrl: url });
        // The order differs from that of creation, and the database cannot check this condition.
        for (const matches of [undefined, ({ alias }: Link) => alias !== 'large-20']) {
          const found: string[] = [];
          let after: LinkPosition | null = null;
          do {
            const page: LinkPage = await listLinks(store, {
              ...{ sort, after, countUpTo: 100 },
              ...(matches && { matches }),
            });
            const bytes = JSON.stringify(page.links.map(({ originalUrl }) => originalUrl)).length;
            expect(bytes).toBeLessThan(1.1 * MIB);
            if (page.next) expect(bytes).toBeGreaterThan(0.9 * MIB);
            if (after === null) expect(page.total?.count).toBe(matches ? 89 : 90);
            found.push(...page.links.map(({ alias }) => alias));
            after = page.next;
          } while (after);
          expect(found.toSorted()).toEqual(
            matches ? aliases.filter((alias) => alias !== 'large-20') : aliases,
          );
        }
      },
    );

    test('contain whole links with their hits, and only those of the account', async () => {
      const { store, time } = await open();
      const link = await add(store, 'one', { tags: ['Tag'], title: 'A title' });
      await add(store, 'other', { accountId: 'account-2' });
      store.countHit(link.id);
      const visited = { links: [{ ...link, hits: 1 }], next: null };
      await time.advance(1000);
      expect(await listLinks(store)).toEqual(visited);
      expect(await aliasesOf(store, { accountId: 'account-2' })).toEqual(['other']);
      expect(await aliasesOf(store, { accountId: 'nobody' })).toEqual([]);
    });

    test('have pages that continue after a link, even if it does not exist', async () => {
      const { store } = await open();
      for (const [index, alias] of ['e', 'd', 'c', 'b', 'a'].entries()) {
        await add(store, alias, { created: NOW + 2 * index, id: `id-${alias}` });
      }
      const first = await listLinks(store, { limit: 2 });
      expect(first.links.map(({ alias }) => alias)).toEqual(['a', 'b']);
      expect(first.next).toEqual({ created: NOW + 6, id: 'id-b' });
      const second = await listLinks(store, { limit: 3, after: first.next });
      expect(second.links.map(({ alias }) => alias)).toEqual(['c', 'd', 'e']);
      expect(second.next).toBeNull();
      expect(await aliasesOf(store, { after: { created: NOW + 3, id: 'x' } })).toEqual(['d', 'e']);
      expect(await aliasesOf(store, { after: { created: NOW, id: 'id-e' } })).toEqual([]);
      expect(await aliasesOf(store, { after: { created: NOW, id: 'id-f' } })).toEqual(['e']);
    });

    test('call `matches` only with links that pass the other conditions', async () => {
      const { store } = await open();
      await add(store, 'one', { tags: ['x'], title: 'found' });
      await add(store, 'two', { tags: ['x'] });
      await add(store, 'three', { title: 'found' });
      const seen: string[] = [];
      const matches = ({ alias }: Link) => {
        seen.push(alias);
        return false;
      };
      expect(await listLinks(store, { search: 'found', tag: 'x', matches })).toEqual({
        links: [],
        next: null,
      });
      expect(seen).toEqual(['one']);
    });

    test('reflect an edit as soon as it is done', async () => {
      const { store } = await open();
      const link = await add(store, 'one', { title: 'before', tags: ['old'] });
      expect(await aliasesOf(store, { search: 'before' })).toEqual(['one']);
      await store.editLink(editOf(link, { title: 'afterwards', tags: ['new'] }));
      expect(await aliasesOf(store, { search: 'before' })).toEqual([]);
      expect(await aliasesOf(store, { search: 'afterwards' })).toEqual(['one']);
      expect(await aliasesOf(store, { tag: 'old' })).toEqual([]);
      expect(await aliasesOf(store, { tag: 'new' })).toEqual(['one']);
    });
  });

  describe(`${name}: search`, () => {
    test.each([
      ['alias', { alias: 'My-Alias' }, ['my-alias', 'ALIAS', 'y-a', 'as']],
      ['previous alias', { previousAliases: ['Earlier_1', 'x'] }, ['earlier_1', 'LIER', '_1']],
      ['title', { title: 'A "quoted"\\ title\n' }, ['a "Q', '\\ T', 'TITLE\n', '"']],
      [
        'target',
        { originalUrl: 'https://Example.com/P?q=1' },
        ['example.COM/p', '?Q=', 'https://e'],
      ],
      [
        'target with another protocol or slash',
        { originalUrl: 'https://Example.com/a/b/' },
        ['http://example.com/a/b', 'https://example.com/a/b/', 'example.com/a/b/', 'HTTP://e'],
      ],
      [
        'target without a slash',
        { originalUrl: 'http://example.com' },
        ['https://example.com/', 'http://example.com', 'http://EXAMPLE.com/'],
      ],
      [
        'title with marks, however they are written and sought,',
        { title: 'Z\u00fcrich I\u0307stanbul' },
        ['zurich', 'Zu\u0308rich', 'Z\u00dcRICH', '\u0130STANBUL', 'istanbul', 'Zu\u0308r\u200b'],
      ],
      [
        'title in parts',
        { title: 'Zu\u0308rich Łódź Straße Ｗｉｄｅ ﬁne' },
        ['zurich', 'Z\u00fcrich', 'lodz', 'STRASSE', 'strasse', 'wide', 'fine'],
      ],
      ['tag', { tags: ['Big Sale', 'x'] }, ['big sale', 'G S', 'sale']],
      ['Chinese title', { title: '東京タワー' }, ['東', '東京', 'タワー']],
      ['Greek title', { title: 'ΟΔΟΣ ΟΔΟΣΑ' }, ['οδος', 'ΟΔΟΣ', 'οδοσα', 'ΔΟΣΑ']],
      ['title with emoji', { title: 'Ünï 👩‍💻 ÇA' }, ['üNÏ', '👩‍💻', 'ça', 'Ü']],
    ])(
      'finds a part of the %s in any letter case',
      async (_field, { alias = 'found', ...content }: Content & { alias?: string }, searches) => {
        const { store } = await open();
        await add(store, alias, content);
        await add(store, 'zzz', { originalUrl: 'http://other.test/' });
        for (const search of searches) {
          expect([search, await aliasesOf(store, { search })]).toEqual([search, [alias]]);
        }
      },
    );

    test('finds nothing in other fields or across two fields', async () => {
      const { store } = await open();
      const link = await add(store, 'alias', {
        title: 'first',
        tags: ['second', 'third'],
        description: 'describing',
        passwordHash: '$argon2id$secret',
        customGtmId: 'GTM-ABCDEF',
      });
      const absent = [
        'created',
        link.id,
        'account-1',
        'describ',
        'argon',
        'gtm-',
        'firstsecond',
        '","',
        'ondthi',
      ];
      for (const search of absent) {
        expect([search, await aliasesOf(store, { search })]).toEqual([search, []]);
      }
    });

    test('finds links that have all of its words, in any order and in any of the texts', async () => {
      const { store } = await open();
      const target = { originalUrl: 'https://shop.example/spring_100%' };
      await add(store, 'one', { ...target, title: 'Big Summer Sale', tags: ['Print'] });
      await add(store, 'two', { title: 'Sale of big things', tags: ['in print'] });
      await add(store, 'three', { title: 'Biggest of all' });
      const found: [search: string, aliases: string[]][] = [
        ['sale BIG', ['one', 'two']],
        ['print  sum', ['one']],
        ['spring\tsale\n', ['one']],
        ['\u3000things\u3000big\u00a0sale', ['two']],
        ['one sale', ['one']],
        ['big', ['one', 'three', 'two']],
        ['sale all', []],
        ['sale sale winter', []],
        ['% g_1', ['one']],
        ['big %g', []],
        ['big s_le', []],
        ['big \\', []],
        [' \n', ['one', 'three', 'two']],
      ];
      for (const [search, aliases] of found) {
        const { links, total } = await listLinks(store, { search, sort: 'alias', countUpTo: 10 });
        expect([search, links.map(({ alias }) => alias)]).toEqual([search, aliases]);
        expect([search, total]).toEqual([search, { count: aliases.length, isExact: true }]);
      }
    });

    test('finds a URL in every spelling: in Unicode, in ASCII, and percent-encoded', async () => {
      const { store } = await open();
      const plain = { originalUrl: 'https://b\u00fccher.example/caf\u00e9?q=\u00e4pfel' };
      const encoded = { originalUrl: 'https://xn--bcher-kva.example/caf%C3%A9?q=%C3%A4pfel' };
      await add(store, 'one', plain);
      await add(store, 'two', encoded);
      await add(store, 'three', { goneUrl: 'https://example.com/caf%c3%a9' });
      await add(store, 'four', { title: '100%25 caf%C3' });
      const found: [search: string, aliases: string[]][] = [
        [plain.originalUrl, ['one', 'two']],
        [encoded.originalUrl, ['one', 'two']],
        ['http://xn--bcher-kva.example/cafe\u0301', ['one', 'two']],
        ['B\u00dcCHER.example/caf%c3%a9', ['one', 'two']],
        ['buch', ['one', 'two']],
        ['q=%C3%A4pfe', ['one', 'two']],
        ['cafe', ['one', 'three', 'two']],
        ['caf%C3%A9', ['one', 'three', 'two']],
        ['caf%C3', ['four', 'three', 'two']],
        ['100%25', ['four']],
        ['xn--bcher-kvb.example', []],
      ];
      for (const [search, aliases] of found) {
        const { links } = await listLinks(store, { search, sort: 'alias' });
        expect([search, links.map(({ alias }) => alias)]).toEqual([search, aliases]);
      }
    });

    test('with a tag finds links that have the whole tag, in any letter case', async () => {
      const { store } = await open();
      await add(store, 'one', { tags: ['Sale', 'Été'] });
      await add(store, 'two', { tags: ['sales'], title: 'sale' });
      await add(store, 'three', { title: '"sale"' });
      for (const tag of ['sale', 'SALE', 'été', 'ÉTÉ', 'e\u0301te\u0301', 'été\u200b']) {
        expect([tag, await aliasesOf(store, { tag })]).toEqual([tag, ['one']]);
      }
      for (const tag of ['sal', 'ete', 'title', '', 'sale","été']) {
        expect([tag, await aliasesOf(store, { tag })]).toEqual([tag, []]);
      }
      expect(await aliasesOf(store, { tag: 'sale', search: 'été' })).toEqual(['one']);
      expect(await aliasesOf(store, { tag: 'sale', search: 'two' })).toEqual([]);
    });
  });

  describe(`${name}: sorted lists`, () => {
    /** Four links, of which the first two differ from the others in nothing but their names. */
    async function addFour(store: Store) {
      const b = await add(store, 'b', { created: NOW, id: 'id-2' });
      const a = await add(store, 'A', { created: NOW, id: 'id-1' });
      const busy = await add(store, 'busy', { created: NOW - 5, hits: 9 });
      const c = await add(store, 'c', { created: NOW + 5, hits: 2 });
      return { a, b, busy, c };
    }

    const visit = (link: Link, hour: number, people = 1) => ({
      ...{ linkId: link.id, hour, people, uniquePeople: people, previews: 0, bots: 1 },
      tallies: new Map(),
    });

    test('have the most visited links first, and the newest first among those visited as often', async () => {
      const { store, reopen } = await open();
      await addFour(store);
      expect(await aliasesOf(store, { sort: 'visits' })).toEqual(['busy', 'c', 'b', 'A']);
      expect(await aliasesOf(await reopen(), { sort: 'visits' })).toEqual(['busy', 'c', 'b', 'A']);
    });

    test('have aliases from A to Z, in whatever letter case', async () => {
      const { store } = await open();
      await addFour(store);
      expect(await aliasesOf(store, { sort: 'alias' })).toEqual(['A', 'b', 'busy', 'c']);
    });

    test('have the same alias on several domains together, page by page', async () => {
      const { store } = await open();
      const aliases = [
        'a',
        'sale',
        'b.example/Sale',
        'go.example:8080/sale',
        'sale-2',
        'a.example/z',
      ];
      await addDomains(store, 'b.example', 'go.example:8080', 'a.example');
      for (const alias of aliases.toReversed()) await add(store, alias);
      const listed: string[] = [];
      let after: LinkPosition | null = null;
      do {
        const page: LinkPage = await listLinks(store, { sort: 'alias', limit: 2, after });
        listed.push(...page.links.map(({ alias }) => alias));
        after = page.next;
      } while (after);
      expect(listed).toEqual(aliases);
    });

    test('have the links that people visited last first, by the hour, and unvisited ones at the end', async () => {
      const { store, time, reopen } = await open();
      const { a, b, busy, c } = await addFour(store);
      const day = 24 * HOUR_MS;
      await store.addVisits([visit(a, NOW - HOUR_MS), visit(busy, NOW), visit(c, NOW, 0)]);
      expect(await aliasesOf(store, { sort: 'lastVisit' })).toEqual(['busy', 'A', 'c', 'b']);
      // Hours become days, and days become months.
      const now = NOW + 500 * day;
      time.setClock(now);
      await store.addVisits([visit(c, now - HOUR_MS), visit(b, now - 100 * day)]);
      for await (const subject of inTurn(store, reopen)) {
        const found = await aliasesOf(subject, { sort: 'lastVisit' });
        // Both were visited in one month.
        expect([found.slice(0, 2), found.slice(2).sort()]).toEqual([
          ['c', 'b'],
          ['A', 'busy'],
        ]);
      }
    });

    test.each(['visits', 'lastVisit', 'alias'] as const)(
      'by %s have each link exactly once, whatever is added, edited and deleted between pages',
      async (sort) => {
        const { store } = await open();
        const links = new Map<string, Link>();
        for (let index = 0; index < 23; index++) {
          const alias = `link-${index}`;
          links.set(
            alias,
            await add(store, alias, { hits: index % 4, created: NOW + (index % 3) }),
          );
        }
        await store.addVisits(
          [...links.values()].map((link, index) => visit(link, NOW - (index % 5) * HOUR_MS)),
        );
        const listed: string[] = [];
        let after: LinkPosition | null = null;
        for (let page = 0; ; page++) {
          const { links: found, next }: LinkPage = await listLinks(store, {
            sort,
            limit: 4,
            after,
          });
          listed.push(...found.map(({ alias }) => alias));
          if (!next) break;
          after = next;
          await add(store, `0-new-${page}`, { hits: 4 });
          await store.editLink(editOf(links.get('link-22') as Link, { title: `edit ${page}` }));
          const last = found.at(-1) as Link;
          await store.purgeLink({ linkId: last.id, accountId: 'account-1', by: ADMINISTRATOR });
        }
        const before = listed.filter((alias) => links.has(alias));
        expect(before.toSorted()).toEqual([...links.keys()].toSorted());
        expect(new Set(listed).size).toBe(listed.length);
      },
    );

    test('leave out a link that a visit moves to a page before, and have none twice', async () => {
      const { store, time } = await open();
      const { b } = await addFour(store);
      const first = await listLinks(store, { sort: 'visits', limit: 2 });
      expect(first.links.map(({ alias }) => alias)).toEqual(['busy', 'c']);
      for (let visits = 0; visits < 5; visits++) store.countHit(b.id);
      await time.advance(1000);
      expect(await aliasesOf(store, { sort: 'visits' })).toEqual(['busy', 'b', 'c', 'A']);
      expect(await aliasesOf(store, { sort: 'visits', after: first.next })).toEqual(['A']);
    });
  });

  describe(`${name}: totals`, () => {
    test('count the links that pass, exactly up to a number', async () => {
      const { store, reopen } = await open();
      for (let index = 0; index < 5; index++) {
        await add(store, `link-${index}`, { title: index % 2 ? 'odd' : 'even', tags: ['x'] });
      }
      await store.editLink(editOf(await add(store, 'deleted'), { deletedAt: NOW }));
      await add(store, 'other', { accountId: 'account-2' });
      const total = async (query: Partial<LinkPageQuery>) =>
        (await listLinks(store, { limit: 1, countUpTo: 10, ...query })).total;
      const check = async () => {
        expect(await total({})).toEqual({ count: 6, isExact: true });
        expect(await total({ isDeleted: false })).toEqual({ count: 5, isExact: true });
        expect(await total({ isDeleted: true })).toEqual({ count: 1, isExact: true });
        expect(await total({ isDeleted: false, countUpTo: 5 })).toEqual({
          count: 5,
          isExact: true,
        });
        expect(await total({ isDeleted: false, countUpTo: 4 })).toEqual({
          count: 4,
          isExact: false,
        });
        for (const sort of ['created', 'visits', 'lastVisit', 'alias'] as const) {
          expect(await total({ sort, search: 'odd' })).toEqual({ count: 2, isExact: true });
          expect(await total({ sort, tag: 'X', countUpTo: 4 })).toEqual({
            count: 4,
            isExact: false,
          });
        }
        const matches = ({ alias }: Link) => alias > 'link-1';
        const countUpTo = Number.POSITIVE_INFINITY;
        expect(await total({ matches, countUpTo })).toEqual({ count: 3, isExact: true });
        expect(await total({ accountId: 'nobody' })).toEqual({ count: 0, isExact: true });
      };
      await check();
      await store.editLink(
        editOf(await add(store, 'back', { deletedAt: NOW }), { deletedAt: null }),
      );
      expect(await total({ isDeleted: false })).toEqual({ count: 6, isExact: true });
      const back = (await listLinks(store, { search: 'back' })).links[0] as Link;
      await store.purgeLink({ linkId: back.id, accountId: 'account-1', by: ADMINISTRATOR });
      await check();
      const reopened = await reopen();
      expect((await listLinks(reopened, { isDeleted: false, countUpTo: 10 })).total?.count).toBe(5);
    });

    test('are only on the first page, and only if they are wanted', async () => {
      const { store } = await open();
      await add(store, 'one');
      await add(store, 'two');
      expect(await listLinks(store)).not.toHaveProperty('total');
      const { next } = await listLinks(store, { limit: 1 });
      expect(await listLinks(store, { after: next, countUpTo: 10 })).not.toHaveProperty('total');
    });
  });

  describe(`${name}: a list that is read page by page`, () => {
    test('has each link that exists throughout exactly once, whatever changes meanwhile', {
      timeout: 180_000,
    }, async () => {
      const { store: first, reopen } = await open();
      let store = first;
      let accounts = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(creation, { maxLength: 25 }),
          fc.array(step, { maxLength: 25, size: 'max' }),
          fc.integer({ min: 1, max: 4 }),
          fc.boolean(),
          async (initial, steps, limit, searches) => {
            const accountId = `account-${accounts++}`;
            const reading = new Reading(store, accountId, limit, searches ? 'match' : null);
            for (const link of initial) await reading.apply({ ...link, kind: 'add' });
            reading.start();
            for (const one of steps) {
              if (one.kind !== 'reopen') {
                await reading.apply(one);
                continue;
              }
              store = await reopen();
              reading.store = store;
            }
            await reading.finish();
          },
        ),
        { numRuns: 60 },
      );
    });
  });
}

/** Few times and titles, so that many are equal. */
const creation = fc.record({
  age: fc.nat(4),
  title: fc.constantFrom('', 'match', 'No Match', 'other'),
});
type Creation = typeof creation extends fc.Arbitrary<infer T> ? T : never;
type Step =
  | ({ kind: 'add' } & Creation)
  | ({ kind: 'edit' | 'delete' | 'purge'; which: number } & Pick<Creation, 'title'>)
  | { kind: 'page' };

const step: fc.Arbitrary<Step | { kind: 'reopen' }> = fc.oneof(
  creation.map((fields) => ({ kind: 'add' as const, ...fields })),
  fc.record({
    kind: fc.constantFrom('edit' as const, 'delete' as const, 'purge' as const),
    which: fc.nat(),
    title: creation.map(({ title }) => title),
  }),
  fc.constant({ kind: 'page' as const }),
  fc.constant({ kind: 'page' as const }),
  fc.constant({ kind: 'reopen' as const }),
);

/** Reads a list page by page between changes, and checks it at the end. */
class Reading {
  store: Store;
  readonly #accountId: string;
  readonly #limit: number;
  readonly #search: string | null;
  readonly #links: Link[] = [];
  /** Links that have passed the conditions since the start, and those that passed at some time. */
  #throughout = new Set<string>();
  readonly #ever = new Set<string>();
  readonly #listed: Link[] = [];
  #next: LinkPosition | null = null;
  #hasMore = true;
  #added = 0;

  constructor(store: Store, accountId: string, limit: number, search: string | null) {
    this.store = store;
    this.#accountId = accountId;
    this.#limit = limit;
    this.#search = search;
  }

  start(): void {
    this.#throughout = new Set(this.#ever);
  }

  async apply(step: Step): Promise<void> {
    if (step.kind === 'page') return this.#readPage();
    if (step.kind === 'add') {
      const { age, title } = step;
      const accountId = this.#accountId;
      const alias = `${accountId}-${this.#added++}`;
      const link = await add(this.store, alias, { accountId, title, created: NOW - age });
      this.#links.push(link);
      if (this.#passes(link)) this.#ever.add(link.id);
      return;
    }
    const at = step.which % Math.max(1, this.#links.length);
    const link = this.#links[at];
    if (!link) return;
    if (step.kind === 'purge') {
      expect(
        await this.store.purgeLink({
          linkId: link.id,
          accountId: link.accountId,
          by: ADMINISTRATOR,
        }),
      ).toBe('purged');
      this.#links.splice(at, 1);
      this.#throughout.delete(link.id);
      return;
    }
    const changes = step.kind === 'edit' ? { title: step.title } : { deletedAt: NOW };
    const outcome = await this.store.editLink(editOf(link, changes));
    if (outcome.kind !== 'edited') throw new Error(outcome.kind);
    this.#links[at] = outcome.link;
    if (this.#passes(outcome.link)) this.#ever.add(link.id);
    else this.#throughout.delete(link.id);
  }

  async finish(): Promise<void> {
    while (this.#hasMore) await this.#readPage();
    const ids = this.#listed.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining([...this.#throughout]));
    expect([...this.#ever]).toEqual(expect.arrayContaining(ids));
    expect(this.#listed.map(({ id }) => id)).toEqual(
      this.#listed.toSorted(inOrder).map(({ id }) => id),
    );
  }

  async #readPage(): Promise<void> {
    if (!this.#hasMore) return;
    const { links, next } = await listLinks(this.store, {
      accountId: this.#accountId,
      limit: this.#limit,
      after: this.#next,
      search: this.#search,
    });
    expect(links.length).toBeLessThanOrEqual(this.#limit);
    if (next) expect(links.length).toBe(this.#limit);
    this.#listed.push(...links);
    this.#next = next;
    this.#hasMore = next !== null;
  }

  #passes({ title }: Link): boolean {
    return this.#search === null || title.toLowerCase().includes(this.#search);
  }
}

function inOrder(one: Link, other: Link): number {
  if (one.created !== other.created) return other.created - one.created;
  return one.id < other.id ? 1 : -1;
}
