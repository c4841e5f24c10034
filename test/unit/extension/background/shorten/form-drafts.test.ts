import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { eraseData } from '../../../../../extension/background/data/erase.ts';
import {
  deleteDraftsOfClosedTabs,
  readDraft,
  saveDraft,
  submitDraft,
} from '../../../../../extension/background/shorten/form-drafts.ts';
import { formDraftSchema } from '../../../../../extension/links/form-schema.ts';

const PAGE = 'https://example.com/page';
const DRAFT = { fields: { alias: 'mine' } };
const TAB = 7;

beforeEach(() => {
  fakeBrowser.reset();
});

const submit = (run: () => Promise<'done' | 'failed'>, tabId = TAB) =>
  submitDraft(tabId, run, (outcome) => outcome === 'done');

test('a draft is gone while its request is sent, and for good once it is done', async () => {
  await saveDraft(TAB, PAGE, DRAFT);
  await submit(async () => {
    expect(await readDraft(TAB, PAGE)).toBeUndefined();
    return 'done';
  });
  expect(await readDraft(TAB, PAGE)).toBeUndefined();
});

test('a draft returns if its request fails, with what the user changed meanwhile', async () => {
  await saveDraft(TAB, PAGE, DRAFT);
  await submit(async () => 'failed');
  expect(await readDraft(TAB, PAGE)).toEqual(DRAFT);
  const changed = { fields: { alias: 'other' } };
  await submit(async () => {
    await saveDraft(TAB, PAGE, changed);
    return 'failed';
  });
  expect(await readDraft(TAB, PAGE)).toEqual(changed);
});

test('drafts of other tabs stay', async () => {
  await saveDraft(TAB, PAGE, DRAFT);
  await saveDraft(8, PAGE, DRAFT);
  await submit(async () => 'done', 8);
  expect(await readDraft(TAB, PAGE)).toEqual(DRAFT);
});

test('a draft is deleted with its tab, and with all data', async () => {
  deleteDraftsOfClosedTabs();
  await saveDraft(TAB, PAGE, DRAFT);
  await fakeBrowser.tabs.onRemoved.trigger(TAB, { windowId: 1, isWindowClosing: false });
  await expect.poll(() => readDraft(TAB, PAGE)).toBeUndefined();
  await saveDraft(TAB, PAGE, DRAFT);
  await eraseData();
  expect(await readDraft(TAB, PAGE)).toBeUndefined();
});

test('a draft can’t contain a password', () => {
  expect(formDraftSchema.safeParse({ fields: { password: 'swordfish' } }).success).toBe(false);
  expect(formDraftSchema.safeParse({ ...DRAFT, password: 'swordfish' }).success).toBe(false);
  expect(formDraftSchema.safeParse({ ...DRAFT, hadPassword: true }).success).toBe(true);
});
