import { signal } from '@preact/signals';
import { formatNumber } from '../../../i18n/plural.ts';
import { type PlainKey, t } from '../../../i18n/translate.ts';
import { LIST_LIMIT_MAX, TAGS_MAX } from '../../../limits.ts';
import { linkFailureText } from '../failure-text.ts';
import type { ChangedLinks, LinkChange, LinkFailure, LinkQuery } from '../link-source.ts';
import type { ChangeTools } from './change-links.ts';

/** A change of all links of a list, and how it is undone and named. */
export type AllChange = {
  change: LinkChange;
  opposite: LinkChange;
  /** What it does, on the button that confirms it. */
  label: PlainKey;
  doneText: 'bulk_deleted' | 'bulk_paused' | 'bulk_resumed' | 'bulk_tagged';
};

type Pending = AllChange & { query: LinkQuery; count: number };

export type AllChanger = ReturnType<typeof createAllChanger>;

/** Changes all links of a list, also those that are not loaded, part by part. */
export function createAllChanger({
  source,
  loading,
  undo,
  report,
  clearSelection,
}: ChangeTools & { clearSelection(): void }) {
  /** What is to be confirmed, with the number of links. */
  const pending = signal<Pending | undefined>(undefined);
  const progress = signal<{ done: number; total: number } | undefined>(undefined);
  let isStopped = false;

  /** Counts the links, and asks whether to change them. */
  async function request(all: AllChange): Promise<void> {
    const query = loading.query();
    const counted = await source.changeAll({ query }, all.change, { dryRun: true });
    report(counted.ok ? undefined : counted.text);
    if (counted.ok) pending.value = { ...all, query, count: counted.data.matched };
  }

  function dismiss(): void {
    pending.value = undefined;
  }

  /** Carries out what was asked. */
  async function confirm(): Promise<void> {
    const { value } = pending;
    if (!value || progress.value) return;
    dismiss();
    const { change, query, count } = value;
    // A link that is added later must not be selected.
    if (change.isDeleted) clearSelection();
    const changed: string[] = [];
    const failed: ChangedLinks['failed'] = [];
    let cause: string | undefined;
    let cursor: string | undefined;
    let done = 0;
    isStopped = false;
    do {
      progress.value = { done, total: count };
      const part = await source.changeAll({ query }, change, { cursor });
      if (!part.ok) {
        cause = part.text;
        break;
      }
      changed.push(...part.data.changed);
      failed.push(...part.data.failed);
      done += part.data.matched;
      cursor = part.data.nextCursor;
    } while (cursor !== undefined && !isStopped);
    progress.value = undefined;
    report(cause ?? failedText(failed));
    await loading.refresh();
    if (changed.length === 0) return;
    offerUndo(changed, value);
  }

  function offerUndo(aliases: string[], all: AllChange): void {
    undo.push({
      text: t(all.doneText, formatNumber(aliases.length)),
      undo: () => revert(aliases, all),
    });
  }

  async function revert(aliases: string[], all: AllChange): Promise<LinkFailure | undefined> {
    let failure: LinkFailure | undefined;
    const failed: ChangedLinks['failed'] = [];
    let done = 0;
    isStopped = false;
    while (done < aliases.length && !failure && !isStopped) {
      progress.value = { done, total: aliases.length };
      const part = aliases.slice(done, done + LIST_LIMIT_MAX);
      const reverted = await source.changeAll({ aliases: part }, all.opposite);
      if (reverted.ok) {
        failed.push(...reverted.data.failed);
        done += part.length;
      } else failure = reverted;
    }
    progress.value = undefined;
    await loading.refresh();
    // After a failure, all of it can be undone again.
    if (!failure && done < aliases.length) offerUndo(aliases.slice(done), all);
    const text = failedText(failed);
    if (failure || text === undefined) return failure;
    // Another attempt would not change it.
    return { ok: false, code: 'not_found', text };
  }

  /** Ends after the part that is under way. */
  function stop(): void {
    isStopped = true;
  }

  return { pending, progress, request, dismiss, confirm, stop };
}

function failedText(failed: ChangedLinks['failed']): string | undefined {
  const last = failed.at(-1);
  if (!last) return undefined;
  // Of a change that fits all others, only tags may not fit one link.
  const reason =
    last.code === 'invalid_request' ? t('tags_full', String(TAGS_MAX)) : linkFailureText(last.code);
  return t('bulk_failed', formatNumber(failed.length), reason ?? last.message);
}
