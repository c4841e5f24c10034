import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import type { ListedLink } from '../../../../../extension/links/link.ts';
import type { Failure, LinkPage, Send } from '../../../../../extension/messaging/protocol.ts';
import { createMessageLinkSource } from '../../../../../extension/pages/links/message-link-source.ts';
import { createLinksState } from '../../../../../shared/ui/links/state/links-state.ts';
import { aLink } from '../../support/a-link.ts';
import { speak } from '../../support/speak.ts';

const link: ListedLink = {
  ...aLink({ title: 'A page', serverState: { id: 'id-1', version: 1 } }),
  serverOrigin: 'https://curt.example',
  requestedUrl: 'https://example.com/',
};

/** The messages to the background, and what it answers. */
let sent: [kind: string, payload: object][];
let answers: Record<string, object>;
let page: LinkPage;
/** Tells the page that links changed elsewhere. */
let change: () => void;

const send = (async (kind: string, payload: object) => {
  sent.push([kind, payload]);
  return answers[kind] ?? { ok: true, data: kind === 'readLinks' ? page : true };
}) as unknown as Send;

beforeEach(() => {
  fakeBrowser.reset();
  speak('en');
  sent = [];
  answers = {};
  page = { links: [link] };
});

async function openList() {
  const source = createMessageLinkSource({
    send,
    serverOrigin: link.serverOrigin,
    subscribe(onChange) {
      change = onChange;
      return () => {};
    },
  });
  const state = createLinksState({
    source,
    copy: async () => true,
    exportLinks: async () => undefined,
    nowMs: () => 0,
  });
  await state.start();
  sent = [];
  return { state, shown: state.loading.links };
}

test('a link whose button is clicked twice is deleted once and restored once', async () => {
  const { state, shown } = await openList();
  answers.restoreLink = { ok: true, data: link };
  await Promise.all([state.remove([link]), state.remove([link])]);
  expect(shown.value).toEqual([]);
  expect(state.undo.done.value).toHaveLength(1);
  await state.undo.undoLast();
  expect(shown.value).toEqual([link]);
  expect(state.undo.done.value).toEqual([]);
  const { serverOrigin, shortUrl } = link;
  expect(sent).toEqual([
    ['deleteLink', { serverOrigin, shortUrl }],
    ['restoreLink', { link }],
  ]);
});

test('a link that cannot be deleted now stays, with the reason', async () => {
  const { state, shown } = await openList();
  answers.deleteLink = { ok: false, code: 'unreachable', message: '' };
  await state.remove(shown.value);
  expect(shown.value).toEqual([link]);
  expect(state.failure.value).toContain('Can’t reach the server');
});

test('an edit names the version that it is based on', async () => {
  const { state } = await openList();
  answers.editLink = { ok: true, data: { ...link, serverState: { id: 'id-1', version: 2 } } };
  await state.setActive([link], false);
  expect(sent).toEqual([
    ['editLink', expect.objectContaining({ changes: { isActive: false }, ifMatch: '"id-1.1"' })],
  ]);
});

test('the list is searched and filtered by the background', async () => {
  const { state } = await openList();
  state.filter({ words: 'plan', tag: 'print', status: 'inactive' });
  await expect.poll(() => sent).toHaveLength(1);
  const query = { words: 'plan', tag: 'print', status: 'inactive' };
  expect(sent).toEqual([
    ['readLinks', { serverOrigin: link.serverOrigin, query, cursor: undefined }],
  ]);
});

test('further pages are read while the user scrolls', async () => {
  page = { links: [link], nextCursor: 'next' };
  const { state, shown } = await openList();
  const older = {
    ...link,
    shortUrl: 'https://curt.example/b',
    serverState: { id: 'id-2', version: 1 },
  };
  page = { links: [older] };
  await state.loading.loadMore();
  expect(sent).toEqual([['readLinks', expect.objectContaining({ cursor: 'next' })]]);
  expect(shown.value).toEqual([link, older]);
});

test('the list is read again when links change elsewhere', async () => {
  const { shown } = await openList();
  page = { links: [] };
  change();
  await expect.poll(() => shown.value).toEqual([]);
});

test.each<[string, Failure | undefined, string[]]>([
  ['responds', undefined, []],
  [
    'is away',
    { ok: false, code: 'timeout' },
    [
      'Can’t reach curt.example. The newest links are shown, as this browser saved them. They can’t be changed now.',
    ],
  ],
  [
    'rejects the token',
    { ok: false, code: 'invalid_token' },
    [
      expect.stringMatching(
        /^The links of curt\.example may be out of date\. .*recognize your sign-in key/,
      ),
    ],
  ],
])('the list says so if the server %s', async (_, failure, notices) => {
  page = { links: [link], ...(failure && { failure }) };
  const { state } = await openList();
  expect(state.notices.value).toEqual(notices);
});
