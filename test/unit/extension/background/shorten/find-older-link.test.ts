import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { createManageLinks } from '../../../../../extension/background/account/manage-links.ts';
import { eraseData } from '../../../../../extension/background/data/erase.ts';
import { readSettings, saveSettings } from '../../../../../extension/background/data/settings.ts';
import {
  changeLinks,
  linksOf,
  removeLink,
  SAVED_MAX,
} from '../../../../../extension/background/links/saved-links.ts';
import { createQueue } from '../../../../../extension/background/queue/queue.ts';
import { replaceToken } from '../../../../../extension/background/server/tokens.ts';
import { createShorten } from '../../../../../extension/background/shorten/shorten.ts';
import { type RealServer, startRealServer } from '../../../support/real-server.ts';
import { aLink } from '../../support/a-link.ts';
import { limitStorage } from '../../support/browser-storage.ts';

const PAGE = 'https://example.com/page?of=long%20ago';

let server: RealServer;
let token: string;

/** An account with a link that this browser does not know. */
beforeEach(async () => {
  // However busy the machine is, the server confirms in time.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  fakeBrowser.reset();
  server = await startRealServer();
  token = await server.create({ originalUrl: PAGE, customAlias: 'older' });
  await saveSettings({ serverOrigin: server.origin });
  await replaceToken(server.origin, token);
});
afterEach(() => {
  vi.useRealTimers();
});

/** Saves links that are newer than all others. @param nextCursor null if the account has no others */
async function save(count: number, nextCursor?: null): Promise<void> {
  const links = Array.from({ length: count }, (_, number) => {
    const originalUrl = `https://example.com/${number}`;
    const link = aLink({ shortUrl: `${server.origin}/newer-${number}`, originalUrl });
    return { ...link, requestedUrl: originalUrl, serverOrigin: server.origin };
  });
  await changeLinks(server.origin, () => ({ links, nextCursor }));
}

async function shorten(
  originalUrl = PAGE,
  {
    isPrivate = false,
    reuseExisting = true,
  }: { isPrivate?: boolean; reuseExisting?: boolean } = {},
) {
  const clientOf = () => server.client;
  const queue = createQueue({ clientOf, onDeferred: async () => {} });
  const run = createShorten(queue, createManageLinks(clientOf), clientOf);
  const input = { request: { originalUrl }, isPrivate, title: '' };
  return run(input, await readSettings(), { reuseExisting });
}

const searches = () => server.paths.filter((path) => path.startsWith('GET /api/links?'));

test('a link that is older than all saved ones is reused, and saved', async () => {
  await save(SAVED_MAX);
  const shortUrl = `${server.origin}/older`;
  expect(await shorten()).toMatchObject({
    status: 'existing',
    result: { data: { shortUrl }, isExisting: true },
  });
  expect(searches()).toHaveLength(1);
  expect((await linksOf(server.origin))[0]).toMatchObject({ shortUrl, requestedUrl: PAGE });
  expect(await linksOf(server.origin)).toHaveLength(SAVED_MAX);
});

test('a link that an incomplete list lacks is reused, but not saved if the data is erased meanwhile', async () => {
  const shortUrl = `${server.origin}/older`;
  await save(1);
  const { listLinks } = server.client;
  server.client.listLinks = async (...given) => {
    const page = await listLinks(...given);
    await eraseData();
    return page;
  };
  expect(await shorten()).toMatchObject({ status: 'existing', result: { data: { shortUrl } } });
  expect(await linksOf(server.origin)).toEqual([]);
});

test('a server that is another one by now gets no URL and no token', async () => {
  server.client.health = async () => ({ ok: false, code: 'not_curt', message: '' });
  const before = [...server.paths];
  await shorten();
  expect(server.paths).toEqual(before);
});

test('a link that an incomplete list lacks is reused, even if the storage is too full to save it', async () => {
  onTestFinished(limitStorage(1));
  const shortUrl = `${server.origin}/older`;
  expect(await shorten()).toMatchObject({ status: 'existing', result: { data: { shortUrl } } });
});

test('a link that has options, is paused, or belongs to a similar URL is not reused', async () => {
  await save(SAVED_MAX);
  await server.client.editLink({ alias: 'older', token }, { isActive: false });
  await server.create({ originalUrl: PAGE, waitTimer: 5 }, token);
  await server.create({ originalUrl: `${PAGE}#more` }, token);
  expect(await shorten()).toMatchObject({ status: 'created' });
  expect(searches()).toHaveLength(1);
});

test('a new link is created if the server does not find one', async () => {
  await save(SAVED_MAX);
  expect(await shorten('https://example.com/new')).toMatchObject({ status: 'created' });
});

test('the server is not asked if all links of the account are saved', async () => {
  await save(SAVED_MAX - 1, null);
  expect(await shorten()).toMatchObject({ status: 'created' });
  // From the next one on, the oldest is not saved any more.
  expect(await shorten('https://example.com/one-more')).toMatchObject({ status: 'created' });
  expect(searches()).toEqual([]);
  await removeLink({ serverOrigin: server.origin, shortUrl: `${server.origin}/newer-0` });
  expect(await shorten('https://example.com/two-more')).toMatchObject({ status: 'created' });
  expect(searches()).toHaveLength(1);
});

test('the server is not asked for a private window, for another link, or before a secret is confirmed', async () => {
  await save(SAVED_MAX);
  expect(await shorten(PAGE, { isPrivate: true })).toMatchObject({ status: 'created' });
  expect(await shorten(PAGE, { reuseExisting: false })).toMatchObject({ status: 'created' });
  const secret = 'https://example.com/?token=q8Zr2LmX0vNf4TbK9sYd';
  expect(await shorten(secret)).toMatchObject({ status: 'needsConfirmation' });
  expect(searches()).toEqual([]);
});

test('the request is queued as before if the server is away', async () => {
  await save(SAVED_MAX);
  server.isAway = true;
  expect(await shorten()).toMatchObject({ status: 'queued' });
});
