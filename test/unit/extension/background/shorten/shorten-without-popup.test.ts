import { beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { readSettings } from '../../../../../extension/background/data/settings.ts';
import {
  notifyResult,
  shortenWithoutPopup,
} from '../../../../../extension/background/shorten/shorten-without-popup.ts';
import { aLink } from '../../support/a-link.ts';
import { speak } from '../../support/speak.ts';
import { giveToolbar, shownNotifications } from '../../support/toolbar.ts';

const LINK = aLink({ shortUrl: 'https://curt.example/secret-plan' });
let badges: string[];

beforeEach(() => {
  fakeBrowser.reset();
  speak('en');
  badges = giveToolbar();
});

test('an error in the extension itself is shown as a failure', async () => {
  const broken = vi.spyOn(fakeBrowser.storage.local, 'get').mockRejectedValue(new Error('Broken'));
  const shorten = vi.fn();
  try {
    await shortenWithoutPopup(shorten, {
      url: 'https://example.com/',
      isPrivate: false,
      title: '',
      missing: 'page_without_url',
    });
  } finally {
    broken.mockRestore();
  }
  expect(shorten).not.toHaveBeenCalled();
  expect(badges).toEqual(['…', '!']);
  expect(Object.values(shownNotifications())).toMatchObject([
    { title: 'Curt: Something went wrong in Curt' },
  ]);
});

test('a link that only works on the server’s own computer is shown with the reason', async () => {
  const settings = { ...(await readSettings()), copyAtOnce: false };
  const data = { ...LINK, shortUrl: 'http://localhost:2878/abc' };
  await notifyResult({ ok: true, data }, { ...settings, serverOrigin: 'http://nas.lan:2878' });
  expect(JSON.stringify(shownNotifications())).toContain('Set BASE_URL on the server');
  fakeBrowser.reset();
  giveToolbar();
  await notifyResult({ ok: true, data }, { ...settings, serverOrigin: 'http://127.0.0.1:2878' });
  expect(JSON.stringify(shownNotifications())).not.toContain('BASE_URL');
});

test('the link of a private window is offered to copy, without naming it, if it is not copied at once', async () => {
  const settings = { ...(await readSettings()), copyAtOnce: false };
  await notifyResult({ ok: true, data: LINK }, settings, { isPrivate: true });
  const shown = JSON.stringify(shownNotifications());
  expect(shown).toContain('Click to copy it.');
  expect(shown).not.toContain('secret-plan');
});
