import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import {
  addLinks,
  listLinks,
  removeLink,
} from '../../../../../extension/background/links/link-list.ts';
import type { ListedLink, Send } from '../../../../../extension/messaging/protocol.ts';
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
  address: 'https://example.com/',
};

const send = (async (kind: string, ask: { links: ListedLink[] } & ListedLink) => {
  if (kind === 'addLinks') return { ok: true, data: await addLinks(ask.links) };
  if (kind === 'removeLink') {
    await removeLink(ask);
    return { ok: true, data: true };
  }
  return { ok: true, data: { links: await listLinks(), droppedCount: 0, copyFormat: 'url' } };
}) as unknown as Send;

beforeEach(() => fakeBrowser.reset());

test('a link whose button was pressed twice is removed once, and put back once', async () => {
  await addLinks([link]);
  const state = createLinksState({ send, copy: async () => true, nowMs: () => 0 });
  await state.load();
  const [shown] = state.links.value as [ListedLink];
  await Promise.all([state.remove(shown), state.remove(shown)]);
  expect(state.links.value).toEqual([]);
  expect(state.removed.value).toEqual([link]);
  await state.undo();
  expect(state.links.value).toEqual([link]);
  expect(state.removed.value).toEqual([]);
});
