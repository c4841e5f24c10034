import { browser } from 'wxt/browser';
import type { FormDraft } from '../../links/form-fields.ts';
import { formDrafts } from '../../storage/items.ts';
import type { ShortenOutcome } from './shorten.ts';

type SavedDraft = { url: string; draft: FormDraft };

export async function saveDraft(tabId: number, url: string, draft: FormDraft): Promise<void> {
  await formDrafts.update((drafts) => ({ ...drafts, [tabId]: { url, draft } }));
}

/** The draft of a tab. A draft of another page, which the tab has left, is deleted. */
export async function readDraft(
  tabId: number | undefined,
  url: string | undefined,
): Promise<FormDraft | undefined> {
  if (tabId === undefined) return undefined;
  const saved = (await formDrafts.read())[tabId];
  if (saved?.url === url) return saved?.draft;
  await takeDraft(tabId);
  return undefined;
}

/** Deletes the draft that a request completes, and restores it if the request fails. */
export async function submitDraft(
  tabId: number | undefined,
  shorten: () => Promise<ShortenOutcome>,
): Promise<ShortenOutcome> {
  if (tabId === undefined) return shorten();
  const saved = await takeDraft(tabId);
  const outcome = await shorten();
  // The user may have changed a field meanwhile.
  const changed = await takeDraft(tabId);
  const draft = changed ?? saved;
  const isDone = ['existing', 'created', 'queued'].includes(outcome.status);
  if (draft && !isDone) await saveDraft(tabId, draft.url, draft.draft);
  return outcome;
}

export async function deleteDraft(tabId: number): Promise<void> {
  await takeDraft(tabId);
}

/** Call synchronously at startup. */
export function deleteDraftsOfClosedTabs(): void {
  browser.tabs.onRemoved.addListener((tabId) => void takeDraft(tabId));
}

async function takeDraft(tabId: number): Promise<SavedDraft | undefined> {
  const { [tabId]: saved } = await formDrafts.read();
  if (!saved) return undefined;
  await formDrafts.update(({ [tabId]: _, ...others }) => others);
  return saved;
}
