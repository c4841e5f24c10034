import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import {
  readDomains,
  refreshDomains,
} from '../../../../../extension/background/account/account-domains.ts';
import { invalidateServer } from '../../../../../extension/background/account/servers.ts';
import { replaceToken } from '../../../../../extension/background/account/tokens.ts';
import { listLinks, saveLink } from '../../../../../extension/background/data/saved-links.ts';
import { saveSettings } from '../../../../../extension/background/data/settings.ts';
import { eraseData } from '../../../../../extension/background/messages/settings-messages.ts';
import { runStorageExclusive } from '../../../../../extension/storage/define-item.ts';
import {
  accountDomains,
  accountTokens,
  knownServers,
} from '../../../../../extension/storage/items.ts';
import { StorageError } from '../../../../../extension/storage/stored-area.ts';
import { domainOf } from '../../../../store/contract/domains.ts';
import { type RealServer, startRealServer } from '../../../support/real-server.ts';
import { callInBackground, newBackground } from '../../support/background.ts';
import { breakStorage } from '../../support/browser-storage.ts';

const PAGE = 'https://example.com/page';

let server: RealServer;
let handlers: ReturnType<typeof newBackground>;

beforeEach(async () => {
  fakeBrowser.reset();
  server = await startRealServer();
  await saveSettings({ serverOrigin: server.origin });
  await replaceToken(server.origin, await server.create({ originalUrl: 'https://example.com/' }));
  handlers = newBackground(() => server.client);
});

const addDomain = (host: string) => server.store.administration.addDomain(domainOf(host));
const isForOptions = false;

/** Opens the popup on the page. @returns the link that it shows, and the domains that it offers */
async function open(choice: { domain?: string; isPrivate?: boolean } = {}) {
  const start = await handlers.startPopup({ url: PAGE, isPrivate: false, isForOptions, ...choice });
  if (!start.ok || 'failure' in start.data) throw new Error(JSON.stringify(start));
  const { first, domains } = start.data;
  if (first.step === 'showLink' && first.link.id !== undefined) return { ...first.link, domains };
  if (first.step !== 'showResult' || !first.result.ok) throw new Error(JSON.stringify(first));
  return { ...first.result.data, domains };
}

/** The extension learns of the domains when the settings are open. */
const openSettings = () => handlers.readDomains({ serverOrigin: server.origin, isFresh: true });

test('where there is one domain, nothing is asked for, stored or sent', async () => {
  const { domains, shortUrl } = await open();
  expect(domains).toBeUndefined();
  expect(shortUrl).toMatch(/^https:\/\/s\.example\//);
  expect(await openSettings()).toEqual({ ok: true, data: null });
  expect(server.paths.filter((path) => path.includes('/api/domains'))).toEqual([]);
  expect(await accountDomains.read()).toEqual({});
});

test('a repeated message of the popup shows the link that it has created as a new one', async () => {
  const message = { url: PAGE, isPrivate: false, isForOptions, requestId: 'message-1' };
  await handlers.startPopup(message);
  const result = { ok: true, data: { originalUrl: PAGE } };
  expect(await handlers.startPopup(message)).toMatchObject({
    data: { first: { step: 'showResult', result } },
  });
  expect(await listLinks()).toHaveLength(1);
});

test('of a server with very many domains, the first 500 are kept', async () => {
  for (let index = 0; index < 505; index++) await addDomain(`d${index}.example`);
  await openSettings();
  const saved = (await accountDomains.read())[server.origin]?.domains ?? [];
  expect(saved).toHaveLength(500);
  expect(saved[0]?.host).toBe('s.example');
});

test('a popup names the domain of its link; the settings choose that of all later ones', async () => {
  await addDomain('go.example');
  expect(await openSettings()).toMatchObject({ data: { chosen: 's.example' } });
  const first = await open();
  expect(first.shortUrl).toMatch(/^https:\/\/s\.example\//);
  expect(first.domains).toEqual({
    domains: [
      { host: 's.example', displayHost: 's.example' },
      { host: 'go.example', displayHost: 'go.example' },
    ],
    chosen: 's.example',
  });
  const other = await open({ domain: 'go.example' });
  expect(other.shortUrl).toMatch(/^https:\/\/go\.example\//);
  expect(other.domains?.chosen).toBe('go.example');
  const request = { originalUrl: PAGE, domain: 'go.example', waitTimer: 5 };
  expect(await handlers.createLink({ request, isPrivate: false })).toMatchObject({ ok: true });
  expect(await open()).toMatchObject({
    shortUrl: first.shortUrl,
    domains: { chosen: 's.example' },
  });
  await handlers.chooseDomain({ serverOrigin: server.origin, domain: 'go.example' });
  // A plain link is created once for each domain.
  expect(await open()).toMatchObject({ shortUrl: other.shortUrl });
  expect(await listLinks()).toHaveLength(3);
});

test('a choice in the settings that cannot be written is reported', async () => {
  await addDomain('go.example');
  await openSettings();
  onTestFinished(breakStorage());
  const chosen = { serverOrigin: server.origin, domain: 'go.example' };
  await expect(handlers.chooseDomain(chosen)).rejects.toThrow(StorageError);
});

test('a private window has the domain that it names', async () => {
  await addDomain('go.example');
  await openSettings();
  const { shortUrl, domains } = await open({ domain: 'go.example', isPrivate: true });
  expect(shortUrl).toMatch(/^https:\/\/go\.example\//);
  expect(domains?.chosen).toBe('go.example');
});

test('a domain that was removed fails once, and the next link is on the default again', async () => {
  for (const host of ['go.example', 'more.example']) await addDomain(host);
  await openSettings();
  await handlers.chooseDomain({ serverOrigin: server.origin, domain: 'go.example' });
  await server.store.administration.removeDomain('go.example', 1);
  await expect(open()).rejects.toThrow('invalid_domain');
  // The popup still names it when the user tries again.
  expect(await open({ domain: 'go.example' })).toMatchObject({ domains: { chosen: 's.example' } });
  const request = { originalUrl: `${PAGE}?form`, domain: 'go.example' };
  expect(await handlers.createLink({ request, isPrivate: false })).toMatchObject({ ok: true });
  expect(await readDomains(server.origin)).toMatchObject({ chosen: 's.example' });
  await server.store.administration.removeDomain('more.example', 1);
  await openSettings();
  expect((await open()).domains).toBeUndefined();
  expect(await accountDomains.read()).toEqual({});
});

test('a choice survives a server that is down, but not its account', async () => {
  await addDomain('go.example');
  await openSettings();
  const { origin } = server;
  await handlers.chooseDomain({ serverOrigin: origin, domain: 'go.example' });
  // After the browser has restarted.
  await invalidateServer(origin);
  server.isAway = true;
  expect(await openSettings()).toMatchObject({ data: { chosen: 'go.example' } });
  await handlers.removeToken({ origin });
  expect(await accountDomains.read()).toEqual({});
});

test.each<[string, change: () => Promise<void>]>([
  ['the data was erased', eraseData],
  ['the account was changed', () => replaceToken(server.origin, 'other')],
])('domains that arrive after %s are not stored', async (_, change) => {
  await addDomain('go.example');
  const { origin, client } = server;
  await knownServers.update(() => ({ [origin]: { hasDomains: true } }));
  await refreshDomains(origin, {
    ...client,
    async listDomains(input) {
      const listed = await client.listDomains(input);
      await change();
      return listed;
    },
  });
  expect(await accountDomains.read()).toEqual({});
});

test('domains are read again if the first token is stored just before them', async () => {
  await addDomain('go.example');
  await accountTokens.update(() => ({}));
  const { origin, client } = server;
  await knownServers.update(() => ({ [origin]: { hasDomains: true } }));
  const token = await server.create({ originalUrl: PAGE });
  let stored: Promise<void> | undefined;
  const answered = Promise.withResolvers<void>();
  await refreshDomains(origin, {
    ...client,
    listDomains(input) {
      // Both are written once the storage is free.
      if (!stored) void runStorageExclusive(() => answered.promise);
      stored ??= replaceToken(origin, token);
      return client.listDomains(input).finally(() => setImmediate(answered.resolve));
    },
  });
  await stored;
  expect((await accountDomains.read())[origin]?.domains).toHaveLength(2);
});

test.each<[string, () => Promise<unknown>]>([
  ['the connection is tested', () => handlers.testConnection({ origin: server.origin })],
  ['the settings are open', () => openSettings()],
  [
    'a token is checked',
    () => handlers.replaceToken({ origin: server.origin, token: 'curt_pasted' }),
  ],
])('nothing is stored if the data is erased while %s', async (_, call) => {
  await addDomain('go.example');
  const { getHealth, getAccount } = server.client;
  server.client.getAccount = async () =>
    getAccount({ token: await server.create({ originalUrl: PAGE }) });
  server.client.getHealth = async () => {
    const answer = await getHealth();
    await eraseData();
    return answer;
  };
  await call();
  const { settings: _settings, ...others } = await fakeBrowser.storage.local.get();
  const inMemory = await fakeBrowser.storage.session.get();
  expect(JSON.stringify([others, inMemory])).not.toContain(server.origin);
});

test('links that were saved before BASE_URL changed are found again by what they are', async () => {
  const { domains: _, ...link } = await open();
  const { shortUrl } = link;
  const old = { ...link, shortUrl: `https://before.example${new URL(shortUrl).pathname}` };
  await saveLink(server.origin, PAGE, old, false);
  const reference = { serverOrigin: server.origin, shortUrl: old.shortUrl };
  const call = callInBackground(() => server.client, server.origin);
  const edited = await call('editLink', { link: reference, body: { title: 'Edited' } });
  expect(edited).toMatchObject({ ok: true, data: { title: 'Edited', shortUrl } });
  expect((await listLinks()).map((one) => one.shortUrl)).not.toContain(old.shortUrl);

  await saveLink(server.origin, PAGE, old, false);
  expect((await call('deleteLink', { link: reference })).ok).toBe(true);
  expect((await call('editLink', { link: reference, body: { title: 'x' } })).ok).toBe(false);
});
