import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { eraseData } from '../../../../../extension/background/data/erase.ts';
import {
  deleteDraftsOfClosedTabs,
  readDraft,
  saveDraft,
  submitDraft,
} from '../../../../../extension/background/shorten/form-drafts.ts';
import type { ShortenOutcome } from '../../../../../extension/background/shorten/shorten.ts';
import { formDraftSchema } from '../../../../../extension/links/form-schema.ts';
import { toRuleInput } from '../../../../../shared/ui/link-form/rule-inputs.ts';

const PAGE = 'https://example.com/page';
const DRAFT = { fields: { alias: 'mine' } };
const TAB = 7;

beforeEach(() => {
  fakeBrowser.reset();
});

const FAILED: ShortenOutcome = { status: 'failed', result: { ok: false, code: 'alias_taken' } };
const QUEUED: ShortenOutcome = { status: 'queued', result: { ok: false, code: 'unreachable' } };

test('a draft is gone while its request is sent, and for good once it is queued', async () => {
  await saveDraft(TAB, PAGE, DRAFT);
  await submitDraft(TAB, async () => {
    expect(await readDraft(TAB, PAGE)).toBeUndefined();
    return QUEUED;
  });
  expect(await readDraft(TAB, PAGE)).toBeUndefined();
});

test('a draft returns if its request fails, with what the user changed meanwhile', async () => {
  await saveDraft(TAB, PAGE, DRAFT);
  await submitDraft(TAB, async () => FAILED);
  expect(await readDraft(TAB, PAGE)).toEqual(DRAFT);
  const changed = { fields: { alias: 'other' } };
  await submitDraft(TAB, async () => {
    await saveDraft(TAB, PAGE, changed);
    return FAILED;
  });
  expect(await readDraft(TAB, PAGE)).toEqual(changed);
});

test('drafts of other tabs stay', async () => {
  await saveDraft(TAB, PAGE, DRAFT);
  await saveDraft(8, PAGE, DRAFT);
  await submitDraft(8, async () => QUEUED);
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

test('a draft can contain all of a saved rule', () => {
  const from = '2030-10-27T01:30:00.000Z';
  const rules = [toRuleInput({ originalUrl: PAGE, from, share: 50, query: { name: 'ref' } })];
  expect(formDraftSchema.parse({ fields: { rules } })).toEqual({ fields: { rules } });
});

test('a draft can’t contain a password', () => {
  expect(formDraftSchema.safeParse({ fields: { password: 'swordfish' } }).success).toBe(false);
  expect(formDraftSchema.safeParse({ ...DRAFT, password: 'swordfish' }).success).toBe(false);
  expect(formDraftSchema.safeParse({ ...DRAFT, hadPassword: true }).success).toBe(true);
});
