import { beforeEach, describe, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { saveLink } from '../../../../../extension/background/data/saved-links.ts';
import { listenToOmnibox } from '../../../../../extension/background/triggers/omnibox.ts';
import { aLink } from '../../support/a-link.ts';
import { speak } from '../../support/speak.ts';
import { giveToolbar, shownNotifications } from '../../support/toolbar.ts';

type Suggestions = { content: string }[];

let first: string;
let typed: (text: string) => Promise<Suggestions>;
let enter: (text: string) => void;

beforeEach(async () => {
  fakeBrowser.reset();
  speak('en');
  giveToolbar();
  // The fake browser has no address bar.
  const listeners: Record<string, (...given: never[]) => void> = {};
  const event = (name: string) => ({
    addListener: (listener: () => void) => Object.assign(listeners, { [name]: listener }),
  });
  Object.assign(fakeBrowser.omnibox, {
    setDefaultSuggestion: async ({ description }: { description: string }) => {
      first = description;
    },
    onInputStarted: event('started'),
    onInputChanged: event('changed'),
    onInputEntered: event('entered'),
  });
  listenToOmnibox(async () => ({
    status: 'failed',
    result: { ok: false, code: 'extension_failed' },
  }));
  typed = (text) =>
    new Promise((resolve) => {
      (
        listeners.changed as unknown as (
          text: string,
          suggest: (found: Suggestions) => void,
        ) => void
      )(text, resolve);
    });
  enter = listeners.entered as unknown as (text: string) => void;
  await saveLink(
    'https://curt.example',
    'https://example.com/plan',
    aLink({
      shortUrl: 'https://curt.example/plan',
      originalUrl: 'https://example.com/plan',
      title: 'Launch plan',
    }),
    false,
  );
});

describe('the default suggestion describes what Enter does', () => {
  test('for a URL', async () => {
    expect(await typed('example.com/page')).toEqual([]);
    expect(first).toBe('Shorten this URL and copy the link');
  });

  test('for words that match links', async () => {
    expect(await typed('launch')).toMatchObject([{ content: 'https://curt.example/plan' }]);
    expect(first).toBe('Search My links');
  });

  test('for words that match nothing, and Enter does the same', async () => {
    expect(await typed('no such thing')).toEqual([]);
    expect(first).toBe('No results in My links, and this isn’t a URL');
    enter('no such thing');
    await expect
      .poll(() => Object.values(shownNotifications()))
      .toMatchObject([
        {
          title: 'Curt: No results in My links',
          message: 'It isn’t a URL either. Enter a URL such as example.com/page, or other words.',
        },
      ]);
  });

  test('for words that match after more letters', async () => {
    await typed('lz');
    await typed('l');
    expect(first).toBe('Search My links');
  });
});
