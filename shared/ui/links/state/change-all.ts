import type { Signal } from '@preact/signals';
import { LIST_LIMIT_MAX, TAGS_MAX } from '../../../bounds.ts';
import type { Explained } from '../../../client.ts';
import type { ErrorCode } from '../../../errors.ts';
import { serverMessage } from '../../../i18n/failure-text.ts';
import { formatNumber } from '../../../i18n/plural.ts';
import { type PlainKey, t } from '../../../i18n/translate.ts';
import type { LinkQuery } from '../../../links/list-query.ts';
import { linkFailureText } from '../link-failure-text.ts';
import type { ChangedLinks, LinkChange } from '../link-source.ts';
import type { BulkText, ChangeTools } from './change-links.ts';

type Replaced = NonNullable<ChangedLinks['replaced']>[number];

/** A change of all links of a list, and how it is undone and named. */
export type AllChange = {
  change: LinkChange;
  /** What undoes it, where that depends on what a link had before. @param replaced that of one link */
  opposite(replaced: Replaced | undefined): LinkChange;
  /** What it does, on the button that confirms it. */
  label: PlainKey;
  doneText: BulkText;
};

type Pending = AllChange & { query: LinkQuery; count: number };

export type AllChangeSignals = {
  /** What is to be confirmed, with the number of links. */
  pending: Signal<Pending | undefined>;
  progress: Signal<{ done: number; total: number } | undefined>;
};

/** Changes all links of a list, also those that are not loaded, part by part. */
export function createAllChanger({
  source,
  loading,
  undo,
  report,
  clearSelection,
  pending,
  progress,
}: ChangeTools & AllChangeSignals & { clearSelection(): void }) {
  let isStopped = false;

  /** Counts the links, and asks whether to change them. */
  async function request(all: AllChange): Promise<void> {
    const query = loading.query();
    const counted = await source.changeAll({ query }, all.change, { dryRun: true });
    report(counted.ok ? undefined : counted.text);
    if (counted.ok) pending.value = { ...all, query, count: counted.data.matched };
  }

  /** Carries out what was asked. */
  async function confirm(): Promise<void> {
    const { value } = pending;
    if (!value || progress.value) return;
    pending.value = undefined;
    await undo.hold(carryOut(value));
  }

  async function carryOut(value: Pending): Promise<void> {
    const { change, query, count } = value;
    // A link that is added later must not be selected.
    if (change.isDeleted) clearSelection();
    const changed: Undoable[] = [];
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
      const { replaced } = part.data;
      changed.push(
        ...part.data.changed.map((alias, index) => ({
          alias,
          change: value.opposite(replaced?.[index]),
        })),
      );
      failed.push(...part.data.failed);
      done += part.data.matched;
      cursor = part.data.nextCursor;
    } while (cursor !== undefined && !isStopped);
    progress.value = undefined;
    report(cause ?? failedText(failed, change));
    await loading.refresh();
    if (changed.length === 0) return;
    offerUndo(changed, value);
  }

  function offerUndo(changed: Undoable[], all: AllChange): void {
    undo.push({
      text: t(all.doneText, formatNumber(changed.length)),
      undo: () => revert(changed, all),
    });
  }

  async function revert(changed: Undoable[], all: AllChange): Promise<Explained | undefined> {
    let failure: Explained | undefined;
    const failed: ChangedLinks['failed'] = [];
    const parts = toParts(changed);
    const total = changed.length;
    let done = 0;
    isStopped = false;
    while (parts.length > 0 && !failure && !isStopped) {
      const [{ aliases, change }] = parts as [RevertPart];
      progress.value = { done, total };
      const reverted = await source.changeAll({ aliases }, change);
      if (reverted.ok) failed.push(...reverted.data.failed);
      else if (OF_PART.has(reverted.code)) {
        const { code, text: message } = reverted;
        failed.push(...aliases.map((alias) => ({ alias, code: code as ErrorCode, message })));
      } else {
        failure = reverted;
        break;
      }
      parts.shift();
      done += aliases.length;
    }
    progress.value = undefined;
    await loading.refresh();
    // After a failure, all of it can be undone again.
    if (!failure && parts.length > 0) {
      const left = new Set(parts.flatMap(({ aliases }) => aliases));
      offerUndo(
        changed.filter(({ alias }) => left.has(alias)),
        all,
      );
    }
    const text = failedText(failed, all.change);
    if (failure || text === undefined) return failure;
    // Another attempt would not change it.
    return { ok: false, code: 'not_found', text };
  }

  /** Ends after the part that is under way. */
  function stop(): void {
    isStopped = true;
  }

  return { request, confirm, stop };
}

/** A link that was changed, and what undoes it. */
type Undoable = { alias: string; change: LinkChange };
type RevertPart = { aliases: string[]; change: LinkChange };

/** Failures of values that links had before, and of no other link. */
const OF_PART = new Set(['expires_in_past', 'invalid_domain']);

/** Groups links that get the same values, in parts that the server takes. */
function toParts(changed: Undoable[]): RevertPart[] {
  const groups = Map.groupBy(changed, ({ change }) => JSON.stringify(change));
  return [...groups.values()].flatMap((group) => {
    const parts: RevertPart[] = [];
    for (let start = 0; start < group.length; start += LIST_LIMIT_MAX) {
      const part = group.slice(start, start + LIST_LIMIT_MAX);
      parts.push({ aliases: part.map(({ alias }) => alias), change: part[0]?.change ?? {} });
    }
    return parts;
  });
}

/** What is wrong with one link, and not with the change. */
const REASONS = new Map<string, PlainKey>([
  ['alias_taken', 'alias_taken_title'],
  ['expires_in_past', 'expires_in_past_title'],
]);

function failedText(failed: ChangedLinks['failed'], change: LinkChange): string | undefined {
  const last = failed.at(-1);
  if (!last) return undefined;
  return t('bulk_failed', formatNumber(failed.length), reasonOf(last, change));
}

function reasonOf(
  { code, message }: ChangedLinks['failed'][number],
  { expiresAt }: LinkChange,
): string {
  const known = REASONS.get(code);
  if (known) return t(known);
  // Of a change that fits all others, only these may not fit one link.
  if (code === 'invalid_request') {
    return expiresAt ? t('expires_before_start') : t('tags_full', formatNumber(TAGS_MAX));
  }
  return linkFailureText(code) ?? serverMessage(message);
}
