import { signal } from '@preact/signals';
import { t } from '../../../i18n/translate.ts';
import { keyOf, type ShownLink, statusOf } from '../../../links/shown-link.ts';
import { tellIfSlow } from '../../tell-if-slow.ts';
import type { LinkFailure } from '../link-source.ts';
import type { ChangeTools } from './change-links.ts';

export type CreateOutcome = { ok: true; data: ShownLink; isExisting?: boolean } | LinkFailure;
export type NewLinkTools = ChangeTools & {
  /** Creates a link of a typed URL, or returns one that was there before. */
  create(text: string): Promise<CreateOutcome>;
  copy(link: ShownLink, copied?: Promise<boolean>): Promise<void>;
  /** Asks at the click for a link that is still on its way. Absent where pages may always copy. */
  copyLater?: ((link: Promise<ShownLink>) => Promise<boolean>) | undefined;
};
export type NewLinkState = ReturnType<typeof createNewLink>;

/** The field above the list, which shortens a URL and copies its short link. */
export function createNewLink({ source, loading, undo, create, copy, copyLater }: NewLinkTools) {
  const text = signal('');
  const issue = signal<string | undefined>(undefined);
  const isBusy = signal(false);
  const isSlow = signal(false);

  function change(value: string): void {
    text.value = value;
    issue.value = undefined;
  }

  async function submit(): Promise<void> {
    if (isBusy.value) return;
    const typed = text.value.trim();
    if (typed === '') {
      issue.value = t('url_missing');
      return;
    }
    isBusy.value = true;
    const answer = create(typed);
    const copied = copyLater?.(answer.then(linkToCopy));
    const created = await tellIfSlow(answer, isSlow);
    isBusy.value = false;
    // The next URL, which was typed meanwhile, stays.
    const isUnchanged = text.value.trim() === typed;
    if (!created.ok) {
      if (isUnchanged) issue.value = created.text;
      else undo.push({ text: t('label_of', typed, created.text) });
      return;
    }
    const { data: link, isExisting } = created;
    const { shortUrl } = link;
    const isPaused = statusOf(link) === 'inactive';
    if (isUnchanged) text.value = '';
    // Another filter may leave it out, and an existing one may belong to a later page.
    if (loading.isFiltered.value || isExisting) await loading.refresh();
    else loading.put(link);
    // Undo must not delete a link that others may have by now.
    if (isExisting)
      undo.push({ text: t(isPaused ? 'paused_link_title' : 'link_exists'), shortUrl });
    else undo.push({ text: t('link_added'), shortUrl, undo: () => remove(link) });
    // A paused link leads nowhere.
    if (!isPaused) await copy(link, copied);
  }

  async function remove(link: ShownLink): Promise<LinkFailure | undefined> {
    const removed = await source.remove(link);
    if (!removed.ok) return removed;
    loading.take(keyOf(link));
    return undefined;
  }

  return { text, issue, isBusy, isSlow, change, submit };
}

/** @throws Error if there is none, so that nothing is copied */
function linkToCopy(created: CreateOutcome): ShownLink {
  // A paused link leads nowhere.
  if (!created.ok || statusOf(created.data) === 'inactive') throw new Error('No link to copy');
  return created.data;
}
