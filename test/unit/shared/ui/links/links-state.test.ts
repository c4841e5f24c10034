import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createHttpLinkSource } from '../../../../../server/dashboard/links/http-link-source.ts';
import { fillIn } from '../../../../../shared/i18n/fill-in.ts';
import { setMessageSource } from '../../../../../shared/i18n/translate.ts';
import type { EditRequest } from '../../../../../shared/links/edit-request.ts';
import { aliasOf, hostOf } from '../../../../../shared/links/link-address.ts';
import type { LinkRecord } from '../../../../../shared/links/link-record.ts';
import type { ShortenRequest } from '../../../../../shared/links/shorten-request.ts';
import { readLocales } from '../../../../../shared/locales/read-locales.ts';
import { EDITED_ALIAS } from '../../../../../shared/ui/address.ts';
import type { LinkForm } from '../../../../../shared/ui/link-form/link-form.ts';
import { conflictRows } from '../../../../../shared/ui/links/edit/ConflictDialog.tsx';
import type { LinkSource } from '../../../../../shared/ui/links/link-source.ts';
import { readListQuery } from '../../../../../shared/ui/links/list-address.ts';
import type { ListChanges } from '../../../../../shared/ui/links/state/changes.ts';
import type { Conflict } from '../../../../../shared/ui/links/state/edit-state.ts';
import {
  createLinksState,
  type LinksStart,
} from '../../../../../shared/ui/links/state/links-state.ts';
import type { Created, NewLinkTools } from '../../../../../shared/ui/links/state/new-link.ts';
import { domainOf } from '../../../../store/contract/domains.ts';
import { dataOf } from '../../../../support/data-of.ts';
import { ManualTime } from '../../../../support/manual-time.ts';
import { type RealServer, startRealServer } from '../../../support/real-server.ts';

const TARGET = 'https://example.com/page';

let server: RealServer;
let token: string;
let source: LinkSource;
let time: ManualTime;
/** Leaves the page. */
let stop: () => void;

beforeAll(() => {
  const { en = {} } = readLocales();
  setMessageSource((key, substitutions) => fillIn(en[key] ?? '', substitutions));
});

beforeEach(async () => {
  server = await startRealServer();
  time = new ManualTime(0);
  token = await server.create({ originalUrl: TARGET, customAlias: 'first', title: 'First' });
  source = createHttpLinkSource({
    call: (run) => run(server.clientOf(token)),
    failureText: ({ code }) => code,
    subscribe: () => () => {},
  });
});

/** The state of a page that shows the account's links. */
async function openList(start?: LinksStart) {
  const copy = async () => true;
  const exportLinks = async () => undefined;
  const state = createLinksState({ source, copy, exportLinks, time }, start);
  stop = await state.start();
  await state.preload();
  const { editing } = state.changes.value as ListChanges;
  const open = (link: LinkRecord) => {
    state.edited.value = link;
  };
  return { ...state, editing: { ...editing, open } };
}

/** Opens the list as an address with a link to edit does. */
function openEdited(editedAlias: string) {
  const query = readListQuery(new URLSearchParams({ [EDITED_ALIAS]: editedAlias }));
  return openList({ editedAlias, query });
}
type State = ReturnType<typeof createLinksState>;

const aliases = (state: State) => state.loading.links.value.map(aliasOf);
const first = (state: State) => state.loading.links.value[0] as LinkRecord;
const lastDone = (state: State) => state.undo.done.value.at(-1);

/** What the server says about a link. */
async function onServer(alias: string) {
  return dataOf(await server.client.getLink({ alias, token }));
}

async function createMany(count: number): Promise<void> {
  // Links of one millisecond are in the order of their random IDs.
  await server.clock.advance(1);
  for (let left = count; left > 0; left -= 100) {
    const bodies = Array.from({ length: Math.min(left, 100) }, () => ({ originalUrl: TARGET }));
    await server.client.createLinks({ body: bodies, token });
  }
}

describe('the list', () => {
  test('selects a range with Shift, in both directions', async () => {
    await createMany(5);
    const state = await openList();
    const at = (index: number) => state.loading.links.value[index] as LinkRecord;
    const selected = () =>
      state.selected.value.map((link) => state.loading.links.value.indexOf(link));
    state.selectTo(at(1), true);
    state.selectTo(at(3), true);
    expect(selected()).toEqual([1, 2, 3]);
    state.selectTo(at(2), false);
    expect(selected()).toEqual([1]);
    state.clearSelection();
    state.select([at(4)], true);
    state.selectTo(at(2), true);
    expect(selected()).toEqual([2, 3, 4]);
  });

  test('removes a tag from all selected links, moves their expiration, and undoes both', async () => {
    await server.create(
      { originalUrl: TARGET, customAlias: 'second', tags: ['Print', 'b'] },
      token,
    );
    await server.client.editLink({ alias: 'first', token, body: { tags: ['print'] } });
    const state = await openList();
    state.select(state.loading.links.value, true);
    await state.changeSelected({ removeTag: 'Print' });
    expect([(await onServer('first')).tags, (await onServer('second')).tags]).toEqual([[], ['b']]);
    await state.undo.undoLast();
    expect((await onServer('first')).tags).toEqual(['Print']);
    const expiresAt = '2050-01-01T00:00:00.000Z';
    await state.changeSelected({ expiresAt });
    expect([(await onServer('first')).expiresAt, first(state).expiresAt]).toEqual([
      expiresAt,
      expiresAt,
    ]);
    await state.undo.undoLast();
    expect((await onServer('second')).expiresAt).toBeNull();
  });

  test('offers the statuses that links have once all are known, whatever is filtered', async () => {
    await server.create(
      { originalUrl: TARGET, customAlias: 'second', startsAt: '2050-01-01T00:00:00Z' },
      token,
    );
    const state = await openList();
    const known = new Set(['active', 'scheduled']);
    expect(state.statuses.value).toEqual(known);
    state.filter({ status: 'active' });
    await state.loading.settled();
    expect(aliases(state)).toEqual(['first']);
    expect(state.statuses.value).toEqual(known);
    await createMany(60);
    state.filter({ status: undefined });
    await state.loading.settled();
    expect(state.statuses.value).toBeUndefined();
  });

  test('forgets a deletion that was undone in another way', async () => {
    const state = await openList();
    await state.remove(state.loading.links.value);
    expect(state.undo.done.value).toHaveLength(1);
    await server.client.restoreLink({ alias: 'first', token });
    await state.loading.refresh();
    expect(aliases(state)).toEqual(['first']);
    expect(state.undo.done.value).toEqual([]);
    await state.remove(state.loading.links.value);
    state.filter({ status: 'deleted' });
    await state.loading.settled();
    expect(aliases(state)).toEqual(['first']);
    expect(state.undo.done.value).toHaveLength(1);
    await state.restore(first(state));
    expect(state.undo.done.value.map(({ undo }) => undo)).toEqual([undefined]);
  });

  test('undoes nothing while a change of several links is under way', async () => {
    const state = await openList();
    await state.setActive([first(state)], false);
    const { remove } = source;
    const held = Promise.withResolvers<void>();
    source.remove = async (link) => {
      await held.promise;
      return remove(link);
    };
    const removing = state.remove(state.loading.links.value);
    await state.undo.undoLast();
    expect((await onServer('first')).status).toBe('inactive');
    held.resolve();
    await removing;
    source.remove = remove;
    expect(state.undo.done.value).toHaveLength(2);
  });
  test('is as long as it was when the user left it, for the place to scroll to', async () => {
    await createMany(219);
    const state = await openList({ place: { top: 9000, count: 180 } });
    expect(aliases(state).length).toBeGreaterThanOrEqual(180);
    expect([state.takeTop(), state.takeTop()]).toEqual([9000, undefined]);
  });

  test('says why it cannot be read, and goes on by itself after an outage', async () => {
    const { page } = source;
    const away = { ok: false, code: 'unreachable', text: 'Away' } as const;
    source.page = async () => away;
    const state = await openList();
    expect(state.loading.failure.value).toBe('Away');
    expect(state.loading.isLoading.value).toBe(false);
    source.page = page;
    await time.advance(10_000);
    expect(aliases(state)).toEqual(['first']);
    expect(state.loading.failure.value).toBeUndefined();
    const before = server.paths.length;
    await time.advance(10_000);
    expect(server.paths).toHaveLength(before);
  });

  test('loads further pages on demand, and every link once', async () => {
    await createMany(119);
    const state = await openList();
    expect(aliases(state)).toHaveLength(50);
    await Promise.all([state.loading.loadMore(), state.loading.loadMore()]);
    await state.loading.loadMore();
    expect(new Set(aliases(state)).size).toBe(120);
    expect(state.loading.hasMore.value).toBe(false);
    const before = server.paths.length;
    await state.loading.loadMore();
    expect(server.paths).toHaveLength(before);
    // Reading it again keeps what the user has scrolled to.
    await state.loading.refresh();
    expect(aliases(state)).toHaveLength(120);
  });

  test('shows the results of the latest search, even if an earlier one responds later', async () => {
    await server.create({ originalUrl: TARGET, customAlias: 'second' }, token);
    const { page } = source;
    const slow = Promise.withResolvers<void>();
    source.page = async (query, cursor) => {
      const answer = await page(query, cursor);
      if (query.q === 'first') await slow.promise;
      return answer;
    };
    const state = await openList();
    state.filter({ q: 'first' });
    state.filter({ q: 'second' });
    await state.loading.settled();
    expect(aliases(state)).toEqual(['second']);
    slow.resolve();
    await slow.promise;
    await new Promise((resolve) => setImmediate(resolve));
    expect(aliases(state)).toEqual(['second']);
  });

  test('is there once the page starts, even if it changed while it was read', async () => {
    const { page } = source;
    let before: Promise<unknown> = Promise.resolve();
    source.page = (...request) => {
      const answer = before.then(() => page(...request));
      // The second answer is late.
      before = answer;
      return answer;
    };
    source.subscribe = (onChange) => {
      // Such as the focus of a tab that was opened in the background.
      queueMicrotask(onChange);
      return () => {};
    };
    const state = await openEdited('first');
    expect(aliases(state)).toEqual(['first']);
    expect(state.editing.edited.value).toMatchObject({ title: 'First' });
  });

  test('asks the server once while the user types', async () => {
    await server.create({ originalUrl: TARGET, customAlias: 'tagged' }, token);
    const state = await openList();
    const before = server.paths.length;
    for (const q of ['t', 'ta', 'tag']) state.filter({ q }, { isTyping: true });
    await time.advance(200);
    await state.loading.settled();
    expect(aliases(state)).toEqual(['tagged']);
    expect(server.paths.slice(before)).toEqual(['GET /api/links?include=visits30&q=tag']);
  });

  test('never adds a page of another filter after a failed one', async () => {
    await createMany(60);
    const state = await openList();
    server.isAway = true;
    state.filter({ tag: 'x' });
    await state.loading.settled();
    expect(state.loading.failure.value).toBe('unreachable');
    server.isAway = false;
    await state.loading.loadMore();
    expect(aliases(state)).toHaveLength(50);
    await state.loading.refresh();
    expect(aliases(state)).toEqual([]);
    expect(state.loading.failure.value).toBeUndefined();
  });

  test('does not let links of another filter be selected, also after the search has failed', async () => {
    await createMany(59);
    const state = await openList();
    server.isAway = true;
    state.filter({ q: 'something else' });
    state.select(state.loading.links.value, true);
    state.selectAll();
    expect(state.selected.value).toEqual([]);
    await state.loading.settled();
    expect(state.loading.failure.value).toBe('unreachable');
    state.select(state.loading.links.value, true);
    state.selectAll();
    expect(state.selected.value).toEqual([]);
    server.isAway = false;
    state.filter({ q: '' });
    await state.loading.settled();
    expect(state.loading.isLoading.value).toBe(false);
    state.selectAll();
    expect(state.selected.value).toHaveLength(50);
    expect(state.isAllSelected.value).toBe(true);
  });

  test('counts each search, also one with the same number of links, and no refresh', async () => {
    await server.create({ originalUrl: TARGET, customAlias: 'second' }, token);
    const state = await openList();
    const before = state.loading.results.value;
    for (const q of ['first', 'second']) {
      state.filter({ q });
      await state.loading.settled();
      expect(state.loading.isLoading.value).toBe(false);
    }
    expect(state.loading.results.value).toBe(before + 2);
    await state.loading.refresh();
    expect(state.loading.results.value).toBe(before + 2);
  });

  test('shows no old failure once a further page is there', async () => {
    await createMany(60);
    const state = await openList();
    server.isAway = true;
    await state.loading.loadMore();
    expect(state.loading.failure.value).toBe('unreachable');
    server.isAway = false;
    await state.loading.loadMore();
    expect(state.loading.failure.value).toBeUndefined();
    expect(state.loading.hasMore.value).toBe(false);
  });

  test('loads a further page again after it was read again meanwhile', async () => {
    await createMany(60);
    const state = await openList();
    const { page } = source;
    const slow = Promise.withResolvers<void>();
    source.page = async (...given) => {
      source.page = page;
      await slow.promise;
      return page(...given);
    };
    const dropped = state.loading.loadMore();
    await state.loading.refresh();
    await state.loading.loadMore();
    expect(aliases(state)).toHaveLength(61);
    slow.resolve();
    await dropped;
    expect(aliases(state)).toHaveLength(61);
  });
});

describe('a deleted link', () => {
  test('is gone at once, and restored by undo', async () => {
    const state = await openList();
    const removing = state.remove([first(state)]);
    expect(aliases(state)).toEqual([]);
    await removing;
    expect((await onServer('first')).status).toBe('deleted');
    await state.undo.undoLast();
    expect(aliases(state)).toEqual(['first']);
    expect((await onServer('first')).status).toBe('active');
    expect(state.undo.done.value).toEqual([]);
  });

  test('comes back to its place if the server does not answer, with the reason', async () => {
    for (const customAlias of ['second', 'third']) {
      await server.clock.advance(1000);
      await server.create({ originalUrl: TARGET, customAlias }, token);
    }
    const state = await openList();
    server.isAway = true;
    await state.remove([state.loading.links.value[1] as LinkRecord]);
    expect(aliases(state)).toEqual(['third', 'second', 'first']);
    expect(state.failure.value).toBe('unreachable');
    expect(state.undo.done.value).toEqual([]);
  });

  test('is deleted once if its button is clicked twice', async () => {
    const state = await openList();
    const link = first(state);
    await Promise.all([state.remove([link]), state.remove([link])]);
    expect(state.undo.done.value).toHaveLength(1);
    expect(server.paths.filter((path) => path.startsWith('DELETE'))).toHaveLength(1);
  });

  test('is listed as deleted, and restored or erased there', async () => {
    await server.create({ originalUrl: TARGET, customAlias: 'second' }, token);
    const state = await openList();
    await state.remove(state.loading.links.value);
    state.filter({ status: 'deleted' });
    await state.loading.settled();
    expect(aliases(state).sort()).toEqual(['first', 'second']);
    const [one, other] = state.loading.links.value as [LinkRecord, LinkRecord];
    await state.restore(one);
    await state.purge(other);
    expect(aliases(state)).toEqual([]);
    expect((await onServer(aliasOf(one))).status).toBe('active');
    await expect(onServer(aliasOf(other))).rejects.toThrow('not_found');
  });
});

describe('a paused link', () => {
  test('is shown as paused at once, and resumed by undo', async () => {
    const state = await openList();
    const pausing = state.setActive([first(state)], false);
    expect(first(state).status).toBe('inactive');
    await pausing;
    expect((await server.app.inject('/first')).statusCode).toBe(410);
    await state.undo.undoLast();
    expect((await server.app.inject('/first')).statusCode).toBe(302);
    expect(first(state).status).toBe('active');
  });

  test('is shown as it was if pausing fails', async () => {
    const state = await openList();
    const before = first(state);
    server.isAway = true;
    await state.setActive([before], false);
    expect(first(state)).toEqual(before);
    expect(state.failure.value).toBe('unreachable');
  });
});

describe('many selected links', () => {
  test('get a tag, keep tags that they got elsewhere, and lose it by undo', async () => {
    await server.create({ originalUrl: TARGET, customAlias: 'second', tags: ['a'] }, token);
    const state = await openList();
    await server.client.editLink({ alias: 'second', token, body: { tags: ['a', 'elsewhere'] } });
    state.select(state.loading.links.value, true);
    await state.changeSelected({ addTag: 'new' });
    expect((await onServer('first')).tags).toEqual(['new']);
    expect((await onServer('second')).tags).toEqual(['a', 'elsewhere', 'new']);
    expect(state.selected.value).toHaveLength(2);
    await state.undo.undoLast();
    expect((await onServer('first')).tags).toEqual([]);
  });

  test('are deleted as far as possible: the others stay, with the reason', async () => {
    await createMany(20);
    const state = await openList();
    await server.client.deleteLink({ alias: 'first', token, purge: true });
    await state.remove(state.loading.links.value);
    expect(aliases(state)).toEqual(['first']);
    expect(state.failure.value).toBeDefined();
    await state.undo.undoLast();
    expect(aliases(state)).toHaveLength(21);
  });

  test('are no longer selected when the filter changes', async () => {
    const state = await openList();
    state.select(state.loading.links.value, true);
    state.filter({ q: 'f' });
    expect(state.selected.value).toEqual([]);
  });
});

describe('all links of a list', () => {
  /** 121 links, of which 50 are loaded, all selected. */
  async function openAll() {
    await createMany(120);
    const state = await openList();
    state.selectAll();
    return state;
  }

  async function countOnServer(status: 'active' | 'inactive' | 'deleted') {
    const list = await server.client.listLinks({ token, status });
    return list.ok ? list.data.total?.count : list.code;
  }

  test('are counted from the start', async () => {
    await createMany(120);
    const state = await openList();
    expect(state.loading.total.value).toEqual({ count: 121, isExact: true });
    await state.remove([first(state)]);
    expect(state.loading.total.value?.count).toBe(120);
    state.filter({ q: 'first' });
    await state.loading.settled();
    expect(state.loading.total.value?.count).toBe(1);
  });

  test('are deleted after a question with their number, and come back by undo', async () => {
    const state = await openAll();
    await server.client.deleteLink({ alias: 'first', token });
    await state.removeSelected();
    expect(state.allChanger.pending.value?.count).toBe(120);
    expect(await countOnServer('deleted')).toBe(1);
    await state.allChanger.confirm();
    expect(aliases(state)).toEqual([]);
    expect(state.isAllSelected.value).toBe(false);
    expect(await countOnServer('deleted')).toBe(121);
    await state.undo.undoLast();
    // The one that was deleted before stays so.
    expect(await countOnServer('deleted')).toBe(1);
    expect(aliases(state)).toHaveLength(50);
  });

  test('are only those of the filter', async () => {
    await server.create({ originalUrl: TARGET, customAlias: 'tagged', tags: ['x'] }, token);
    await createMany(60);
    const state = await openList();
    state.filter({ q: 'example' });
    await state.loading.settled();
    expect(state.loading.isLoading.value).toBe(false);
    state.selectAll();
    await state.changeSelected({ isActive: false });
    await state.allChanger.confirm();
    expect(await countOnServer('inactive')).toBe(62);
    await state.undo.undoLast();
    expect(await countOnServer('inactive')).toBe(0);
  });

  test('get the same expiry, and by undo the one that each had', async () => {
    const [before, after] = ['2050-01-01T00:00:00.000Z', '2060-01-01T00:00:00.000Z'];
    await server.client.editLink({ alias: 'first', token, body: { expiresAt: before } });
    const state = await openAll();
    await state.changeSelected({ expiresAt: after });
    expect(state.allChanger.pending.value).toMatchObject({ count: 121, label: 'expiry_change' });
    await state.allChanger.confirm();
    const expiries = async () => {
      const all: (string | null)[] = [];
      let cursor: string | undefined;
      do {
        const page = await server.client.listLinks({ token, limit: 100, cursor });
        if (!page.ok) throw new Error(page.message);
        all.push(...page.data.data.map(({ expiresAt }) => expiresAt));
        cursor = page.data.nextCursor ?? undefined;
      } while (cursor);
      return { all: all.length, distinct: [...new Set(all)].toSorted() };
    };
    expect(await expiries()).toEqual({ all: 121, distinct: [after] });
    await state.undo.undoLast();
    expect(await expiries()).toEqual({ all: 121, distinct: [before, null] });
    expect((await onServer('first')).expiresAt).toBe(before);
  });

  test('move to another domain, and back by undo, apart from those whose alias is taken there', async () => {
    await server.store.administration.addDomain(domainOf('go.example'));
    await server.create({ originalUrl: TARGET, customAlias: 'first', domain: 'go.example' });
    const state = await openAll();
    await state.changeSelected({ domain: 'go.example' });
    await state.allChanger.confirm();
    expect(state.failure.value).toContain('This alias is taken');
    const moved = async () => {
      const list = await server.client.listLinks({ token, domain: 'go.example' });
      return list.ok && list.data.total?.count;
    };
    expect(await moved()).toBe(120);
    await state.undo.undoLast();
    expect(await moved()).toBe(0);
  });

  test('change as far as they can if the server goes away, and what changed can be undone', async () => {
    const state = await openAll();
    await state.changeSelected({ addTag: 'new' });
    const { changeAll } = source;
    let parts = 0;
    source.changeAll = (...call) => {
      if (++parts > 1) server.isAway = true;
      return changeAll(...call);
    };
    await state.allChanger.confirm();
    expect(state.failure.value).toBe('unreachable');
    source.changeAll = changeAll;
    server.isAway = false;
    const tagged = async () => {
      const list = await server.client.listLinks({ token, tag: 'new' });
      return list.ok && list.data.total?.count;
    };
    expect(await tagged()).toBe(100);
    await state.undo.undoLast();
    expect(await tagged()).toBe(0);
  });

  test('change no further when the page is left', async () => {
    const state = await openAll();
    await state.removeSelected();
    const changing = state.allChanger.confirm();
    stop();
    await changing;
    expect(await countOnServer('deleted')).toBe(100);
  });

  test('come back as far as undo gets until it is stopped, and the rest by another one', async () => {
    const state = await openAll();
    await state.removeSelected();
    await state.allChanger.confirm();
    const { changeAll } = source;
    source.changeAll = (...call) => {
      state.allChanger.stop();
      return changeAll(...call);
    };
    await state.undo.undoLast();
    expect(await countOnServer('deleted')).toBe(21);
    expect(state.undo.done.value).toHaveLength(1);
    expect(lastDone(state)?.text).toMatch(/21/);
    await state.undo.undoLast();
    expect(await countOnServer('deleted')).toBe(0);
    expect(state.undo.done.value).toEqual([]);
  });

  test('come back by undo except those that were erased elsewhere, with the reason', async () => {
    const state = await openAll();
    await state.removeSelected();
    await state.allChanger.confirm();
    await server.client.deleteLink({ alias: 'first', token, purge: true });
    await state.undo.undoLast();
    expect(await countOnServer('active')).toBe(120);
    expect(state.failure.value).toMatch(/^Not changed: 1\./);
    expect(state.undo.done.value).toEqual([]);
  });

  test('stay as they are if the question is dismissed', async () => {
    const state = await openAll();
    await state.removeSelected();
    state.allChanger.dismiss();
    await state.allChanger.confirm();
    expect(await countOnServer('active')).toBe(121);
  });

  test('are selected no more when one of them is not', async () => {
    const state = await openAll();
    state.select([first(state)], false);
    expect(state.isAllSelected.value).toBe(false);
    expect(state.selected.value).toHaveLength(49);
  });
});

describe('the form of a link', () => {
  test('is that of the link on the named domain', async () => {
    await server.store.administration.addDomain(domainOf('go.example'));
    await server.clock.advance(1);
    const body = { originalUrl: TARGET, customAlias: 'first', domain: 'go.example' };
    await server.create(body, token);
    for (const host of ['s.example', 'go.example']) {
      const { editing } = await openEdited(`${host}/first`);
      expect(hostOf(editing.edited.value as LinkRecord)).toBe(host);
    }
  });

  test.each(['FIRST', 'renamed'])('is found by %s, too', async (editedAlias) => {
    await server.client.editLink({ alias: 'first', token, body: { customAlias: 'Renamed' } });
    const state = await openEdited(editedAlias);
    expect(state.editing.edited.value?.title).toBe('First');
  });

  test('saves only what was changed, and undo brings the previous values back', async () => {
    const state = await openList();
    state.editing.open(first(state));
    state.editing.change({ title: 'New', customAlias: 'renamed', maxVisits: '5', tags: ['x'] });
    await state.editing.save();
    expect(state.editing.edited.value).toBeUndefined();
    expect(await onServer('renamed')).toMatchObject({
      title: 'New',
      maxVisits: 5,
      tags: ['x'],
      previousAliases: ['first'],
      originalUrl: TARGET,
    });
    expect(aliases(state)).toEqual(['renamed']);
    await state.undo.undoLast();
    expect(await onServer('first')).toMatchObject({ title: 'First', maxVisits: null, tags: [] });
    expect(aliases(state)).toEqual(['first']);
  });

  test('changes start, fallback, card and rules, and undo brings the previous ones back', async () => {
    const before = {
      goneUrl: 'https://example.com/over',
      rules: [{ device: 'phone' as const, originalUrl: 'https://example.com/phone' }],
    };
    await server.client.editLink({ alias: 'first', token, body: before });
    const state = await openList();
    state.editing.open(first(state));
    state.editing.change({
      startsAt: '2099-01-31T12:00',
      goneUrl: '',
      cardTitle: 'A card',
      rules: [{ language: 'de', originalUrl: 'https://example.com/de' }],
    });
    await state.editing.save();
    expect(await onServer('first')).toMatchObject({
      status: 'scheduled',
      startsAt: new Date(2099, 0, 31, 12).toISOString(),
      goneUrl: null,
      card: { title: 'A card' },
      rules: [{ language: 'de', originalUrl: 'https://example.com/de' }],
    });
    await state.undo.undoLast();
    expect(await onServer('first')).toMatchObject({ startsAt: null, card: null, ...before });
  });

  test('sets an expiry by a duration, and undo brings the time before back', async () => {
    const expiresAt = '2050-01-01T00:00:00.000Z';
    await server.client.editLink({ alias: 'first', token, body: { expiresAt } });
    const state = await openList();
    state.editing.open(first(state));
    state.editing.change({ title: 'New', expiryKind: '7d' });
    await state.editing.save();
    expect((await onServer('first')).expiresAt).toMatch(/^2026-11-27T/);
    await state.undo.undoLast();
    expect(state.failure.value).toBeUndefined();
    expect(await onServer('first')).toMatchObject({ title: 'First', expiresAt });
  });

  test('shows what the server rejects of a rule at that rule', async () => {
    const state = await openList();
    state.editing.open(first(state));
    const rule = { device: 'phone', originalUrl: 'https://example.com/phone' };
    state.editing.change({ rules: [rule, { ...rule, originalUrl: 'javascript:alert()' }] });
    await state.editing.save();
    expect(Object.keys(state.editing.issues.value)).toEqual(['rules.1.originalUrl']);
    expect(state.editing.failure.value?.isMarked).toBe(true);
  });

  test('two edits are undone one after the other', async () => {
    const state = await openList();
    for (const title of ['Second', 'Third']) {
      state.editing.open(first(state));
      state.editing.change({ title });
      await state.editing.save();
    }
    await state.undo.undoLast();
    expect((await onServer('first')).title).toBe('Second');
    await state.undo.undoLast();
    expect((await onServer('first')).title).toBe('First');
  });

  test('sets and removes a password, which undo cannot bring back', async () => {
    const state = await openList();
    state.editing.open(first(state));
    state.editing.change({ password: 'open sesame' });
    await state.editing.save();
    expect((await onServer('first')).hasPassword).toBe(true);
    expect(lastDone(state)?.undo).toBeUndefined();
    state.editing.open(first(state));
    state.editing.change({ removesPassword: true });
    await state.editing.save();
    expect((await onServer('first')).hasPassword).toBe(false);
  });

  test('stays open with the reason if the server rejects it', async () => {
    await server.create({ originalUrl: TARGET, customAlias: 'taken' }, token);
    const state = await openList();
    const link = state.loading.links.value.find((one) => aliasOf(one) === 'first') as LinkRecord;
    state.editing.open(link);
    state.editing.change({ customAlias: 'taken' });
    await state.editing.save();
    expect(state.editing.failure.value).toMatchObject({ code: 'alias_taken' });
    expect(state.editing.failure.value?.suggestions).toHaveLength(3);
    expect(state.editing.issues.value).toHaveProperty('customAlias');
    const expiresAt = '202612-01-01T12:00';
    state.editing.change({
      customAlias: 'no spaces',
      expiryKind: 'custom',
      expiresAt,
      maxVisits: '0',
      originalUrl: '',
    });
    const before = server.paths.length;
    await state.editing.save();
    expect(Object.keys(state.editing.issues.value).sort()).toEqual([
      'customAlias',
      'expiresAt',
      'maxVisits',
      'originalUrl',
    ]);
    expect(server.paths).toHaveLength(before);
  });
});

/** The next edit arrives, but its response waits. @returns what lets it come */
function holdNextEdit(): () => void {
  const { edit } = source;
  const held = Promise.withResolvers<void>();
  source.edit = async (...given) => {
    source.edit = edit;
    const answer = await edit(...given);
    await held.promise;
    return answer;
  };
  return held.resolve;
}

describe('an edit of a link that was edited elsewhere', () => {
  async function editBoth(mine: Partial<LinkForm>, theirs: EditRequest) {
    const state = await openList();
    state.editing.open(first(state));
    await server.client.editLink({ alias: 'first', token, body: theirs });
    state.editing.change(mine);
    await state.editing.save();
    return state;
  }

  test('is saved at once if the fields differ', async () => {
    const state = await editBoth({ title: 'Mine' }, { tags: ['theirs'] });
    expect(state.editing.conflict.value).toBeUndefined();
    expect(state.editing.edited.value).toBeUndefined();
    expect(await onServer('first')).toMatchObject({ title: 'Mine', tags: ['theirs'] });
  });

  test('asks about an expiry that is a duration here and a time there', async () => {
    const state = await editBoth({ expiryKind: '7d' }, { expiresAt: '2050-01-01T00:00:00.000Z' });
    expect(conflictRows(state.editing.conflict.value as Conflict)).toMatchObject([
      { label: 'Expires', mine: 'Expires after 7 days' },
    ]);
    expect((await onServer('first')).expiresAt).toMatch(/^2050/);
  });

  test.each<[Partial<LinkForm>, EditRequest]>([
    [{ title: 'Mine' }, { title: 'Theirs' }],
    [{ password: 'mine' }, { title: 'Theirs' }],
  ])('asks if %o and %o may be about the same field', async (mine, theirs) => {
    const state = await editBoth(mine, theirs);
    expect(state.editing.conflict.value).toMatchObject({ mine });
    expect((await onServer('first')).title).toBe('Theirs');
  });
});

describe('a form that is opened while another one is saved', () => {
  async function openBoth(change: { title?: string; customAlias?: string }) {
    await server.create({ originalUrl: TARGET, customAlias: 'second' }, token);
    const state = await openList();
    const link = (alias: string) =>
      state.loading.links.value.find((one) => aliasOf(one) === alias) as LinkRecord;
    state.editing.open(link('first'));
    state.editing.change(change);
    const release = holdNextEdit();
    const saving = state.editing.save();
    state.editing.open(link('second'));
    state.editing.change({ title: 'Half' });
    release();
    await saving;
    return state;
  }

  test('stays open with its text', async () => {
    const state = await openBoth({ title: 'New' });
    expect((await onServer('first')).title).toBe('New');
    expect(state.editing.edited.value).toMatchObject({
      shortUrl: expect.stringMatching(/second$/),
    });
    expect(state.editing.form.value.title).toBe('Half');
  });

  test('does not show the other’s failure as its own', async () => {
    const state = await openBoth({ customAlias: 'second' });
    expect(state.editing.failure.value).toBeUndefined();
    expect(state.editing.issues.value).toEqual({});
    expect(state.failure.value).toBe('alias_taken');
  });
});

describe('undo', () => {
  test('runs once if it is asked for twice', async () => {
    const state = await openList();
    for (const title of ['Second', 'Third']) {
      state.editing.open(first(state));
      state.editing.change({ title });
      await state.editing.save();
    }
    await Promise.all([state.undo.undoLast(), state.undo.undoLast()]);
    expect((await onServer('first')).title).toBe('Second');
    expect(state.undo.done.value).toHaveLength(1);
  });

  test('can be tried again if the server was away', async () => {
    const state = await openList();
    await state.remove([first(state)]);
    server.isAway = true;
    await state.undo.undoLast();
    expect(state.failure.value).toBe('unreachable');
    server.isAway = false;
    await state.undo.undoLast();
    expect((await onServer('first')).status).toBe('active');
  });

  test('of a tag keeps tags that were added since', async () => {
    const state = await openList();
    state.select([first(state)], true);
    await state.changeSelected({ addTag: 'new' });
    await server.client.editLink({ alias: 'first', token, body: { tags: ['new', 'elsewhere'] } });
    await state.undo.undoLast();
    expect((await onServer('first')).tags).toEqual(['elsewhere']);
  });

  test('shows a restored link only where it belongs', async () => {
    const state = await openList();
    await state.remove([first(state)]);
    state.filter({ status: 'deleted' });
    await state.loading.settled();
    expect(aliases(state)).toEqual(['first']);
    await state.undo.undoLast();
    expect(aliases(state)).toEqual([]);
    expect((await onServer('first')).status).toBe('active');
  });
});

describe('a link that was edited elsewhere meanwhile', () => {
  async function conflict() {
    const state = await openList();
    state.editing.open(first(state));
    state.editing.change({ title: 'Mine' });
    await server.client.editLink({
      alias: 'first',
      token,
      body: { title: 'Theirs', tags: ['theirs'] },
    });
    await state.editing.save();
    expect(state.editing.conflict.value).toMatchObject({
      mine: { title: 'Mine' },
      before: { title: 'First' },
      theirs: { title: 'Theirs' },
    });
    expect((await onServer('first')).title).toBe('Theirs');
    return state;
  }

  test('gets my changes on top of the others if I keep mine', async () => {
    const state = await conflict();
    await state.editing.keepMine();
    expect(await onServer('first')).toMatchObject({ title: 'Mine', tags: ['theirs'] });
    expect(first(state).title).toBe('Mine');
    await state.undo.undoLast();
    expect((await onServer('first')).title).toBe('Theirs');
  });

  test('shows what both did to its rules in words', async () => {
    const state = await openList();
    state.editing.open(first(state));
    state.editing.change({ rules: [{ device: 'phone', originalUrl: 'https://example.com/mine' }] });
    const theirs = [{ share: 30, originalUrl: 'https://example.com/theirs' }];
    await server.client.editLink({ alias: 'first', token, body: { rules: theirs } });
    await state.editing.save();
    const rows = conflictRows(state.editing.conflict.value as Conflict);
    expect(rows).toMatchObject([{ label: 'Rules' }]);
    expect(rows[0]?.mine).toMatch(/^If the device is Phone, go to .*mine/);
    expect(rows[0]?.theirs).toMatch(/^If the visitor is among a random 30%, go to .*theirs/);
  });

  test('stays as it is if I take theirs', async () => {
    const state = await conflict();
    state.editing.takeTheirs();
    expect(first(state).title).toBe('Theirs');
    expect(state.editing.edited.value).toBeUndefined();
    expect((await onServer('first')).version).toBe(2);
  });

  test('is not overwritten by undo', async () => {
    const state = await openList();
    await state.setActive([first(state)], false);
    await server.client.editLink({ alias: 'first', token, body: { title: 'Theirs' } });
    await state.undo.undoLast();
    expect(await onServer('first')).toMatchObject({ title: 'Theirs', isActive: true });
    expect(state.undo.done.value).toEqual([]);
  });

  test.each([false, true])(
    'keeps a newer value of the same field (list read again: %s)',
    async (isReadAgain) => {
      const state = await openList();
      await state.setActive([first(state)], false);
      state.editing.open(first(state));
      state.editing.change({ title: 'Mine' });
      await state.editing.save();
      await server.client.editLink({ alias: 'first', token, body: { title: 'Theirs' } });
      if (isReadAgain) await state.loading.refresh();
      await state.undo.undoLast();
      expect(state.failure.value).toBeDefined();
      expect((await onServer('first')).title).toBe('Theirs');
      // The earlier change can still be undone.
      await state.undo.undoLast();
      expect(await onServer('first')).toMatchObject({ title: 'Theirs', isActive: true });
    },
  );
});

describe('the field for a new link', () => {
  const noUrl = { ok: false, code: 'invalid_url', text: 'Not a URL' } as const;

  const createOnServer: NewLinkTools['create'] = async (originalUrl) => {
    const created = await server.client.createLink({ body: { originalUrl }, token });
    return created.ok ? { ok: true, data: created.data } : noUrl;
  };

  const duplicate = async (request: ShortenRequest): Promise<Created> => {
    const created = await server.client.createLink({ body: request, token });
    return created.ok ? { ok: true, data: created.data } : { ...noUrl, code: created.code };
  };

  async function openWithField(create = createOnServer, { cleansUrls = false } = {}) {
    const copied: string[] = [];
    const state = createLinksState({
      source,
      copy: async ({ shortUrl }) => copied.push(shortUrl) > 0,
      exportLinks: async () => undefined,
      newLink: { create, cleansUrls, duplicate },
      time,
    });
    await state.start();
    await state.preload();
    if (!state.newLink) throw new Error('There is no field');
    return { state, field: state.newLink, copied };
  }

  test('removes tracking parameters, and Undo brings them back before it deletes the link', async () => {
    const { state, field, copied } = await openWithField(createOnServer, { cleansUrls: true });
    field.change('Look: https://example.com/sale?color=red&fbclid=x&gclid=y');
    await field.submit();
    const created = () => state.loading.links.value.find(({ alias }) => alias !== 'first');
    expect(created()?.originalUrl).toBe('https://example.com/sale?color=red');
    expect(copied).toEqual([created()?.shortUrl]);
    const shown = { text: '2 tracking parameters removed:', shortUrl: created()?.shortUrl };
    expect(lastDone(state)).toMatchObject({ ...shown, isNew: true });
    await state.undo.undoLast();
    const full = 'https://example.com/sale?color=red&fbclid=x&gclid=y';
    expect((await onServer(created()?.alias ?? '')).originalUrl).toBe(full);
    expect(created()?.originalUrl).toBe(full);
    await state.undo.undoLast();
    expect(aliases(state)).toEqual(['first']);
  });

  test('brings the full URL back without showing the link under a filter that it doesn’t match', async () => {
    const { state, field } = await openWithField(createOnServer, { cleansUrls: true });
    state.filter({ tag: 'Print' });
    await state.loading.settled();
    expect(aliases(state)).toEqual([]);
    field.change('example.com/sale?fbclid=x');
    await field.submit();
    expect(lastDone(state)?.text).toBe('1 tracking parameter removed:');
    await state.undo.undoLast();
    expect(state.failure.value).toBeUndefined();
    expect(aliases(state)).toEqual([]);
  });

  test('leaves a URL as it is where something else cleans it', async () => {
    const { state, field } = await openWithField();
    const full = 'https://example.com/sale?color=red&fbclid=x';
    field.change(full);
    await field.submit();
    expect(state.loading.links.value.map(({ originalUrl }) => originalUrl)).toContain(full);
    expect(lastDone(state)?.text).toBe('Link created:');
  });

  test('is passed by for a duplicate, which has all values but the alias, the password and past times', async () => {
    const values = {
      title: 'First',
      tags: ['Print'],
      maxVisits: 3,
      forwardQuery: true,
      rules: [{ device: 'phone' as const, originalUrl: 'https://example.com/phone' }],
    };
    const before = { ...values, password: 'secret', expiresAt: '2050-01-01T00:00:00.000Z' };
    await server.client.editLink({ alias: 'first', token, body: before });
    const { state, field } = await openWithField();
    await server.clock.advance(1);
    await field.copyOf(first(state));
    const [copy, original] = state.loading.links.value;
    expect(copy?.alias).not.toBe(original?.alias);
    expect(await onServer(copy?.alias ?? '')).toMatchObject({
      ...values,
      originalUrl: original?.originalUrl,
      expiresAt: before.expiresAt,
      hasPassword: false,
    });
    // Nobody shares it in the belief that it is protected.
    expect(lastDone(state)?.text).toBe('Link created, without a password:');
    await state.undo.undoLast();
    expect(aliases(state)).toEqual(['first']);
  });

  test('says no more of a duplicate than that it is there, if nothing protected the link', async () => {
    const { state, field } = await openWithField();
    await field.copyOf(first(state));
    expect(lastDone(state)?.text).toBe('Link created:');
  });

  test('shortens a URL, copies and shows the short link; undo deletes it', async () => {
    const { state, field, copied } = await openWithField();
    field.change(' example.com/new ');
    await field.submit();
    const { links } = state.loading;
    const link = links.value.find(({ originalUrl }) => originalUrl === 'https://example.com/new');
    expect([field.text.value, copied]).toEqual(['', [link?.shortUrl]]);
    await state.undo.undoLast();
    expect(aliases(state)).toEqual(['first']);
  });

  test('never undoes a link that was there before, and copies it if it works', async () => {
    const { state, field, copied } = await openWithField(async () => {
      const page = await source.page({ q: 'first', tag: '' }, undefined);
      const data = page.ok && page.data.links[0];
      return data ? { ok: true, data: { ...data, isExisting: true } } : noUrl;
    });
    const shortUrl = `${server.origin}/first`;
    for (const isActive of [true, false]) {
      await server.client.editLink({ alias: 'first', token, body: { isActive } });
      field.change(TARGET);
      await field.submit();
      expect(lastDone(state)).toMatchObject({ shortUrl });
      await state.undo.undoLast();
      expect((await onServer('first')).status).toBe(isActive ? 'active' : 'inactive');
    }
    expect([copied, aliases(state)]).toEqual([[shortUrl], ['first']]);
  });

  test.each([TARGET, 'no url'])('keeps what is typed while %s is sent', async (sent) => {
    const { state, field } = await openWithField();
    field.change(sent);
    const submitting = field.submit();
    field.change('example.com/next');
    await submitting;
    expect([field.text.value, field.issue.value]).toEqual(['example.com/next', undefined]);
    expect(lastDone(state)?.text).toBe(sent === TARGET ? 'Link created:' : 'no url: Not a URL');
  });

  test('keeps what was typed if it is no URL, and says so', async () => {
    const { state, field } = await openWithField();
    await field.submit();
    expect(field.issue.value).toBeDefined();
    field.change('no url');
    expect(field.issue.value).toBeUndefined();
    await field.submit();
    expect([field.text.value, field.issue.value]).toEqual(['no url', 'Not a URL']);
    expect(aliases(state)).toEqual(['first']);
  });
});
