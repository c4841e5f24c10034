import { beforeEach, describe, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { readSettings, saveSettings } from '../../../../../extension/background/data/settings.ts';
import { resolveUrl } from '../../../../../extension/background/shorten/resolve-target.ts';

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
