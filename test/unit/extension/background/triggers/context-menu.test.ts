import { expect, onTestFinished, test, vi } from 'vitest';
import type { Browser } from 'wxt/browser';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { createContextMenu } from '../../../../../extension/background/triggers/context-menu.ts';
import { speak } from '../../support/speak.ts';

async function readEntries() {
  speak('en');
  const entries: Browser.contextMenus.CreateProperties[] = [];
  // The fake browser has no menus.
  Object.assign(fakeBrowser.contextMenus, {
    removeAll: async () => {},
    create: (entry: Browser.contextMenus.CreateProperties) => entries.push(entry),
  });
  await createContextMenu();
  return entries;
}

test('“Shorten link” is only shown on web links', async () => {
  const [link, ...others] = await readEntries();
  expect(link).toMatchObject({
    id: 'shorten-link',
    contexts: ['link'],
    targetUrlPatterns: ['http://*/*', 'https://*/*'],
  });
  for (const entry of others) expect(entry).not.toHaveProperty('targetUrlPatterns');
});

test.each([
  ['', ['page']],
  ['true', ['page', 'frame']],
])(
  '“Shorten this page” is shown inside frames, too; in Firefox: %j',
  async (isFirefox, contexts) => {
    vi.stubEnv('FIREFOX', isFirefox);
    onTestFinished(() => void vi.unstubAllEnvs());
    const page = (await readEntries()).find(({ id }) => id === 'shorten-page');
    expect(page?.contexts).toEqual(contexts);
  },
);
