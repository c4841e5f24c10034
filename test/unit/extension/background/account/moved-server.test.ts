import { beforeEach, describe, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { findToken, replaceToken } from '../../../../../extension/background/account/tokens.ts';
import { linksOf } from '../../../../../extension/background/data/saved-links.ts';
import { readSettings, saveSettings } from '../../../../../extension/background/data/settings.ts';
import { listQueued } from '../../../../../extension/background/queue/pending-requests.ts';
import { accountTokens, previousTokens } from '../../../../../extension/storage/items.ts';
import { createClient } from '../../../../../shared/client.ts';
import { newBackground } from '../../support/background.ts';
import { whenStored } from '../../support/browser-storage.ts';
import { type Service, useService } from '../../support/service.ts';

const newService = useService();
const newOtherService = useService({ BASE_URL: 'http://localhost:2879' });
const PAGE = 'https://example.com/page';
const QUEUED = 'https://example.com/queued';

let service: Service;
let other: Service;
/** Where the old address leads, and its server answers from now on. */
let movedTo: string | undefined;
/** What was sent to each origin. */
let sent: { origin: string; path: string; token: string | null }[];
let background: ReturnType<typeof newBackground>;

beforeEach(() => {
  fakeBrowser.reset();
  service = newService();
  other = newOtherService();
  movedTo = undefined;
  sent = [];
  background = newBackground((baseUrl) => createClient({ baseUrl }));
  const toServices = globalThis.fetch;
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init: RequestInit = {}) => {
    const url = new URL(String(input));
    const { origin, pathname: path } = url;
    sent.push({ origin, path, token: new Headers(init.headers).get('authorization') });
    if (origin === movedTo) return toServices(url.href.replace(origin, service.origin), init);
    if (origin === other.origin) return toServices(input, init);
    const isHere = origin === service.origin && movedTo === undefined;
    if (isHere) return toServices(input, init);
    // The browser hides the redirect of the old address from all but this kind of request.
    if (origin === service.origin && init.mode === 'no-cors') return new Response();
    throw new TypeError('Failed to fetch');
  });
});

const shorten = (originalUrl = PAGE, isPrivate = false) =>
  background.createLink({ request: { originalUrl }, isPrivate });
const tokensSentTo = (address: string) =>
  sent.filter(({ origin, token }) => origin === address && token !== null);

/** Has an account and a saved link, and then a request that found the old address only. */
async function move(to: string): Promise<string> {
  await saveSettings({ serverOrigin: service.origin });
  expect(await shorten()).toMatchObject({ ok: true });
  movedTo = to;
  await shorten(QUEUED);
  return (await findToken(service.origin, false)) ?? '';
}

describe('a server that moves to HTTPS', () => {
  const to = 'https://localhost:2878';

  test('is found, and gets account, links and requests once the user agrees', async () => {
    const token = await move(to);
    expect(await shorten(QUEUED)).toMatchObject({ ok: false, movedTo: to, queued: {} });
    expect(await background.testConnection({ origin: service.origin })).toMatchObject({
      data: { outcome: 'unreadable_answer', movedTo: to },
    });
    expect(tokensSentTo(to)).toEqual([]);
    expect(await listQueued(false)).toMatchObject([{ serverOrigin: service.origin }]);

    const from = service.origin;
    expect(await background.moveServer({ from, to })).toMatchObject({ data: { serverOrigin: to } });
    expect(await findToken(to, false)).toBe(token);
    expect(await accountTokens.read()).toEqual({ [to]: token });
    await whenStored(async () => (await listQueued(false)).length === 0);
    // The one account has both links, and pages are recognized by them.
    expect(service.accounts).toBe(1);
    expect((await linksOf(to)).map(({ originalUrl }) => originalUrl).sort()).toEqual([
      PAGE,
      QUEUED,
    ]);
    expect(await linksOf(from)).toEqual([]);
    expect(service.links).toHaveLength(2);
  });

  test('is not offered where the organization sets the address', async () => {
    await move(to);
    await fakeBrowser.storage.managed.set({ server: service.origin });
    expect(await shorten(QUEUED)).not.toHaveProperty('movedTo');
    await fakeBrowser.storage.managed.clear();
  });

  test('settles a request that was sent before with the same key', async () => {
    await saveSettings({ serverOrigin: service.origin });
    service.faults.push({ kind: 'lost_answer' });
    expect(await shorten()).toMatchObject({ ok: false, code: 'unreachable' });
    movedTo = to;
    await background.moveServer({ from: service.origin, to });
    await whenStored(async () => (await findToken(to, false)) !== undefined);
    expect([service.links.length, service.accounts]).toEqual([1, 1]);
  });
});

describe('another address', () => {
  const to = 'https://new.example';

  test('of the same server takes over, and the account that was opened there is kept', async () => {
    const token = await move(to);
    await saveSettings({ serverOrigin: to });
    await shorten('https://example.com/elsewhere');
    const opened = (await findToken(to, false)) ?? '';
    expect(await background.testConnection({ origin: to })).toMatchObject({
      data: { outcome: 'connected', movedFrom: service.origin },
    });
    await background.moveServer({ from: service.origin, to });
    expect(await findToken(to, false)).toBe(token);
    expect((await previousTokens.read())[to]).toMatchObject([{ token: opened }]);
    expect(await background.testConnection({ origin: to })).not.toHaveProperty('data.movedFrom');
  });

  test('of another server gets nothing, also if it claims to be the same one', async () => {
    const token = await move('https://unused.example');
    const { origin } = other;
    expect(await background.testConnection({ origin })).not.toHaveProperty('data.movedFrom');
    const health = { status: 'ok', service: 'curt', version: '1', serverId: await idOf() };
    for (const claimed of [undefined, health]) {
      other.health = claimed;
      expect(await background.moveServer({ from: service.origin, to: origin })).toMatchObject({
        ok: false,
        code: 'other_server',
      });
    }
    expect(tokensSentTo(origin)).toEqual([]);
    expect(await accountTokens.read()).toEqual({ [service.origin]: token });
    expect((await readSettings()).serverOrigin).toBe(service.origin);
    expect(await listQueued(false)).toHaveLength(1);
  });

  test('of another host gets no request of somebody without a key, whatever ID it has', async () => {
    await saveSettings({ serverOrigin: service.origin });
    service.faults.push({ kind: 'lost_answer' });
    await shorten();
    movedTo = to;
    await background.moveServer({ from: service.origin, to });
    expect(await listQueued(false)).toMatchObject([{ serverOrigin: service.origin }]);
    expect(sent.filter(({ origin, path }) => origin === to && path === '/api/shorten')).toEqual([]);
  });

  test('without encryption is refused if the old one was encrypted', async () => {
    const from = 'https://old.example';
    const token = await service.openAccount();
    movedTo = from;
    await saveSettings({ serverOrigin: from });
    await replaceToken(from, token);
    await background.testConnection({ origin: from });
    movedTo = undefined;
    expect(await background.testConnection({ origin: service.origin })).not.toHaveProperty(
      'data.movedFrom',
    );
    expect(await background.moveServer({ from, to: service.origin })).toMatchObject({ ok: false });
    expect(tokensSentTo(service.origin)).toEqual([]);
  });
});

async function idOf(): Promise<string | undefined> {
  const before = movedTo;
  movedTo = undefined;
  const health = await createClient({ baseUrl: service.origin }).getHealth();
  movedTo = before;
  return health.ok ? health.data.serverId : undefined;
}
