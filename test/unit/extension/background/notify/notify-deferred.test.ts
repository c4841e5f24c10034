import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { saveSettings } from '../../../../../extension/background/data/settings.ts';
import {
  notifyDeferred,
  notifyUnsaved,
} from '../../../../../extension/background/notify/notify-deferred.ts';
import type { PendingRequest } from '../../../../../extension/storage/items.ts';
import { aLink } from '../../support/a-link.ts';
import { breakStorage } from '../../support/browser-storage.ts';
import { speak } from '../../support/speak.ts';
import { giveToolbar, shownNotifications } from '../../support/toolbar.ts';

const REQUEST: PendingRequest = {
  status: 'queued',
  origin: 'https://curt.example',
  request: { originalUrl: 'https://example.com/secret-plan' },
  isPrivate: false,
  requestedAtMs: new Date(2030, 0, 1, 12).getTime(),
  attempts: 1,
  retryAtMs: 0,
  retryUntilMs: 0,
};
const LINK = aLink({
  shortUrl: 'https://curt.example/abc',
  originalUrl: 'https://example.com/secret-plan',
  title: 'The plan',
});

beforeEach(() => {
  fakeBrowser.reset();
  speak('en');
  giveToolbar();
});

const words = () =>
  Object.values(shownNotifications()).map(({ title, message }) => `${title}\n${message}`);
const inSession = async () => JSON.stringify(await fakeBrowser.storage.session.get());

describe('the link of a queued request', () => {
  test('is shown with a hint to copy it', async () => {
    await notifyDeferred(REQUEST, { ok: true, data: LINK });
    expect(words()).toEqual([
      'Curt: Short link created\nhttps://curt.example/abc\nClick to copy it.',
    ]);
  });

  test('is offered in the chosen format', async () => {
    await saveSettings({ copyFormat: 'markdown' });
    await notifyDeferred(REQUEST, { ok: true, data: LINK });
    expect(await inSession()).toContain('[The plan](https://curt.example/abc)');
  });

  test('is not shown for a private window, and not written to disk', async () => {
    const before = JSON.stringify(await fakeBrowser.storage.local.get());
    await notifyDeferred({ ...REQUEST, isPrivate: true }, { ok: true, data: LINK });
    expect(JSON.stringify(shownNotifications())).not.toMatch(/\/abc|secret-plan|The plan/);
    expect(JSON.stringify(await fakeBrowser.storage.local.get())).toBe(before);
  });
});

describe('a queued request that failed', () => {
  test('is named with the reason', async () => {
    await notifyDeferred(REQUEST, { ok: false, code: 'alias_taken' });
    expect(words()).toEqual([
      'Curt: A waiting link was rejected\nexample.com/secret-plan\nThis alias is taken. Type another one.',
    ]);
  });

  test.each([
    [true, /no clear response for a day.*shorten this URL again: example\.com\/secret-plan$/],
    [
      false,
      /^Curt has tried since January 1, 2030.*shorten this URL again: example\.com\/secret-plan$/,
    ],
  ])('is explained when given up (indeterminate: %s)', async (isIndeterminate, text) => {
    await notifyDeferred(REQUEST, { ok: false, code: 'given_up', isIndeterminate });
    const [{ message = '' } = {}] = Object.values(shownNotifications());
    expect(message).toMatch(text);
  });

  test('is not named for a private window', async () => {
    const request = { ...REQUEST, isPrivate: true };
    await notifyDeferred(request, { ok: false, code: 'alias_taken' });
    await notifyDeferred(request, { ok: false, code: 'given_up', isIndeterminate: true });
    expect(words()).toHaveLength(2);
    expect(JSON.stringify(shownNotifications())).not.toMatch(/secret-plan/);
  });
});

test('a disk that cannot be written is reported once', async () => {
  onTestFinished(breakStorage());
  await notifyUnsaved();
  await notifyUnsaved();
  expect(words()).toEqual([
    expect.stringMatching(
      /^Curt: Waiting links aren’t being created\nYour browser can’t save their state/,
    ),
  ]);
});
