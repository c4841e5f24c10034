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

test('links, images, videos and sounds have an entry if their URLs are on the web, and others that of their page', async () => {
  const entries = await readEntries();
  const limited = entries.filter((entry) => entry.targetUrlPatterns);
  const targetUrlPatterns = ['http://*/*', 'https://*/*'];
  expect(limited).toMatchObject(
    ['link', 'page-of-media', 'image', 'video', 'audio'].map((context) =>
      context === 'page-of-media'
        ? {
            id: 'shorten-page-of-media',
            title: 'Shorten this page',
            contexts: ['image', 'video', 'audio'],
            targetUrlPatterns: ['data:*', 'blob:*'],
          }
        : { id: `shorten-${context}`, contexts: [context], targetUrlPatterns },
    ),
  );
  expect(entries.length).toBeGreaterThan(limited.length);
});

test.each([
  ['', ['page']],
  ['true', ['page', 'frame', 'tab']],
])(
  '“Shorten this page” is shown inside frames and for tabs, too, in Firefox (%j)',
  async (isFirefox, contexts) => {
    vi.stubEnv('FIREFOX', isFirefox);
    onTestFinished(() => void vi.unstubAllEnvs());
    const page = (await readEntries()).find(({ id }) => id === 'shorten-page');
    expect(page?.contexts).toEqual(contexts);
  },
);
