import { beforeEach, describe, expect, test } from 'vitest';
import {
  badge,
  inWorker,
  notifications,
  savedLinks,
  targetOf,
  useFixture,
} from '../../support/extension/extension-fixture.ts';
import { manyLinks, savedLink, saveLinks, titles } from '../../support/extension/links-page.ts';

/** In the extension's own worker and pages, where the functions handed to `evaluate` run. */
declare const chrome: typeof import('wxt/browser').browser;

const fixture = useFixture();

describe('a URL in the address bar', () => {
  beforeEach(() => fixture.chromium.writeClipboard('before'));

  test('has a keyword for it', async () => {
    const { omnibox } = await inWorker(fixture, () => chrome.runtime.getManifest());
    expect(omnibox).toEqual({ keyword: 'curt' });
  });

  test('is shortened, copied and reported by a notification', async () => {
    await fixture.chromium.enterInOmnibox(' example.com/entered ', fixture.page);
    await expect.poll(() => notifications(fixture)).toHaveLength(1);
    expect(await badge(fixture)).toBe('✓');
    expect(await targetOf(await fixture.chromium.readClipboard())).toBe(
      'https://example.com/entered',
    );
  });

  test('is said to be none, and nothing is made of it', async () => {
    await fixture.chromium.enterInOmnibox('just some words', fixture.page);
    await expect.poll(() => notifications(fixture)).toHaveLength(1);
    expect(await badge(fixture)).toBe('!');
    expect(await fixture.chromium.readClipboard()).toBe('before');
    expect(await savedLinks(fixture)).toEqual([]);
  });
});

describe('other text in the address bar', () => {
  const links = [
    savedLink('menu', { title: `Menu of the "Café" & <b>bar</b> \u0007` }),
    savedLink('plan', { title: 'Launch plan', created: '2031-01-01T00:00:00.000Z' }),
    ...manyLinks(12),
  ];
  beforeEach(async () => {
    await fixture.chromium.writeClipboard('before');
    await saveLinks(fixture, links);
  });

  /** The suggestions for this text after the keyword. */
  const typed = (text: string) =>
    inWorker(
      fixture,
      (input) =>
        new Promise<{ content: string; description: string }[]>((resolve) => {
          const { onInputStarted, onInputChanged } = chrome.omnibox as unknown as {
            onInputStarted: { dispatch(): void };
            onInputChanged: { dispatch(text: string, suggest: typeof resolve): void };
          };
          onInputStarted.dispatch();
          onInputChanged.dispatch(input, resolve);
        }),
      text,
    );

  test('finds a few links of the list, newest first', async () => {
    expect((await typed('PLAN launch')).map(({ content }) => content)).toEqual([
      'https://curt.example/plan',
    ]);
    const many = await typed('long list');
    expect(many.map(({ content }) => content)).toEqual(
      [11, 10, 9, 8, 7, 6, 5, 4].map((index) => `https://curt.example/many-${index}`),
    );
    expect(await typed('nothing such')).toEqual([]);
    expect(await typed(' ')).toEqual([]);
  });

  test('suggests titles that Chromium shows as text, whatever they contain', async () => {
    const [suggestion] = await typed('cafe');
    expect(suggestion?.description).toContain('&lt;b&gt;bar&lt;/b&gt;');
    const shows = (description: string) =>
      inWorker(
        fixture,
        (shown) =>
          new Promise<string>((resolve) => {
            const { omnibox, runtime } = chrome as unknown as {
              omnibox: { setDefaultSuggestion(given: object, done: () => void): void };
              runtime: { lastError?: { message: string } };
            };
            omnibox.setDefaultSuggestion({ description: shown }, () =>
              resolve(runtime.lastError?.message ?? 'shown'),
            );
          }),
        description,
      );
    expect(await shows(suggestion?.description ?? '')).toBe('shown');
    expect(await shows('<b> & nothing')).not.toBe('shown');
  });

  test('copies the link of a chosen suggestion and notifies', async () => {
    await fixture.chromium.enterInOmnibox('https://curt.example/plan', fixture.page);
    await expect.poll(() => notifications(fixture)).toHaveLength(1);
    expect(await badge(fixture)).toBe('✓');
    expect(await fixture.chromium.readClipboard()).toBe('https://curt.example/plan');
    expect(await savedLinks(fixture)).toHaveLength(links.length);
  });

  test('opens the list with a search when no suggestion is chosen', async () => {
    const { browser } = fixture.chromium;
    const isList = (one: { url(): string }) => one.url().includes('/links.html');
    await fixture.chromium.enterInOmnibox('number 7', fixture.page);
    const page = await fixture.chromium.findPage(isList);
    await expect.poll(() => titles(page)).toEqual(['Page number 7 of a long list']);
    // A second search reuses the tab.
    await fixture.chromium.enterInOmnibox('launch', fixture.page);
    await expect.poll(() => titles(page)).toEqual(['Launch plan']);
    expect(browser.targets().filter(isList)).toHaveLength(1);
    await page.close();
  });

  test('of a private window never appears in the list’s URL, which the history keeps', async () => {
    const isList = (one: { url(): string }) => one.url().includes('/links.html');
    await inWorker(fixture, () => {
      const { query } = chrome.tabs;
      const there = query.bind(chrome.tabs);
      const ofPrivateWindow = async (filter: Parameters<typeof query>[0]) =>
        (await there(filter)).map((tab) => (filter.active ? { ...tab, incognito: true } : tab));
      Object.assign(globalThis, { mend: () => Object.assign(chrome.tabs, { query }) });
      Object.assign(chrome.tabs, { query: ofPrivateWindow });
    });
    await fixture.chromium.enterInOmnibox('number 7', fixture.page);
    const page = await fixture.chromium.findPage(isList);
    await expect.poll(() => titles(page)).toContain('Launch plan');
    expect(new URL(page.url()).hash).toBe('');
    await page.close();
    await inWorker(fixture, () => void (globalThis as unknown as { mend(): void }).mend());
  });

  test('finds nothing of private windows', async () => {
    await inWorker(fixture, () =>
      chrome.storage.session.set({
        savedLinks: {
          'https://curt.example': [
            {
              shortUrl: 'https://curt.example/secret',
              originalUrl: 'https://example.com/secret',
              title: 'Secret plan',
              created: '2030-01-01T00:00:00.000Z',
              expiresAt: null,
              hasPassword: false,
              waitTimer: 0,
              serverOrigin: 'https://curt.example',
              requestedUrl: 'https://example.com/secret',
            },
          ],
        },
      }),
    );
    expect(await typed('secret')).toEqual([]);
  });
});
