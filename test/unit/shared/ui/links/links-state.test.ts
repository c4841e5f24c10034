import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createHttpLinkSource } from '../../../../../server/dashboard/links/http-link-source.ts';
import { fillIn } from '../../../../../shared/i18n/fill-in.ts';
import { setMessageSource } from '../../../../../shared/i18n/translate.ts';
import {
  aliasOf,
  hostOf,
  type ShownLink,
  toShownLink,
} from '../../../../../shared/links/shown-link.ts';
import { readLocales } from '../../../../../shared/locales/read-locales.ts';
import { conflictRows } from '../../../../../shared/ui/links/edit/conflict-rows.ts';
import type { LinkSource } from '../../../../../shared/ui/links/link-source.ts';
import type { Conflict } from '../../../../../shared/ui/links/state/edit-state.ts';
import {
  createLinksState,
  type LinksStart,
} from '../../../../../shared/ui/links/state/links-state.ts';
import type { NewLinkTools } from '../../../../../shared/ui/links/state/new-link.ts';
import { domainOf } from '../../../../store/contract/domains.ts';
import { dataOf } from '../../../../support/data-of.ts';
import { type RealServer, startRealServer } from '../../../support/real-server.ts';

const TARGET = 'https://example.com/page';

let server: RealServer;
let token: string;
let source: LinkSource;
/** Leaves the page. */
let stop: () => void;

beforeAll(() => {
  const { en = {} } = readLocales();
  setMessageSource((key, substitutions) => fillIn(en[key] ?? '', substitutions));
});

beforeEach(async () => {
  server = await startRealServer();
  token = await server.create({ originalUrl: TARGET, customAlias: 'first', title: 'First' });
  source = createHttpLinkSource({
    call: (run) => run(server.client, token),
    failureText: ({ code }) => code,
    subscribe: () => () => {},
  });
});

/** The state of a page that shows the account's links. */
async function openList(start?: LinksStart) {
  const copy = async () => true;
  const exportLinks = async () => undefined;
  const state = createLinksState({ source, copy, exportLinks, nowMs: () => 0 }, start);
  stop = await state.start();
  return state;
}
type State = Awaited<ReturnType<typeof openList>>;

const aliases = (state: State) => state.loading.links.value.map(aliasOf);
const first = (state: State) => state.loading.links.value[0] as ShownLink;
const lastDone = (state: State) => state.undo.done.value.at(-1);

/** What the server says about a link. */
async function onServer(alias: string) {
  return dataOf(await server.client.readLink({ alias, token }));
}

async function createMany(count: number): Promise<void> {
  // Links of one millisecond are in the order of their random IDs.
  server.clock.advance(1);
  for (let left = count; left > 0; left -= 100) {
    const bodies = Array.from({ length: Math.min(left, 100) }, () => ({ originalUrl: TARGET }));
    await server.client.shortenAll(bodies, { token });
  }
}

describe('the list', () => {
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
      if (query.words === 'first') await slow.promise;
      return answer;
    };
    const state = await openList();
    state.filter({ words: 'first' });
    state.filter({ words: 'second' });
    await expect.poll(() => aliases(state)).toEqual(['second']);
    slow.resolve();
    await slow.promise;
    await new Promise((resolve) => setImmediate(resolve));
    expect(aliases(state)).toEqual(['second']);
  });

  test('is there once the page starts, even if it changed while it was read', async () => {
    const { page } = source;
    let delayMs = 0;
    source.page = async (...request) => {
      // The second answer is late.
      delayMs += 50;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      return page(...request);
    };
    source.subscribe = (onChange) => {
      // Such as the focus of a tab that was opened in the background.
      queueMicrotask(onChange);
      return () => {};
    };
    const state = await openList({ editedAlias: 'first' });
    expect(aliases(state)).toEqual(['first']);
    expect(state.editing.edited.value).toMatchObject({ title: 'First' });
  });

  test('asks the server once while the user types, and filters by tag and status', async () => {
    await server.create({ originalUrl: TARGET, customAlias: 'tagged', tags: ['Print'] }, token);
    const state = await openList();
    const before = server.paths.length;
    for (const words of ['t', 'ta', 'tag']) state.filter({ words }, { isTyping: true });
    await expect.poll(() => aliases(state)).toEqual(['tagged']);
    expect(server.paths.slice(before)).toEqual(['GET /api/links?include=visits30&q=tag']);
    state.filter({ words: '', tag: 'print' });
    await expect.poll(() => aliases(state)).toEqual(['tagged']);
    state.filter({ tag: '', status: 'inactive' });
    await expect.poll(() => aliases(state)).toEqual([]);
  });

  test('asks for larger pages after the first one', async () => {
    await createMany(299);
    const state = await openList();
    await state.loading.loadMore();
    await state.loading.loadMore();
    const before = server.paths.length;
    await state.loading.refresh();
    expect(aliases(state)).toHaveLength(250);
    expect(server.paths).toHaveLength(before + 3);
  });

  test('never adds a page of another filter after a failed one', async () => {
    await createMany(60);
    const state = await openList();
    server.isAway = true;
    state.filter({ tag: 'x' });
    await expect.poll(() => state.loading.failure.value).toBe('unreachable');
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
    state.filter({ words: 'something else' });
    state.select(state.loading.links.value, true);
    state.selectAll();
    expect(state.selected.value).toEqual([]);
    await expect.poll(() => state.loading.failure.value).toBe('unreachable');
    state.select(state.loading.links.value, true);
    state.selectAll();
    expect(state.selected.value).toEqual([]);
    server.isAway = false;
    state.filter({ words: '' });
    await expect.poll(() => state.loading.isLoading.value).toBe(false);
    state.selectAll();
    expect(state.selected.value).toHaveLength(50);
    expect(state.isAllSelected.value).toBe(true);
  });

  test('counts each search, also one with the same number of links, and no refresh', async () => {
    await server.create({ originalUrl: TARGET, customAlias: 'second' }, token);
    const state = await openList();
    const before = state.loading.results.value;
    for (const words of ['first', 'second']) {
      state.filter({ words });
      await expect.poll(() => state.loading.isLoading.value).toBe(false);
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

  test('says why it cannot be read', async () => {
    server.isAway = true;
    const state = await openList();
    expect(state.loading.failure.value).toBe('unreachable');
    expect(state.loading.isLoading.value).toBe(false);
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
      server.clock.advance(1000);
      await server.create({ originalUrl: TARGET, customAlias }, token);
    }
    const state = await openList();
    server.isAway = true;
    await state.remove([state.loading.links.value[1] as ShownLink]);
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
    await expect.poll(() => aliases(state).sort()).toEqual(['first', 'second']);
    const [one, other] = state.loading.links.value as [ShownLink, ShownLink];
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
    expect(first(state).serverState?.status).toBe('inactive');
    await pausing;
    expect((await server.app.inject('/first')).statusCode).toBe(410);
    await state.undo.undoLast();
    expect((await server.app.inject('/first')).statusCode).toBe(302);
    expect(first(state).serverState?.status).toBeUndefined();
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
    await server.client.editLink({ alias: 'second', token }, { tags: ['a', 'elsewhere'] });
    state.select(state.loading.links.value, true);
    await state.tagSelected('new');
    expect((await onServer('first')).tags).toEqual(['new']);
    expect((await onServer('second')).tags).toEqual(['a', 'elsewhere', 'new']);
    expect(state.selected.value).toHaveLength(2);
    await state.undo.undoLast();
    expect((await onServer('first')).tags).toEqual([]);
  });

  test('are deleted as far as possible: the others stay, with the reason', async () => {
    await createMany(20);
    const state = await openList();
    await server.client.purgeLink({ alias: 'first', token });
    await state.remove(state.loading.links.value);
    expect(aliases(state)).toEqual(['first']);
    expect(state.failure.value).toBeDefined();
    await state.undo.undoLast();
    expect(aliases(state)).toHaveLength(21);
  });

  test('are no longer selected when the filter changes', async () => {
    const state = await openList();
    state.select(state.loading.links.value, true);
    state.filter({ words: 'f' });
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
    const list = await server.client.listLinks(token, { status });
    return list.ok ? list.data.total?.count : list.code;
  }

  test('are counted from the start', async () => {
    await createMany(120);
    const state = await openList();
    expect(state.loading.total.value).toEqual({ count: 121, isExact: true });
    await state.remove([first(state)]);
    expect(state.loading.total.value?.count).toBe(120);
    state.filter({ words: 'first' });
    await expect.poll(() => state.loading.total.value?.count).toBe(1);
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
    state.filter({ words: 'example' });
    await expect.poll(() => state.loading.isLoading.value).toBe(false);
    state.selectAll();
    await state.activateSelected(false);
    await state.allChanger.confirm();
    expect(await countOnServer('inactive')).toBe(62);
    await state.undo.undoLast();
    expect(await countOnServer('inactive')).toBe(0);
  });

  test('change as far as they can if the server goes away, and what changed can be undone', async () => {
    const state = await openAll();
    await state.tagSelected('new');
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
      const list = await server.client.listLinks(token, { tag: 'new' });
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
    await server.client.purgeLink({ alias: 'first', token });
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
    server.clock.advance(1);
    const body = { originalUrl: TARGET, customAlias: 'first', domain: 'go.example' };
    await server.create(body, token);
    for (const host of ['s.example', 'go.example']) {
      const { editing } = await openList({ editedAlias: `${host}/first` });
      expect(hostOf(editing.edited.value as ShownLink)).toBe(host);
    }
  });

  test.each(['FIRST', 'renamed'])('is found by %s, too', async (editedAlias) => {
    await server.client.editLink({ alias: 'first', token }, { customAlias: 'Renamed' });
    const state = await openList({ editedAlias });
    expect(state.editing.edited.value?.title).toBe('First');
  });

  test('saves only what was changed, and undo brings the previous values back', async () => {
    const state = await openList();
    state.editing.open(first(state));
    state.editing.change({ title: 'New', alias: 'renamed', maxVisits: '5', tags: ['x'] });
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
    await server.client.editLink({ alias: 'first', token }, before);
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
    const link = state.loading.links.value.find((one) => aliasOf(one) === 'first') as ShownLink;
    state.editing.open(link);
    state.editing.change({ alias: 'taken' });
    await state.editing.save();
    expect(state.editing.failure.value).toMatchObject({ code: 'alias_taken' });
    expect(state.editing.failure.value?.suggestions).toHaveLength(3);
    expect(state.editing.issues.value).toHaveProperty('alias');
    const expiry = '202612-01-01T12:00';
    state.editing.change({ alias: 'no spaces', expiry, maxVisits: '0', originalUrl: '' });
    const before = server.paths.length;
    await state.editing.save();
    expect(Object.keys(state.editing.issues.value).sort()).toEqual([
      'alias',
      'expiry',
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

describe('a form that is opened while another one is saved', () => {
  async function openBoth(change: { title?: string; alias?: string }) {
    await server.create({ originalUrl: TARGET, customAlias: 'second' }, token);
    const state = await openList();
    const link = (alias: string) =>
      state.loading.links.value.find((one) => aliasOf(one) === alias) as ShownLink;
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
    const state = await openBoth({ alias: 'second' });
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
    await state.tagSelected('new');
    await server.client.editLink({ alias: 'first', token }, { tags: ['new', 'elsewhere'] });
    await state.undo.undoLast();
    expect((await onServer('first')).tags).toEqual(['elsewhere']);
  });

  test('shows a restored link only where it belongs', async () => {
    const state = await openList();
    await state.remove([first(state)]);
    state.filter({ status: 'deleted' });
    await expect.poll(() => aliases(state)).toEqual(['first']);
    await state.undo.undoLast();
    expect(aliases(state)).toEqual([]);
    expect((await onServer('first')).status).toBe('active');
  });
});

describe('a link that was edited elsewhere meanwhile', () => {
  async function conflict(): Promise<State> {
    const state = await openList();
    state.editing.open(first(state));
    state.editing.change({ title: 'Mine' });
    await server.client.editLink({ alias: 'first', token }, { title: 'Theirs', tags: ['theirs'] });
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
    await server.client.editLink({ alias: 'first', token }, { rules: theirs });
    await state.editing.save();
    const rows = conflictRows(state.editing.conflict.value as Conflict);
    expect(rows).toMatchObject([{ label: 'Rules' }]);
    expect(rows[0]?.mine).toMatch(/^If the device is Phone, go to .*mine/);
    expect(rows[0]?.theirs).toMatch(/^If the visitor is in a random 30%, go to .*theirs/);
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
    await server.client.editLink({ alias: 'first', token }, { title: 'Theirs' });
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
      await server.client.editLink({ alias: 'first', token }, { title: 'Theirs' });
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
    const created = await server.client.shorten({ originalUrl }, { token });
    return created.ok ? { ok: true, data: toShownLink(created.data) } : noUrl;
  };

  async function openWithField(create = createOnServer) {
    const copied: string[] = [];
    const state = createLinksState({
      source,
      copy: async ({ shortUrl }) => copied.push(shortUrl) > 0,
      exportLinks: async () => undefined,
      newLink: { create },
      nowMs: () => 0,
    });
    await state.start();
    if (!state.newLink) throw new Error('There is no field');
    return { state, field: state.newLink, copied };
  }

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
      const page = await source.page({ words: 'first', tag: '' }, undefined);
      const data = page.ok && page.data.links[0];
      return data ? { ok: true, data, isExisting: true } : noUrl;
    });
    const shortUrl = `${server.origin}/first`;
    for (const isActive of [true, false]) {
      await server.client.editLink({ alias: 'first', token }, { isActive });
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
