import { expect, test } from 'vitest';
import type { Browser } from 'wxt/browser';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { createContextMenu } from '../../../../../extension/background/triggers/context-menu.ts';
import { speak } from '../../support/speak.ts';

test('“Shorten link” is only shown on web links', async () => {
  speak('en');
  const entries: Browser.contextMenus.CreateProperties[] = [];
  // The fake browser has no menus.
  Object.assign(fakeBrowser.contextMenus, {
    removeAll: async () => {},
    create: (entry: Browser.contextMenus.CreateProperties) => entries.push(entry),
  });
  await createContextMenu();
  const [link, ...others] = entries;
  expect(link).toMatchObject({
    id: 'shorten-link',
    contexts: ['link'],
    targetUrlPatterns: ['http://*/*', 'https://*/*'],
  });
  for (const entry of others) expect(entry).not.toHaveProperty('targetUrlPatterns');
});
