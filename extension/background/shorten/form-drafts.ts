import { browser } from 'wxt/browser';
import type { FormDraft } from '../../links/form-fields.ts';
import { formDraftSchema } from '../../links/form-schema.ts';
import { formDrafts } from '../../storage/items.ts';

type SavedDraft = { url: string; draft: FormDraft };

export async function saveDraft(tabId: number, url: string, given: FormDraft): Promise<void> {
  // A password must not reach the storage, whatever the page's form has.
  const draft = formDraftSchema.parse(given);
  await formDrafts.update((drafts) => ({ ...drafts, [tabId]: { url, draft } }));
}

/** The draft of a tab. A draft of another page, which the tab has left, is deleted. */
export async function readDraft(
  tabId: number | undefined,
  url: string | undefined,
): Promise<FormDraft | undefined> {
  if (tabId === undefined) return undefined;
  const saved = (await readDrafts())[tabId];
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
  const { [tabId]: submitted } = await readDrafts();
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

export async function deleteDraft(
  tabId: number,
  isMeant = (_draft: SavedDraft) => true,
): Promise<void> {
  await formDrafts.update((drafts) => {
    const { [tabId]: saved, ...others } = drafts;
    return saved && isMeant(saved) ? others : drafts;
  });
}

/** With what is still being saved. */
function readDrafts() {
  return formDrafts.update((drafts) => drafts);
}

/** Call synchronously at startup. */
export function deleteDraftsOfClosedTabs(): void {
  browser.tabs.onRemoved.addListener((tabId) => void deleteDraft(tabId));
}
