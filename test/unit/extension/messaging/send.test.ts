import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { type Send, send } from '../../../../extension/messaging/send.ts';
import { ManualTime } from '../../../support/manual-time.ts';

const serverOrigin = 'https://curt.example';
const SILENT = { ok: false, code: 'background_silent' };

let time: ManualTime;

beforeEach(() => {
  fakeBrowser.reset();
  time = new ManualTime();
  fakeBrowser.runtime.onMessage.addListener(() => new Promise(() => {}));
});

const sendLater: Send = (kind, payload) => send(kind, payload, time);

test('a background that does not respond is reported', async () => {
  const answer = sendLater('readSettings', {});
  await time.advance(45_000);
  expect(await answer).toEqual(SILENT);
});

test('a file may take as long as its call', async () => {
  const answers = Promise.all([
    sendLater('importLinks', { serverOrigin, file: '' }),
    sendLater('exportLinks', { serverOrigin, format: 'csv' }),
  ]);
  await time.advance(5 * 60_000);
  expect(time.waiting).toBe(2);
  await time.advance(60_000);
  expect(await answers).toEqual([SILENT, SILENT]);
});
