import type { Signal } from '@preact/signals';
import type { Explained, Result } from '../../../client.ts';
import { type PlainKey, t } from '../../../i18n/translate.ts';
import { DESTINATION_NAMES } from '../../../links/destinations.ts';
import { hostOf } from '../../../links/link-address.ts';
import type { LinkRecord } from '../../../links/link-record.ts';
import { isEmpty, PLAIN_NAMES } from '../../../links/plain-fields.ts';
import type { ShortenRequest } from '../../../links/shorten-request.ts';
import { readTypedUrl } from '../../../links/url-in-text.ts';
import { type Cleaned, cleanUrl } from '../../clean-url.ts';
import { tellIfSlow } from '../../tell-if-slow.ts';
import type { ChangeTools } from './change-links.ts';
import { editCurrent } from './revert-edit.ts';

/** A new link, or one that was there before. */
export type Created = Result<LinkRecord & { isExisting?: true }, Explained>;
/** The field above the list, which shortens a URL. */
export type NewLinkField = {
  text: Signal<string>;
  issue: Signal<string | undefined>;
  isBusy: Signal<boolean>;
  isSlow: Signal<boolean>;
};
export type NewLinkTools = {
  /** Creates a link of a typed URL, or returns one that was there before. */
  create(text: string): Promise<Created>;
  /** Whether a typed URL is cleaned before, with a way back. Absent where `create` does it. @default false */
  cleansUrls?: boolean;
  /** Creates a link that never is one that was there before. */
  duplicate(request: ShortenRequest): Promise<Created>;
  /** Asks at the click for a link that is still on its way. Absent where pages may always copy. */
  copyLater?: ((link: Promise<LinkRecord>) => Promise<boolean>) | undefined;
};
export type NewLinkParts = ChangeTools &
  NewLinkTools & {
    field: NewLinkField;
    /** Copies a link, and says so. @param copied whether it was, if the browser was asked before */
    copyLink(link: LinkRecord, copied?: Promise<boolean>): Promise<void>;
  };

type ShowOptions = {
  copied?: Promise<boolean> | undefined;
  text?: PlainKey;
  /** What was removed from its URL. */
  cleaned?: Cleaned | undefined;
};

/** Creates links, shows them in the list and copies their short URLs. */
export function createNewLink({
  source,
  loading,
  undo,
  report,
  create,
  cleansUrls = false,
  duplicate,
  copyLink,
  copyLater,
  field: { text, issue, isBusy, isSlow },
}: NewLinkParts) {
  async function submit(): Promise<void> {
    if (isBusy.value) return;
    const typed = text.value.trim();
    if (typed === '') {
      issue.value = t('url_missing');
      return;
    }
    isBusy.value = true;
    const cleaned = cleansUrls ? cleanUrl(typed) : undefined;
    const answer = create(cleaned?.url ?? (cleansUrls ? readTypedUrl(typed) : typed));
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
    if (isUnchanged) text.value = '';
    await show(created.data, { copied, cleaned });
  }

  /** Creates another link with the values of one. Its password is not known. */
  async function copyOf(link: LinkRecord): Promise<void> {
    if (isBusy.value) return;
    isBusy.value = true;
    const created = await duplicate(duplicateRequest(link, Date.now()));
    isBusy.value = false;
    report(created.ok ? undefined : created.text);
    const text = link.hasPassword ? 'link_added_open' : 'link_added';
    if (created.ok) await show(created.data, { text });
  }

  async function show(
    { isExisting, ...link }: LinkRecord & { isExisting?: true },
    { copied, text = 'link_added', cleaned }: ShowOptions,
  ): Promise<void> {
    const { shortUrl } = link;
    const isPaused = link.status === 'inactive';
    // Another filter may leave it out, and an existing one may belong to a later page.
    if (loading.isFiltered.value || isExisting) await loading.refresh();
    else loading.put(link);
    // Undo must not delete a link that others may have by now.
    if (isExisting)
      undo.push({ text: t(isPaused ? 'paused_link_title' : 'link_exists'), shortUrl });
    else undo.push({ text: t(text), shortUrl, isNew: true, undo: () => remove(link) });
    if (cleaned && !isExisting) {
      // The short URL follows.
      const text = t('label_of', cleaned.text, '').trimEnd();
      const useFull = () => useFullUrl(link, cleaned.full);
      undo.push({ text, shortUrl, key: link.id, isNew: true, undo: useFull });
    }
    // A paused link leads nowhere.
    if (!isPaused) await copyLink(link, copied);
  }

  /** Gives a new link the URL as it was typed, unless it has another one by now. */
  async function useFullUrl(link: LinkRecord, full: string): Promise<Explained | undefined> {
    const edited = await editCurrent({ source, loading }, link, ({ originalUrl }) =>
      originalUrl === link.originalUrl ? { originalUrl: full } : undefined,
    );
    if (!edited.ok) return edited;
    // The list may have a filter that the link doesn't match.
    if (loading.isFiltered.value) await loading.refresh();
    else loading.put(edited.data);
    return undefined;
  }

  async function remove(link: LinkRecord): Promise<Explained | undefined> {
    const removed = await source.remove(link);
    if (!removed.ok) return removed;
    loading.take(link.id);
    return undefined;
  }

  return { submit, copyOf };
}

/** @throws Error if there is none, so that nothing is copied */
function linkToCopy(created: Created): LinkRecord {
  // A paused link leads nowhere.
  if (!created.ok || created.data.status === 'inactive') throw new Error('No link to copy');
  return created.data;
}

/** Returns the request for a link with the same values, apart from its alias and password, and times that are over. */
function duplicateRequest(link: LinkRecord, nowMs: number): ShortenRequest {
  const isAhead = (time: string | null) => time !== null && Date.parse(time) > nowMs;
  const names = [...PLAIN_NAMES, ...DESTINATION_NAMES, 'maxVisits', 'expiresAt'] as const;
  const values = names.map((name) => [name, link[name]] as const);
  const kept = values.filter(
    ([name, value]) =>
      !isEmpty(value) &&
      ((name !== 'expiresAt' && name !== 'startsAt') || isAhead(value as string | null)),
  );
  const { originalUrl } = link;
  return { originalUrl, domain: hostOf(link), ...Object.fromEntries(kept) };
}
