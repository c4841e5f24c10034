import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { callServer } from '../../../../extension/messaging/call-server.ts';
import { send } from '../../../../extension/messaging/protocol.ts';

const serverOrigin = 'https://curt.example';
const SILENT = { ok: false, code: 'background_silent' };

beforeEach(() => {
  fakeBrowser.reset();
  vi.useFakeTimers();
  fakeBrowser.runtime.onMessage.addListener(() => new Promise(() => {}));
});
afterEach(() => {
  vi.useRealTimers();
});

test('a background that does not respond is reported', async () => {
  const answer = send('readSettings', {});
  await vi.advanceTimersByTimeAsync(45_000);
  expect(await answer).toEqual(SILENT);
});

test('a file may take as long as its call', async () => {
  let ended = 0;
  const count = () => {
    ended += 1;
  };
  const call = callServer(send, serverOrigin);
  void call('importLinks', { file: '' }).then(count);
  void call('exportLinks', { format: 'csv' }).then(count);
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  expect(ended).toBe(0);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ended).toBe(2);
});
