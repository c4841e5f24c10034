import { beforeEach, describe, expect, test } from 'vitest';
import type { browser } from 'wxt/browser';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { handleMessages } from '../../../../extension/background/message-handlers.ts';
import { saveDraft } from '../../../../extension/background/shorten/form-drafts.ts';
import type { Handlers } from '../../../../extension/messaging/protocol.ts';

type Listener = Parameters<typeof browser.runtime.onMessage.addListener>[0];

let receive: Listener;
let called: string[];

const own = (path: string) => fakeBrowser.runtime.getURL(path);
const sendFrom = (url: string | undefined, kind: string, payload: object = {}) =>
  receive(
    { kind, payload },
    (url === undefined ? {} : { url }) as Parameters<Listener>[1],
    () => {},
  );

beforeEach(() => {
  fakeBrowser.reset();
  called = [];
  const handlers = {
    async revealToken() {
      called.push('revealToken');
      return { ok: true, data: 'curt_secret' };
    },
    async readSettings() {
      called.push('readSettings');
      return { ok: true, data: {} };
    },
    saveDraft: async ({ tabId, url, draft }: { tabId: number; url: string; draft: object }) => {
      await saveDraft(tabId, url, draft as Parameters<typeof saveDraft>[2]);
      return { ok: true, data: true };
    },
  } as unknown as Handlers;
  const { addListener } = fakeBrowser.runtime.onMessage;
  fakeBrowser.runtime.onMessage.addListener = ((listener: Listener) => {
    receive = listener;
  }) as typeof addListener;
  handleMessages(handlers);
  fakeBrowser.runtime.onMessage.addListener = addListener;
});

describe('the background', () => {
  test.each(['/popup.html', '/links.html?new', '/options.html#keys'])(
    'answers the extension’s page %s',
    async (path) => {
      expect(await sendFrom(own(path), 'readSettings')).toEqual({ ok: true, data: {} });
    },
  );

  test.each([
    ['a page of the web', 'https://example.com/popup.html'],
    ['another extension', 'chrome-extension://another/popup.html'],
    ['a page that only starts like the extension’s', `${own('/').replace(/\/$/, '')}.example/`],
    ['a sender without a URL', undefined],
  ])('does not answer %s', (_, url) => {
    for (const kind of ['readSettings', 'revealToken', 'saveDraft']) {
      expect(sendFrom(url, kind)).toBeUndefined();
    }
    expect(called).toEqual([]);
  });

  test('reveals a sign-in key to the settings alone', async () => {
    for (const path of [
      '/popup.html',
      '/links.html',
      '/options.htmlx',
      '/popup.html#/options.html',
    ])
      expect(sendFrom(own(path), 'revealToken')).toBeUndefined();
    expect(called).toEqual([]);
    for (const path of ['/options.html', '/options.html#server', '/options.html?x']) {
      expect(await sendFrom(own(path), 'revealToken')).toEqual({ ok: true, data: 'curt_secret' });
    }
  });

  test.each(['constructor', '__proto__', 'toString', undefined])(
    'leaves the message %s to others',
    (kind) => {
      expect(sendFrom(own('/popup.html'), kind as string)).toBeUndefined();
    },
  );

  test('stores no draft that has a password', async () => {
    const url = 'https://example.com/';
    const draft = { fields: { customAlias: 'mine', password: 'swordfish' } };
    const answer = await sendFrom(own('/popup.html'), 'saveDraft', { tabId: 1, url, draft });
    expect(answer).toMatchObject({ ok: false, code: 'extension_failed' });
    expect(JSON.stringify(await fakeBrowser.storage.session.get())).not.toContain('swordfish');
    const plain = { fields: { customAlias: 'mine' } };
    expect(
      await sendFrom(own('/popup.html'), 'saveDraft', { tabId: 1, url, draft: plain }),
    ).toMatchObject({ ok: true });
    expect(JSON.stringify(await fakeBrowser.storage.session.get())).toContain('mine');
  });
});
