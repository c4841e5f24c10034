import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { eraseData } from '../../../../../extension/background/messages/settings-messages.ts';
import {
  deleteDraft,
  deleteDraftsOfClosedTabs,
  readDraft,
  saveDraft,
  startSubmit,
} from '../../../../../extension/background/shorten/form-drafts.ts';
import { formDraftSchema } from '../../../../../extension/links/form-schema.ts';
import { toRuleInput } from '../../../../../shared/ui/link-form/rule-inputs.ts';
import { whenStored } from '../../support/browser-storage.ts';

const PAGE = 'https://example.com/page';
const DRAFT = { fields: { customAlias: 'mine' } };
const TAB = 7;

beforeEach(() => {
  fakeBrowser.reset();
});

/** Submits the form of a tab. @param during what happens before the server responds */
async function submit(isDone: boolean, during = async () => {}, tabId = TAB): Promise<void> {
  const endSubmit = await startSubmit(tabId);
  await during();
  if (isDone) await endSubmit();
}

test('a draft is deleted once its form is submitted, even if the user has changed it meanwhile', async () => {
  await saveDraft(TAB, PAGE, DRAFT);
  const changed = { fields: { customAlias: 'other' } };
  await submit(true, () => saveDraft(TAB, PAGE, changed));
  expect(await readDraft(TAB, PAGE)).toBeUndefined();
});

test('a draft that is first written during the call is deleted, too', async () => {
  await submit(true, () => saveDraft(TAB, PAGE, DRAFT));
  expect(await readDraft(TAB, PAGE)).toBeUndefined();
});

test('a draft stays if its form can’t be submitted, with what the user changed meanwhile', async () => {
  await saveDraft(TAB, PAGE, DRAFT);
  await submit(false);
  expect(await readDraft(TAB, PAGE)).toEqual(DRAFT);
  const changed = { fields: { customAlias: 'other' } };
  await submit(false, () => saveDraft(TAB, PAGE, changed));
  expect(await readDraft(TAB, PAGE)).toEqual(changed);
});

test.each([
  ['page', 'https://example.com/next', DRAFT],
  ['link', PAGE, { ...DRAFT, linkId: 'other' }],
])(
  'a draft stays if it is of another %s by the time that a form is submitted',
  async (_, url, draft) => {
    await saveDraft(TAB, PAGE, DRAFT);
    await submit(true, () => saveDraft(TAB, url, draft));
    expect(await readDraft(TAB, url)).toEqual(draft);
  },
);

test.each<[string, () => Promise<unknown>]>([
  ['its tab is closed', () => deleteDraft(TAB)],
  ['all data is erased', eraseData],
])('a draft does not return if %s before its form fails', async (_, during) => {
  await saveDraft(TAB, PAGE, DRAFT);
  await submit(false, async () => void (await during()));
  expect(await readDraft(TAB, PAGE)).toBeUndefined();
});

test('a draft is read with what is still being saved of it', async () => {
  const saving = saveDraft(TAB, PAGE, DRAFT);
  expect(await readDraft(TAB, PAGE)).toEqual(DRAFT);
  await saving;
});

test('a draft that is still being saved is deleted once its form is submitted', async () => {
  const saving = saveDraft(TAB, PAGE, DRAFT);
  await submit(true);
  await saving;
  expect(await readDraft(TAB, PAGE)).toBeUndefined();
});

test('drafts of other tabs stay', async () => {
  await saveDraft(TAB, PAGE, DRAFT);
  await saveDraft(8, PAGE, DRAFT);
  await submit(true, undefined, 8);
  expect(await readDraft(TAB, PAGE)).toEqual(DRAFT);
});

test('a draft is deleted with its tab, and with all data', async () => {
  deleteDraftsOfClosedTabs();
  await saveDraft(TAB, PAGE, DRAFT);
  await fakeBrowser.tabs.onRemoved.trigger(TAB, { windowId: 1, isWindowClosing: false });
  await whenStored(async () => (await readDraft(TAB, PAGE)) === undefined);
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
