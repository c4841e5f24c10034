import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { openSmallWindow } from '../../../../../extension/background/notify/notify.ts';
import {
  createContextMenu,
  listenToContextMenu,
} from '../../../../../extension/background/triggers/context-menu.ts';
import { listenToOmnibox } from '../../../../../extension/background/triggers/omnibox.ts';
import { listenToKeyboard } from '../../../../../extension/background/triggers/toolbar-button.ts';
import { readShortcuts } from '../../../../../extension/ui/Shortcuts.tsx';

const MISSING = ['contextMenus', 'commands', 'omnibox', 'windows'] as const;

beforeEach(() => fakeBrowser.reset());

test('without menus, shortcuts, omnibox and windows, as in Firefox for Android, the rest works', async () => {
  const browser = fakeBrowser as unknown as Record<string, unknown>;
  const before = MISSING.map((name) => [name, browser[name]] as const);
  for (const name of MISSING) browser[name] = undefined;
  onTestFinished(() => void Object.assign(browser, Object.fromEntries(before)));
  const shorten = () => Promise.reject(new Error('not called'));
  listenToContextMenu(shorten);
  await createContextMenu();
  listenToKeyboard(shorten);
  listenToOmnibox(shorten);
  expect(await readShortcuts()).toEqual([]);
  await openSmallWindow('/notice.html');
  expect((await fakeBrowser.tabs.query({})).map(({ url }) => url)).toContain('/notice.html');
});
