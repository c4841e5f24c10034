import { beforeEach, describe, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { replaceToken } from '../../../../../extension/background/account/tokens.ts';
import type { MessageKind } from '../../../../../extension/messaging/protocol.ts';
import type { Send } from '../../../../../extension/messaging/send.ts';
import { createMessageLinkSource } from '../../../../../extension/pages/links/message-sources.ts';
import { createHttpLinkSource } from '../../../../../server/dashboard/links/http-link-source.ts';
import { NO_ABILITIES } from '../../../../../shared/abilities.ts';
import { aliasOf } from '../../../../../shared/links/link-address.ts';
import type { LinkRecord } from '../../../../../shared/links/link-record.ts';
import type { LinkQuery } from '../../../../../shared/links/list-query.ts';
import type { LinkSource, ListPage } from '../../../../../shared/ui/links/link-source.ts';
import { createLinksState } from '../../../../../shared/ui/links/state/links-state.ts';
import { domainOf } from '../../../../store/contract/domains.ts';
import { dataOf } from '../../../../support/data-of.ts';
import { type RealServer, startRealServer } from '../../../support/real-server.ts';
import { newBackground } from '../../support/background.ts';
import { speak } from '../../support/speak.ts';

const TARGET = 'https://example.com/page';
const SOME_TEXT = expect.stringMatching(/\w/);

let server: RealServer;
let token: string;
let source: LinkSource;
/** Called when links change elsewhere. */
let listeners: Set<() => void>;

function subscribe(onChange: () => void) {
  listeners.add(onChange);
  return () => void listeners.delete(onChange);
}

const copy = <T>(message: T): T => JSON.parse(JSON.stringify(message));

/** Sends to the real background, which calls the real server. */
const send = (async (kind: MessageKind, payload: never) =>
  copy(await newBackground(() => server.client)[kind](copy(payload)))) as unknown as Send;

const ofExtension = () => createMessageLinkSource({ send, serverOrigin: server.origin, subscribe });
const ofDashboard = () =>
  createHttpLinkSource({
    call: (run) => run(server.clientOf(token)),
    failureText: ({ code }) => code,
    subscribe,
  });

beforeEach(async () => {
  fakeBrowser.reset();
  speak('en');
  listeners = new Set();
  server = await startRealServer();
  token = await server.create({ originalUrl: TARGET, customAlias: 'first', title: 'First' });
  await replaceToken(server.origin, token);
});

async function page(query: LinkQuery = {}, cursor?: string): Promise<ListPage> {
  return dataOf(await source.page({ q: '', tag: '', ...query }, cursor));
}

/** The aliases of a list of one page, which has all and counts them. */
async function shown(query?: LinkQuery): Promise<string[]> {
  const { links, total, nextCursor } = await page(query);
  expect([total, nextCursor]).toEqual([{ count: links.length, isExact: true }, undefined]);
  return links.map(aliasOf);
}

const first = async () => (await page()).links.at(-1) as LinkRecord;
const onServer = async () => dataOf(await server.client.getLink({ alias: 'first', token }));
const theyEdit = async (title: string) =>
  dataOf(await server.client.editLink({ alias: 'first', token, body: { title } }));

/** Creates 140 links, more than a page. */
async function createMany(): Promise<void> {
  for (const count of [100, 40]) {
    await server.clock.advance(1);
    const body = { originalUrl: TARGET, tags: ['many'] };
    dataOf(await server.client.createLinks({ body: Array(count).fill(body), token }));
  }
}

/** Creates links for `SEARCHES`, one a second. */
async function createSome(): Promise<void> {
  await server.store.administration.addDomain(domainOf('go.example'));
  const rules = [{ device: 'phone' as const, originalUrl: 'https://phones.example/' }];
  for (const request of [
    { customAlias: 'second', tags: ['Spring'], rules },
    { customAlias: 'paused', tags: ['spring', 'b'], customGtmId: 'GTM-ABC1234', goneUrl: TARGET },
    { customAlias: 'elsewhere', domain: 'go.example' },
  ]) {
    await server.clock.advance(1000);
    await server.create({ originalUrl: TARGET, ...request }, token);
  }
  await server.client.editLink({ alias: 'second', token, body: { customAlias: 'renamed' } });
  await server.client.editLink({ alias: 'paused', token, body: { isActive: false } });
}

const SEARCHES: [LinkQuery, string[]][] = [
  [{}, ['elsewhere', 'paused', 'renamed', 'first']],
  [{ q: 'SPRING' }, ['paused', 'renamed']],
  [{ q: 'phones.example' }, ['renamed']],
  [{ q: 'second' }, ['renamed']],
  [{ q: 'renamed spring' }, ['renamed']],
  [{ q: 'first spring' }, []],
  [{ tag: 'SPRING' }, ['paused', 'renamed']],
  [{ tag: 'spring', status: 'inactive' }, ['paused']],
  [{ status: 'expired' }, []],
  [{ domain: 'go.example' }, ['elsewhere']],
];

describe.each<[string, () => LinkSource, pageSizes: number[]]>([
  ['dashboard', ofDashboard, [50, 90]],
  ['extension', ofExtension, [100, 40]],
])('the %s', (_, open, pageSizes) => {
  beforeEach(() => {
    source = open();
  });

  test('finds and counts the links of a query, newest first or in another order', async () => {
    await createSome();
    for (const [query, found] of SEARCHES) {
      expect([query, await shown(query)]).toEqual([query, found]);
    }
    expect(await shown({ sort: 'alias' })).toEqual(['elsewhere', 'first', 'paused', 'renamed']);
    expect(source.notices.value).toEqual([]);
  });

  test('reads further pages of a query, and each link once', async () => {
    await createMany();
    const start = await page({ tag: 'many' });
    const rest = await page({ tag: 'many' }, start.nextCursor);
    expect([start.links.length, rest.links.length]).toEqual(pageSizes);
    expect(new Set([...start.links, ...rest.links].map(aliasOf)).size).toBe(140);
    expect([start.total, rest.nextCursor]).toEqual([{ count: 140, isExact: true }, undefined]);
  });

  test('knows the tags, the domains and what the server can do', async () => {
    await createSome();
    await shown();
    expect(dataOf(await source.tags())).toMatchObject([{ count: 2 }, { tag: 'b', count: 1 }]);
    const hosts = (await source.domains()).map(({ host }) => host);
    expect(hosts).toEqual(['s.example', 'go.example']);
    expect(await source.abilities()).toEqual({ hasCountries: false, hasContainers: true });
    server.isAway = true;
    expect(await source.abilities()).toEqual(NO_ABILITIES);
  });

  test('edits a link as it is by then, or only as it was read if that is asked for', async () => {
    const link = await first();
    await theyEdit('Theirs');
    const isConditional = true;
    const conflict = await source.edit(link, { title: 'Mine' }, { isConditional });
    const current = { id: link.id, title: 'Theirs', version: 2 };
    const mismatch = { ok: false, code: 'version_mismatch', text: SOME_TEXT, current };
    expect(conflict).toMatchObject(mismatch);
    expect(await onServer()).toMatchObject(current);
    const edited = dataOf(await source.edit(link, { tags: ['mine'] }));
    expect(edited).toMatchObject({ title: 'Theirs', tags: ['mine'], version: 3 });
    dataOf(await source.edit(edited, { title: 'Mine' }, { isConditional }));
    expect(await onServer()).toMatchObject({ title: 'Mine', tags: ['mine'], version: 4 });
  });

  test('deletes, lists as deleted, restores and erases a link', async () => {
    const link = await first();
    dataOf(await source.remove(link));
    expect([await shown(), await shown({ status: 'deleted' })]).toEqual([[], ['first']]);
    expect((await server.app.inject('/first')).statusCode).toBe(410);
    expect(dataOf(await source.restore(link))).toMatchObject({ status: 'active', title: 'First' });
    expect([await shown(), await shown({ status: 'deleted' })]).toEqual([['first'], []]);
    dataOf(await source.purge(link));
    expect([await shown(), await shown({ status: 'deleted' })]).toEqual([[], []]);
  });

  test('changes several links, and says which could not be changed', async () => {
    await createSome();
    const aliases = ['first', 'go.example/elsewhere', 'missing'];
    const changed = dataOf(await source.changeAll({ aliases }, { isActive: false }));
    expect(changed).toMatchObject({
      changed: ['first', 'go.example/elsewhere'],
      failed: [{ alias: 'missing', code: 'not_found' }],
    });
    expect(await shown({ status: 'inactive' })).toEqual(['elsewhere', 'paused', 'first']);
  });

  test('changes all links of a query part by part, or only counts them', async () => {
    await createMany();
    const selection = { query: { q: '', tag: 'many' } };
    const change = async (cursor?: string, dryRun?: boolean) => {
      const options = { cursor, dryRun };
      return dataOf(await source.changeAll(selection, { isDeleted: true }, options));
    };
    expect(await change(undefined, true)).toMatchObject({ matched: 140, changed: [] });
    const { nextCursor, ...part } = await change();
    const rest = await change(nextCursor);
    expect([part.changed.length, rest.changed.length]).toEqual([100, 40]);
    expect(rest.nextCursor).toBeUndefined();
    expect(await shown()).toEqual(['first']);
  });

  test('changes the links of an import', async () => {
    const file = `originalUrl\n${TARGET}/imported\n`;
    const { importId } = dataOf(await server.client.importLinks({ token, file }));
    const selection = { importId: importId as string };
    const { changed } = dataOf(await source.changeAll(selection, { isDeleted: true }));
    expect([changed.length, await shown()]).toEqual([1, ['first']]);
  });

  test('says why a change was rejected, of which field, and which aliases are free', async () => {
    const link = await first();
    await server.create({ originalUrl: TARGET, customAlias: 'taken' }, token);
    expect(await source.edit(link, { customAlias: 'taken' })).toMatchObject({
      ...{ ok: false, code: 'alias_taken', text: SOME_TEXT },
      suggestions: [SOME_TEXT, SOME_TEXT, SOME_TEXT],
    });
    expect(await source.edit(link, { originalUrl: 'javascript:alert()' })).toMatchObject({
      ...{ ok: false, text: SOME_TEXT },
      issues: [{ path: 'originalUrl' }],
    });
  });

  test('changes nothing and says why while the server is away', async () => {
    const link = await first();
    server.isAway = true;
    for (const outcome of await Promise.all([
      source.edit(link, { title: 'Mine' }),
      source.remove(link),
      source.restore(link),
      source.purge(link),
      source.changeAll({ aliases: ['first'] }, { isActive: false }),
      source.page({ q: '', tag: '', status: 'deleted' }, undefined),
      source.page({ q: '', tag: '' }, 'next'),
    ])) {
      expect(outcome).toMatchObject({ ok: false, code: 'unreachable', text: SOME_TEXT });
    }
    server.isAway = false;
    expect(await first()).toEqual(link);
  });

  test('makes an open list be read again when links change elsewhere', async () => {
    const exportLinks = async () => undefined;
    const tools = { source, copy: async () => true, exportLinks };
    const state = createLinksState(tools);
    const leave = await state.start();
    await theyEdit('Theirs');
    for (const onChange of listeners) onChange();
    await state.loading.settled();
    expect(state.loading.links.value[0]?.title).toBe('Theirs');
    leave();
    expect(listeners.size).toBe(0);
  });
});

describe('the extension whose server is away', () => {
  beforeEach(() => {
    source = ofExtension();
  });

  /** Reads while the server is away. */
  async function away<T>(read: () => Promise<T>): Promise<T> {
    server.isAway = true;
    const answer = await read();
    server.isAway = false;
    return answer;
  }

  test('searches the saved links as the server does, and says so until it responds', async () => {
    await createSome();
    await shown();
    const { data: records } = dataOf(await server.client.listLinks({ token }));
    expect((await away(page)).links).toMatchObject(records);
    for (const [query, found] of SEARCHES) {
      expect([query, await away(() => shown(query))]).toEqual([query, found]);
      expect(source.notices.value).toEqual([
        'Can’t reach s.example. You’re seeing the newest links as this browser saved them, and can’t change them now.',
      ]);
      expect([query, await shown(query)]).toEqual([query, found]);
      expect(source.notices.value).toEqual([]);
    }
  });

  test('says so, too, if its sign-in key is rejected', async () => {
    await shown();
    await replaceToken(server.origin, 'curt_other');
    expect(await shown()).toEqual(['first']);
    expect(source.notices.value).toEqual([
      expect.stringMatching(
        /^The links of s\.example may be out of date\. .*recognize your sign-in key/,
      ),
    ]);
  });

  test('has the saved links as its changes have left them', async () => {
    const titles = () => away(async () => (await page()).links.map(({ title }) => title));
    await shown();
    const link = await first();
    dataOf(await source.edit(link, { title: 'Mine' }));
    await away(() => source.remove(link));
    expect(await titles()).toEqual(['Mine']);
    await theyEdit('Theirs');
    expect((await source.edit(link, { title: 'Mine' }, { isConditional: true })).ok).toBe(false);
    expect(await titles()).toEqual(['Theirs']);
    dataOf(await source.remove(link));
    expect(await titles()).toEqual([]);
    dataOf(await source.restore(link));
    expect(await titles()).toEqual(['Theirs']);
    dataOf(await source.purge(link));
    expect(await titles()).toEqual([]);
  });
});
