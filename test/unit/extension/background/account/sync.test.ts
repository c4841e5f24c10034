import { beforeEach, describe, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { createManageLinks } from '../../../../../extension/background/account/manage-links.ts';
import { createSync } from '../../../../../extension/background/account/sync.ts';
import { addLinks, listLinks } from '../../../../../extension/background/links/link-list.ts';
import {
  hideLink,
  saveLink,
  toLinkSummary,
} from '../../../../../extension/background/links/link-store.ts';
import { listQueued } from '../../../../../extension/background/queue/pending-requests.ts';
import { createQueue } from '../../../../../extension/background/queue/queue.ts';
import { replaceToken } from '../../../../../extension/background/server/tokens.ts';
import type { ListedLink } from '../../../../../extension/links/link.ts';
import { accountTokens, unsavedTokens } from '../../../../../extension/storage/items.ts';
import { linkEtag } from '../../../../../shared/links/link-etag.ts';
import { type RealServer, startRealServer } from '../../../support/real-server.ts';

const TARGET = 'https://example.com/page';
const SYNCED_AT = Date.UTC(2030, 0, 1);

let server: RealServer;
let token: string;

beforeEach(async () => {
  fakeBrowser.reset();
  server = await startRealServer();
  token = await server.create({ originalUrl: TARGET, customAlias: 'first', title: 'First' });
  await replaceToken(server.origin, token);
});

const sync = () => createSync(() => server.client, { nowMs: () => SYNCED_AT }).syncAll();
const manage = () => createManageLinks(() => server.client);
const shown = async () =>
  (await listLinks()).map(({ shortUrl, title }) => `${new URL(shortUrl).pathname} ${title}`);

/** The entry of an alias in the list. */
async function entry(alias: string): Promise<ListedLink> {
  const found = (await listLinks()).find(({ shortUrl }) => shortUrl.endsWith(`/${alias}`));
  if (!found) throw new Error(`No entry ${alias}`);
  return found;
}

/** An entry that no account of the server has. */
function localLink(alias: string): ListedLink {
  return {
    shortUrl: `${server.origin}/${alias}`,
    originalUrl: TARGET,
    title: alias,
    created: '2020-01-01T00:00:00.000Z',
    expiresAt: null,
    hasPassword: false,
    waitTimerSeconds: 0,
    serverOrigin: server.origin,
    requestedUrl: TARGET,
  };
}

describe('the list', () => {
  test('gets the links that other browsers created, edited and deleted in the account', async () => {
    await server.create({ originalUrl: `${TARGET}/2`, customAlias: 'second', tags: ['x'] }, token);
    expect(await sync()).toEqual([
      { serverOrigin: server.origin, syncedAtMs: SYNCED_AT, missing: 0 },
    ]);
    expect((await shown()).sort()).toEqual(['/first First', '/second ']);
    expect((await entry('second')).managed).toMatchObject({ version: 1, tags: ['x'] });

    await server.client.editLink(
      { alias: 'first', token },
      { title: 'Edited', customAlias: 'new' },
    );
    await server.client.deleteLink({ alias: 'second', token });
    await sync();
    expect(await shown()).toEqual(['/new Edited']);
    expect((await entry('new')).managed?.furtherAliases).toEqual(['first']);
  });

  test('has every link once, also more than a page and saved here before', async () => {
    const created = await server.client.shorten({ originalUrl: `${TARGET}/mine` }, { token });
    if (!created.ok) throw new Error(created.message);
    const mine = toLinkSummary(created.data, 'Title of the page');
    await saveLink(server.origin, `${TARGET}/mine`, mine, false);
    for (let batch = 0; batch < 2; batch += 1) {
      const bodies = Array.from({ length: 60 }, (_, index) => ({
        originalUrl: `${TARGET}/${batch}/${index}`,
      }));
      await server.client.shortenAll(bodies, { token });
    }
    await sync();
    await sync();
    const all = await listLinks();
    expect(all).toHaveLength(122);
    expect(new Set(all.map(({ shortUrl }) => shortUrl)).size).toBe(122);
    // The server has no title: the page's stays.
    expect(all.map(({ title }) => title)).toContain('Title of the page');
  });

  test('never loses an entry that only this browser has', async () => {
    await addLinks([localLink('local')]);
    const elsewhere = { ...localLink('elsewhere'), serverOrigin: 'https://other.example' };
    await addLinks([elsewhere]);
    await sync();
    expect(await entry('local')).toEqual(localLink('local'));
    expect(await entry('elsewhere')).toEqual(elsewhere);

    // The token of another account: the links of the previous one stay, but cannot be managed.
    await replaceToken(server.origin, await server.create({ originalUrl: TARGET }));
    await sync();
    expect((await entry('first')).managed).toBeUndefined();
    expect(await listLinks()).toHaveLength(4);
    const answer = await manage().deleteLink(await entry('first'));
    expect(answer).toMatchObject({ ok: false, code: 'not_found' });
    expect(await listLinks()).toHaveLength(4);
  });

  test('stays as it is while the server is away, and says when it was read', async () => {
    await sync();
    const before = await listLinks();
    server.isAway = true;
    expect(await createSync(() => server.client).syncAll()).toMatchObject([
      { syncedAtMs: SYNCED_AT, failure: { code: 'unreachable' } },
    ]);
    expect(await listLinks()).toEqual(before);
  });

  test('keeps entries that change while the account is read', async () => {
    await sync();
    const slow = createSync(() => ({
      ...server.client,
      async listAllLinks(...given: Parameters<RealServer['client']['listAllLinks']>) {
        const links = await server.client.listAllLinks(...given);
        if (!given[1]?.status) {
          await manage().editLink(await entry('first'), { title: 'Meanwhile' }, undefined);
        }
        return links;
      },
    }));
    await slow.syncAll();
    expect(await shown()).toEqual(['/first Meanwhile']);
  });

  test('leaves out links that private windows created in the account', async () => {
    const created = await server.client.shorten({ originalUrl: `${TARGET}/secret` }, { token });
    if (!created.ok) throw new Error(created.message);
    await hideLink(created.data.id);
    await sync();
    expect(await shown()).toEqual(['/first First']);
    expect(JSON.stringify(await fakeBrowser.storage.local.get())).not.toContain('secret');
  });

  describe('leaves out a link of a private window whose response was lost', () => {
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
      await sync();
      isLost = true;
      calls = 0;
      notified = [];
      const clientOf = () => ({
        ...server.client,
        async shorten(...given: Parameters<RealServer['client']['shorten']>) {
          calls += 1;
          const created = await server.client.shorten(...given);
          return isLost
            ? { ok: false as const, code: 'unreachable' as const, message: '' }
            : created;
        },
      });
      const onDeferred = async (id: string) => void notified.push(id);
      const queue = createQueue({ clientOf, onDeferred, nowMs: server.clock.read });
      expect(await queue.create(link())).toMatchObject({ ok: false, code: 'unreachable' });
      return queue;
    }

    test('before and after the retry', async () => {
      const queue = await loseResponse();
      await sync();
      expect(await shown()).toEqual(['/first First']);

      isLost = false;
      expect(await queue.create(link())).toMatchObject({ ok: true });
      await server.create({ originalUrl: `${TARGET}/2`, customAlias: 'second' }, token);
      await sync();
      expect((await shown()).sort()).toEqual(['/first First', '/second ']);
      expect(JSON.stringify(await fakeBrowser.storage.local.get())).not.toContain('secret');
    });

    test('and whose request is discarded: it is never sent again', async () => {
      const queue = await loseResponse();
      const [queued] = await listQueued(true);
      await queue.discard(queued?.id ?? '');
      expect(await listQueued(true)).toEqual([]);
      const sent = calls;
      await queue.retryAll('all');
      expect(calls).toBe(sent);

      await server.create({ originalUrl: `${TARGET}/2`, customAlias: 'second' }, token);
      await sync();
      expect((await shown()).sort()).toEqual(['/first First', '/second ']);
      // A later link of the same URL is one that somebody wants.
      await server.create({ originalUrl: `${TARGET}/secret`, customAlias: 'third' }, token);
      await sync();
      expect((await shown()).sort()).toEqual(['/first First', '/second ', '/third ']);
      expect(notified).toEqual([]);
    });

    test('and whose request is discarded, although the list has another link of the URL', async () => {
      await server.create({ originalUrl: `${TARGET}/secret`, customAlias: 'own' }, token);
      const queue = await loseResponse();
      const [queued] = await listQueued(true);
      await queue.discard(queued?.id ?? '');
      await sync();
      expect((await shown()).sort()).toEqual(['/first First', '/own ']);
    });

    test('and whose request is discarded, together with another one of the URL', async () => {
      const queue = await loseResponse();
      const request = { originalUrl: `${TARGET}/secret`, customAlias: 'other' };
      expect(await queue.create({ ...link(), request })).toMatchObject({ ok: false });
      for (const { id } of await listQueued(true)) await queue.discard(id);
      await sync();
      expect(await shown()).toEqual(['/first First']);
    });

    test('and whose request is discarded, although an earlier one of the URL succeeded', async () => {
      const queue = await loseResponse();
      isLost = false;
      expect(await queue.create(link())).toMatchObject({ ok: true });
      isLost = true;
      const request = { originalUrl: `${TARGET}/secret`, customAlias: 'other' };
      expect(await queue.create({ ...link(), request })).toMatchObject({ ok: false });
      const [queued] = await listQueued(true);
      await queue.discard(queued?.id ?? '');
      await sync();
      expect(await shown()).toEqual(['/first First']);
    });

    test('and whose request is discarded, but made again', async () => {
      const queue = await loseResponse();
      const [queued] = await listQueued(true);
      await queue.discard(queued?.id ?? '');
      expect(await queue.create(link())).toMatchObject({ ok: false });
      expect(await listQueued(true)).toHaveLength(1);
    });
  });

  test('loses a link that turns out to be of a private window', async () => {
    await sync();
    await hideLink((await entry('first')).managed?.id ?? '');
    await sync();
    expect(await shown()).toEqual([]);
    await server.client.deleteLink({ alias: 'first', token });
    expect(await manage().readDeleted()).toEqual({ ok: true, data: [] });
  });

  test('leaves out a private window’s link in an account whose token is not on disk', async () => {
    await accountTokens.update(() => ({}));
    await unsavedTokens.update(() => ({ [server.origin]: token }));
    const queue = createQueue({ clientOf: () => server.client, onDeferred: async () => {} });
    const request = { originalUrl: `${TARGET}/secret` };
    const created = await queue.create({ origin: server.origin, request, isPrivate: true });
    expect(created).toMatchObject({ ok: true });
    await sync();
    expect(await shown()).toEqual(['/first First']);
  });

  test('knows which links of other browsers load a container', async () => {
    const request = { originalUrl: `${TARGET}/tracked`, customGtmId: 'GTM-ABC1234' };
    await server.create({ ...request, customAlias: 'tracked' }, token);
    await sync();
    expect(await entry('tracked')).toMatchObject({ hasContainer: true });
    await server.client.editLink({ alias: 'tracked', token }, { customGtmId: null });
    await sync();
    expect((await entry('tracked')).hasContainer).toBeUndefined();
  });

  test('writes nothing if nothing changed', async () => {
    await sync();
    const written: string[] = [];
    fakeBrowser.storage.onChanged.addListener((changes: object) => {
      written.push(...Object.keys(changes).filter((key) => key.startsWith('links:')));
    });
    await sync();
    expect(written).toEqual([]);
  });
});

test('a server without a list of links is reported, and its links can only be removed here', async () => {
  await sync();
  const older = createSync(() => ({
    ...server.client,
    listAllLinks: async () => ({
      ok: false,
      code: 'not_found',
      message: 'No such route.',
      status: 404,
    }),
  }));
  expect(await older.syncAll()).toMatchObject([{ isOlder: true, syncedAtMs: SYNCED_AT }]);
  expect((await entry('first')).managed).toBeUndefined();
});

describe('a link of the account', () => {
  beforeEach(sync);

  test('is edited on the server and in the list, and listed for its new target', async () => {
    const target = `${TARGET}/new`;
    const changes = { originalUrl: target, customAlias: 'renamed', tags: ['a'] };
    const answer = await manage().editLink(await entry('first'), changes, undefined);
    expect(answer).toMatchObject({ ok: true, data: { requestedUrl: target } });
    expect(await shown()).toEqual(['/renamed First']);
    expect(await entry('renamed')).toMatchObject({
      originalUrl: target,
      requestedUrl: target,
      managed: { version: 2, tags: ['a'], furtherAliases: ['first'] },
    });
    expect(Object.keys(await fakeBrowser.storage.local.get())).toContain(
      `links:${server.origin} ${target}`,
    );
  });

  test('that was edited elsewhere is not overwritten, but shown as it is', async () => {
    const before = await entry('first');
    await server.client.editLink({ alias: 'first', token }, { title: 'Theirs' });
    const ifMatch = linkEtag(before.managed as { id: string; version: number });
    const answer = await manage().editLink(before, { title: 'Mine' }, ifMatch);
    expect(answer).toMatchObject({ code: 'version_mismatch', current: { title: 'Theirs' } });
    expect(await shown()).toEqual(['/first Theirs']);
  });

  test('is deleted, listed as deleted, restored and erased', async () => {
    const link = await entry('first');
    expect(await manage().deleteLink(link)).toEqual({ ok: true, data: true });
    expect(await listLinks()).toEqual([]);
    expect((await server.app.inject('/first')).statusCode).toBe(410);
    expect(await manage().readDeleted()).toMatchObject({
      data: [{ shortUrl: link.shortUrl, managed: { status: 'deleted' } }],
    });
    expect(await manage().undeleteLink(link)).toMatchObject({ ok: true });
    expect(await shown()).toEqual(['/first First']);
    expect(await manage().purgeLink(link)).toEqual({ ok: true, data: true });
    expect(await manage().readDeleted()).toEqual({ ok: true, data: [] });
  });

  test('that is restored has again what only this browser knows', async () => {
    const created = await server.client.shorten({ originalUrl: 'example.com/typed' }, { token });
    if (!created.ok) throw new Error(created.message);
    const mine = toLinkSummary(created.data, 'Title of the page');
    await saveLink(server.origin, 'example.com/typed', mine, false);
    const link = await entry(created.data.alias);
    await manage().deleteLink(link);
    await manage().undeleteLink(link);
    expect(await entry(created.data.alias)).toMatchObject({
      title: 'Title of the page',
      requestedUrl: 'example.com/typed',
    });
  });

  test('is listed as deleted even if another server is away', async () => {
    await manage().deleteLink(await entry('first'));
    await replaceToken('https://away.example', 'curt_other');
    const unreachable = { ok: false as const, code: 'unreachable' as const, message: '' };
    const clientOf = (origin: string) =>
      origin === server.origin
        ? server.client
        : { ...server.client, listAllLinks: async () => unreachable };
    expect(await createManageLinks(clientOf).readDeleted()).toMatchObject({
      ok: true,
      data: [{ originalUrl: TARGET }],
    });
    server.isAway = true;
    expect(await createManageLinks(clientOf).readDeleted()).toMatchObject({ code: 'unreachable' });
  });

  test('stays in the list if the server is away', async () => {
    server.isAway = true;
    const link = await entry('first');
    expect(await manage().deleteLink(link)).toMatchObject({ code: 'unreachable' });
    expect(await manage().editLink(link, { title: 'x' }, undefined)).toMatchObject({
      code: 'unreachable',
    });
    expect(await listLinks()).toEqual([link]);
  });
});
