import { browser } from 'wxt/browser';
import { type FormDraft, formDraftSchema } from '../../links/form-schema.ts';
import { formDrafts } from '../../storage/items.ts';

type SavedDraft = { url: string; draft: FormDraft };

export async function saveDraft(tabId: number, url: string, given: FormDraft): Promise<void> {
  // A password must not reach the storage, whatever the page's form has.
  const draft = formDraftSchema.parse(given);
  await formDrafts.update((drafts) => ({ ...drafts, [tabId]: { url, draft } }));
}

/** Reads the draft of a tab. A draft of another page, which the tab has left, is deleted. */
export async function readDraft(
  tabId: number | undefined,
  url: string | undefined,
): Promise<FormDraft | undefined> {
  if (tabId === undefined) return undefined;
  const saved = (await settledDrafts())[tabId];
  if (saved?.url === url) return saved?.draft;
  await deleteDraft(tabId);
  return undefined;
}

/**
 * Call before a form is submitted.
 *
 * @returns what deletes its draft once that has succeeded. The tab may have the draft of another form by then.
 */
export async function startSubmit(tabId: number | undefined): Promise<() => Promise<void>> {
  if (tabId === undefined) return async () => {};
  const { [tabId]: submitted } = await settledDrafts();
  const { url, draft } = submitted ?? {};
  // Without one before, the user has changed the submitted form meanwhile.
  const isMeant = (now: SavedDraft) =>
    !submitted || (now.url === url && now.draft.linkId === draft?.linkId);
  return () => deleteDraft(tabId, isMeant);
}

export function deleteDraft(
  tabId: number,
  isMeant?: (saved: SavedDraft) => boolean,
): Promise<void> {
  return formDrafts.deleteEntry(String(tabId), isMeant);
}

/** The drafts, once those that are being saved are among them. */
function settledDrafts() {
  return formDrafts.update((drafts) => drafts);
}

/** Call synchronously at startup. */
export function deleteDraftsOfClosedTabs(): void {
  browser.tabs.onRemoved.addListener((tabId) => void deleteDraft(tabId));
}
