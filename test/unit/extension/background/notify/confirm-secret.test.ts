import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import {
  clearConfirmation,
  requestConfirmation,
} from '../../../../../extension/background/notify/confirm-secret.ts';
import { pendingConfirmation } from '../../../../../extension/storage/items.ts';
import { speak } from '../../support/speak.ts';
import { giveToolbar, shownNotifications } from '../../support/toolbar.ts';

const confirmation = (id: string) => ({
  id,
  url: `https://${id}.example`,
  title: '',
  isPrivate: true,
});

beforeEach(() => fakeBrowser.reset());

test('a pending confirmation is stored only until it is cleared, and never on disk', async () => {
  await pendingConfirmation.update(() => confirmation('one'));
  await clearConfirmation('one');
  await clearConfirmation('one');
  expect(await pendingConfirmation.read()).toBeNull();
  expect(JSON.stringify(await fakeBrowser.storage.session.get())).not.toContain('one.example');
  expect(await fakeBrowser.storage.local.get()).toEqual({});
});

test('clearing it does not clear a newer one', async () => {
  await pendingConfirmation.update(() => confirmation('one'));
  const read = await pendingConfirmation.read();
  await pendingConfirmation.update(() => confirmation('two'));
  await clearConfirmation(read?.id ?? '');
  expect(await pendingConfirmation.read()).toEqual(confirmation('two'));
});

test.each([
  [false, /session_token/],
  [true, /^(?!.*session_token)/],
])(
  'the notification names the secret, but not in a private window (private: %s)',
  async (isPrivate, words) => {
    speak('en');
    giveToolbar();
    const found = { secrets: [{ kind: 'parameter' as const, name: 'session_token' }] };
    await requestConfirmation({ url: 'https://one.example', title: '', isPrivate }, found);
    expect(Object.values(shownNotifications())).toMatchObject([
      { message: expect.stringMatching(words) },
    ]);
  },
);
