import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import {
  clearConfirmation,
  readConfirmation,
  requestConfirmation,
} from '../../../../../extension/background/notify/confirm-secret.ts';
import { pendingConfirmation } from '../../../../../extension/storage/items.ts';
import { speak } from '../../support/speak.ts';
import { giveToolbar, shownNotifications } from '../../support/toolbar.ts';

const wish = (id: string) => ({ id, url: `https://${id}.example`, title: '', isPrivate: true });

beforeEach(() => fakeBrowser.reset());

test('what was asked about is there for a second reader, whose first answer got lost', async () => {
  await pendingConfirmation.update(() => wish('one'));
  expect(await readConfirmation()).toEqual(wish('one'));
  expect(await readConfirmation()).toEqual(wish('one'));
});

test('it is kept no longer than it is dropped, and never on the disk', async () => {
  await pendingConfirmation.update(() => wish('one'));
  await clearConfirmation('one');
  await clearConfirmation('one');
  expect(await readConfirmation()).toBeNull();
  expect(JSON.stringify(await fakeBrowser.storage.session.get())).not.toContain('one.example');
  expect(await fakeBrowser.storage.local.get()).toEqual({});
});

test('one that came while another was read stays', async () => {
  await pendingConfirmation.update(() => wish('one'));
  const read = await readConfirmation();
  await pendingConfirmation.update(() => wish('two'));
  await clearConfirmation(read?.id ?? '');
  expect(await readConfirmation()).toEqual(wish('two'));
});

test.each([
  [false, /session_token/],
  [true, /^(?!.*session_token)/],
])(
  'what was found is named, but not of a private window (private: %s)',
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
