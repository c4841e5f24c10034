import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { copyFromBackground } from '../../../../../extension/background/notify/copy.ts';
import { ManualTime } from '../../../../support/manual-time.ts';

/** Longer than the document stays open. */
const LATER_MS = 6000;

const { offscreen } = fakeBrowser;
let hasDocument: boolean;
let copied: string[];
let time: ManualTime;
/** The browser takes its time to close the document. */
let closing: PromiseWithResolvers<void>;

beforeEach(() => {
  vi.stubEnv('FIREFOX', '');
  time = new ManualTime();
  hasDocument = false;
  copied = [];
  closing = Promise.withResolvers();
  let isUsable = false;
  Object.assign(fakeBrowser, {
    offscreen: {
      hasDocument: async () => hasDocument,
      async createDocument() {
        if (hasDocument) throw new Error('Only a single offscreen document may be created.');
        hasDocument = true;
        isUsable = true;
      },
      async closeDocument() {
        isUsable = false;
        await closing.promise;
        hasDocument = false;
      },
    },
  });
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation(async (message) => {
    if (!isUsable) throw new Error('Receiving end does not exist.');
    copied.push((message as unknown as { text: string }).text);
    return { copied: true };
  });
});

afterEach(() => {
  Object.assign(fakeBrowser, { offscreen });
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test('text is copied while the document of the last copy is being closed', async () => {
  await copyFromBackground('first', time);
  void time.advance(LATER_MS);
  const second = copyFromBackground('second', time);
  closing.resolve();
  expect(await second).toBe(true);
  expect(copied).toEqual(['first', 'second']);
});

test('the document is closed once nothing has been copied for a while', async () => {
  closing.resolve();
  await copyFromBackground('first', time);
  await time.advance(LATER_MS / 2);
  await copyFromBackground('second', time);
  await time.advance(LATER_MS / 2);
  expect(hasDocument).toBe(true);
  await time.advance(LATER_MS);
  expect(hasDocument).toBe(false);
});
