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
import type { Send } from '../../../../../extension/messaging/protocol.ts';
import { createLinksState } from '../../../../../extension/pages/links/links-state.ts';

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
  return { ok: true, data: { links: await listLinks(), droppedCount: 0, copyFormat: 'url' } };
}) as unknown as Send;

beforeEach(() => {
  fakeBrowser.reset();
  sent = [];
});

async function openList(links: ListedLink[]) {
  await addLinks(links);
  const state = createLinksState({ send, copy: async () => true, nowMs: () => 0 });
  await state.load();
  sent = [];
  return state;
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
  const state = await openList([link]);
  const [shown] = state.links.value as [ListedLink];
  await Promise.all([state.remove(shown), state.remove(shown)]);
  expect(state.links.value).toEqual([]);
  expect(state.removed.value).toEqual([link]);
  await state.undo();
  expect(state.links.value).toEqual([link]);
  expect(state.removed.value).toEqual([]);
});

test('removing a link and undoing that re-read no other link', async () => {
  const links = [linkOf('c', 2032), linkOf('b', 2031), linkOf('a', 2030)];
  const state = await openList(links);
  await state.remove(state.links.value[1] as ListedLink);
  expect(state.links.value).toEqual([links[0], links[2]]);
  await state.undo();
  expect(state.links.value).toEqual(links);
  expect(sent).toEqual(['removeLink', 'restoreLink']);
});

test('changes from elsewhere are applied without re-reading other links', async () => {
  const links = [linkOf('c', 2032), linkOf('b', 2031), linkOf('a', 2030)];
  const state = await openList(links);
  const [first] = state.links.value;
  const added = { ...linkOf('b', 2033), shortUrl: 'https://curt.example/b2' };
  state.applyChanges({
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
  expect(state.links.value).toEqual([added, linkOf('c', 2032), linkOf('b', 2031)]);
  expect(state.links.value[1]).toBe(first);
  expect(state.list.value.droppedCount).toBe(7);
  expect(sent).toEqual([]);
});

test('a list that changes while it is read is read again', async () => {
  const state = await openList([linkOf('a', 2030)]);
  const shown: number[] = [];
  const stop = effect(() => void shown.push(state.links.value.length));
  const loading = state.load();
  const { serverOrigin, requestedUrl } = linkOf('a', 2030);
  state.applyChanges({ lists: [{ serverOrigin, requestedUrl, links: [] }] });
  await loading;
  stop();
  expect(sent).toEqual(['readLinks', 'readLinks']);
  // The outdated first response was not shown.
  expect(shown).toEqual([1, 0, 1]);
});
