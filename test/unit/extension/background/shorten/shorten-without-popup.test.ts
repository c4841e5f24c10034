import { beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { shortenWithoutPopup } from '../../../../../extension/background/shorten/shorten-without-popup.ts';
import { speak } from '../../support/speak.ts';
import { giveToolbar, shownNotifications } from '../../support/toolbar.ts';

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
