import { expect, onTestFinished, test, vi } from 'vitest';
import type { Send } from '../../../../../../extension/messaging/send.ts';

const TEXTS = '../../../../../../extension/i18n/error-text.ts';

test('a failure is shown although its text can’t be loaded, as after an update of the extension', async () => {
  vi.resetModules();
  vi.doMock(TEXTS, () => {
    throw new TypeError('Failed to fetch dynamically imported module');
  });
  onTestFinished(() => {
    vi.doUnmock(TEXTS);
    vi.resetModules();
  });
  await import('../../../../../../extension/i18n/browser-messages.ts');
  const { speak } = await import('../../../support/speak.ts');
  speak('en');
  const { createPopupState } = await import(
    '../../../../../../extension/pages/popup/state/popup-state.ts'
  );
  const state = createPopupState(
    Promise.resolve({ url: 'https://example.com/', title: '', isPrivate: false }),
    {
      popupId: 'popup',
      send: (async () => ({ ok: false, code: 'background_silent' })) as unknown as Send,
      copy: async () => true,
      whenLoaded: () => new Promise(() => {}),
    },
  );
  await state.start();
  const failure = { ok: false, code: 'background_silent' } as const;
  expect(state.view.value).toEqual({ name: 'failed', failure });
  expect(state.textOf(failure)).toMatchObject({ remedy: 'try_again' });
  expect(state.textOf(failure).text).toContain('loaded');
});
