import { beforeEach, describe, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { readSettings, saveSettings } from '../../../../../extension/background/data/settings.ts';
import {
  findUnsupportedReason,
  readCanonicalUrl,
  resolveUrl,
} from '../../../../../extension/background/shorten/resolve-target.ts';
import { ManualTime } from '../../../../support/manual-time.ts';

const TOKEN = 'q8Zr2LmX0vNf4TbK9sYd';

beforeEach(() => fakeBrowser.reset());

describe('a resolved URL', () => {
  test('has no tracking parameters, and keeps the original', async () => {
    const full = 'https://example.com/?gclid=1&q';
    expect(resolveUrl(full, await readSettings())).toEqual({
      url: 'https://example.com/?q',
      fullUrl: full,
      removed: ['gclid'],
    });
    expect(resolveUrl(full, await readSettings(), { keepTracking: true })).toEqual({
      url: full,
      fullUrl: full,
      removed: [],
    });
  });

  test('has a warning about a secret, unless the settings disable it', async () => {
    const url = `https://example.com/?token=${TOKEN}`;
    const warning = {
      secrets: [{ kind: 'parameter', name: 'token' }],
      without: 'https://example.com/',
      mustRemove: false,
    };
    expect(resolveUrl(url, await readSettings())).toMatchObject({ warning });
    const settings = await saveSettings({ warnAboutSecrets: false });
    expect(resolveUrl(url, settings)).not.toHaveProperty('warning');
  });

  test('can be used without a password that no server would accept', async () => {
    const url = 'https://me:secret@example.com/';
    expect(resolveUrl(url, await readSettings())).toMatchObject({
      warning: { without: 'https://example.com/', mustRemove: true },
    });
    const settings = await saveSettings({ warnAboutSecrets: false });
    expect(resolveUrl(url, settings)).toEqual({ failure: 'page_url_invalid' });
  });

  test.each([
    [undefined, 'page_without_url'],
    [`file:///home/me?token=${TOKEN}`, 'page_is_file'],
    [`http://localhost:2878/a?token=${TOKEN}`, 'page_is_short_domain'],
  ])('%s fails, whatever it contains', async (url, failure) => {
    expect(resolveUrl(url, await readSettings())).toEqual({ failure });
  });
});

describe('a page’s URL', () => {
  test.each([
    [undefined, 'page_without_url'],
    ['', 'page_without_url'],
    ['about:blank', 'page_of_browser'],
    ['chrome://settings/', 'page_of_browser'],
    ['view-source:https://example.com', 'page_of_browser'],
    ['file:///home/me/notes.html', 'page_is_file'],
    ['chrome-extension://abc/options.html', 'page_of_extension'],
    ['moz-extension://abc/options.html', 'page_of_extension'],
    ['https://me:secret@example.com/', 'page_url_invalid'],
    ['https://curt.example/abc', 'page_is_short_domain'],
    ['http://curt.example:443/abc', undefined],
    ['https://example.com/#part', undefined],
    ['http://intranet/', undefined],
  ])('%s: %s', (url, failure) => {
    expect(findUnsupportedReason(url, 'https://curt.example')).toBe(failure);
  });

  test('is too long as written, or percent-encoded, where a character takes up to nine', () => {
    for (const path of ['x'.repeat(8192), '日'.repeat(2000)]) {
      const failure = findUnsupportedReason(`https://example.com/${path}`, 'https://curt.example');
      expect(failure).toBe('page_url_too_long');
    }
  });
});

const TAB = 'https://example.com/page?ref=news';
const PAGE = {
  canonical: ['https://example.com/page'],
  openGraph: [],
  shortlink: [],
  loadedFrom: TAB,
};

test.each([
  [4, 'https://example.com/page'],
  [Number.POSITIVE_INFINITY, undefined],
])('after %d rejected tries, the canonical URL of a page is %s', async (rejected, url) => {
  let tries = 0;
  const executeScript = async () => {
    tries += 1;
    if (tries <= rejected) throw new Error('Cannot access contents of the page.');
    return [{ result: PAGE }];
  };
  Object.assign(fakeBrowser, { scripting: { executeScript } });
  const time = new ManualTime();
  const reading = readCanonicalUrl(1, TAB, time);
  for (let waited = 0; waited < 300; waited += 50) {
    await new Promise(setImmediate);
    await time.advance(50);
  }
  expect((await reading)?.url).toBe(url);
});
