import { signal } from '@preact/signals';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { shareBetweenTabs } from '../../../../server/dashboard/session/hand-over.ts';
import { until } from '../../../support/until.ts';

const LINK = 'https://s.example/dashboard/links/sale/statistics';

const channels: BroadcastChannel[] = [];
beforeEach(() => {
  class Channel extends BroadcastChannel {
    constructor(name: string) {
      super(name);
      channels.push(this);
    }
    // Tabs that are closed by now answer no more.
    override postMessage(message: unknown) {
      if (channels.includes(this)) super.postMessage(message);
    }
  }
  vi.stubGlobal('BroadcastChannel', Channel);
});
afterEach(() => {
  vi.unstubAllGlobals();
  for (const channel of channels.splice(0)) channel.close();
});

/** A tab of the dashboard, signed in or not, in which links can be clicked. */
function openTab(token: string | undefined, href = 'https://s.example/dashboard') {
  const items = new Map<string, string>();
  const page = new EventTarget();
  const session = {
    token: signal(token),
    adopt(newToken: string) {
      session.token.value ??= newToken;
    },
  };
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
  shareBetweenTabs(session, { storage, page: page as unknown as Document, href });
  return {
    token: session.token,
    click(kind: string, href: string) {
      const event = new Event(kind);
      Object.defineProperty(event, 'target', { value: { closest: () => ({ href }) } });
      page.dispatchEvent(event);
    },
  };
}

test.each(['click', 'auxclick', 'contextmenu'])(
  'a tab that a %s opens gets the key of the tab with the link, whoever answers first',
  async (kind) => {
    openTab('curt_first');
    const opener = openTab('curt_opener');
    openTab('curt_last');
    opener.click(kind, LINK);
    const opened = openTab(undefined, LINK);
    await until(() => opened.token.value !== undefined);
    expect(opened.token.value).toBe('curt_opener');
  },
);

test('a tab that no link has opened gets a key, too', async () => {
  openTab('curt_only');
  const tab = openTab(undefined, 'https://s.example/dashboard/account');
  await until(() => tab.token.value !== undefined);
  expect(tab.token.value).toMatch(/^curt_/);
});
