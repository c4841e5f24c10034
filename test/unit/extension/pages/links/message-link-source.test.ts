import { effect } from '@preact/signals';
import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import {
  addLinks,
  listLinks,
  removeLink,
  restoreLink,
} from '../../../../../extension/background/links/link-list.ts';
import type { ListedLink } from '../../../../../extension/links/link.ts';
import type { Send, SyncReport } from '../../../../../extension/messaging/protocol.ts';
import { createMessageLinkSource } from '../../../../../extension/pages/links/message-link-source.ts';
import { createLinksState } from '../../../../../shared/ui/links/state/links-state.ts';
import { speak } from '../../support/speak.ts';

const link: ListedLink = {
  shortUrl: 'https://curt.example/a',
  originalUrl: 'https://example.com/',
  title: 'A page',
  created: '2030-01-01T00:00:00.000Z',
  expiresAt: null,
  hasPassword: false,
  waitTimerSeconds: 0,
  serverOrigin: 'https://curt.example',
  requestedUrl: 'https://example.com/',
};

let sent: string[];
let syncReports: SyncReport[];

const send = (async (kind: string, ask: { link: ListedLink } & ListedLink) => {
  sent.push(kind);
  if (kind === 'restoreLink') {
    await restoreLink(ask.link);
    return { ok: true, data: true };
  }
  if (kind === 'removeLink') {
    await removeLink(ask);
    return { ok: true, data: true };
  }
  if (kind === 'syncLinks') return { ok: true, data: syncReports };
  if (kind === 'deleteLink') return { ok: false, code: 'unreachable', message: '' };
  const links = await listLinks();
  return { ok: true, data: { links, droppedCount: 0, copyFormat: 'url', synced: [] } };
}) as unknown as Send;

beforeEach(() => {
  fakeBrowser.reset();
  speak('en');
  sent = [];
  syncReports = [];
});

async function openList(links: ListedLink[]) {
  await addLinks(links);
  const source = createMessageLinkSource(send);
  const state = createLinksState({
    source,
    copy: async () => true,
    exportLinks: async () => undefined,
    nowMs: () => 0,
  });
  await state.start();
  sent = [];
  return { source, state, shown: state.loading.links };
}

/** A link for its own page, created in that year. */
function linkOf(name: string, year: number): ListedLink {
  return {
    ...link,
    shortUrl: `https://curt.example/${name}`,
    requestedUrl: `https://example.com/${name}`,
    created: `${year}-01-01T00:00:00.000Z`,
  };
}

test('a link whose button is clicked twice is removed once and restored once', async () => {
  const { state, shown } = await openList([link]);
  const [first] = shown.value as [ListedLink];
  await Promise.all([state.remove([first]), state.remove([first])]);
  expect(shown.value).toEqual([]);
  expect(state.undo.done.value).toHaveLength(1);
  await state.undo.undoLast();
  expect(shown.value).toEqual([link]);
  expect(state.undo.done.value).toEqual([]);
});

test('removing a link and undoing that re-read no other link', async () => {
  const links = [linkOf('c', 2032), linkOf('b', 2031), linkOf('a', 2030)];
  const { state, shown } = await openList(links);
  await state.remove([shown.value[1] as ListedLink]);
  expect(shown.value).toEqual([links[0], links[2]]);
  await state.undo.undoLast();
  expect(shown.value).toEqual(links);
  expect(sent).toEqual(['removeLink', 'restoreLink']);
});

test('changes from elsewhere are applied without re-reading other links', async () => {
  const links = [linkOf('c', 2032), linkOf('b', 2031), linkOf('a', 2030)];
  const { source, state, shown } = await openList(links);
  const [first] = shown.value;
  const added = { ...linkOf('b', 2033), shortUrl: 'https://curt.example/b2' };
  source.applyChanges({
    lists: [
      {
        serverOrigin: link.serverOrigin,
        requestedUrl: added.requestedUrl,
        links: [added, linkOf('b', 2031)],
      },
      { serverOrigin: link.serverOrigin, requestedUrl: linkOf('a', 2030).requestedUrl, links: [] },
    ],
    droppedCount: 7,
  });
  await expect.poll(() => shown.value).toEqual([added, linkOf('c', 2032), linkOf('b', 2031)]);
  expect(shown.value[1]).toBe(first);
  expect(state.notices.value).toEqual([expect.stringContaining('The 7 oldest links')]);
  expect(sent).toEqual([]);
});

test('a list that changes while it is read is read again', async () => {
  const { source, shown } = await openList([linkOf('a', 2030)]);
  const counts: number[] = [];
  const stop = effect(() => void counts.push(shown.value.length));
  const loading = source.load();
  const { serverOrigin, requestedUrl } = linkOf('a', 2030);
  source.applyChanges({ lists: [{ serverOrigin, requestedUrl, links: [] }] });
  await loading;
  await expect.poll(() => counts).toEqual([1, 0, 1]);
  stop();
  // The outdated first response was not shown.
  expect(sent).toEqual(['readLinks', 'readLinks']);
});

test('a link of the account that cannot be deleted now stays, with the reason', async () => {
  const managed = { ...link, managed: { id: 'id-1', version: 1 } };
  const { state, shown } = await openList([managed]);
  await state.remove(shown.value);
  expect(sent).toEqual(['deleteLink']);
  expect(shown.value).toEqual([managed]);
  expect(state.failure.value).toContain('Can’t reach the server');
});

test('links are filtered by tag and by what they are for visitors now', async () => {
  const tagged = { ...linkOf('t', 2031), managed: { id: '1', version: 1, tags: ['Print'] } };
  const paused = {
    ...linkOf('p', 2030),
    managed: { id: '2', version: 1, status: 'inactive' as const },
  };
  const expired = { ...linkOf('e', 2029), expiresAt: '2020-01-01T00:00:00.000Z' };
  const { state, shown } = await openList([tagged, paused, expired]);
  state.filter({ tag: 'print' });
  await expect.poll(() => shown.value).toEqual([tagged]);
  state.filter({ tag: '', status: 'inactive' });
  await expect.poll(() => shown.value).toEqual([paused]);
  state.filter({ status: 'expired' });
  await expect.poll(() => shown.value).toEqual([expired]);
});

test.each<[string, Partial<SyncReport>, string[]]>([
  ['was read', {}, []],
  [
    'is away',
    { syncedAtMs: Date.UTC(2030, 0, 31, 12), failure: { ok: false, code: 'unreachable' } },
    [
      expect.stringMatching(
        /^Can’t reach curt\.example\. .* as of January 31, 2030 at .* can’t be changed/,
      ),
    ],
  ],
  [
    'has always been away',
    { failure: { ok: false, code: 'timeout' } },
    ['Can’t reach curt.example. Only links from this browser are shown.'],
  ],
  [
    'rejects the token',
    { failure: { ok: false, code: 'invalid_token' } },
    [
      expect.stringMatching(
        /^The links of curt\.example may be out of date\. .*recognize your token/,
      ),
    ],
  ],
  [
    'is older',
    { isOlder: true },
    [expect.stringMatching(/^curt\.example runs an older version of Curt: .* deleted here/)],
  ],
])('the list says so if a server %s', async (_, report, notices) => {
  const { source, state } = await openList([link]);
  syncReports = [{ serverOrigin: link.serverOrigin, syncedAtMs: null, missing: 0, ...report }];
  await source.sync();
  expect(state.notices.value).toEqual(notices);
});
