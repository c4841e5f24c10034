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

/** Deletes the draft of a form once its call is done. The tab may have the draft of another one by then. */
export async function submitDraft<T>(
  tabId: number | undefined,
  call: () => Promise<T>,
  isDone: (outcome: T) => boolean,
): Promise<T> {
  if (tabId === undefined) return call();
  const { [tabId]: submitted } = await settledDrafts();
  const outcome = await call();
  if (!isDone(outcome)) return outcome;
  // Without one before, the user changed the submitted form during the call.
  const { url, draft } = submitted ?? {};
  await deleteDraft(
    tabId,
    (now) => !submitted || (now.url === url && now.draft.linkId === draft?.linkId),
  );
  return outcome;
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
