import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { replaceToken } from '../../../../../extension/background/account/tokens.ts';
import {
  hideLink,
  listLinks,
  SAVED_MAX,
  saveLink,
} from '../../../../../extension/background/data/saved-links.ts';
import { createReadLinks } from '../../../../../extension/background/links/read-links.ts';
import { eraseData } from '../../../../../extension/background/messages/settings-messages.ts';
import { listQueued } from '../../../../../extension/background/queue/pending-requests.ts';
import { createQueue } from '../../../../../extension/background/queue/queue.ts';
import type { SavedLink } from '../../../../../extension/links/link.ts';
import { accountTokens, unsavedTokens } from '../../../../../extension/storage/items.ts';
import { reloadForAccount } from '../../../../../extension/ui/server/account-pages.tsx';
import { parseTokenText } from '../../../../../shared/accounts/token-text.ts';
import { linkEtag } from '../../../../../shared/links/link-etag.ts';
import type { LinkQuery } from '../../../../../shared/links/list-query.ts';
import { storeVisits, visit } from '../../../../api/visits/visiting.ts';
import { dataOf } from '../../../../support/data-of.ts';
import { type RealServer, startRealServer } from '../../../support/real-server.ts';
import { callInBackground, newBackground, newQueue } from '../../support/background.ts';
import { breakStorage, whenStored } from '../../support/browser-storage.ts';

const TARGET = 'https://example.com/page';

let server: RealServer;
let token: string;

beforeEach(async () => {
  fakeBrowser.reset();
  server = await startRealServer();
  token = await server.create({ originalUrl: TARGET, customAlias: 'first', title: 'First' });
  await replaceToken(server.origin, token);
});

const call: ReturnType<typeof callInBackground> = (...given) =>
  callInBackground(() => server.client, server.origin)(...given);
const read = (query: LinkQuery = {}, cursor?: string) =>
  createReadLinks(() => server.client).readLinks({
    serverOrigin: server.origin,
    query: { q: '', tag: '', ...query },
    cursor,
  });
const names = (links: SavedLink[]) =>
  links.map(({ shortUrl, title }) => `${new URL(shortUrl).pathname} ${title}`);
const saved = async () => names(await listLinks());

async function shown(query: LinkQuery = {}): Promise<string[]> {
  const page = dataOf(await read(query));
  expect(page.failure).toBeUndefined();
  return names(page.links);
}

/** The saved link with an alias. */
async function entry(alias: string): Promise<SavedLink> {
  const found = (await listLinks()).find(({ shortUrl }) => shortUrl.endsWith(`/${alias}`));
  if (!found) throw new Error(`No entry ${alias}`);
  return found;
}

/** A reader that runs a task after the server has responded. */
const interrupted = (task: () => Promise<unknown>) =>
  createReadLinks(() => ({
    ...server.client,
    async listLinks(...given: Parameters<RealServer['client']['listLinks']>) {
      const links = await server.client.listLinks(...given);
      await task();
      return links;
    },
  }));

describe('the list', () => {
  test('has the links that other browsers created, edited and deleted in the account', async () => {
    await server.create({ originalUrl: `${TARGET}/2`, customAlias: 'second', tags: ['x'] }, token);
    expect((await shown()).sort()).toEqual(['/first First', '/second ']);
    expect(await entry('second')).toMatchObject({ version: 1, tags: ['x'] });

    const first = { alias: 'first', token };
    await server.client.editLink({ ...first, body: { title: 'Edited', customAlias: 'new' } });
    await server.client.deleteLink({ alias: 'second', token });
    expect(await shown()).toEqual(['/new Edited']);
    expect(await saved()).toEqual(['/new Edited']);
    expect((await entry('new')).previousAliases).toEqual(['first']);
  });

  test('has the tags of the account, and those of the saved links while the server is away or has private ones', async () => {
    const tags = { originalUrl: TARGET, tags: ['a', 'B'] };
    for (const alias of ['one', 'two']) {
      await server.create({ ...tags, customAlias: alias }, token);
    }
    const { readTags } = createReadLinks(() => server.client);
    const ofServer = await readTags(server.origin);
    expect(await readTags()).toEqual({ ok: true, data: [] });
    await shown();
    server.isAway = true;
    expect(await readTags(server.origin)).toMatchObject({ data: ofServer.ok && ofServer.data });
    server.isAway = false;
    await hideLink('https://other.example', 'private');
    expect(await readTags(server.origin)).toEqual(ofServer);
    await hideLink(server.origin, (await entry('two')).id);
    await shown();
    expect(await readTags(server.origin)).toMatchObject({ data: [{ count: 1 }, { count: 1 }] });
  });

  test('comes in pages, of which the last 200 links are saved, each once', async () => {
    for (let batch = 0; batch < 4; batch += 1) {
      await server.clock.advance(60_000);
      const bodies = Array.from({ length: 55 }, (_, index) => ({
        originalUrl: `${TARGET}/${batch}/${index}`,
      }));
      expect(await server.client.createLinks({ body: bodies, token })).toMatchObject({ ok: true });
    }
    const first = dataOf(await read());
    expect(first.links).toHaveLength(100);
    // The second page is read ahead.
    await whenStored(async () => (await listLinks()).length === SAVED_MAX);
    const second = dataOf(await read({}, first.nextCursor));
    const third = dataOf(await read({}, second.nextCursor));
    expect(third.nextCursor).toBeUndefined();
    expect(names(third.links)).toContain('/first First');
    const all = await saved();
    expect(new Set(all).size).toBe(SAVED_MAX);
    expect(all).not.toContain('/first First');
  });

  test('has the URL as it was requested, which the server does not have', async () => {
    const created = dataOf(
      await server.client.createLink({ body: { originalUrl: 'example.com/typed' }, token }),
    );
    await saveLink(server.origin, 'example.com/typed', created, false);
    await shown();
    expect(await entry(created.alias)).toMatchObject({ requestedUrl: 'example.com/typed' });
  });

  test('is empty without an account, which is no failure', async () => {
    await accountTokens.update(() => ({}));
    const before = server.paths.length;
    const total = { count: 0, isExact: true };
    expect(await read()).toEqual({ ok: true, data: { links: [], total } });
    expect(server.paths).toHaveLength(before);
  });

  test('is shown and edited although storage is full', async () => {
    const unlimit = breakStorage();
    try {
      expect(await shown()).toEqual(['/first First']);
      const link = { serverOrigin: server.origin, shortUrl: `${server.origin}/first` };
      expect(await call('editLink', { link, body: { title: 'Edited' } })).toMatchObject({
        ok: true,
        data: { title: 'Edited' },
      });
    } finally {
      unlimit();
    }
    expect(await saved()).toEqual([]);
  });

  test('does not undo a change that is made while it is read', async () => {
    await shown();
    await interrupted(async () =>
      call('editLink', { link: await entry('first'), body: { title: 'Meanwhile' } }),
    ).saveNewest(server.origin);
    expect(await saved()).toEqual(['/first Meanwhile']);
  });

  test('of an account that is no longer in use is not saved', async () => {
    await interrupted(() => replaceToken(server.origin, 'curt_other')).saveNewest(server.origin);
    expect(await saved()).toEqual([]);
  });
});

describe('links of private windows', () => {
  const totalOf = async (cursor?: string) => {
    const page = await read({}, cursor);
    return page.ok ? page.data.total : page;
  };

  test('are not in the total', async () => {
    const request = { originalUrl: `${TARGET}/secret` };
    const { id } = dataOf(await server.client.createLink({ body: request, token }));
    expect(await totalOf()).toEqual({ count: 2, isExact: true });
    await hideLink(server.origin, id);
    expect(await totalOf()).toEqual({ count: 1, isExact: true });
  });

  test('make the total a lower bound if they may be on later pages, and not if they are on the first', async () => {
    const createPrivate = async () => {
      const request = { originalUrl: `${TARGET}/secret` };
      const { id } = dataOf(await server.client.createLink({ body: request, token }));
      await server.clock.advance(60_000);
      return id;
    };
    const oldest = await createPrivate();
    const text = Array.from({ length: 100 }, (_, at) => `${TARGET}/page/${at}\n`).join('');
    dataOf(await server.client.importLinks({ token, file: `originalUrl\n${text}` }));
    await server.clock.advance(60_000);
    await hideLink(server.origin, await createPrivate());
    expect(await totalOf()).toEqual({ count: 102, isExact: true });
    await hideLink(server.origin, oldest);
    expect(await totalOf()).toEqual({ count: 100, isExact: false });
  });

  test('are left out if they are in the account', async () => {
    const request = { originalUrl: `${TARGET}/secret` };
    const { id, alias } = dataOf(await server.client.createLink({ body: request, token }));
    await hideLink(server.origin, id);
    expect(await shown()).toEqual(['/first First']);
    expect(JSON.stringify(await fakeBrowser.storage.local.get())).not.toContain('secret');
    await server.client.deleteLink({ alias, token });
    expect(await shown({ status: 'deleted' })).toEqual([]);
  });

  test('leave the saved ones, too', async () => {
    await shown();
    await hideLink(server.origin, (await entry('first')).id);
    expect(await shown()).toEqual([]);
    expect(await saved()).toEqual([]);
  });

  test('are left out of the most visited ones', async () => {
    await server.create({ originalUrl: `${TARGET}/secret`, customAlias: 'secret' }, token);
    await shown();
    await visit(server, '/first');
    await visit(server, '/secret');
    const top = async () => {
      const report = await call('getStatistics', {});
      return report.ok && report.data.topLinks.map(({ alias }) => alias).sort();
    };
    await storeVisits(server);
    expect(await top()).toEqual(['first', 'secret']);
    await hideLink(server.origin, (await entry('secret')).id);
    await shown();
    expect(await top()).toEqual(['first']);
  });

  test('are left out of an account whose token is not on disk', async () => {
    await accountTokens.update(() => ({}));
    await unsavedTokens.update(() => ({ [server.origin]: token }));
    const queue = newQueue(() => server.client);
    const request = { originalUrl: `${TARGET}/secret` };
    const created = await queue.create({ origin: server.origin, request, isPrivate: true });
    expect(created).toMatchObject({ ok: true });
    expect(await shown()).toEqual(['/first First']);
  });

  describe('are left out if their response was lost', () => {
    let isLost: boolean;
    let calls: number;
    let notified: string[];
    const link = () => ({
      origin: server.origin,
      request: { originalUrl: `${TARGET}/secret` },
      isPrivate: true,
    });
    /** The queue of a server whose responses get lost. */
    async function loseResponse() {
      await shown();
      isLost = true;
      calls = 0;
      notified = [];
      const clientOf = () => ({
        ...server.client,
        async createLink(...given: Parameters<RealServer['client']['createLink']>) {
          calls += 1;
          const created = await server.client.createLink(...given);
          return isLost
            ? { ok: false as const, code: 'unreachable' as const, message: '' }
            : created;
        },
      });
      const onDeferred = async (id: string) => void notified.push(id);
      const queue = createQueue({
        clientOf,
        onDeferred,
        onUnsaved: async () => {},
        nowMs: server.clock.now,
      });
      expect(await queue.create(link())).toMatchObject({ ok: false, code: 'unreachable' });
      return queue;
    }

    test('before and after the retry', async () => {
      const queue = await loseResponse();
      expect(await shown()).toEqual(['/first First']);
      expect(await shown({ q: 'secret' })).toEqual([]);

      isLost = false;
      expect(await queue.create(link())).toMatchObject({ ok: true });
      await server.create({ originalUrl: `${TARGET}/2`, customAlias: 'second' }, token);
      expect((await shown()).sort()).toEqual(['/first First', '/second ']);
      expect(JSON.stringify(await fakeBrowser.storage.local.get())).not.toContain('secret');
    });

    test('and the request is discarded: it is never sent again', async () => {
      const queue = await loseResponse();
      const [queued] = await listQueued(true);
      await queue.discard(queued?.id ?? '');
      expect(await listQueued(true)).toEqual([]);
      const sent = calls;
      await queue.retryAll('all');
      expect(calls).toBe(sent);

      await server.create({ originalUrl: `${TARGET}/2`, customAlias: 'second' }, token);
      expect((await shown()).sort()).toEqual(['/first First', '/second ']);
      // A later link of the same URL is one that somebody wants.
      await server.create({ originalUrl: `${TARGET}/secret`, customAlias: 'third' }, token);
      expect((await shown()).sort()).toEqual(['/first First', '/second ', '/third ']);
      expect(notified).toEqual([]);
    });

    test('and the request is discarded while the server is verified for its retry', async () => {
      const queue = await loseResponse();
      const [queued] = await listQueued(true);
      const sent = calls;
      const retried = queue.retryAll('all');
      await queue.discard(queued?.id ?? '');
      await retried;
      expect(calls).toBe(sent);
      expect(await shown()).toEqual(['/first First']);
      expect(notified).toEqual([]);
    });

    test('and the request is discarded, although the list has another link of the URL', async () => {
      await server.create({ originalUrl: `${TARGET}/secret`, customAlias: 'own' }, token);
      const queue = await loseResponse();
      const [queued] = await listQueued(true);
      await queue.discard(queued?.id ?? '');
      expect((await shown()).sort()).toEqual(['/first First', '/own ']);
    });

    test('and the request is discarded, together with another one of the URL', async () => {
      const queue = await loseResponse();
      const request = { originalUrl: `${TARGET}/secret`, customAlias: 'other' };
      expect(await queue.create({ ...link(), request })).toMatchObject({ ok: false });
      for (const { id } of await listQueued(true)) await queue.discard(id);
      expect(await shown()).toEqual(['/first First']);
    });

    test('and the request is discarded, although an earlier one of the URL succeeded', async () => {
      const queue = await loseResponse();
      isLost = false;
      expect(await queue.create(link())).toMatchObject({ ok: true });
      isLost = true;
      const request = { originalUrl: `${TARGET}/secret`, customAlias: 'other' };
      expect(await queue.create({ ...link(), request })).toMatchObject({ ok: false });
      const [queued] = await listQueued(true);
      await queue.discard(queued?.id ?? '');
      expect(await shown()).toEqual(['/first First']);
    });

    test('and the request is discarded, but made again', async () => {
      const queue = await loseResponse();
      const [queued] = await listQueued(true);
      await queue.discard(queued?.id ?? '');
      expect(await queue.create(link())).toMatchObject({ ok: false });
      expect(await listQueued(true)).toHaveLength(1);
    });
  });
});

describe('a link of the account', () => {
  beforeEach(() => shown());

  test('is edited on the server and among the saved links, and found for its new target', async () => {
    const target = `${TARGET}/new`;
    const changes = { originalUrl: target, customAlias: 'renamed', tags: ['a'] };
    const answer = await call('editLink', { link: await entry('first'), body: changes });
    expect(answer).toMatchObject({ ok: true, data: { requestedUrl: target } });
    expect(await saved()).toEqual(['/renamed First']);
    expect(await entry('renamed')).toMatchObject({
      originalUrl: target,
      requestedUrl: target,
      version: 2,
      tags: ['a'],
      previousAliases: ['first'],
    });
  });

  test('is saved once, although the message with the edit came twice', async () => {
    const before = await entry('first');
    const ifMatch = linkEtag(before);
    const changes = { title: 'Mine', customAlias: 'renamed', tags: ['b', ' a '] };
    const send = () => call('editLink', { link: before, body: changes, ifMatch });
    const first = await send();
    expect(first).toMatchObject({ ok: true, data: { title: 'Mine' } });
    expect(await send()).toEqual(first);
    expect(await entry('renamed')).toMatchObject({ version: 2 });
  });

  test('that is restored has again what only this browser knows', async () => {
    const created = dataOf(
      await server.client.createLink({ body: { originalUrl: 'example.com/typed' }, token }),
    );
    await saveLink(server.origin, 'example.com/typed', created, false);
    const link = await entry(created.alias);
    await call('deleteLink', { link });
    await call('restoreLink', { link });
    expect(await entry(created.alias)).toMatchObject({ requestedUrl: 'example.com/typed' });
  });

  test.each<[string, (origin: string) => Promise<void>]>([
    ['the data is erased', eraseData],
    ['another token is used', (origin) => replaceToken(origin, 'curt_other')],
  ])('is not changed among the saved ones if %s during a call', async (_, change) => {
    const link = await entry('first');
    const during = {
      ...server.client,
      async editLink(...given: Parameters<RealServer['client']['editLink']>) {
        const edited = await server.client.editLink(...given);
        await change(server.origin);
        return edited;
      },
    };
    const callDuring = callInBackground(() => during, server.origin);
    const edited = await callDuring('editLink', { link, body: { title: 'Edited' } });
    expect(edited).toMatchObject({ ok: true, data: { title: 'Edited' } });
    expect(await saved()).not.toContain('/first Edited');
  });
});

describe('the saved links are those of the account in use', () => {
  const handlers = () => newBackground(() => server.client);
  let other: string;

  beforeEach(async () => {
    other = await server.create({ originalUrl: TARGET, customAlias: 'theirs' });
    await shown();
  });

  test('after another token is pasted, and after the previous one is restored', async () => {
    const { replaceToken: paste, restoreToken: restore, listServers } = handlers();
    await paste({ origin: server.origin, token: other });
    await whenStored(async () => (await saved()).join() === '/theirs ');
    server.isAway = true;
    const request = { originalUrl: `${TARGET}/queued` };
    const queue = newQueue(() => server.client);
    await queue.create({ origin: server.origin, request, isPrivate: false });
    server.isAway = false;
    const accounts = await listServers({});
    const [replacedAt = ''] = accounts.ok ? (accounts.data[0]?.replacedAt ?? []) : [];
    await restore({ origin: server.origin, replacedAt });
    await whenStored(async () => (await saved()).join() === '/first First');
    // Sent again, in the other account.
    await whenStored(async () => (await listQueued(false)).length === 0);
  });

  test('after an address with a code is pasted, which gives the browser a token of its own', async () => {
    const { url } = dataOf(await server.client.createSignInCode({ token: other }));
    const pasted = { origin: server.origin, token: parseTokenText(url)?.token ?? '' };
    expect(await handlers().replaceToken(pasted)).toMatchObject({ ok: true });
    await whenStored(async () => (await saved()).join() === '/theirs ');
    const { [server.origin]: own } = await accountTokens.read();
    expect([token, other, pasted.token]).not.toContain(own);
    expect(dataOf(await server.client.listTokens({ token: other }))).toHaveLength(2);
    expect(await handlers().replaceToken(pasted)).toMatchObject({
      ok: false,
      code: 'code_invalid',
    });
  });

  test('after its token is removed: there are none', async () => {
    await handlers().removeToken({ origin: server.origin });
    expect(await saved()).toEqual([]);
  });

  test('and the open pages of its server are reloaded', async () => {
    const reload = vi.fn();
    vi.stubGlobal('location', { reload });
    onTestFinished(() => void vi.unstubAllGlobals());
    reloadForAccount(server.origin);
    reloadForAccount('https://other.example');
    const { replaceToken: paste, removeToken, eraseData: erase } = handlers();
    await paste({ origin: server.origin, token: other });
    expect(reload).toHaveBeenCalledTimes(1);
    await removeToken({ origin: server.origin });
    expect(reload).toHaveBeenCalledTimes(2);
    await erase({});
    expect(reload).toHaveBeenCalledTimes(4);
  });
});

describe.each(['json', 'csv'] as const)('a file of all links (%s)', (format) => {
  test('is exported, and imported once', async () => {
    const exported = dataOf(await call('exportLinks', { format }));
    expect(exported).toContain(TARGET);
    expect(exported.startsWith('\ufeff"')).toBe(format === 'csv');
    await server.client.deleteLink({ alias: 'first', token, purge: true });
    const file = { file: Buffer.from(exported).toString('base64'), dryRun: false };
    await shown();
    expect(await call('importLinks', file)).toMatchObject({ data: { imported: 1 } });
    expect(await call('importLinks', file)).toMatchObject({
      data: { imported: 0, duplicates: 1 },
    });
    expect(await shown()).toEqual(['/first First']);
  });

  test('has those alone that match', async () => {
    await server.create({ originalUrl: TARGET, customAlias: 'tagged', tags: ['sale'] }, token);
    const exported = dataOf(await call('exportLinks', { format, tag: 'sale' }));
    expect(exported).toContain('/tagged');
    expect(exported).not.toContain('/first');
  });

  test('needs an account', async () => {
    await accountTokens.update(() => ({}));
    const exported = await call('exportLinks', { format });
    expect(exported).toMatchObject({ code: 'token_required' });
  });
});
